import type { Fleet } from '../fleet/fleet.ts'
import type { PlannedVariant } from '../fleet/planned-variants.ts'
import { groupBy } from '../group-by.ts'
import { scalarText } from '../json.ts'
import { isDns1123Subdomain } from '../kubernetes/names.ts'
import { truncateName } from '../kubernetes/truncated-name.ts'
import { asUrl, holdsSecret, isRemote, isSsh, printAddress } from '../package/git-address.ts'
import { pathFault } from '../package/safe-path.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { formatResourceRef, type Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { asQuestion } from '../schema/nearest-name.ts'
import { countOf, nameFirst } from '../wording.ts'
import type { IsBuilt } from './built-packages.ts'
import { type SyncExpressions, syncExpressions } from './expressions.ts'
import type { Deployment, DraftDeployment, SyncOptions, SyncSystem } from './options.ts'
import { readWaits, type Waits } from './waits.ts'

/** The deployments of a fleet, and the faults on the way. */
export interface PlannedDeployments {
  readonly deployments: readonly Deployment[]
  readonly results: readonly Result[]
}

/**
 * Returns a deployment for each variant of a fleet, or for each of their downstream Repositories, sorted by name.
 *
 * @param isBuilt  says which packages have a kustomization or a chart; without it, no package is known to have one
 */
export function planDeployments(
  variants: readonly PlannedVariant[],
  fleet: Fleet,
  options: SyncOptions,
  isBuilt: IsBuilt = () => false,
): PlannedDeployments {
  const expressions = syncExpressions(options, fleet)
  const asked = options.per === 'repository' ? [...groupBy(variants, repositoryKey).values()] : variants.map((variant) => [variant])
  const badWaves = new Map<string, Result>()
  const drafts = asked.map((group) => draftOf(group, { fleet, options, expressions, badWaves, isBuilt }))
  const waits = readWaits(options, drafts)
  const deployments = drafts.flatMap(({ draft }) => (draft === undefined ? [] : [withWaits(draft, waits)]))
  return {
    deployments: deployments.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    results: [
      ...expressions.faults(),
      ...unknownPackages(variants, fleet, options),
      ...waits.faults,
      ...badWaves.values(),
      ...distinct(drafts.flatMap(({ results }) => results)),
      ...sameNames(deployments, options),
      ...(options.system === 'flux' ? sameSources(deployments, options) : []),
      ...oneCluster(deployments, options),
      ...(options.system === 'argocd' && options.per === 'set' ? mixedSets(deployments, options) : []),
    ],
  }
}

/** Returns each result once: several variants have one downstream Repository. */
function distinct(results: readonly Result[]): readonly Result[] {
  const keyOf = ({ resourceRef, message }: Result) => `${resourceRef === undefined ? '' : formatResourceRef(resourceRef)} ${message}`
  return [...new Map(results.map((result) => [keyOf(result), result])).values()]
}

interface Drafted {
  readonly draft?: DraftDeployment
  readonly results: readonly Result[]
}

interface Surroundings {
  readonly fleet: Fleet
  readonly options: SyncOptions
  readonly expressions: SyncExpressions
  readonly isBuilt: IsBuilt
  /** Receives the faults of waves, by text. */
  readonly badWaves: Map<string, Result>
}

function draftOf(group: readonly PlannedVariant[], surroundings: Surroundings): Drafted {
  const { fleet, options, expressions, isBuilt } = surroundings
  const [variant] = group
  if (variant === undefined) return { results: [] }
  const { repo, packageName, namespace } = variant
  const repository = fleet.repositories(namespace).get(repo)
  if (repository === undefined) {
    return { results: [missingRepository(variant, fleet)] }
  }
  const git = (field: string) => scalarText(repository.object.get(['spec', 'git', field]))
  const faults = gitFaults(repository.object, { url: git('repo'), directory: git('directory'), system: options.system })
  if (faults.length > 0) return { results: faults }
  const [whole, waves] = [options.per === 'repository', group.map((each) => waveOf(each, surroundings))]
  const folders = [git('directory'), ...(whole ? [] : [packageName])]
  const secret = scalarText(repository.object.get(['spec', 'git', 'secretRef', 'name']))
  const draft: DraftDeployment = {
    name: nameOf(whole ? repo : `${repo}-${packageName}`),
    namespace,
    set: variant.set,
    repository: repo,
    packageName: whole ? undefined : packageName,
    isBuilt: !whole && isBuilt(variant),
    url: git('repo'),
    branch: git('branch') || 'main',
    folder: folders.map(withoutSlashes).filter(Boolean).join('/'),
    secret: secret === '' ? undefined : secret,
    project: expressions.textOf('projectExpr', variant),
    destination: expressions.textOf('destinationExpr', variant),
    targetNamespace: expressions.textOf('namespaceExpr', variant),
    rank: Math.max(...waves),
  }
  return { draft, results: missingSecret(repository.object, draft, options) }
}

