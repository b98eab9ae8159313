import { rmSync } from 'node:fs'
import { basename, join, posix, resolve } from 'node:path'
import { findSetters } from '../../src/convert/find-setters.ts'
import {
  BASE_PATHS,
  fleetFiles,
  OVERLAY_PATHS,
  type PackageCalls,
  type PackagePaths,
  RECORD,
  recordText,
  setterCalls,
} from '../../src/convert/fleet-texts.ts'
import { makeFolder } from '../../src/folder/make-folder.ts'
import { isOutside, StagingError } from '../../src/folder/staging.ts'
import { writeAt } from '../../src/folder/write-at.ts'
import { definedEntries, distinctItems } from '../../src/group-by.ts'
import { nextRevision } from '../../src/intake/next-revision.ts'
import { type JsonRecord, scalarText } from '../../src/json.ts'
import { printable } from '../../src/printable.ts'
import { FunctionError, hasErrors } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import type { ExitCode, Host } from '../host.ts'
import { importPlace } from '../import/import-place.ts'
import { runRender } from '../render/render-fleet.ts'
import { systemFault, UsageError } from '../usage-error.ts'
import { addClusters, goneClusters, goneText, overlaysToAdd } from './add-clusters.ts'
import { type BuiltTree, withRecordedNames } from './built-tree.ts'
import { dropCalls } from './drop-calls.ts'
import { gatherTables, NO_TABLES, spreadTables } from './label-values.ts'
import { mergeFleet, recordedObjects, recordedPlaces } from './merge-fleet.ts'
import { objectInFile } from './object-in-file.ts'
import { addOverlayFields } from './overlay-field-files.ts'
import { callsOf, type PairedOverlay, pairOverlay } from './overlay-objects.ts'
import { addEdits, type Edits, type FleetReport, proveFleet } from './prove-fleet.ts'
import { originFor, type RaisedFleet, raiseBases } from './raise-bases.ts'
import { writeOverlayEdits } from './rendered-packages.ts'
import { sharedLines, withKnownSharedBases, withSharedBases } from './shared-objects.ts'
import { updateValues } from './update-values.ts'
import { bringFleet, copyFleet, newWorkFolder, readFleetPlace, readRecord, writeBaseRevision, writeFile } from './write-fleet.ts'

/**
 * Makes or changes a fleet in a working folder beside its place, and brings it there if every cluster is proved equal. Returns 0 only then.
 */
