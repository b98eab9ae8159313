import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { clusterSuffix } from '../../grouped-results.ts'
import type { JsonRecord } from '../../json.ts'
import { appliedObjects, isLocalConfig } from '../../resource-list/applied-objects.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { FunctionError, findingsOf, formatResult, hasErrors, type Result } from '../../result.ts'
import { quoteNames } from '../../schema/describe-value.ts'
import { didYouMean } from '../../schema/nearest-name.ts'
import { schemaErrors } from '../../schema/schema-errors.ts'
import { validate } from '../../schema/validate.ts'
import { PORCH_CONFIG_GROUP, PORCH_GROUP } from '../../well-known.ts'
import { PACKAGE_ANNOTATION } from '../crossplane/objects.ts'
import type { ReadInput } from '../read-objects.ts'
import { isCatalog } from '../reading/catalog.ts'
import { childField, itemFields, type ObjectField } from '../reading/field.ts'
import { CATALOG_SCHEMA } from './catalog-schema.ts'
import { type ClusterPlaces, clusterOfRepository, type ListPart, partsOf } from './clusters.ts'
import { optionsIn, type SharedOptions } from './options.ts'
import { unknownProvidedClusters } from './provided.ts'

/** The input of the readers from a list, and the faults of the list's Catalogs. */
export interface ListInput {
  readonly input: ReadInput
  readonly faults: readonly Result[]
}

/**
 * Returns the input of the readers: the objects of a list, also those in documents of kind List, the packages of its Catalogs by name, then
 * those of the option `catalog`. If Catalogs have faults, only their packages without faults are read, and the universe is open: the rest
 * of the packages is unknown.
 */
export function readList({ items }: Pick<ResourceList, 'items'>, { read, apis, catalog }: SharedOptions): ListInput {
  const catalogs = items.filter(isCatalog).sort((a, b) => compareText(a.name ?? '', b.name ?? ''))
  const all = catalogs.map(readCatalogObject)
  const faults = all.flatMap((each) => each.faults)
  const listed = [...all.flatMap((each) => each.packages), ...(catalog === undefined ? [] : itemFields(catalog))]
  const objects = items.flatMap(appliedObjects).filter(isInClusterOrDescribes)
  return { input: { objects, listed, apis, options: faults.length > 0 ? { ...read, closed: false } : read }, faults }
}

const PORCH_GROUPS: readonly string[] = [PORCH_GROUP, PORCH_CONFIG_GROUP]

/**
 * Returns false for an object that only tools on disk read: it is installed nowhere. A Kptfile, the metadata of a package version, and the
 * objects of Porch say something about packages without being in the cluster that gets them.
 */
function isInClusterOrDescribes(object: KrmObject): boolean {
  const { apiVersion = '', kind, annotations } = object
  const group = groupOf(apiVersion)
  const describes = kind === KPTFILE || group.startsWith('meta.') || PORCH_GROUPS.includes(group) || annotations.has(PACKAGE_ANNOTATION)
  return describes || !isLocalConfig(object)
}

/** A part of a list, with the input of the readers. */
export interface PartInput extends ListPart, ListInput {}

/** Returns the parts of a list (`partsOf`), each with the input of the readers. */
export function readParts({ items }: Pick<ResourceList, 'items'>, options: SharedOptions, asked: AskedClusters = {}): readonly PartInput[] {
  const parts = partsOf(items, { ...asked, patterns: options.clusters })
  if (options.clusters.length > 0 && parts.every(({ cluster }) => cluster === undefined)) throw new FunctionError([unusedPatterns(options)])
  const chosen = asked.cluster === undefined ? parts : parts.filter(({ cluster }) => cluster === asked.cluster)
  if (chosen.length === 0) {
    // A cluster of the fleet that has no package yet is a cluster.
    const isEmpty = options.clusters.length === 0 && [...clusterOfRepository(items).values()].some((name) => name === asked.cluster)
    if (!isEmpty) throw new FunctionError([unknownCluster(asked.cluster ?? '', parts)])
    const empty = { cluster: asked.cluster, folder: '', isInstalled: true, items: [] }
    return [{ ...empty, ...readList(empty, optionsIn(asked.cluster, options)) }]
  }
  return chosen.map((part) => ({ ...part, ...readList(part, optionsIn(part.cluster, options)) }))
}

/** Returns the parts of a list whose packages are installed. @throws FunctionError with every fault of the Catalogs */
export function installedParts(list: Pick<ResourceList, 'items'>, options: SharedOptions, asked: AskedClusters = {}): readonly PartInput[] {
  const parts = readParts(list, options, asked).filter(({ isInstalled }) => isInstalled)
  const faults = faultsOf(parts)
  if (faults.length > 0) throw new FunctionError(faults)
  return parts
}

