import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ExplainedCall, functionOfImage } from '../../src/convert/explain-overlay.ts'
import { setterText } from '../../src/convert/find-setters.ts'
import { callOverride, fleetFiles, mutator, type Overlay, type PackageCalls, valueName } from '../../src/convert/fleet-texts.ts'
import { objectsOfRevision } from '../../src/intake/next-revision.ts'
import { readVendorObjects, type VendorObject } from '../../src/intake/vendor-objects.ts'
import { asList, asRecord, equalJson, isRecord, type JsonRecord, recordsOf, scalarText } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { nameFirst } from '../../src/wording.ts'
import type { Host } from '../host.ts'
import { importPlace } from '../import/import-place.ts'
import { UsageError } from '../usage-error.ts'
import type { BuiltTree } from './built-tree.ts'
import { CLUSTERS_FILE, clusterValues, setterFields, VALUES_FILE } from './cluster-setters.ts'
import { moveToOverrides, mutatorsOf, shapeOf, valuesOf } from './drop-calls.ts'
import { fleetObjects, withFleetObjects } from './fleet-objects.ts'
import { matrixInFile } from './object-in-file.ts'
import { callsOf, overlayObjects, pairOverlay } from './overlay-objects.ts'
import { writeFile } from './write-fleet.ts'

/** Returns the overlays that no conversion recorded. @throws UsageError for one whose cluster someone else added to the fleet */
export function overlaysToAdd({ overlays }: BuiltTree, recorded: JsonRecord, work: string): readonly Overlay[] {
  const added = overlays.filter(({ id }) => !Object.hasOwn(recorded, id))
  const known = new Set(fleetObjects(work, CLUSTERS_FILE).map(({ object }) => object.name))
  const taken = added.find(({ target, folder }) => known.has(target) || existsSync(join(work, 'clusters', folder)))
  if (taken !== undefined)
    throw new UsageError(
      `overlay '${taken.path}' is new since the conversion, and the fleet has a cluster '${taken.target}' of its own: rename one of them, or convert into a new folder`,
    )
  return added
}

/** Returns the clusters of the fleet whose overlays are gone since the conversion. */
export function goneClusters({ overlays }: BuiltTree, recorded: JsonRecord, work: string): readonly string[] {
  const [own, known] = [new Set(overlays.map(({ id }) => id)), fleetObjects(work, CLUSTERS_FILE).map(({ object }) => object.name)]
  return Object.keys(recorded).filter((id) => !own.has(id) && known.includes(id))
}

/** Returns what to do about clusters whose overlays are gone. */
export function goneText(gone: readonly string[]): string {
  const names = nameFirst(gone, 3, (id) => `'${id}'`)
  const [of, what, one] =
    gone.length === 1
      ? (['overlay of cluster', `is gone, so the cluster stays as it is and is`, 'it'] as const)
      : (['overlays of clusters', `are gone, so the clusters stay as they are and are`, 'one'] as const)
  return `the ${of} ${names} ${what} not proved; to remove ${one}, remove its Repository, its ClusterValues and its name in the matrices, then run krm-variants render`
}

/**
 * Adds clusters to a fleet: Repositories, values, and their names in the matrices of the bases, with the functions and setters that these
 * matrices have. What no function and no setter of a matrix makes becomes an override of the matrix, or an edit. Returns a line for each
 * package of a new cluster.
 *
 * @param packages  the calls of packages that the fleet does not have yet
 */
