import { compareText } from '../../field-path.ts'
import { asList, isRecord, memberOf, scalarText } from '../../json.ts'
import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, KPTFILE, packageFinder, shortestPath } from '../../resource-list/package-of.ts'
import { NAMES_UPSTREAMS, outsideRevisions } from '../../resource-list/revision-folders.ts'
import { CLUSTER_KEY, isRepository, OWN_API, VARIANT_ANNOTATION } from '../../well-known.ts'
import { PACKAGE_ANNOTATION } from '../crossplane/objects.ts'
import { nameOfContent } from '../ecosystems.ts'
import { isCatalog } from '../reading/catalog.ts'
import { locationOf } from '../reading/object-metadata.ts'

/** A part of a list whose packages are installed together, or are installed nowhere. */
export interface ListPart {
  /** The name of the cluster; undefined for a list without clusters, for objects beside the clusters, and for an upstream package. */
  readonly cluster: string | undefined
  /** The folder of the packages of the cluster, with the prefix of paths; of several folders the first. '' for the top. */
  readonly folder: string
  /** False for an upstream package: it is installed where variants of it are, so only the forms of its objects are judged. */
  readonly isInstalled: boolean
  /** The objects of the part, and those that every part knows: Catalogs, and metadata of package versions. */
  readonly items: readonly KrmObject[]
}

/** The places of the clusters of a list, as far as the caller knows more than the list says. */
export interface ClusterPlaces {
  /** The prefix of the paths of items: the folder as the caller of the tool named it. Absent: the folder that holds all items. */
  readonly folder?: string | undefined
  /** The folder below which `render` makes packages, with the prefix. Absent: `spec.out` of the RenderVariants of the list. */
  readonly out?: string | undefined
  /** Path patterns of the option `clusters`, each with one capture. With patterns, Repositories are no clusters. */
  readonly patterns: readonly string[]
}

/** Matches a pattern: it holds the word NAME, which captures the name of the cluster, once. */
export const CLUSTER_PATTERN = /^(?:(?!NAME).)*NAME(?:(?!NAME).)*$/

/**
 * Returns the parts of a list in the order of cluster names, then the objects beside the clusters, then the upstream packages. A list in
 * which nothing names a cluster is one part. Every command and function that asks what is installed asks for each part apart.
 *
 * With patterns, an object is in the cluster that the first matching pattern captures: `clusters/NAME/**` and `clusters/ber/db.yaml` give
 * `ber`. Without, an object below the folder `OUT/REPOSITORY` of a fleet is in the cluster of the Repository: the value of its annotation
 * or label `krm-variants.dev/cluster`, else its name.
 */
export function partsOf(items: readonly KrmObject[], asked: ClusterPlaces): readonly ListPart[] {
  const places = { ...asked, folder: asked.folder ?? folderOfAll(items) }
  const clusterAt = places.patterns.length > 0 ? clusterByPattern(asked) : clusterByRepository(items, places)
  const top = shortestPath(places.folder)
  if (clusterAt === undefined) return [{ cluster: undefined, folder: top, isInstalled: true, items }]
  const upstreamOf = upstreamFinder(items, places)
  const clusters = new Map<string, KrmObject[]>()
  const folders = new Map<string, string>()
  const upstreams = new Map<string, KrmObject[]>()
  const beside: KrmObject[] = []
  for (const item of items) {
    const found = clusterAt(locationOf(item))
    const upstream = found === undefined ? upstreamOf(item) : undefined
    if (found !== undefined) {
      const first = folders.get(found.cluster)
      if (first === undefined || compareText(found.folder, first) < 0) folders.set(found.cluster, found.folder)
      remember(clusters, found.cluster, () => []).push(item)
    } else if (upstream !== undefined) remember(upstreams, upstream, () => []).push(item)
    else beside.push(item)
  }
  const known = knownEverywhere(beside)
  const named = [...clusters].sort(([a], [b]) => compareText(a, b))
  return [
    ...named.map(([cluster, own]) => ({ cluster, folder: folders.get(cluster) ?? top, isInstalled: true, items: [...own, ...known] })),
    { cluster: undefined, folder: top, isInstalled: places.patterns.length === 0, items: beside },
    ...[...upstreams.values()].map((own) => ({ cluster: undefined, folder: top, isInstalled: false, items: own })),
  ]
}

/** Returns the deepest folder that holds all items with a file. */
function folderOfAll(items: readonly KrmObject[]): string {
  let folder: string | undefined
  for (const item of items) {
    if (item.file === undefined) continue
    const location = locationOf(item)
    folder ??= folderOf(location)
    while (folder !== '' && !location.startsWith(`${folder}/`)) folder = folderOf(folder)
    if (folder === '') return ''
  }
  return folder ?? ''
}

