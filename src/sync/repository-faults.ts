import type { Fleet } from '../fleet/fleet.ts'
import type { PlannedVariant } from '../fleet/planned-variants.ts'
import { pathFault } from '../folder/safe-path.ts'
import { asUrl, holdsSecret, isRemote, isSsh, printAddress } from '../git/git-address.ts'
import { scalarText } from '../json.ts'
import { printable } from '../printable.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { asQuestion } from '../schema/nearest-name.ts'
import type { DraftDeployment, SyncSystem } from './options.ts'

/** Returns a warning for a Repository that is reached by SSH without a key. Argo CD has its keys in Secrets of its own. */
export function missingSecret(
  repository: KrmObject,
  { url, secret }: Pick<DraftDeployment, 'url' | 'secret'>,
  system: SyncSystem,
): readonly Result[] {
  if (system === 'argocd' || secret !== undefined || !isSsh(url)) return []
  const path = ['spec', 'git', 'secretRef']
  const message = `must name the Secret with the key: ${system} reads '${printAddress(url)}' by SSH, and not without one`
  return [faultToResult(repository, { severity: 'warning', rule: 'sync-secret', path, message })]
}

/** The place from which a cluster reads the packages of a Repository. */
export interface DeploymentSource {
  /** The git repository, or the OCI artifact with `oci://`; '' if it is not written. */
  readonly url: string
  readonly isOci: boolean
  /** The branch; '' for an artifact. */
  readonly branch: string
  /** The folder; '' for all. */
  readonly directory: string
  readonly secret: string | undefined
}

/** Returns the source of a Repository: `spec.oci` of one with `type: oci`, else `spec.git`. */
export function deploymentSource(repository: KrmObject): DeploymentSource {
  const isOci = repository.get(['spec', 'type']) === 'oci'
  const field = (...path: readonly string[]) => scalarText(repository.get(['spec', isOci ? 'oci' : 'git', ...path]))
  const secret = field('secretRef', 'name') || undefined
  if (!isOci) return { url: field('repo'), isOci, branch: field('branch') || 'main', directory: field('directory'), secret }
  const registry = field('registry')
    .replace(/^oci:\/\//, '')
    .replace(/\/+$/, '')
  return { url: registry === '' ? '' : `oci://${registry}`, isOci, branch: '', directory: '', secret }
}

/** Returns the faults of a Repository whose source must not be written into sync objects. */
export function sourceFaults(repository: KrmObject, source: DeploymentSource, system: SyncSystem): readonly Result[] {
  return source.isOci ? registryFaults(repository, source, system) : gitFaults(repository, source, system)
}

/** The address of an artifact: a host, and a path of lower case. */
const ARTIFACT = /^oci:\/\/[a-z0-9.-]+(:[0-9]+)?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)+$/

function registryFaults(repository: KrmObject, { url, secret }: DeploymentSource, system: SyncSystem): readonly Result[] {
  const faultAt = (field: string, message: string) =>
    faultToResult(repository, { severity: 'error', rule: 'sync-repository', path: ['spec', 'oci', field], message })
  const form = 'must be HOST/PATH of the OCI artifact that holds the folder of the cluster'
  return [
    ...(ARTIFACT.test(url)
      ? []
      : [
          faultAt(
            'registry',
            url === '' ? `must be set; it ${form}` : `${form}, got ${quoteText(printAddress(url.slice('oci://'.length)))}`,
          ),
        ]),
    ...(system === 'config-sync' && secret !== undefined
      ? [faultAt('secretRef', 'must not be set: Config Sync reads an artifact with an account of the cluster, and with no Secret')]
      : []),
  ]
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
function gitFaults(repository: KrmObject, { url, directory }: DeploymentSource, system: SyncSystem): readonly Result[] {
  const faultAt = (field: string, message: string) =>
    faultToResult(repository, { severity: 'error', rule: 'sync-repository', path: ['spec', 'git', field], message })
  const folder = withoutSlashes(directory)
  const reach = url === '' || holdsSecret(url) ? undefined : unreachable(url, system)
  const unsafe = folder === '' ? undefined : pathFault(folder)
  const name = printable(repository.name ?? '')
  const asWritten = `\`git: {repo: https://HOST/OWNER/REPOSITORY.git, branch: main, directory: clusters/${name}}\` below \`spec\`, with the folder of the packages as its directory`
  const { field: _, ...secret } = faultAt(
    'repo',
    'must not hold a password, token or query: put them into the Secret of `spec.git.secretRef`',
  )
  return [
    ...(url === '' ? [faultAt('repo', `must be set: the sync objects read packages from git; write ${asWritten}`)] : []),
    // The field of a finding would print the secret.
    ...(holdsSecret(url) ? [secret] : []),
    ...(reach === undefined ? [] : [faultAt('repo', reach)]),
    ...(/\p{Cc}/u.test(url) ? [faultAt('repo', 'must not contain a control character')] : []),
    ...(unsafe === undefined ? [] : [faultAt('directory', `${unsafe}, got ${quoteText(directory)}`)]),
  ]
}

/** Returns the fault of a variant whose downstream is no Repository of the fleet. */
export function missingRepository({ object, path, name, namespace, repo }: PlannedVariant, fleet: Fleet): Result {
  const known = [...fleet.repositories(namespace).keys()]
  const isOwn = object.kind === 'PackageVariant'
  const whose = isOwn ? '' : `, the downstream of variant '${name}'`
  const message = `must be a Repository in namespace '${namespace}', got ${quoteText(repo)}${whose}${asQuestion(fleet.nearestAmong(known)(repo))}`
  const at = isOwn ? ['spec', 'downstream', 'repo'] : path
  return faultToResult(object, { severity: 'error', rule: 'sync-repository', path: at, message })
}

/** Returns a path without slashes at its ends; '' for the folder itself. */
export function withoutSlashes(path: string): string {
  return path.replace(/^(\.?\/)+|\/+$/g, '').replace(/^\.$/, '')
}
