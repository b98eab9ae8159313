import type { Fleet } from '../fleet/fleet.ts'
import type { PlannedVariant } from '../fleet/planned-variants.ts'
import { asUrl, printAddress } from '../git/git-address.ts'
import { groupBy } from '../group-by.ts'
import { isDns1123Subdomain } from '../kubernetes/names.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { asQuestion } from '../schema/nearest-name.ts'
import { countOf, nameFirst } from '../wording.ts'
import { sourceKey, sourceNames } from './flux.ts'
import type { Deployment, DraftDeployment, SyncOptions, SyncSystem } from './options.ts'

/** Returns an error for each package in `dependsOn` that no variant has. A folder without variants says nothing about packages. */
export function missingPackages(variants: readonly PlannedVariant[], fleet: Fleet, { config, dependsOn }: SyncOptions): readonly Result[] {
  const known = [...new Set(variants.map(({ packageName }) => packageName))]
  if (known.length === 0) return []
  return [...dependsOn].flatMap(([name, needed]) =>
    [name, ...needed].flatMap((each, index) => {
      if (known.includes(each)) return []
      const path = index === 0 ? ['spec', 'dependsOn', name] : ['spec', 'dependsOn', name, index - 1]
      const message = `must be the package of a variant, got ${quoteText(each)}${asQuestion(fleet.nearestAmong(known)(each))}`
      return [faultToResult(config, { severity: 'error', rule: 'sync-package', path, message, atKey: index === 0 })]
    }),
  )
}

const ONE_CLUSTER: Readonly<Record<SyncSystem, (repositories: string) => string>> = {
  argocd: (repositories) =>
    `must be set: all packages of ${repositories} are deployed onto one cluster, 'in-cluster'; write the name of the cluster, such as repository.name, or "'in-cluster'" if one cluster is meant`,
  flux: (repositories) =>
    `must be set: the objects of ${repositories} deploy onto the one cluster whose Flux applies them; write the Secret with the kubeconfig, or let each cluster apply only the objects of its own Repository`,
  'config-sync': (repositories) =>
    `is 'config-sync', whose objects deploy onto the cluster that applies them, here packages of ${repositories}; each cluster must apply only the objects of its own Repository`,
}

/**
 * Returns a finding if packages of several Repositories get the same destination, since no option gives one: an info for Config Sync, whose
 * objects never have another destination than the cluster that applies them.
 */
export function oneCluster(deployments: readonly Deployment[], { config, system, expressions }: SyncOptions): readonly Result[] {
  const names = [...new Set(deployments.map(({ repository }) => repository))].sort()
  if (names.length < 2 || expressions.has('destinationExpr')) return []
  const message = ONE_CLUSTER[system](`${countOf(names.length, 'Repository')} (${nameFirst(names, 5, quoteText)})`)
  const path = ['spec', system === 'config-sync' ? 'for' : 'destinationExpr']
  const severity = system === 'config-sync' ? 'info' : 'warning'
  return [faultToResult(config, { severity, rule: 'sync-one-cluster', path, message })]
}

/**
 * Returns a warning for each set some of whose packages Argo CD must build: one template says of all whether it reads their files instead.
 */
export function mixedSets(deployments: readonly Deployment[], { config }: SyncOptions): readonly Result[] {
  return [...groupBy(deployments, ({ set }) => set)].flatMap(([set, own]) => {
    const built = own.filter(({ isBuilt }) => isBuilt).map(({ name }) => name)
    if (set === '' || built.length === 0 || built.length === own.length) return []
    const message = `is 'set', and the set ${quoteText(set)} has packages with a kustomization or chart beside packages without: Argo CD builds none of ${nameFirst(built, 5, quoteText)}; give them a set of their own, or leave \`per\` out`
    return [faultToResult(config, { severity: 'warning', rule: 'sync-directory', path: ['spec', 'per'], message })]
  })
}

/** Returns an error for each name that two deployments have, or that no API server accepts. */
export function sameNames(deployments: readonly Deployment[], { config }: SyncOptions): readonly Result[] {
  return [...groupBy(deployments, ({ name }) => name)].flatMap(([name, [first, second]]) => {
    const about = ({ repository, packageName }: Deployment) => `${repository}${packageName === undefined ? '' : `/${packageName}`}`
    if (second !== undefined)
      return [nameFault(config, `makes two objects of the name '${name}', for ${about(first)} and for ${about(second)}`)]
    return isDns1123Subdomain(name) ? [] : [nameFault(config, `makes an object with the name ${quoteText(name)}, ${NOT_ACCEPTED}`)]
  })
}