/** Returns a warning for a Repository that is reached by SSH without a key. Argo CD has its keys in Secrets of its own. */
function missingSecret(repository: KrmObject, { url, secret }: DraftDeployment, { system }: SyncOptions): readonly Result[] {
  if (system === 'argocd' || secret !== undefined || !isSsh(url)) return []
  const path = ['spec', 'git', 'secretRef']
  const message = `must name the Secret with the key: ${system} reads '${printAddress(url)}' by SSH, and not without one`
  return [faultToResult(repository, { severity: 'warning', rule: 'sync-secret', path, message })]
}

/** The place of packages in git, and what reads them. */
interface GitPlace {
  readonly url: string
  readonly directory: string
  readonly system: SyncSystem
}

/** Returns what is wrong with an address that the system cannot read from; undefined for any other one. */
function unreachable(url: string, system: SyncSystem): string | undefined {
  // Flux's CustomResourceDefinition accepts no other schemes. A helper (`ext::`) makes git run a program.
  const isAccepted = system === 'flux' ? /^(http|https|ssh):\/\//.test(asUrl(url)) : isRemote(url)
  if (isAccepted && !/^[^/]*::/.test(url)) return undefined
  const transports = system === 'flux' ? 'http, https or ssh' : 'http, https, ssh or git'
  return `must be HOST:PATH or a URL of ${transports}, got '${printAddress(url)}'`
}

/** Returns the faults of a Repository whose git must not be written into sync objects. */
function gitFaults(repository: KrmObject, { url, directory, system }: GitPlace): readonly Result[] {
  const faultAt = (field: string, message: string) =>
    faultToResult(repository, { severity: 'error', rule: 'sync-repository', path: ['spec', 'git', field], message })
  const folder = withoutSlashes(directory)
  const reach = url === '' || holdsSecret(url) ? undefined : unreachable(url, system)
  const unsafe = folder === '' ? undefined : pathFault(folder)
  const { field: _, ...secret } = faultAt(
    'repo',
    'must not hold a password, token or query: put them into the Secret of `spec.git.secretRef`',
  )
  return [
    ...(url === '' ? [faultAt('repo', 'must be set: the sync objects read packages from git')] : []),
    // The field of a finding would print the secret.
    ...(holdsSecret(url) ? [secret] : []),
    ...(reach === undefined ? [] : [faultAt('repo', reach)]),
    ...(/\p{Cc}/u.test(url) ? [faultAt('repo', 'must not contain a control character')] : []),
    ...(unsafe === undefined ? [] : [faultAt('directory', `${unsafe}, got ${quoteText(directory)}`)]),
  ]
}

function missingRepository({ object, path, name, namespace, repo }: PlannedVariant, fleet: Fleet): Result {
  const known = [...fleet.repositories(namespace).keys()]
  const isOwn = object.kind === 'PackageVariant'
  const whose = isOwn ? '' : `, the downstream of variant '${name}'`
  const message = `must be a Repository in namespace '${namespace}', got ${quoteText(repo)}${whose}${asQuestion(fleet.nearestAmong(known)(repo))}`
  const at = isOwn ? ['spec', 'downstream', 'repo'] : path
  return faultToResult(object, { severity: 'error', rule: 'sync-repository', path: at, message })
}

/** Returns the wave of a variant. A text that is no whole number is a fault, once for all variants that have it. */
function waveOf(variant: PlannedVariant, { options: { config, expressions: written }, expressions, badWaves }: Surroundings): number {
  const text = expressions.textOf('waveExpr', variant)
  if (text === undefined) return variant.ringsBefore
  if (/^-?[0-9]{1,6}$/.test(text)) return Number(text)
  const path = written.get('waveExpr')?.path ?? []
  const message = `must give a whole number as text, got ${quoteText(text)} for variant '${variant.name}'`
  if (!badWaves.has(text)) badWaves.set(text, faultToResult(config, { severity: 'error', rule: 'sync-wave', path, message }))
  return 0
}

