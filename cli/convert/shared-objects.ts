import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changedPaths } from '../../src/convert/edit-object.ts'
import { HASHED } from '../../src/convert/explain-overlay.ts'
import type { Overlay } from '../../src/convert/fleet-texts.ts'
import { freeName } from '../../src/convert/free-names.ts'
import { groupBy } from '../../src/group-by.ts'
import { objectsOfRevision, originOf } from '../../src/intake/next-revision.ts'
import type { VendorObject } from '../../src/intake/vendor-objects.ts'
import { asRecord, equalJson, type JsonRecord, scalarText } from '../../src/json.ts'
import { sha256Hex } from '../../src/kubernetes/truncated-name.ts'
import { isLocalConfig } from '../../src/resource-list/applied-objects.ts'
import { groupOf } from '../../src/resource-list/identity.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { KPTFILE } from '../../src/resource-list/package-of.ts'
import type { Host } from '../host.ts'
import { importPlace } from '../import/import-place.ts'
import type { BuiltTree } from './built-tree.ts'
import { baseObjects, pairOverlay } from './overlay-objects.ts'

/**
 * Returns the tree with a base for the objects that no base has and several overlays share, such as those of a component: one base for each
 * set of overlays. An object is shared if its overlays differ at most in its namespace, labels and annotations, which functions write, and
 * in few other fields.
 */
export function withSharedBases(tree: BuiltTree): BuiltTree {
  if (tree.from !== 'kustomize') return tree
  const found = tree.overlays.flatMap((overlay) => addedObjects(tree, overlay).map((object) => ({ overlay, object })))
  const shared = [...groupBy(found, ({ object }) => keyOf(object.object)).values()].flatMap((each) => {
    const ids = each.map(({ overlay }) => overlay.id)
    const object = commonObject(each.map((one) => one.object))
    return ids.length < 2 || new Set(ids).size < ids.length || object === undefined ? [] : [{ ids, object }]
  })
  return [...groupBy(shared, ({ ids }) => JSON.stringify(ids)).values()].reduce((all: BuiltTree, group) => {
    const objects = group.map(({ object }) => object)
    return withBase(all, freeName('shared', new Set(all.packages.values())), new Set(group[0]?.ids), objects, digestOf(objects))
  }, tree)
}

/** Returns the tree with the bases of shared objects that an earlier conversion made, with the objects as their overlays have them now. */
export function withKnownSharedBases(tree: BuiltTree, work: string, host: Host): BuiltTree {
  const catalog = join(work, 'catalog')
  const names = (existsSync(catalog) ? readdirSync(catalog) : []).flatMap((entry) => {
    const [, name] = /^([a-z0-9-]+)@v\d+$/.exec(entry) ?? []
    const kptfile = join(catalog, entry, KPTFILE)
    return name !== undefined && existsSync(kptfile) && readFileSync(kptfile, 'utf8').includes(SHARED + name) ? [name] : []
  })
  return [...new Set(names)].reduce((all, name) => {
    const files = importPlace(`catalog/${name}`, host).last?.files
    const origin = files === undefined ? undefined : originOf(files)
    if (files === undefined || scalarText(origin?.path) !== SHARED + name) return all
    const last = objectsOfRevision(files).filter((object) => !isLocalConfig(object))
    const isNew = ({ folder }: Overlay) => !existsSync(join(work, 'clusters', folder))
    const hasAll = ({ id }: Overlay) => last.every((object) => tree.targets.get(id)?.some((each) => keyOf(each.object) === keyOf(object)))
    const users = tree.overlays.filter((each) => existsSync(join(work, 'clusters', each.folder, name)) || (isNew(each) && hasAll(each)))
    const objects = last.map((object) => currentObject(tree, users, object) ?? { object, head: '' })
    const isSame = objects.every(({ object }, index) => equalJson(object.toJson(), last[index]?.toJson()))
    const sha256 = isSame ? scalarText(origin?.sha256) : digestOf(objects)
    return withBase(all, name, new Set(users.map(({ id }) => id)), objects, sha256)
  }, tree)
}