export function addClusters(
  tree: BuiltTree,
  added: readonly Overlay[],
  packages: ReadonlyMap<string, PackageCalls>,
  work: string,
  host: Host,
): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, readonly string[]>()
  const files = fleetFiles(tree.name, tree.overlays, packages, new Map())
  for (const own of packages.keys()) writeFile(work, `fleet/${own}.yaml`, files.get(`fleet/${own}.yaml`) ?? '')
  // The comment at the head of a file is there already.
  const textOf = (path: string) => (files.get(path) ?? '').replace(/^(?:#.*\n)+/, '')
  const made = (path: string) => readVendorObjects([{ name: path, bytes: Buffer.from(textOf(path)) }]).objects
  const isAdded = ({ object }: VendorObject) => added.some(({ target }) => target === object.name)
  const values = [...fleetObjects(work, VALUES_FILE), ...made(VALUES_FILE).filter(isAdded)]
  for (const { object } of made(VALUES_FILE).filter((each) => !isAdded(each))) addValues(values, object)
  for (const overlay of added) {
    const known = overlay.bases.map((path) => ({ path, own: tree.packages.get(path) ?? '' })).filter(({ own }) => !packages.has(own))
    for (const base of known) joinMatrix(tree, overlay, base, { work, host, values: clusterValues(values, overlay.target) })
    const spec = Object.entries(asRecord(clusterValues(values, overlay.target)?.get(['spec'])))
    const texts = spec.map(([own, each]) => `${own}: ${Object.keys(asRecord(each)).join(', ') || 'as the base has it'}`)
    lines.set(overlay.id, ['the cluster is new in the fleet', ...texts])
  }
  if (added.length > 0) writeFile(work, CLUSTERS_FILE, withFleetObjects(work, CLUSTERS_FILE, made(CLUSTERS_FILE).filter(isAdded)))
  if (added.length > 0 || packages.size > 0) writeFile(work, VALUES_FILE, withFleetObjects(work, VALUES_FILE, values))
  return lines
}

/** Adds the values of packages that the fleet does not have yet to those of a cluster that it has. */
function addValues(values: readonly VendorObject[], made: KrmObject): void {
  const own = clusterValues(values, made.name ?? '')
  for (const [name, value] of Object.entries(asRecord(made.get(['spec'])))) own?.set(['spec', name], value)
}

interface Fleet {
  readonly work: string
  readonly host: Host
  /** The values of the cluster. */
  readonly values: KrmObject | undefined
}

/** Adds a cluster to the matrix of a package. @throws UsageError for a matrix that has no list of clusters any more */
function joinMatrix(
  tree: BuiltTree,
  overlay: Overlay,
  { path, own }: { readonly path: string; readonly own: string },
  { work, host, values }: Fleet,
): void {
  const file = `fleet/${own}.yaml`
  const found = matrixInFile(work, own)
  if (found === undefined || !addTarget(found.object, overlay.target))
    throw new UsageError(
      `overlay '${overlay.path}' is new since the conversion, and '${file}' has no list of clusters: add a target for '${overlay.target}' by hand, or convert into a new folder`,
    )
  const matrix = found.object
  const known = new Map<string, string>()
  for (const call of callsOf(tree, overlay, path, pairOverlay(tree, overlay))) {
    if (!mutatorsOf(matrix).some((each) => isSameShape(shapeOf(each), call))) addOverride(matrix, own, call)
    for (const [key, value] of Object.entries(call.values)) known.set(valueName(call, key), value)
  }
  const wanted = overlayObjects(tree, overlay)
  const revision = objectsOfRevision(importPlace(`catalog/${own}`, host).last?.files ?? new Map())
  for (const [name, text] of setterValues(matrix, settersOf(revision, wanted))) known.set(name, text)
  const template = matrix.get(['spec', 'template', 'pipeline', 'mutators'])
  const others = recordsOf(template).filter((each) => shapeOf(each) !== undefined && !hasValues(each, known))
  moveToOverrides(matrix, own, new Set(others.map(({ name }) => scalarText(name))))
  values?.set(['spec', own], Object.fromEntries(known))
  writeFile(work, file, found.fileWith(matrix.toText()))
}

/** Returns the values of the calls of setters of which a cluster sets one: a call needs all its values. */
function setterValues(matrix: KrmObject, texts: ReturnType<typeof settersOf>): readonly (readonly [string, string])[] {
  const calls = mutatorsOf(matrix).filter(({ image }) => functionOfImage(scalarText(image)) === 'apply-setters')
  return calls.flatMap((call) => {
    const setters = valuesOf(call).flatMap(({ value }) => {
      const setter = texts.get(value)
      return setter === undefined ? [] : [{ name: value, ...setter }]
    })
    return setters.some(({ base, text }) => base !== text) ? setters.map(({ name, text }) => [name, text] as const) : []
  })
}

/**
 * Returns true if a cluster has all values of a function. The fields that overlays share are never those of a new cluster: they are its
 * edits.
 */
function hasValues(mutator: JsonRecord, known: ReadonlyMap<string, string>): boolean {
  const values = valuesOf(mutator)
  return values.length > 0 && values.every(({ value }) => known.has(value))
}

/** Adds a cluster to the first target that lists clusters by name. Returns false if none does. */
function addTarget(matrix: KrmObject, target: string): boolean {
  const targets = matrix.get(['spec', 'targets'])
  for (const [index, each] of asList(targets).entries()) {
    const { matchExpressions } = asRecord(asRecord(each).repositorySelector)
    const at = Array.isArray(matchExpressions)
      ? matchExpressions.findIndex((one) => asRecord(one).key === 'cluster' && asRecord(one).operator === 'In')
      : -1
    const path = ['spec', 'targets', index, 'repositorySelector', 'matchExpressions', at, 'values']
    const names = at === -1 ? undefined : matrix.get(path)
    if (!Array.isArray(names)) continue
    if (!names.includes(target)) matrix.set([...path, names.length], target)
    return true
  }
  return false
}

function isSameShape(one: ExplainedCall | undefined, { fn, fixed, values }: ExplainedCall): boolean {
  const keys = (record: Readonly<Record<string, string>>) => Object.keys(record).toSorted()
  return one !== undefined && one.fn === fn && equalJson(one.fixed, fixed) && equalJson(keys(one.values), keys(values))
}

function addOverride(matrix: KrmObject, own: string, call: ExplainedCall): void {
  const overrides = matrix.get(['spec', 'overrides'])
  const all = asList(overrides)
  const names = new Set([...mutatorsOf(matrix), ...all.filter(isRecord)].map(({ name }) => name))
  let name: string = call.fn
  for (let number = 2; names.has(name); number += 1) name = `${call.fn}-${number}`
  const override = callOverride(own, mutator(own, call, name), call)
  matrix.set(all.length === 0 ? ['spec', 'overrides'] : ['spec', 'overrides', all.length], all.length === 0 ? [override] : override)
}

/**
 * Returns the text of each setter in the objects of a cluster, and in those of the upstream package. A setter of several values has that of
 * the package.
 */
function settersOf(revision: readonly KrmObject[], wanted: readonly KrmObject[]) {
  const texts = new Map<string, { readonly base: string; readonly text: string }>()
  for (const { name, from, to } of setterFields(revision, wanted)) {
    const base = setterText(from, from)
    if (base === undefined) continue
    const text = setterText(from, to) ?? base
    const before = texts.get(name)
    texts.set(name, before !== undefined && before.text !== text ? { base, text: base } : { base, text })
  }
  return texts
}