const NOT_ACCEPTED = 'which no API server accepts'

function nameFault(config: KrmObject, message: string): Result {
  return faultToResult(config, { severity: 'error', rule: 'sync-name', path: ['metadata', 'name'], message })
}

/** Returns an error for each two GitRepositories of one name, and for a name that no API server accepts. */
export function sameSources(deployments: readonly Deployment[], { config }: SyncOptions): readonly Result[] {
  const sources = [...groupBy(deployments, sourceKey).values()].map(([first]) => first)
  const names = sourceNames(deployments)
  return [...groupBy(sources, (deployment) => names.get(sourceKey(deployment)) ?? '')].flatMap(([name, [first, other]]) => {
    if (other !== undefined)
      return [nameFault(config, `makes two GitRepositories of the name ${quoteText(name)}, for '${first.url}' and for '${other.url}'`)]
    return isDns1123Subdomain(name) ? [] : [nameFault(config, `makes a GitRepository with the name ${quoteText(name)}, ${NOT_ACCEPTED}`)]
  })
}

/**
 * Returns an error for the Repositories of a git repository of which one reads a folder that another one deploys: one folder would be in
 * two clusters.
 */
export function sameFolders(deployments: readonly Deployment[]): readonly Result[] {
  return [...groupBy(deployments, ({ url, branch, tag }) => `${asUrl(url)} ${tag ?? branch}`).values()].flatMap((own) => {
    const byFolder = groupBy(own, ({ folder }) => folder)
    const found = own.flatMap((deployment) => {
      const other = foldersAbove(deployment.folder)
        .flatMap((folder) => byFolder.get(folder) ?? [])
        .find(({ repository }) => repository !== deployment.repository)
      return other === undefined ? [] : [{ deployment, other }]
    })
    const [first] = found
    if (first === undefined) return []
    const count = new Set(found.map(({ deployment }) => deployment.repository)).size
    return [sameFolder(first.deployment, first.other, count - 1)]
  })
}

function sameFolder({ repository, repositoryObject, folder, url }: Deployment, other: Deployment, more: number): Result {
  const path = ['spec', 'git', 'directory']
  const place = `${other.repositoryObject.file?.path ?? ''}:${other.repositoryObject.positionOf(path).line}`
  const message = `must not be that of Repository ${quoteText(other.repository)} (${place}): both deploy one folder of one repository, ${quoteText(folder || '.')} of '${printAddress(url)}', to two clusters; write a folder for each, such as \`directory: packages/${repository}\`${more > 1 ? `; so for ${countOf(more - 1, 'other Repository')}` : ''}`
  return faultToResult(repositoryObject, { severity: 'error', rule: 'sync-same-folder', path, message })
}

/** Returns a folder and all folders above it: `a/b`, `a`, ``. */
function foldersAbove(folder: string): readonly string[] {
  const parts = folder.split('/')
  return folder === '' ? [''] : [...parts.map((_, index) => parts.slice(0, parts.length - index).join('/')), '']
}

/** A name of a sync object, and what it was before it was cut. */
type CutName = Pick<DraftDeployment, 'name' | 'fullName' | 'targetNamespace'>

/** Returns an info about the names that Config Sync does not accept in full length, and an error for a namespace that leaves no name. */
export function cutNames(drafts: readonly CutName[], { config, system }: SyncOptions): readonly Result[] {
  const cut = drafts.filter(({ name, fullName }) => system === 'config-sync' && name !== fullName)
  const [first] = cut
  if (first === undefined) return []
  const tooLong = cut.find(({ name, targetNamespace = '' }) => name.length + targetNamespace.length > 45 && targetNamespace !== '')
  if (tooLong !== undefined) {
    const message = `must give a namespace of at most 35 characters for a name as long as '${tooLong.fullName}', got ${quoteText(tooLong.targetNamespace ?? '')}: Config Sync accepts 45 characters for the name and namespace of a RepoSync`
    return [faultToResult(config, { severity: 'error', rule: 'sync-name', path: ['spec', 'namespaceExpr'], message })]
  }
  const names = nameFirst(cut, 3, ({ name, fullName }) => `${quoteText(fullName)} is ${quoteText(name)}`)
  const message = `makes ${countOf(cut.length, 'object')} with a name that is cut, since Config Sync accepts 38 characters for a RootSync, and 45 for the name and namespace of a RepoSync: ${names}`
  return [faultToResult(config, { severity: 'info', rule: 'sync-name-cut', path: ['metadata', 'name'], message })]
}