/** Returns an object as all its overlays have it now; undefined if they differ much, or one lacks it: then each difference is an edit. */
function currentObject(tree: BuiltTree, users: readonly Overlay[], object: KrmObject): VendorObject | undefined {
  const own = users.flatMap(({ id }) => (tree.targets.get(id) ?? []).filter((each) => keyOf(each.object) === keyOf(object)))
  return own.length === users.length ? commonObject(own) : undefined
}

function addedObjects(tree: BuiltTree, overlay: Overlay): readonly VendorObject[] {
  const added = new Set(pairOverlay(tree, overlay).added)
  return (tree.targets.get(overlay.id) ?? []).filter(({ object }) => added.has(object) && !HASHED.test(object.name ?? ''))
}

function keyOf({ apiVersion = '', kind = '', name = '' }: KrmObject): string {
  return `${groupOf(apiVersion)}/${kind} ${name}`
}

/** In so many fields the object of an overlay may differ from that of the first: they become setters. */
const MOST_DIFFERENT = 3

/** Returns the first object without the labels and annotations that not all have; undefined if others differ in many fields. */
function commonObject(objects: readonly VendorObject[]): VendorObject | undefined {
  const [first, ...others] = objects
  if (first === undefined) return undefined
  const own = comparedPart(first.object)
  const isNear = (other: JsonRecord) => [changedPaths(own, other), changedPaths(other, own)].every(({ length }) => length <= MOST_DIFFERENT)
  if (!others.every(({ object }) => isNear(comparedPart(object)))) return undefined
  const object = KrmObject.fromDocument(first.object.toText())
  const isCommon = (path: readonly string[]) => others.every((each) => equalJson(each.object.get(path), object.get(path)))
  for (const field of ['labels', 'annotations'] as const) {
    for (const key of [...object[field].keys()]) if (!isCommon(['metadata', field, key])) object.delete(['metadata', field, key])
    if (object[field].size === 0) object.delete(['metadata', field])
  }
  return { object, head: first.head }
}

function comparedPart(object: KrmObject): JsonRecord {
  const { metadata, ...others } = object.toJson()
  const { namespace: _namespace, labels: _labels, annotations: _annotations, ...rest } = asRecord(metadata)
  return { ...others, metadata: rest }
}

function withBase(tree: BuiltTree, name: string, users: ReadonlySet<string>, objects: readonly VendorObject[], sha256: string): BuiltTree {
  const path = SHARED + name
  return {
    ...tree,
    packages: new Map([...tree.packages, [path, name]]),
    bases: new Map([...tree.bases, [path, { objects, results: [], origin: { source: 'kustomize', name, sha256 } }]]),
    overlays: tree.overlays.map((each) => (users.has(each.id) ? { ...each, bases: [...each.bases, path] } : each)),
  }
}

/** Begins the path of a base that is no folder of the tree, in the record of its package too. */
const SHARED = 'shared objects: '

/** Returns true for the path of a base of shared objects, which is no folder. */
export function isShared(path: string): boolean {
  return path.startsWith(SHARED)
}

function digestOf(objects: readonly VendorObject[]): string {
  return sha256Hex(objects.map(({ object }) => object.toText()).join('\0'))
}

/** Returns a line for each package of shared objects, by the overlay. */
export function sharedLines(tree: BuiltTree): ReadonlyMap<string, readonly string[]> {
  const { overlays, packages } = tree
  const usersOf = (path: string) => overlays.filter((each) => each.bases.includes(path)).length
  return new Map(
    overlays.map((overlay) => [
      overlay.id,
      overlay.bases.filter(isShared).map((path) => {
        const names = baseObjects(tree, path).map(({ kind = '', name = '' }) => `${kind} ${name}`)
        return `${packages.get(path)}: a package for ${names.join(', ')}, which ${usersOf(path)} overlays share`
      }),
    ]),
  )
}