/** Returns the faults of the Catalogs of several parts: a Catalog beside the clusters is in each of them. */
export function faultsOf(parts: readonly PartInput[]): readonly Result[] {
  const faults = parts.flatMap((part) => part.faults)
  return [...groupBy(faults, formatResult).values()].map(([first]) => first)
}

/**
 * Returns the input of each installed part with that of the same cluster at an earlier time, which may have been empty: an earlier list
 * without any file of a cluster is no fault of the patterns of `clusters`.
 */
export function withFormer(
  parts: readonly PartInput[],
  former: ResourceList,
  options: SharedOptions,
  asked: AskedClusters,
): readonly { readonly part: PartInput; readonly before: ReadInput }[] {
  const before = partsOf(former.items, { ...asked, patterns: options.clusters }).filter(({ isInstalled }) => isInstalled)
  return parts
    .filter(({ isInstalled }) => isInstalled)
    .map((part) => {
      const earlier = before.find(({ cluster }) => cluster === part.cluster) ?? { items: [] }
      return { part, before: readList(earlier, optionsIn(part.cluster, options)).input }
    })
}

/** The settings of clusters that the caller of the tool gives. */
export interface AskedClusters extends Omit<ClusterPlaces, 'patterns'> {
  /** The only cluster to look at. */
  readonly cluster?: string | undefined
}

/** Returns an error for each cluster that `provided` names and the list does not have. With `--cluster`, only one cluster is read. */
export function providedElsewhere(
  { provided }: Pick<SharedOptions, 'provided'>,
  { items }: Pick<ResourceList, 'items'>,
  parts: readonly PartInput[],
  { cluster }: AskedClusters,
): readonly Result[] {
  if (cluster !== undefined) return []
  const known = [...parts.flatMap((part) => part.cluster ?? []), ...clusterOfRepository(items).values()]
  return unknownProvidedClusters(provided, [...new Set(known)]).map(clusterFault)
}

function clusterFault(message: string): Result {
  return { severity: 'error', message, tags: { rule: 'unknown-cluster' } }
}

/** Returns the fault of patterns that match nothing: no package would be installed, and nothing would be checked. */
function unusedPatterns({ clusters }: SharedOptions): Result {
  return clusterFault(`\`clusters\` must match the path of a file below the folder of the fleet, ${quoteNames(clusters)} matches none`)
}

function unknownCluster(name: string, parts: readonly ListPart[]): Result {
  const names = parts.flatMap(({ cluster }) => cluster ?? [])
  const known =
    names.length === 0 ? '; there are no clusters: no Repository and no pattern of `clusters` names one' : didYouMean(name, names)
  const listed = known === '' ? `; the clusters are ${quoteNames(names)}` : known
  return clusterFault(`\`--cluster\` must be the name of a cluster, got '${name}'${listed}`)
}

/**
 * Returns the results of a part, each with its cluster: as the tag `cluster`, and at the end of the message. `groupedResults` makes one
 * of results that differ by nothing else.
 */
export function inCluster({ cluster }: Pick<ListPart, 'cluster'>, results: readonly Result[]): readonly Result[] {
  if (cluster === undefined) return results
  const suffix = clusterSuffix(cluster)
  return results.map((result) => ({ ...result, message: `${result.message}${suffix}`, tags: { ...result.tags, cluster } }))
}

const values = new WeakMap<KrmObject, { readonly text: string; readonly value: JsonRecord }>()

/** Returns the value of a Catalog, parsed again only if the Catalog's text has changed. */
function catalogValue(object: KrmObject): JsonRecord {
  const text = object.toText()
  const known = values.get(object)
  if (known?.text === text) return known.value
  const value = object.toJson()
  values.set(object, { text, value })
  return value
}

/** Returns the faults of a Catalog: fields of a wrong name or type. */
export function catalogFaults(object: KrmObject): readonly Result[] {
  // A catalog may be half of all there is: only one that is refused is examined fault by fault.
  return findingsOf(() =>
    schemaErrors(catalogValue(object), CATALOG_SCHEMA).length === 0 ? [] : validate(object, { schema: CATALOG_SCHEMA }),
  )
}

/** Returns the packages of a Catalog that have no faults, and all faults. */
function readCatalogObject(object: KrmObject): { readonly packages: readonly ObjectField[]; readonly faults: readonly Result[] } {
  const faults = catalogFaults(object)
  if (!hasErrors(faults)) return { packages: packagesOf(object), faults: [] }
  const faulty = new Set(faults.map(({ field }) => field?.path[2]))
  const isWhole = faults.every(({ field }) => field !== undefined && field.path.length > 2)
  return { packages: isWhole ? packagesOf(object).filter(({ key }) => !faulty.has(key)) : [], faults }
}

/** Returns the items of `spec.packages`. */
function packagesOf(object: KrmObject): ObjectField[] {
  const spec = childField({ object, value: catalogValue(object), key: '', parent: undefined }, 'spec')
  return itemFields(childField({ ...spec, parent: undefined }, 'packages'))
}