/** Returns a name below a folder, '' or '.' for the top. */
function below(folder: string, name: string): string {
  return shortestPath(`${folder}/${name}`)
}

type InFolder = ClusterPlaces & { readonly folder: string }

/** Returns the cluster of a place, and the folder of the cluster that holds the place. */
type ClusterAt = (location: string) => { readonly cluster: string; readonly folder: string } | undefined

function clusterByPattern({ patterns, folder }: ClusterPlaces): ClusterAt {
  const top = folder === undefined ? undefined : shortestPath(folder)
  // A function does not know the folder that its list was read from, so a pattern may begin at any step.
  const start = top === undefined ? '(?:.*/)?' : top === '' ? '' : `${literally(top)}/`
  const expressions = patterns.map((pattern) => new RegExp(`^${start}${expressionOf(shortestPath(pattern))}(?:/|$)`, 'ds'))
  return (location) => {
    for (const expression of expressions) {
      const found = expression.exec(location)
      const [, cluster] = found ?? []
      const [, end = 0] = found?.indices?.[1] ?? []
      if (cluster !== undefined) return { cluster, folder: location.slice(0, end + location.slice(end).search(/\/|$/)) }
    }
    return undefined
  }
}

/**
 * Returns the expression of a pattern for paths of files: `NAME` and `*` are within one step of the path, `**` is any number of steps. A
 * pattern for a folder is one for the files below it.
 */
function expressionOf(pattern: string): string {
  const steps = pattern
    .replace(/(?:\/\*\*)+$/, '')
    .replace(/\*\*(?:\/\*\*)+/g, '**')
    .split('/')
  const expressions = steps.map((step) => {
    const parts = step.split(/(\*|NAME)/).map((part) => (part === '*' ? '[^/]*' : part === 'NAME' ? '([^/]+)' : literally(part)))
    return step === '**' ? '(?:[^/]+/)*' : `${parts.join('')}/`
  })
  return expressions.join('').replace(/\/$/, '')
}

/** Returns the expression that matches a text. */
function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/**
 * Returns the cluster of a place by the Repositories of a fleet; undefined for a list without a fleet. The folders of Repositories are
 * below `out`, else beside the sets.
 */
function clusterByRepository(items: readonly KrmObject[], places: InFolder): ClusterAt | undefined {
  const repositories = new Map(items.filter(isRepository).map((item) => [item.name ?? '', item]))
  const out = outOf(items, places)
  if (repositories.size === 0 && out === undefined) return undefined
  const rendered = items.filter(({ kind, annotations }) => kind === KPTFILE && annotations.has(VARIANT_ANNOTATION)).map(locationOf)
  const bases = out === undefined ? besideSets(items, rendered, repositories) : [out]
  const upstreams = new Set(upstreamsOf(items))
  const placeOf = (location: string): { readonly place: string; readonly name: string } | undefined => {
    for (const base of bases) {
      const rest = base === '' ? location : location.startsWith(`${base}/`) ? location.slice(base.length + 1) : ''
      const [name = '', inside] = rest.split('/')
      if (inside !== undefined && (out !== undefined || repositories.has(name))) return { place: `${base}/${name}`, name }
    }
    return undefined
  }
  // Without `out`, a folder beside a set is a Repository's only if a Repository has its name.
  const made = new Set(out === undefined ? [] : rendered.flatMap((location) => placeOf(location)?.place ?? []))
  return (location) => {
    const found = placeOf(location)
    if (found === undefined) return undefined
    const repository = repositories.get(found.name)
    const folder = shortestPath(found.place)
    if (repository === undefined) return made.has(found.place) && !upstreams.has(found.name) ? { cluster: found.name, folder } : undefined
    if (upstreams.has(found.name) && repository.get(['spec', 'deployment']) !== true) return undefined
    return { cluster: clusterNamedBy(repository), folder }
  }
}

/** Returns the cluster of a Repository: the value of its annotation or label `krm-variants.dev/cluster`, else its name. */
function clusterNamedBy({ annotations, labels, name = '' }: KrmObject): string {
  return annotations.get(CLUSTER_KEY) ?? labels.get(CLUSTER_KEY) ?? name
}

/** Returns the cluster of each Repository of a fleet, by the name of the Repository, but for those that only hold upstream packages. */
export function clusterOfRepository(items: readonly KrmObject[]): ReadonlyMap<string, string> {
  const upstreams = new Set(upstreamsOf(items))
  const repositories = items.filter(isRepository)
  const receiving = repositories.filter((item) => !upstreams.has(item.name ?? '') || item.get(['spec', 'deployment']) === true)
  return new Map(receiving.map((item) => [item.name ?? '', clusterNamedBy(item)]))
}

