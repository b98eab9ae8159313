import { groupBy } from '../group-by.ts'
import type { JsonRecord, JsonValue } from '../json.ts'
import { remember } from '../remember.ts'
import { type ExplainedCall, imageOf, PIPELINE_ORDER } from './explain-overlay.ts'
import type { FluxPart } from './flux/flux-clusters.ts'
import { replacementsFile, yamlDocument } from './overlay-fields.ts'

/**
 * An overlay: a folder whose kustomization names other folders, its bases, outside of itself, the folder of a cluster of Flux, or an
 * Application.
 */
export interface Overlay {
  /** The path of the folder in its tree, or the name of the Application. */
  readonly path: string
  /** The key of the overlay in the record of the conversion: the name of the cluster or of the Application. */
  readonly id: string
  /** The name of the cluster that gets the objects. */
  readonly target: string
  /** The folder of the rendered objects, below that of the clusters. */
  readonly folder: string
  /** The package of an Application, which is at the path of its source; otherwise a package is called as its upstream package. */
  readonly packagePath?: string
  /** Where a controller reads the packages of the cluster. */
  readonly git?: JsonRecord
  readonly labels: Readonly<Record<string, string>>
  readonly bases: readonly string[]
  /** The Kustomizations of Flux that give a cluster its objects, instead of one folder. */
  readonly parts?: readonly FluxPart[]
}

/** The calls of each cluster for a package, by the names of clusters. */
export type PackageCalls = ReadonlyMap<string, readonly ExplainedCall[]>

/** The name of the file and object that records what was converted. */
export const RECORD = 'fleet/converted.yaml'

/** The path of the package of each cluster, by upstream package and cluster. */
export type PackagePaths = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Returns the files of a fleet: clusters, their values, a matrix for each package, and the options of render. */
export function fleetFiles(
  name: string,
  all: readonly Overlay[],
  packages: ReadonlyMap<string, PackageCalls>,
  paths: PackagePaths,
): ReadonlyMap<string, string> {
  const overlays = [...new Map(all.map((each) => [each.target, each])).values()]
  const matrices = [...packages].map(
    ([own, calls]) => [`fleet/${own}.yaml`, yamlDocument(matrix(own, calls, paths.get(own)), MATRIX_HEAD)] as const,
  )
  return new Map([
    [
      'fleet/clusters.yaml',
      documents(overlays.map(repository), '# Each Repository is a cluster: render writes its packages into clusters/NAME.\n'),
    ],
    [
      'fleet/values.yaml',
      documents(
        overlays.map((each) => clusterValues(each, packages, paths)),
        '# The values of each cluster, by package. The matrices read them.\n',
      ),
    ],
    [
      'fleet/render.yaml',
      yamlDocument(local('fn.krm-variants.dev/v1alpha1', 'RenderVariants', 'render', { spec: { out: 'clusters', fleet: name } })),
    ],
    ...matrices,
  ])
}

const MATRIX_HEAD = '# Which clusters have the package, and the functions that make the differences between them.\n'

function documents(values: readonly JsonRecord[], head: string): string {
  return head + values.map((each) => yamlDocument(each)).join('---\n')
}

function local(apiVersion: string, kind: string, name: string, rest: JsonRecord): JsonRecord {
  return { apiVersion, kind, metadata: { name, annotations: { 'config.kubernetes.io/local-config': 'true' } }, ...rest }
}

/**
 * The keys, in the record of a conversion, of lines `NAME PATH` for each cluster and each package. No name of a cluster begins with a dot.
 */
export const OVERLAY_PATHS = '.overlays'
export const BASE_PATHS = '.bases'

/** Returns the record of a conversion: the digests of the objects of each cluster, and the paths of overlays and bases. */
export function recordText(from: string, tree: string, data: Readonly<Record<string, string>>): string {
  const what = from === 'kustomize' ? 'cluster of the tree' : 'Application of'
  return yamlDocument(
    local('v1', 'ConfigMap', `converted-from-${from}`, { data: { ...data } }),
    `# Written by krm-variants convert ${from}: digests of the fields of each ${what} '${tree.replaceAll(/[^\w.-]/g, '_')}'.\n`,
  )
}

/** Returns the options of `sync` as a file. */
export function syncText(spec: JsonRecord): string {
  return yamlDocument(local('fn.krm-variants.dev/v1alpha1', 'GenerateSync', 'argocd', { spec }), SYNC_HEAD)
}

