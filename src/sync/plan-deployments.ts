import type { Fleet } from '../fleet/fleet.ts'
import type { PlannedVariant } from '../fleet/planned-variants.ts'
import { groupBy } from '../group-by.ts'
import { truncateName } from '../kubernetes/truncated-name.ts'
import { formatResourceRef, type Result } from '../result.ts'
import { controllerRules } from './controller-rules.ts'
import { type DeployedPackages, NO_PACKAGES } from './deployed-packages.ts'
import { cutNames, missingPackages, mixedSets, oneCluster, sameFolders, sameNames, sameSources } from './deployment-faults.ts'
import { type DeploymentOrder, orderDeployments } from './deployment-order.ts'
import { appliedLocalConfigs } from './excluded-files.ts'
import { type SyncExpressions, syncExpressions } from './expressions.ts'
import type { Deployment, DraftDeployment, SyncOptions, SyncSystem } from './options.ts'
import { inRenderedFolders } from './rendered-folders.ts'
import { deploymentSource, missingRepository, missingSecret, sourceFaults, withoutSlashes } from './repository-faults.ts'

/** The deployments of a fleet, and the faults on the way. */
export interface PlannedDeployments {
  readonly deployments: readonly Deployment[]
  readonly results: readonly Result[]
}

/**
 * Returns a deployment for each variant of a fleet, or for each of their downstream Repositories, sorted by name.
 *
 * @param packages  the packages of the variants, as far as they are known
 */
export function planDeployments(
  variants: readonly PlannedVariant[],
  fleet: Fleet,
  options: SyncOptions,
  packages: DeployedPackages = NO_PACKAGES,
): PlannedDeployments {
  const expressions = syncExpressions(options, fleet)
  const asked = options.per === 'repository' ? [...groupBy(variants, repositoryKey).values()] : variants.map((variant) => [variant])
  const drafted = asked.map((group) => draftOf(group, { fleet, options, expressions, packages }))
  const placed = inRenderedFolders(
    drafted.flatMap(({ draft }) => draft ?? []),
    packages.outInGit,
  )
  const waits = orderDeployments(options, placed.drafts, packages.catalogs)
  const deployments = placed.drafts.map((draft) => withWaits(draft, waits))
  return {
    deployments: deployments.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    results: [
      ...expressions.faults(),
      ...missingPackages(variants, fleet, options),
      ...waits.faults,
      ...distinct(drafted.flatMap(({ results }) => results)),
      ...sameNames(deployments, options),
      ...(options.system === 'flux' ? sameSources(deployments, options) : []),
      ...sameFolders(deployments),
      ...placed.results,
      ...cutNames(placed.drafts, options),
      ...oneCluster(deployments, options),
      ...controllerRules(deployments, packages.kinds, options),
      ...(options.system === 'argocd' ? appliedLocalConfigs(deployments) : []),
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
  readonly packages: DeployedPackages
}

function draftOf(group: readonly PlannedVariant[], surroundings: Surroundings): Drafted {
  const { fleet, options, expressions, packages } = surroundings
  const [variant] = group
  if (variant === undefined) return { results: [] }
  const { repo, packageName, namespace } = variant
  const repository = fleet.repositories(namespace).get(repo)
  if (repository === undefined) {
    return { results: [missingRepository(variant, fleet)] }
  }
  const source = deploymentSource(repository.object)
  const faults = sourceFaults(repository.object, source, options.system)
  if (faults.length > 0) return { results: faults }
  const [whole, waves] = [options.per === 'repository', group.map(expressions.waveOf)]
  const contents = group.flatMap((each) => {
    const content = packages.of(each)
    return content === undefined ? [] : [{ ...content, packageName: each.packageName }]
  })
  const folders = [source.directory, ...(whole ? [] : [packageName])]
  const targetNamespace = expressions.textOf('namespaceExpr', variant)
  const given = expressions.textOf('nameExpr', variant)
  const fullName = given ?? objectName(whole ? repo : `${repo}-${packageName}`)
  const draft: DraftDeployment = {
    name: given ?? cutName(fullName, longestName(options.system, targetNamespace)),
    fullName,
    namespace,
    set: variant.set,
    repository: repo,
    repositoryObject: repository.object,
    packageName: whole ? undefined : packageName,
    isBuilt: !whole && contents.some((content) => content.isBuilt),
    contents,
    url: source.url,
    isOci: source.isOci,
    branch: source.branch,
    tag: expressions.textOf('tagExpr', variant) ?? (source.isOci ? 'latest' : undefined),
    folder: folders.map(withoutSlashes).filter(Boolean).join('/'),
    secret: source.secret,
    project: expressions.textOf('projectExpr', variant),
    destination: expressions.textOf('destinationExpr', variant),
    targetNamespace,
    rank: Math.max(...waves),
  }
  return { draft, results: missingSecret(repository.object, draft, options.system) }
}

function withWaits({ rank: _, namespace: __, fullName: ___, ...draft }: DraftDeployment, { of }: DeploymentOrder): Deployment {
  return { ...draft, ...of(draft.name) }
}

function repositoryKey({ namespace, repo }: PlannedVariant): string {
  return `${namespace}/${repo}`
}

/** Returns the name of an object before it is cut: `ham-01` and `teams/web` make `ham-01-teams-web`. */
function objectName(identifier: string): string {
  return identifier.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-')
}

/** Returns a name of at most `most` characters; a dot must not be before the hash of a name that is cut. */
function cutName(name: string, most: number): string {
  return name.length <= most ? name : truncateName(name, most).replace(/\.+-(?=[0-9a-f]{8}$)/, '-')
}

/**
 * Returns the most characters of the name of a sync object: those of a label, in which Flux and Argo CD write the name. Config Sync adds
 * prefixes of its own (KNV1061, MaxRootSyncNameLength and MaxRepoSyncNNLength).
 */
function longestName(system: SyncSystem, namespace: string | undefined): number {
  if (system !== 'config-sync') return 63
  return namespace === undefined ? 38 : Math.max(SHORTEST_CUT, 45 - namespace.length)
}

/** The most characters of a cut name at the least: a letter, a dash and a hash. */
const SHORTEST_CUT = 10