/**
 * Returns the folders that hold the folders of Repositories, where no options name `out`: those of the sets, and those above the first step
 * of a rendered package that has the name of a Repository.
 */
function besideSets(items: readonly KrmObject[], rendered: readonly string[], repositories: ReadonlyMap<string, KrmObject>): string[] {
  const above = rendered.flatMap((location) => {
    const steps = location.split('/')
    const at = steps.findIndex((step) => repositories.has(step))
    return at === -1 ? [] : [steps.slice(0, at).join('/')]
  })
  return [...new Set([...above, ...items.filter(isVariantOrSet).map((item) => folderOf(locationOf(item)))])]
}

function isVariantOrSet({ kind = '' }: KrmObject): boolean {
  return NAMES_UPSTREAMS.test(kind)
}

function isOptions({ apiVersion, kind }: KrmObject): boolean {
  return apiVersion === OWN_API && kind === 'RenderVariants'
}

/** Returns the folder below which packages are made, with the prefix of paths; undefined where no options name it. */
function outOf(items: readonly KrmObject[], { out, folder }: InFolder): string | undefined {
  if (out !== undefined) return shortestPath(out)
  const options = items.filter(isOptions).map((item) => item.get(['spec', 'out']))
  const written = options.find((value) => typeof value === 'string')
  return written === undefined ? undefined : below(folder, written)
}

/** Returns the repositories of the upstream packages that sets and variants name. */
function upstreamsOf(items: readonly KrmObject[]): readonly string[] {
  return items.filter(isVariantOrSet).flatMap((item) => {
    const upstreams = [item.get(['spec', 'upstream']), ...asList(item.get(['spec', 'upstreams']))]
    return upstreams.map((upstream) => scalarText(memberOf(upstream, 'repo'))).filter((repo) => repo !== '')
  })
}

/**
 * Returns a function from an item to the upstream package that holds the item; undefined for an item that no upstream package holds.
 * Upstream packages are below the folder of a repository that sets or variants name, or in folders of revisions such as `shop@v1`.
 */
function upstreamFinder(items: readonly KrmObject[], { folder }: InFolder): (item: KrmObject) => string | undefined {
  const outside = new Set(outsideRevisions(items))
  const options = items.filter(isOptions).map((item) => item.get(['spec', 'repositories']))
  const pathOf = (repo: string): string => {
    const written = options.filter(isRecord).map((repositories) => memberOf(repositories[repo], 'path'))
    return written.find((path) => typeof path === 'string') ?? repo
  }
  const top = shortestPath(folder)
  const bases = [...new Set(upstreamsOf(items).map((repo) => below(folder, pathOf(repo))))].filter((base) => base !== top)
  const packageOf = packageFinder(items)
  return (item) => {
    const location = locationOf(item)
    const base = bases.find((each) => location.startsWith(`${each}/`))
    if (base === undefined && outside.has(item)) return undefined
    return packageOf(item) || base || folderOf(location)
  }
}

/** Returns the objects that are installed nowhere and known to every cluster: Catalogs, and versions of Crossplane packages in files. */
export function knownEverywhere(items: readonly KrmObject[]): readonly KrmObject[] {
  const folders = items.filter(({ annotations }) => annotations.has(PACKAGE_ANNOTATION)).map((item) => folderOf(locationOf(item)))
  const isOfVersion = (item: KrmObject) =>
    (item.annotations.has(PACKAGE_ANNOTATION) || nameOfContent(item) !== undefined) &&
    folders.some((folder) => folder === '' || locationOf(item).startsWith(`${folder}/`))
  return items.filter((item) => isCatalog(item) || (folders.length > 0 && isOfVersion(item)))
}

/**
 * Returns the pattern under which two files are those of two clusters: paths that differ in one folder. `clusters/ber/q.yaml` and
 * `clusters/ham/q.yaml` give `clusters/NAME/**`.
 */
export function likelyPattern(one: string, other: string, folder = ''): string | undefined {
  const inFolder = (path: string) => shortestPath(path).slice(folder === '' ? 0 : shortestPath(`${folder}/x`).length - 1)
  const [steps, others] = [inFolder(one).split('/'), inFolder(other).split('/')]
  const differing = steps.findIndex((step, at) => step !== others[at])
  const isOnly = steps.length === others.length && steps.slice(differing + 1).join('/') === others.slice(differing + 1).join('/')
  if (!isOnly || differing < 0 || differing === steps.length - 1) return undefined
  return [...steps.slice(0, differing), 'NAME', '**'].join('/')
}