const SYNC_HEAD = '# Which Applications krm-variants sync writes.\n'

function repository({ target, labels, git }: Overlay): JsonRecord {
  return {
    apiVersion: 'config.porch.kpt.dev/v1alpha1',
    kind: 'Repository',
    metadata: { name: target, labels: { cluster: target, ...labels } },
    ...(git && { spec: { type: 'git', deployment: true, git } }),
  }
}

function clusterValues({ target, labels }: Overlay, packages: ReadonlyMap<string, PackageCalls>, paths: PackagePaths): JsonRecord {
  const spec = [...packages].flatMap(([name, calls]): readonly [string, JsonValue][] => {
    const own = calls.get(target)
    const path = constantOf(paths.get(name)) === undefined ? paths.get(name)?.get(target) : undefined
    return own === undefined ? [] : [[name, Object.assign({}, path === undefined ? {} : { [PATH]: path }, ...own.map(valuesOf))]]
  })
  return {
    apiVersion: CLUSTER_VALUES,
    kind: 'ClusterValues',
    metadata: { name: target, labels: { cluster: target, ...labels }, annotations: { 'config.kubernetes.io/local-config': 'true' } },
    spec: Object.fromEntries(spec),
  }
}

export const CLUSTER_VALUES = 'values.example.com/v1'

/** The key of the path of a package in the values of a cluster. */
const PATH = 'package-path'

/** Returns the path that all clusters have; undefined if they have several, or none. */
function constantOf(paths: ReadonlyMap<string, string> | undefined): string | undefined {
  const [first, ...others] = new Set(paths?.values())
  return others.length === 0 ? first : undefined
}

function downstreamOf(name: string, paths: ReadonlyMap<string, string> | undefined): JsonRecord {
  if (paths === undefined || constantOf(paths) === name) return {}
  const path = constantOf(paths)
  return { downstream: path === undefined ? { packageExpr: lookupExpr(name, PATH) } : { package: path } }
}

/** Returns the values of a call by the names that they have in the values of a cluster. */
function valuesOf(call: ExplainedCall): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(call.values).map(([key, value]) => [valueName(call, key), value]))
}

export function valueName({ fn, fixed }: ExplainedCall, key: string): string {
  if (fn === 'set-labels') return `label-${key}`
  if (fn === 'set-annotations') return `annotation-${key}`
  if (fn === 'search-replace') return `label-${fixed['by-path']?.replace('metadata.labels.', '')}`
  if (fn === 'set-image') return `image-${fixed.name}-${key}`
  return key
}

/**
 * Returns the matrix of a package. Functions that all clusters have are in the template, the others in overrides, which hold for clusters
 * with such values. Overrides come after the template, so only the first functions may be in the template.
 */
function matrix(name: string, calls: PackageCalls, paths: ReadonlyMap<string, string> | undefined): JsonRecord {
  const targets = [...calls.keys()]
  const groups = groupsOf(calls)
  const firstPartial = groups.findIndex((group) => group.targets.length < targets.length)
  const whole = firstPartial === -1 ? groups : groups.slice(0, firstPartial)
  const others = firstPartial === -1 ? [] : groups.slice(firstPartial)
  const names = new Map<string, number>()
  const named = (call: ExplainedCall) => {
    const count = (names.get(call.fn) ?? 0) + 1
    names.set(call.fn, count)
    return count === 1 ? call.fn : `${call.fn}-${count}`
  }
  const mutators = whole.map(({ call }) => mutator(name, call, named(call)))
  const template = { ...downstreamOf(name, paths), ...(mutators.length > 0 && { pipeline: { mutators } }) }
  const overrides = others.map(({ call }) => callOverride(name, mutator(name, call, named(call)), call))
  return local('fleet.krm-variants.dev/v1alpha1', 'PackageVariantMatrix', name, {
    spec: {
      upstreams: [{ repo: 'catalog', package: name, revision: 1 }],
      targets: [{ repositorySelector: { matchExpressions: [{ key: 'cluster', operator: 'In', values: targets }] } }],
      inputs: [{ name: 'values', object: { apiVersion: CLUSTER_VALUES, kind: 'ClusterValues', nameExpr: 'target.name' } }],
      ...(Object.keys(template).length > 0 && { template }),
      ...(overrides.length > 0 && { overrides }),
    },
  })
}

