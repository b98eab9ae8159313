import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, posix, resolve } from 'node:path'
import { compareText, formatFieldPath } from '../../src/field-path.ts'
import { layOutFiles } from '../../src/intake/file-layout.ts'
import { type ImportOrigin, isSameImport, nextRevision, originOf } from '../../src/intake/next-revision.ts'
import { documentText, identityOfObject, readVendorObjects, type VendorObject } from '../../src/intake/vendor-objects.ts'
import { asRecord, equalJson, isRecord, type JsonRecord, type JsonValue } from '../../src/json.ts'
import { sha256Hex } from '../../src/kubernetes/truncated-name.ts'
import { printable } from '../../src/printable.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { isKptfile } from '../../src/resource-list/package-of.ts'
import { FunctionError, hasErrors } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import { importPlace } from '../import/import-place.ts'
import { type Imported, readVendorSource } from '../import/import-sources.ts'
import { runRender } from '../render/run-render.ts'
import { UsageError } from '../usage-error.ts'
import { editObject } from './edit-object.ts'
import { afterCall, type ExplainedCall, explainCalls } from './explain-overlay.ts'
import { findSetters } from './find-setters.ts'
import { fleetFiles, type PackageCalls, RECORD, recordText, setterCalls } from './fleet-texts.ts'
import { type KustomizeTree, type Overlay, readKustomizeTree } from './kustomize-tree.ts'
import { type ObjectPairs, pairObjects } from './pair-objects.ts'
import { bringFleet, copyFleet, filesBelow, readFleetPlace, writeFile } from './write-fleet.ts'

export interface ConvertOptions {
  readonly out?: string
  readonly allowExec?: boolean
  readonly kustomizeBinary?: string
  readonly functionTimeout?: number
}

/** A tree with what kustomize builds of it. */
interface BuiltTree extends KustomizeTree {
  readonly dir: string
  readonly bases: ReadonlyMap<string, Imported>
  readonly targets: ReadonlyMap<string, readonly VendorObject[]>
}

/** Makes a fleet of a kustomize tree, or brings the changes of the tree's bases into the fleet. Returns 0 only if every cluster is proved equal. */
export async function convertKustomize(dir: string, options: ConvertOptions, host: Host): Promise<ExitCode> {
  const out = options.out ?? `${dir.replace(/\/+$/, '')}-fleet`
  const tree = readKustomizeTree(dir, host)
  readFleetPlace(dir, out, host)
  if (options.allowExec !== true)
    throw new UsageError('convert kustomize must come with --allow-exec: it runs kustomize, a program of this machine')
  const built = await build(dir, tree, options, host)
  return holdingFolders({ dirs: [out], isWriting: true }, host, () => writeFleet(built, out, host))
}