export async function convertTree(given: BuiltTree, out: string, host: Host): Promise<ExitCode> {
  const fleet = readFleetPlace(given.dir, out, given.from, host)
  const name = basename(fleet.place)
  const work = newWorkFolder(fleet)
  host.onInterrupt(() => rmSync(work, { recursive: true, force: true }))
  try {
    copyFleet(fleet, work)
    const at: Host = { ...host, locate: (path) => resolve(work, path), warn: () => {}, draw: () => {} }
    const built = fleet.isConverted ? withKnownSharedBases(withRecordedNames(given, work), work, at) : withSharedBases(given)
    const { wanted, gone, ...report } = fleet.isConverted
      ? await bringChanges(built, { work, out, warn: host.warn, unwritten: fleet.unwritten }, at)
      : { wanted: built, kept: new Map(), gone: {}, edits: await makeFleet(built, name, work, at) }
    const isDeployed = (await built.deploy?.(work, !fleet.isConverted)) ?? true
    if (!proveFleet(wanted, work, report, host) || !isDeployed) {
      host.warn(
        `krm-variants: not every cluster is equal, so nothing was written to ${printable(out)}${fleet.isConverted ? '; convert into a new folder with --out' : ''}\n`,
      )
      return 1
    }
    for (const file of built.leftOut)
      host.warn(`'${printable(posix.join(built.dir, file))}' names no base, and no overlay uses it: no cluster gets it\n`)
    writeRecord(built, gone, work)
    const written = bringFleet(work, fleet)
    host.warn(
      written === 0
        ? `nothing to do: the fleet is as the ${built.from === 'kustomize' ? 'tree' : 'sets'}${report.kept.size === 0 ? '' : ', but for what was changed in it'}\n`
        : `${countOf(written, 'file')} written to ${printable(out)}\n`,
    )
    return 0
  } catch (error) {
    throw aboutFleet(error, work, fleet.place)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function writeRecord(tree: BuiltTree, gone: Readonly<Record<string, string>>, work: string): void {
  const record = recordText(tree.from, tree.name, { ...recordedPlaces(tree), ...recordedObjects(tree), ...gone })
  writeAt(join(work, RECORD), objectInFile(work, RECORD, { kind: 'ConfigMap' })?.fileWith(record) ?? record)
}

/** Returns the error of a file of the working folder as an error of the fleet's place: people do not know the working folder. */
function aboutFleet(error: unknown, work: string, place: string): unknown {
  const cause = error instanceof StagingError ? error.cause : error
  const file =
    error instanceof StagingError
      ? error.place
      : systemFault(error) !== undefined && error instanceof Error && 'path' in error && error.path
  return typeof file === 'string' && !isOutside(work, file) ? new StagingError(place, { cause, isPartial: false }) : error
}

async function makeFleet(tree: BuiltTree, name: string, work: string, host: Host): Promise<Edits> {
  makeFolder(join(work, 'catalog'))
  const packages = makePackages(tree, [...tree.packages], work)
  const writeFleet = () => {
    for (const [path, text] of fleetFiles(name, tree.overlays, packages, packagePaths(tree))) writeFile(work, path, text)
  }
  writeFleet()
  await render(host)
  const fields = addOverlayFields(tree, packages, work)
  if (fields.size > 0) {
    // The first revision has other files now, and a package that is rendered already keeps those of its revision.
    rmSync(join(work, 'clusters'), { recursive: true })
    writeFleet()
    await render(host)
  }
  const edits = new Map(tree.overlays.map((overlay) => [overlay.id, writeOverlayEdits(tree, overlay, work)]))
  if (tree.from === 'kustomize') gatherTables(packages.keys(), NO_TABLES, work)
  await render(host)
  const shared = sharedLines(tree)
  for (const [id, lines] of functionsText(tree, packages))
    edits.set(id, [...(shared.get(id) ?? []), ...lines, ...(fields.get(id) ?? []), ...(edits.get(id) ?? [])])
  return edits
}

/** Makes the packages of bases, each with its name. Returns the calls of their clusters, by the name. */
function makePackages(tree: BuiltTree, bases: readonly (readonly [path: string, own: string])[], work: string): Map<string, PackageCalls> {
  const pairs = new Map(bases.length === 0 ? [] : tree.overlays.map((overlay) => [overlay.id, pairOverlay(tree, overlay)]))
  return definedEntries(bases.map(([path, own]) => [own, makePackage(tree, path, own, pairs, work)]))
}

/** Writes the first revision of the package of a base. Returns the calls of its clusters; undefined for a base that was not built. */
function makePackage(
  tree: BuiltTree,
  path: string,
  own: string,
  pairs: ReadonlyMap<string, PairedOverlay>,
  work: string,
): PackageCalls | undefined {
  const imported = tree.bases.get(path)
  if (imported === undefined) return undefined
  const users = tree.overlays.filter(({ bases }) => bases.includes(path))
  const explained = users.map((overlay) => {
    const paired = pairs.get(overlay.id) ?? pairOverlay(tree, overlay)
    const kept = tree.probes?.get(overlay.id)?.kept
    return { target: overlay.target, pairs: paired.pairs, calls: callsOf(tree, overlay, path, paired), ...(kept && { kept }) }
  })
  const setters = setterCalls(findSetters(imported.objects, explained))
  const { files } = nextRevision({
    name: own,
    objects: imported.objects,
    origin: originFor(imported, path, tree),
    last: undefined,
    setters: [],
  })
  writeBaseRevision(work, `catalog/${own}@v1`, files)
  return new Map(explained.map(({ target, calls }) => [target, distinctItems([...(setters.get(target) ?? []), ...calls])]))
}

/** Returns the line of each function, by the overlay. */
function functionsText(tree: BuiltTree, packages: ReadonlyMap<string, PackageCalls>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    tree.overlays.map(({ id, target, bases }) => {
      const names = bases.map((path) => tree.packages.get(path) ?? '')
      const lines = names.flatMap((name) =>
        (packages.get(name)?.get(target) ?? [])
          .filter(({ fn }) => fn !== 'apply-replacements')
          .map((call) => `${name}: ${call.fn} ${call.fixed['by-path'] ?? Object.keys(call.values).join(', ')}`),
      )
      return [id, lines] as const
    }),
  )
}

function packagePaths({ overlays, packages }: BuiltTree): PackagePaths {
  const paths = new Map<string, Map<string, string>>()
  for (const { target, bases, packagePath } of overlays) {
    const name = packages.get(bases[0] ?? '')
    if (packagePath === undefined || name === undefined) continue
    paths.set(name, (paths.get(name) ?? new Map<string, string>()).set(target, packagePath))
  }
  return paths
}

/** @throws FunctionError with the errors of a render */
async function render(host: Host): Promise<void> {
  const report = await runRender('.', { fanOut: true, run: true }, host)
  if (hasErrors(report.results)) throw new FunctionError(report.results)
}

/** @throws UsageError for Applications that the record of the conversion does not have, and for those that only the record has */
function refuseOtherApplications({ overlays }: BuiltTree, recorded: JsonRecord): void {
  const unknown = overlays.filter(({ id }) => !Object.hasOwn(recorded, id))
  if (unknown.length > 0)
    throw new UsageError(
      `application ${unknown.map(({ path }) => `'${path}'`).join(', ')} is new since the conversion: add a Repository, its ClusterValues and its name in the matrix to the fleet, or convert into a new folder`,
    )
  const gone = Object.keys(recorded).filter((id) => overlays.every((each) => each.id !== id))
  if (gone.length > 0)
    throw new UsageError(
      `application ${gone.map((id) => `'${id}'`).join(', ')} is gone since the conversion: take its cluster out of the fleet by hand, or convert into a new folder`,
    )
}

/**
 * Makes the next revisions of bases that changed, raises them in the matrices, writes the values that overlays changed, and renders. What
 * was changed in the fleet since the last conversion stays; the objects to prove have it too.
 */
async function bringChanges(
  tree: BuiltTree,
  { work, out, warn, unwritten }: RaisedFleet,
  host: Host,
): Promise<FleetReport & { readonly wanted: BuiltTree; readonly gone: Readonly<Record<string, string>> }> {
  const { [OVERLAY_PATHS]: _overlays, [BASE_PATHS]: _bases, ...recorded } = readRecord(work)
  if (tree.from === 'applicationset') refuseOtherApplications(tree, recorded)
  const [added, gone] = [overlaysToAdd(tree, recorded, work), goneClusters(tree, recorded, work)]
  if (gone.length > 0) warn(`${printable(goneText(gone))}\n`)
  await render(host)
  const { wanted, kept } = mergeFleet(tree, work, recorded, out)
  const packages = tree.from === 'kustomize' ? makeNewPackages(wanted, work, host) : new Map<string, PackageCalls>()
  const tables = spreadTables(tree.packages.values(), work)
  const joined = addClusters(wanted, added, packages, work, host)
  const edits = raiseBases(tree, { work, out, warn, unwritten }, host)
  await render(host)
  const add = (id: string, lines: readonly string[]) => addEdits(edits, id, lines)
  for (const [id, lines] of joined) add(id, lines)
  for (const [id, lines] of updateValues(wanted, work)) add(id, lines)
  for (const [id, lines] of dropCalls(wanted, work)) add(id, lines)
  await render(host)
  for (const overlay of tree.overlays) add(overlay.id, writeOverlayEdits(wanted, overlay, work))
  for (const line of gatherTables(packages.keys(), tables, work)) warn(`${printable(line)}\n`)
  await render(host)
  return { wanted, kept, edits, gone: Object.fromEntries(gone.map((id) => [id, scalarText(recorded[id])])) }
}

/** Makes the packages of bases that are new since the conversion. Returns the calls of their clusters. */
function makeNewPackages(tree: BuiltTree, work: string, host: Host): ReadonlyMap<string, PackageCalls> {
  const isNew = (own: string) => importPlace(`catalog/${own}`, host).last === undefined
  const added = [...tree.packages].filter(([, own]) => isNew(own))
  return makePackages(tree, added, work)
}