/** Returns the override that runs a function for clusters with the values of its call; without a call for all clusters. */
export function callOverride(name: string, mutator: JsonRecord, call: ExplainedCall | undefined): JsonRecord {
  const where = call === undefined ? {} : { where: whereOf(name, call) }
  return { name: mutator.name ?? '', ...where, packages: [name], template: { pipeline: { mutators: [mutator] } } }
}

/** Returns the function of a call in the pipeline of a matrix. */
export function mutator(name: string, call: ExplainedCall, own: string): JsonRecord {
  if (call.fn === 'apply-replacements')
    return { name: own, image: imageOf(call.fn), configPath: replacementsFile(call.values[FIELD_SET] ?? '') }
  const exprs = Object.keys(call.values).map((key) => ({ key, valueExpr: lookupExpr(name, valueName(call, key)) }))
  const fixed = Object.keys(call.fixed).length > 0 ? { configMap: { ...call.fixed } } : {}
  // The package context is found by its name.
  const exclude =
    call.fn === 'ensure-name-substring'
      ? { exclude: [{ kind: 'ConfigMap', name: 'kptfile.kpt.dev' }] }
      : call.fn === 'search-replace'
        ? { exclude: [{ kind: 'Kptfile' }, { annotations: { 'config.kubernetes.io/local-config': 'true' } }] }
        : {}
  return { name: own, image: imageOf(call.fn), ...fixed, configMapExprs: exprs, ...exclude }
}

/** Returns the expression that reads a value of a package from the values of a cluster. */
export function lookupExpr(name: string, value: string): string {
  return `${valuesExpr(name)}[${quoted(value)}]`
}

/** Returns the condition that a cluster has the values of a call. */
export function whereOf(name: string, call: ExplainedCall): string {
  const set = call.values[FIELD_SET]
  if (call.fn === 'apply-replacements' && set !== undefined)
    return `${quoted(FIELD_SET)} in ${valuesExpr(name)} && ${valuesExpr(name)}[${quoted(FIELD_SET)}] == ${quoted(set)}`
  // A cluster has all values of one call of setters. Of labels it may have one by another call.
  const keys = call.fn === 'apply-setters' ? Object.keys(call.values).slice(0, 1) : Object.keys(call.values)
  return keys.map((key) => `${quoted(valueName(call, key))} in ${valuesExpr(name)}`).join(' && ')
}

/** The key, in the values of a cluster, of the set of fields that its overlay sets. */
const FIELD_SET = 'overlay-fields'

/** Returns the call that writes a set of fields, which is called by its first cluster. */
export function fieldSetCall(cluster: string): ExplainedCall {
  return { fn: 'apply-replacements', fixed: {}, values: { [FIELD_SET]: cluster } }
}

function valuesExpr(name: string): string {
  return `inputs.values.spec[${quoted(name)}]`
}

/** Returns a text as CEL writes it. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
}

/** Returns the calls that clusters share but for their values, in the order of their functions. */
function groupsOf(calls: PackageCalls): readonly { readonly call: ExplainedCall; readonly targets: readonly string[] }[] {
  const groups = new Map<string, { call: ExplainedCall; targets: string[] }>()
  for (const [target, own] of calls) {
    for (const call of own) {
      const key = JSON.stringify([call.fn, call.fixed, call.fn === 'apply-replacements' ? call.values : Object.keys(call.values)])
      remember(groups, key, () => ({ call, targets: [] })).targets.push(target)
    }
  }
  return [...groups.values()].toSorted((a, b) => PIPELINE_ORDER.indexOf(a.call.fn) - PIPELINE_ORDER.indexOf(b.call.fn))
}

/** Divides setters of clusters so that clusters with one setter share its call: one call for each set of clusters. */
export function setterCalls(values: ReadonlyMap<string, Readonly<Record<string, string>>>): ReadonlyMap<string, readonly ExplainedCall[]> {
  const clusters = new Map<string, string[]>()
  for (const [target, own] of values) for (const key of Object.keys(own)) clusters.set(key, [...(clusters.get(key) ?? []), target])
  const signatures = new Map([...clusters].map(([key, targets]) => [key, JSON.stringify(targets)]))
  return new Map(
    [...values].map(([target, own]) => {
      const groups = groupBy(Object.keys(own), (key) => signatures.get(key) ?? '')
      return [
        target,
        [...groups.values()].map(
          (keys): ExplainedCall => ({
            fn: 'apply-setters',
            fixed: {},
            values: Object.fromEntries(keys.map((key) => [key, own[key] ?? ''])),
          }),
        ),
      ]
    }),
  )
}