function withWaits({ rank: _, namespace: __, ...draft }: DraftDeployment, { of }: Waits): Deployment {
  return { ...draft, ...of(draft.name) }
}

function repositoryKey({ namespace, repo }: PlannedVariant): string {
  return `${namespace}/${repo}`
}

/** Returns the name of an object: `ham-01`, `teams/web` becomes `ham-01-teams-web`. */
function nameOf(identifier: string): string {
  return truncateName(identifier.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-'))
}

function withoutSlashes(path: string): string {
  return path.replace(/^(\.?\/)+|\/+$/g, '').replace(/^\.$/, '')
}

/** Returns an error for each package in `dependsOn` that no variant has. A folder without variants says nothing about packages. */
function unknownPackages(variants: readonly PlannedVariant[], fleet: Fleet, { config, dependsOn }: SyncOptions): readonly Result[] {
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
function oneCluster(deployments: readonly Deployment[], { config, system, expressions }: SyncOptions): readonly Result[] {
  const names = [...new Set(deployments.map(({ repository }) => repository))].sort()
  if (names.length < 2 || expressions.has('destinationExpr')) return []
  const message = ONE_CLUSTER[system](`${countOf(names.length, 'Repository')} (${nameFirst(names, 5, quoteText)})`)
  const path = ['spec', system === 'config-sync' ? 'for' : 'destinationExpr']
  const severity = system === 'config-sync' ? 'info' : 'warning'
  return [faultToResult(config, { severity, rule: 'sync-one-cluster', path, message })]
}

/** Returns a warning for each set some of whose packages Argo CD must build: one template says of all whether it reads their files instead. */
function mixedSets(deployments: readonly Deployment[], { config }: SyncOptions): readonly Result[] {
  return [...groupBy(deployments, ({ set }) => set)].flatMap(([set, own]) => {
    const built = own.filter(({ isBuilt }) => isBuilt).map(({ name }) => name)
    if (set === '' || built.length === 0 || built.length === own.length) return []
    const message = `is 'set', and the set ${quoteText(set)} has packages with a kustomization or chart beside packages without: Argo CD builds none of ${nameFirst(built, 5, quoteText)}; give them a set of their own, or leave \`per\` out`
    return [faultToResult(config, { severity: 'warning', rule: 'sync-directory', path: ['spec', 'per'], message })]
  })
}

/** Returns an error for each name that two deployments have, or that no API server accepts. */
function sameNames(deployments: readonly Deployment[], { config }: SyncOptions): readonly Result[] {
  const fault = { severity: 'error', rule: 'sync-name', path: ['metadata', 'name'] } as const
  return [...groupBy(deployments, ({ name }) => name)].flatMap(([name, [first, second]]) => {
    const about = ({ repository, packageName }: Deployment) => `${repository}${packageName === undefined ? '' : `/${packageName}`}`
    if (first !== undefined && second !== undefined) {
      const message = `makes two objects of the name '${name}', for ${about(first)} and for ${about(second)}`
      return [faultToResult(config, { ...fault, message })]
    }
    if (isDns1123Subdomain(name)) return []
    return [faultToResult(config, { ...fault, message: `makes an object with the name ${quoteText(name)}, which no API server accepts` })]
  })
}

/** Returns an error for each Repository whose GitRepository would have the name of another one, or a name that no API server accepts. */
function sameSources(deployments: readonly Deployment[], { config }: SyncOptions): readonly Result[] {
  const fault = { severity: 'error', rule: 'sync-name', path: ['metadata', 'name'] } as const
  return [...groupBy(deployments, ({ repository }) => repository)].flatMap(([name, [first, ...others]]) => {
    const other = others.find(({ url, branch }) => url !== first.url || branch !== first.branch)
    if (other !== undefined) {
      const message = `makes two GitRepositories of the name ${quoteText(name)}, for '${first.url}' and for '${other.url}'`
      return [faultToResult(config, { ...fault, message })]
    }
    if (isDns1123Subdomain(name)) return []
    return [
      faultToResult(config, { ...fault, message: `makes a GitRepository with the name ${quoteText(name)}, which no API server accepts` }),
    ]
  })
}