/** Makes or changes the fleet in a working folder beside its place, and brings it there if it is proved. */
async function writeFleet(built: BuiltTree, out: string, host: Host): Promise<ExitCode> {
  const fleet = readFleetPlace(built.dir, out, host)
  const name = basename(fleet.place)
  const work = join(dirname(fleet.place), `.${name}.${crypto.randomUUID()}`)
  host.onInterrupt(() => rmSync(work, { recursive: true, force: true }))
  try {
    copyFleet(fleet, work)
    const at: Host = { ...host, locate: (path) => resolve(work, path), warn: () => {}, draw: () => {} }
    const edits = fleet.isConverted ? await bringChanges(built, work, at) : await makeFleet(built, name, work, at)
    if (!prove(built, work, edits, host)) {
      host.warn(`krm-variants: not every cluster is equal, so nothing was written to ${printable(out)}\n`)
      return 1
    }
    const digests = Object.fromEntries([...built.targets].map(([target]) => [target, digestOf(renderedObjects(work, target))]))
    writeFileSync(join(work, RECORD), recordText(built.name, digests))
    const written = bringFleet(work, fleet)
    host.warn(written === 0 ? 'nothing to do: the fleet is as the tree\n' : `${countOf(written, 'file')} written to ${printable(out)}\n`)
    return 0
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function build(dir: string, tree: KustomizeTree, options: ConvertOptions, host: Host): Promise<BuiltTree> {
  const [bases, targets] = [new Map<string, Imported>(), new Map<string, readonly VendorObject[]>()]
  const buildOne = (path: string) =>
    readVendorSource('kustomize', { ...options, kustomize: posix.join(dir, path), hooks: 'leave-out', helmBinary: 'helm' }, host)
  for (const path of tree.packages.keys()) bases.set(path, await buildOne(path))
  for (const { path, target } of tree.overlays) targets.set(target, (await buildOne(path)).objects)
  return { ...tree, dir, bases, targets }
}

/** What was written into rendered packages by hand: a line for each object of a cluster. */
type Edits = ReadonlyMap<string, readonly string[]>

async function makeFleet(tree: BuiltTree, name: string, work: string, host: Host): Promise<Edits> {
  mkdirSync(join(work, 'catalog'), { recursive: true })
  const pairs = new Map(tree.overlays.map((overlay) => [overlay.target, pairsOf(tree, overlay)]))
  const packages = new Map<string, PackageCalls>()
  for (const [path, own] of tree.packages) {
    const imported = tree.bases.get(path)
    if (imported === undefined) continue
    const objects = imported.objects.map(({ object }) => object)
    const users = tree.overlays.filter(({ bases }) => bases.includes(path))
    const explained = users.map(({ target }) => {
      const known = pairs.get(target) ?? new Map<KrmObject, KrmObject>()
      return {
        target,
        pairs: known,
        calls: explainCalls(objects, known).filter((call) => leaves(call, addedTo(tree, target, path, known))),
      }
    })
    const setters = setterCalls(findSetters(imported.objects, explained))
    packages.set(own, new Map(explained.map(({ target, calls }) => [target, distinct([...(setters.get(target) ?? []), ...calls])])))
    writeRevision(
      work,
      `catalog/${own}@v1`,
      nextRevision({ name: own, objects: imported.objects, origin: originFor(imported, path), last: undefined, setters: [] }).files,
    )
  }
  for (const [path, text] of fleetFiles(name, tree.overlays, packages)) writeFile(work, path, text)
  await render(host)
  const edits = new Map(tree.overlays.map((overlay) => [overlay.target, writeEdits(tree, overlay, work)]))
  await render(host)
  for (const [target, lines] of functionsText(packages)) edits.set(target, [...lines, ...(edits.get(target) ?? [])])
  return edits
}

/** Returns the objects that only an overlay has, which go to the package of its first base. */
function addedTo({ overlays, targets }: BuiltTree, target: string, path: string, pairs: ObjectPairs): readonly KrmObject[] {
  if (overlays.find((each) => each.target === target)?.bases[0] !== path) return []
  const paired = new Set(pairs.values())
  return (targets.get(target) ?? []).map(({ object }) => object).filter((object) => !paired.has(object))
}

/** Returns true if a call leaves objects as they are: a function of the package runs on them too. */
function leaves(call: ExplainedCall, objects: readonly KrmObject[]): boolean {
  const after = afterCall(objects, call)
  return after !== undefined && objects.every((object, index) => equalJson(object.toJson(), after[index]?.toJson()))
}

function distinct<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((each) => [JSON.stringify(each), each])).values()]
}

function functionsText(packages: ReadonlyMap<string, PackageCalls>): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, string[]>()
  for (const [name, calls] of packages)
    for (const [target, own] of calls) {
      const texts = own.map(({ fn, values }) => `${name}: ${fn} ${Object.keys(values).join(', ')}`)
      lines.set(target, [...(lines.get(target) ?? []), ...texts])
    }
  return lines
}

function pairsOf(tree: BuiltTree, { target, bases }: Overlay) {
  const objects = bases.flatMap((path) => tree.bases.get(path)?.objects ?? []).map(({ object }) => object)
  return pairObjects(
    objects,
    (tree.targets.get(target) ?? []).map(({ object }) => object),
  )
}

function originFor(imported: Imported, path: string): ImportOrigin {
  return { ...imported.origin, command: `import --kustomize ${path}` }
}

function writeRevision(work: string, folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  for (const [path, content] of files) writeFile(work, `${folder}/${path}`, content)
}

/** @throws FunctionError with the errors of a render */
async function render(host: Host): Promise<void> {
  const report = await runRender('.', { fanOut: true, run: true }, host)
  if (hasErrors(report.results)) throw new FunctionError(report.results)
}

