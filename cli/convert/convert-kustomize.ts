import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, posix, resolve } from 'node:path'
import { afterCall, type ExplainedCall, explainCalls } from '../../src/convert/explain-overlay.ts'
import { findSetters } from '../../src/convert/find-setters.ts'
import { fleetFiles, type Overlay, type PackageCalls, RECORD, recordText, setterCalls } from '../../src/convert/fleet-texts.ts'
import { type ObjectPairs, pairObjects } from '../../src/convert/pair-objects.ts'
import { type ImportOrigin, isSameImport, nextRevision, originOf } from '../../src/intake/next-revision.ts'
import { asRecord, equalJson, isRecord, type JsonRecord } from '../../src/json.ts'
import { printable } from '../../src/printable.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, hasErrors } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import { importPlace } from '../import/import-place.ts'
import type { Imported } from '../import/import-sources.ts'
import { runRender } from '../render/run-render.ts'
import { UsageError } from '../usage-error.ts'
import { type BuiltTree, buildTree, type ConvertOptions } from './built-tree.ts'
import { readKustomizeTree } from './kustomize-tree.ts'
import { digestOfObjects, type Edits, proveFleet } from './prove-fleet.ts'
import { renderedObjects, writeOverlayEdits } from './rendered-packages.ts'
import { bringFleet, copyFleet, readFleetPlace, writeFile } from './write-fleet.ts'

/** Makes a fleet of a kustomize tree, or brings the changes of the tree's bases into the fleet. Returns 0 only if every cluster is proved equal. */
export async function convertKustomize(dir: string, options: ConvertOptions, host: Host): Promise<ExitCode> {
  const out = options.out ?? `${dir.replace(/\/+$/, '')}-fleet`
  const tree = readKustomizeTree(dir, host)
  readFleetPlace(dir, out, host)
  if (options.allowExec !== true)
    throw new UsageError('convert kustomize must come with --allow-exec: it runs kustomize, a program of this machine')
  const built = await buildTree(dir, tree, options, host)
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
    if (!proveFleet(built, work, edits, host)) {
      host.warn(`krm-variants: not every cluster is equal, so nothing was written to ${printable(out)}\n`)
      return 1
    }
    for (const file of built.leftOut)
      host.warn(`'${printable(posix.join(built.dir, file))}' names no base, and no overlay uses it: no cluster gets it\n`)
    const digests = Object.fromEntries([...built.targets].map(([target]) => [target, digestOfObjects(renderedObjects(work, target))]))
    writeFileSync(join(work, RECORD), recordText(built.name, digests))
    const written = bringFleet(work, fleet)
    host.warn(written === 0 ? 'nothing to do: the fleet is as the tree\n' : `${countOf(written, 'file')} written to ${printable(out)}\n`)
    return 0
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

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
  const edits = new Map(tree.overlays.map((overlay) => [overlay.target, writeOverlayEdits(tree, overlay, work)]))
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
    tree.overlays.filter(({ target }) => digestOfObjects(renderedObjects(work, target)) === recorded[target]).map(({ target }) => target),
  )
  const lines = raiseBases(tree, work, host)
  await render(host)
  for (const overlay of tree.overlays) {
    if (!untouched.has(overlay.target)) continue
    const edits = writeOverlayEdits(tree, overlay, work)
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
