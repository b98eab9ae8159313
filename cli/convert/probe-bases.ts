import { cpSync, existsSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { imageWithOtherTag, type Probe } from '../../src/convert/explain-overlay.ts'
import type { Overlay } from '../../src/convert/fleet-texts.ts'
import { pairObjects } from '../../src/convert/pair-objects.ts'
import { type FieldsThatStay, fieldsThatStay, probeTransformers } from '../../src/convert/probe-changes.ts'
import { realPlace } from '../../src/folder/inside-folder.ts'
import { isOutside } from '../../src/folder/staging.ts'
import { writeAt } from '../../src/folder/write-at.ts'
import { definedEntries } from '../../src/group-by.ts'
import type { VendorObject } from '../../src/intake/vendor-objects.ts'
import { asList, isRecord, type JsonValue } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Host } from '../host.ts'
import { type Imported, readVendorSource } from '../import/import-sources.ts'
import { KUSTOMIZATIONS, readKustomizationFile } from '../import/kustomize-faults.ts'
import { isFile, isFolder } from '../place-kind.ts'
import type { ConvertOptions } from './built-tree.ts'
import type { KustomizeTree } from './kustomize-tree.ts'
import { baseObjects, overlayObjects } from './overlay-objects.ts'

/** The build of an overlay over changed bases. */
export interface OverlayProbe {
  /** The changes of the overlay to every object, by the path of the base. */
  readonly added: ReadonlyMap<string, Probe>
  readonly kept: FieldsThatStay
}

/** By the id of the overlay. */
export type Probes = ReadonlyMap<string, OverlayProbe>

/** The builds of the bases and the overlays of a tree. */
export interface BuiltObjects {
  readonly bases: ReadonlyMap<string, Imported>
  readonly targets: ReadonlyMap<string, readonly VendorObject[]>
}

const CHANGES = 'krm-variants-probe-changes.yaml'

/**
 * Builds the overlays of a copy of the tree in which each base has other values and two more objects, a ConfigMap and a Pod. What an
 * overlay writes into these objects, it writes into each object of the base that is new later: a label of the overlay is no patch of one
 * object. What is as before in the others, the overlay sets itself, also if it repeats the value of the base. An overlay that cannot be
 * built of other values is built of the two objects alone, and is left out if it cannot be built so.
 */
export async function probeBases(
  dir: string,
  tree: KustomizeTree,
  built: BuiltObjects,
  options: ConvertOptions,
  host: Host,
): Promise<Probes> {
  const root = host.locate(dir)
  const work = mkdtempSync(join(tmpdir(), 'krm-variants-probe-'))
  try {
    const copy = join(work, basename(root))
    copyTree(root, copy)
    const names = probeNames(tree.packages.keys())
    const changes = new Map([...names.keys()].map((path) => [path, transformersOf(baseObjects(built, path))]))
    for (const [path, name] of names) if (!addObjects(join(copy, path), name, imagesIn(built, path))) return new Map()
    const at: Host = { ...host, locate: (path) => path, warn: () => {} }
    const build: ChangedTree['build'] = async (path, isChanged) => {
      // An overlay that is a base too must not change its own values.
      for (const [base, text] of changes) writeAt(join(copy, base, CHANGES), isChanged(base) ? text : NO_CHANGE)
      const asked = { ...options, kustomize: join(copy, path), hooks: 'leave-out', helmBinary: options.helmBinary ?? 'helm' } as const
      const made = await readVendorSource('kustomize', asked, at).catch(() => undefined)
      return made?.objects.map(({ object }) => object)
    }
    const bases = { changed: await buildBases(names, build, true), plain: await buildBases(names, build, false) }
    const probes = new Map<string, OverlayProbe>()
    for (const overlay of tree.overlays) probes.set(overlay.id, await probeOverlay(overlay, built, { names, build, ...bases }))
    return probes
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Copies a tree with the bases that its links lead to, since bases of the copy are written. Pipes and sockets are left out. */
export function copyTree(root: string, copy: string): void {
  cpSync(root, copy, { recursive: true, dereference: true, filter: (path) => path === root || isCopied(path) })
}

/** Returns true for files and folders, and for links to files and to bases; false also for a link in a circle. */
function isCopied(path: string): boolean {
  if (/^(?:\.|node_modules$)/.test(basename(path))) return false
  const place = isFolder(path) ? 'folder' : isFile(path) ? 'file' : undefined
  return place === 'file' || (place === 'folder' && !isLinkElsewhere(path))
}

/** Returns true for a link to a folder that is no base, or that is around the link. */
function isLinkElsewhere(path: string): boolean {
  if (!lstatSync(path).isSymbolicLink()) return false
  const [target, around] = [realPlace(path), realPlace(dirname(path))]
  return !isOutside(target, around) || !KUSTOMIZATIONS.some((name) => existsSync(join(target, name)))
}

type ObjectsByBase = ReadonlyMap<string, readonly KrmObject[]>

interface ChangedTree {
  readonly names: ReadonlyMap<string, string>
  readonly changed: ObjectsByBase
  readonly plain: ObjectsByBase
  /** Builds a folder of the copy of which the wanted bases have other values; undefined if that cannot be built. */
  readonly build: (path: string, isChanged: (base: string) => boolean) => Promise<readonly KrmObject[] | undefined>
}

async function buildBases(names: ChangedTree['names'], build: ChangedTree['build'], isChanged: boolean): Promise<ObjectsByBase> {
  const bases = new Map<string, readonly KrmObject[]>()
  for (const path of names.keys()) bases.set(path, (await build(path, () => isChanged)) ?? [])
  return bases
}

async function probeOverlay({ id, path, bases }: Overlay, built: BuiltObjects, tree: ChangedTree): Promise<OverlayProbe> {
  const changed = await tree.build(path, (base) => base !== path)
  const objects = changed ?? (await tree.build(path, () => false)) ?? []
  const added = [...probesIn(objects, tree.names)].map(([base, probe]) => {
    const own = (changed === undefined ? tree.plain : tree.changed).get(base) ?? []
    const images = imagePairs(podIn(own, tree.names.get(base) ?? ''), podIn(objects, tree.names.get(base) ?? ''))
    return [base, { added: withoutOwn(probe, probesIn(own, tree.names).get(base)), ...(images && { images }) }] as const
  })
  const overlay = overlayObjects(built, { id })
  // An overlay that is its own base sets nothing over the base.
  const others = bases.filter((base) => base !== path)
  const kept = others.flatMap((base) => {
    const pairs = pairObjects(baseObjects(built, base), overlay)
    return changed === undefined ? [] : [...fieldsThatStay(pairs, { base: tree.changed.get(base) ?? [], overlay: changed })]
  })
  return { added: new Map(added), kept: new Map(kept) }
}

/** A list of transformers must not be empty. */
const NO_CHANGE = JSON.stringify({
  apiVersion: 'builtin',
  kind: 'PatchTransformer',
  metadata: { name: 'krm-variants-probe' },
  patch: '[{"op": "remove", "path": "/spec"}]',
  target: { kind: 'KrmVariantsProbe' },
})

function transformersOf(objects: readonly KrmObject[]): string {
  return [NO_CHANGE, ...probeTransformers(objects).map((each) => JSON.stringify(each))].join('\n---\n')
}

/** Returns an image with another tag or digest for each image of a base, which `images` of an overlay find. */
function imagesIn(built: BuiltObjects, path: string): readonly string[] {
  const images = baseObjects(built, path).flatMap((object) => imageFields(object.toJson()))
  return [...new Set(images.map((image) => imageWithOtherTag(image)))].toSorted()
}

function imageFields(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(imageFields)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, each]) => (key === 'image' && typeof each === 'string' ? [each] : imageFields(each)))
}