/** @throws UsageError for overlays that the record of the conversion does not have */
function refuseNewOverlays(tree: BuiltTree, recorded: JsonRecord): void {
  const unknown = tree.overlays.filter(({ target }) => !Object.hasOwn(recorded, target))
  if (unknown.length > 0)
    throw new UsageError(
      `overlay ${unknown.map(({ path }) => `'${path}'`).join(', ')} is new since the conversion: add a Repository, its ClusterValues and its name in the matrix to the fleet, or convert into a new folder`,
    )
}

/** Makes the next revisions of bases that changed, raises them in the matrices, and renders. */
async function bringChanges(tree: BuiltTree, work: string, host: Host): Promise<Edits> {
  const recorded = asRecord(KrmObject.fromDocument(readFileSync(join(work, RECORD), 'utf8')).toJson().data)
  refuseNewOverlays(tree, recorded)
  const untouched = new Set(
    tree.overlays.filter(({ target }) => digestOf(renderedObjects(work, target)) === recorded[target]).map(({ target }) => target),
  )
  const lines = raiseBases(tree, work, host)
  await render(host)
  for (const overlay of tree.overlays) {
    if (!untouched.has(overlay.target)) continue
    const edits = writeEdits(tree, overlay, work)
    if (edits.length > 0) lines.set(overlay.target, [...(lines.get(overlay.target) ?? []), ...edits])
  }
  await render(host)
  return lines
}

function raiseBases(tree: BuiltTree, work: string, host: Host): Map<string, readonly string[]> {
  const lines = new Map<string, readonly string[]>()
  for (const [path, own] of tree.packages) {
    const imported = tree.bases.get(path)
    if (imported === undefined) continue
    const { last, revision } = importPlace(`catalog/${own}`, host)
    const origin = originFor(imported, path)
    if (last === undefined || isSameImport(origin, originOf(last.files))) continue
    const next = nextRevision({ name: own, objects: imported.objects, origin, last: last.files, setters: [] })
    writeRevision(work, `catalog/${own}@${revision}`, next.files)
    raise(work, own, Number(revision.slice(1)))
    for (const { target, bases } of tree.overlays)
      if (bases.includes(path)) lines.set(target, [...(lines.get(target) ?? []), `${own}: raised to ${revision}`])
  }
  return lines
}

function raise(work: string, name: string, revision: number): void {
  const path = `fleet/${name}.yaml`
  if (!existsSync(join(work, path)))
    throw new UsageError(`no matrix '${path}' in the fleet: raise the revision of '${name}' to ${revision} by hand`)
  const object = KrmObject.fromDocument(readFileSync(join(work, path), 'utf8'))
  const upstreams = object.get(['spec', 'upstreams'])
  const index = Array.isArray(upstreams) ? upstreams.findIndex((each) => isRecord(each) && each.package === name) : -1
  if (index === -1) throw new UsageError(`no upstream '${name}' in '${path}': raise its revision to ${revision} by hand`)
  object.set(['spec', 'upstreams', index, 'revision'], revision)
  writeFileSync(join(work, path), object.toText())
}

/** A file of a rendered package with its objects. */
interface RenderedFile {
  readonly path: string
  readonly objects: readonly VendorObject[]
}

function renderedFiles(work: string, target: string): readonly RenderedFile[] {
  const root = join(work, 'clusters', target)
  if (!existsSync(root)) return []
  return filesBelow(root)
    .filter((path) => /\.ya?ml$/.test(path) && !isKptfile(path))
    .map((path) => {
      const { objects, results } = readVendorObjects([{ name: path, bytes: readFileSync(join(root, path)) }])
      if (hasErrors(results)) throw new FunctionError(results)
      return { path: `clusters/${target}/${path}`, objects: objects.filter(({ object }) => !isLocal(object)) }
    })
    .filter(({ objects }) => objects.length > 0)
}

function isLocal(object: KrmObject): boolean {
  return object.annotations.get('config.kubernetes.io/local-config') === 'true'
}

function renderedObjects(work: string, target: string): readonly KrmObject[] {
  return renderedFiles(work, target).flatMap(({ objects }) => objects.map(({ object }) => object))
}

/** Writes into the rendered packages of a cluster what functions and setters do not explain. Returns a line for each object. */
function writeEdits(tree: BuiltTree, overlay: Overlay, work: string): readonly string[] {
  const wanted = tree.targets.get(overlay.target) ?? []
  const files = renderedFiles(work, overlay.target)
  const rendered = files.flatMap(({ objects }) => objects.map(({ object }) => object))
  const pairs = pairObjects(
    rendered,
    wanted.map(({ object }) => object),
  )
  const lines: string[] = []
  for (const { path, objects } of files) {
    const kept = objects.filter(({ object }) => pairs.has(object))
    for (const { object } of objects.filter((each) => !kept.includes(each))) lines.push(`edit: ${nameOf(object)} is removed`)
    const changed = kept.flatMap(({ object }) => {
      const before = nameOf(object)
      const fields = editObject(object, withMark(pairs.get(object)?.toJson() ?? {}, object))
      return fields.length === 0 ? [] : [`edit: ${before} ${fields.map((field) => formatFieldPath(field)).join(', ')}`]
    })
    lines.push(...changed)
    if (changed.length === 0 && kept.length === objects.length) continue
    if (kept.length === 0) rmSync(join(work, path))
    else writeFileSync(join(work, path), kept.map(documentText).join('---\n'))
  }
  const paired = new Set(pairs.values())
  const added = wanted.filter(({ object }) => !paired.has(object))
  const folder = tree.packages.get(overlay.bases[0] ?? '') ?? ''
  for (const [path, text] of layOutFiles(added)) writeFile(work, freePath(work, `clusters/${overlay.target}/${folder}/${path}`), text)
  return [...lines, ...added.map(({ object }) => `edit: ${nameOf(object)} is added, only this overlay has it`)]
}

function freePath(work: string, path: string): string {
  return existsSync(join(work, path)) ? freePath(work, path.replace(/\.yaml$/, '-2.yaml')) : path
}

function nameOf({ kind = '', namespace, name = '' }: KrmObject): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`
}

/** Prints a row for each cluster, and what is not equal. Returns true if the objects of all clusters equal those that kustomize builds. */
function prove(tree: BuiltTree, work: string, edits: Edits, host: Host): boolean {
  let isProved = true
  for (const { path, target } of tree.overlays) {
    const wanted = new Map((tree.targets.get(target) ?? []).map(({ object }) => [identityOfObject(object), object]))
    const rendered = new Map(renderedObjects(work, target).map((object) => [identityOfObject(object), object]))
    const faults = [
      ...[...wanted].filter(([key]) => !rendered.has(key)).map(([, object]) => `${nameOf(object)} is missing`),
      ...[...rendered].filter(([key]) => !wanted.has(key)).map(([, object]) => `${nameOf(object)} is not in the overlay`),
      ...[...wanted].flatMap(([key, object]) => differences(object, rendered.get(key))),
    ]
    isProved &&= faults.length === 0
    host.write(
      `${printable(path)} → clusters/${target}: ${faults.length === 0 ? `equal, ${countOf(wanted.size, 'object')}` : 'not equal'}\n`,
    )
    for (const line of edits.get(target) ?? []) host.write(`  ${printable(line)}\n`)
    for (const fault of faults) host.write(`  differs: ${printable(fault)}\n`)
  }
  return isProved
}

function differences(wanted: KrmObject, rendered: KrmObject | undefined): readonly string[] {
  if (rendered === undefined || equalJson(withMark(wanted.toJson(), rendered), rendered.toJson())) return []
  const fields = editObject(KrmObject.fromDocument(rendered.toText()), withMark(wanted.toJson(), rendered))
  return [`${nameOf(wanted)} ${fields.map((field) => formatFieldPath(field)).join(', ')}`]
}

/** Returns a value with the annotation by which kpt finds the upstream of a rendered object. */
function withMark(value: JsonRecord, rendered: KrmObject): JsonRecord {
  const mark = rendered.annotations.get(UPSTREAM_IDENTIFIER)
  if (mark === undefined) return value
  const metadata = asRecord(value.metadata)
  return { ...value, metadata: { ...metadata, annotations: { ...asRecord(metadata.annotations), [UPSTREAM_IDENTIFIER]: mark } } }
}

const UPSTREAM_IDENTIFIER = 'internal.kpt.dev/upstream-identifier'

/** Returns a digest of the values of objects, in any order. */
function digestOf(objects: readonly KrmObject[]): string {
  const texts = objects.map((object) => canonical(object.toJson())).toSorted(compareText)
  return sha256Hex(texts.join('\n'))
}

function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isRecord(value)) return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => compareText(a, b))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
}