function podIn(objects: readonly KrmObject[], name: string): KrmObject | undefined {
  return objects.find((each) => each.kind === 'Pod' && each.name?.includes(name) === true)
}

/** Returns the images of the added Pod of a base, each with the one that an overlay makes of it. */
function imagePairs(from: KrmObject | undefined, to: KrmObject | undefined): readonly (readonly [string, string])[] | undefined {
  if (from === undefined || to === undefined) return undefined
  const [own, others] = [imageFields(from.toJson()), imageFields(to.toJson())]
  return own.length === others.length ? own.map((image, index) => [image, others[index] ?? image] as const) : undefined
}

/** Returns the name of the added ConfigMap of each base. No name is a part of another one, since overlays write prefixes and suffixes. */
export function probeNames(bases: Iterable<string>): ReadonlyMap<string, string> {
  return new Map([...bases].map((path, index) => [path, `krm-variants-probe-${index}-of-base`] as const))
}

/** Returns the added ConfigMaps among the objects that a folder builds, by the paths of their bases. */
export function probesIn(objects: readonly KrmObject[], names: ReadonlyMap<string, string>): ReadonlyMap<string, KrmObject> {
  const maps = objects.filter(({ kind }) => kind === 'ConfigMap')
  return definedEntries(Array.from(names, ([base, name]) => [base, maps.find((each) => each.name?.includes(name) === true)]))
}

/** Returns a probe without the labels, annotations and namespace that the base itself gives each of its objects. */
function withoutOwn(probe: KrmObject, own: KrmObject | undefined): KrmObject {
  for (const field of ['labels', 'annotations'] as const)
    for (const [key, value] of own?.[field] ?? []) if (probe[field].get(key) === value) probe.delete(['metadata', field, key])
  if (probe.namespace !== undefined && probe.namespace === own?.namespace) probe.delete(['metadata', 'namespace'])
  return probe
}

/** Adds a ConfigMap, a Pod and transformers to the kustomization of a folder of the copy. Returns false for a base outside of the copy. */
function addObjects(folder: string, name: string, images: readonly string[]): boolean {
  const file = KUSTOMIZATIONS.map((each) => join(folder, each)).find((each) => existsSync(each))
  if (file === undefined) return false
  const kustomization = readKustomizationFile(file)
  const add = (field: string, entry: string) => kustomization.set([field], [...asList(kustomization.get([field])), entry])
  add('resources', `${name}.yaml`)
  add('transformers', CHANGES)
  writeAt(file, kustomization.toText())
  const containers = images.map((image, index) => ({ name: `c${index}`, image }))
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers } }
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }
  writeAt(join(folder, `${name}.yaml`), [map, ...(images.length > 0 ? [pod] : [])].map((each) => JSON.stringify(each)).join('\n---\n'))
  return true
}
