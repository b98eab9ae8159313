import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { quietly } from '../../src/attempt.ts'
import { RECORD } from '../../src/convert/fleet-texts.ts'
import { ChangedMeanwhile, holdsBytes, isFree } from '../../src/folder/as-read.ts'
import { NOT_SEARCHED } from '../../src/folder/find-package-files.ts'
import { realPlace } from '../../src/folder/inside-folder.ts'
import { makeFolder } from '../../src/folder/make-folder.ts'
import { isLeftover, STAGED } from '../../src/folder/staged-move.ts'
import { isOutside, Staging, StagingError } from '../../src/folder/staging.ts'
import type { WholeFolder } from '../../src/folder/whole-folder.ts'
import { writeAt } from '../../src/folder/write-at.ts'
import { clearLeftovers } from '../../src/folder/write-files.ts'
import { groupBy } from '../../src/group-by.ts'
import { asRecord, type JsonRecord, scalarText } from '../../src/json.ts'
import type { Host } from '../host.ts'
import { newFolderFault } from '../new-folder.ts'
import { UsageError } from '../usage-error.ts'
import { objectInFile } from './object-in-file.ts'

/** The place of a fleet, with links resolved, and the files that it had when the command began. */
export interface FleetPlace {
  readonly place: string
  /** True if the folder is the result of an earlier conversion. */
  readonly isConverted: boolean
  readonly before: ReadonlyMap<string, FleetFile>
  /** The files of `fleet/` that an interrupted run was about to write. */
  readonly unwritten: ReadonlySet<string>
}

/** The bytes and permissions of a file. */
interface FleetFile {
  readonly bytes: Buffer
  readonly mode: number
}

/** Reads the folder that gets the fleet. @throws UsageError for a folder that convert must not write, and for links in a fleet */
export function readFleetPlace(dir: string, out: string, from: 'kustomize' | 'applicationset', host: Host): FleetPlace {
  const fault = newFolderFault(out)
  if (fault !== undefined) throw new UsageError(`\`--out\` ${fault}, got '${out}'`)
  const [tree, place] = [realPlace(host.locate(dir)), realPlace(host.locate(out))]
  // The folder of ApplicationSets is a whole git repository, and the fleet may be a folder of it.
  if (from === 'kustomize' && !isOutside(tree, place)) throw new UsageError(`\`--out\` must be outside of the tree '${dir}', got '${out}'`)
  if (!isOutside(place, tree)) throw new UsageError(`\`--out\` must not be a folder around the tree '${dir}', got '${out}'`)
  const found = statSync(place, { throwIfNoEntry: false })
  if (found === undefined) {
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined)
      throw new UsageError(`\`--out\` must name a new folder, '${out}' is a link that leads nowhere`)
    if (!existsSync(dirname(place))) throw new UsageError(`\`--out\` must be in a folder that exists, there is no folder '${dirname(out)}'`)
    return { place, isConverted: false, before: new Map(), unwritten: new Set() }
  }
  if (!found.isDirectory()) throw new UsageError(`\`--out\` must name a new folder, '${out}' is a file`)
  if (readdirSync(place).length === 0) return { place, isConverted: false, before: new Map(), unwritten: new Set() }
  if (!existsSync(join(place, RECORD)))
    throw new UsageError(`convert overwrites nothing, and '${out}' is a folder with other files: choose another one with --out`)
  const before = readFiles(place, filesBelow(place, refuseLink(out)))
  return { place, isConverted: true, before, unwritten: new Set(readdirSync(join(place, dirname(RECORD))).flatMap(unwrittenFile)) }
}

/** Returns the path of the file that a temporary file beside it was for; none for any other name. */
function unwrittenFile(name: string): readonly string[] {
  const end = name.indexOf('.yaml.') + '.yaml'.length
  return name.endsWith(STAGED) && end >= '.yaml'.length ? [posix.join(dirname(RECORD), name.slice(0, end))] : []
}

/** Returns the record of the last conversion; an empty one for a folder without it. */
export function readRecord(place: string): JsonRecord {
  return asRecord(objectInFile(place, RECORD, { kind: 'ConfigMap' })?.object.toJson().data)
}

/** Returns the names in the record of a conversion, by path. */
export function recordedPaths(record: JsonRecord, key: string): ReadonlyMap<string, string> {
  const lines = scalarText(record[key]).split('\n')
  return new Map(lines.flatMap((line) => (line === '' ? [] : [[line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]])))
}

function refuseLink(out: string): (path: string) => void {
  return (path) => {
    throw new UsageError(`'${posix.join(out, path)}' is a link: convert writes no fleet with links, put the file or folder itself there`)
  }
}

/** Returns the path of a new working folder beside a fleet, and removes those of interrupted runs: no other run writes the fleet. */
export function newWorkFolder({ place }: Pick<FleetPlace, 'place'>): string {
  const [folder, prefix] = [dirname(place), `.${basename(place)}.`]
  for (const name of readdirSync(folder))
    if (name.startsWith(prefix) && UUID.test(name.slice(prefix.length))) quietly(() => rmSync(join(folder, name), { recursive: true }))
  return join(folder, `${prefix}${crypto.randomUUID()}`)
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Writes the files of a fleet into a working folder. */
export function copyFleet({ before }: FleetPlace, work: string): void {
  for (const [path, { bytes, mode }] of before) {
    writeFile(work, path, bytes)
    // Without write permission, the next write of the file would fail.
    if (isExecutable(mode)) chmodSync(join(work, path), 0o755)
  }
}

function isExecutable(mode: number): boolean {
  return (mode & 0o111) !== 0
}

function readFiles(root: string, paths: readonly string[]): ReadonlyMap<string, FleetFile> {
  return new Map(paths.map((path) => [path, { bytes: readFileSync(join(root, path)), mode: statSync(join(root, path)).mode & 0o777 }]))
}

export function writeFile(root: string, path: string, content: string | Uint8Array): void {
  makeFolder(dirname(join(root, path)))
  writeAt(join(root, path), content)
}

/**
 * Writes the files of a revision of an upstream package into a working folder.
 *
 * @param last  the folder of the last revision, of which a file of the same path has its executable bit
 */
export function writeBaseRevision(
  work: string,
  folder: string,
  files: ReadonlyMap<string, string | Uint8Array>,
  last?: Pick<WholeFolder, 'files'>,
): void {
  for (const [path, content] of files) {
    writeFile(work, `${folder}/${path}`, content)
    if (isExecutable(last?.files.get(path)?.mode ?? 0)) chmodSync(join(work, folder, path), 0o755)
  }
}

/** Returns the paths of the files of a folder, without those of Git and temporary ones of interrupted runs. */
export function filesBelow(root: string, onLink: (path: string) => void = () => {}, path = ''): readonly string[] {
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const own = posix.join(path, entry.name)
    if (NOT_SEARCHED.includes(entry.name) || isLeftover(entry.name)) return []
    if (entry.isSymbolicLink()) onLink(own)
    return entry.isDirectory() ? filesBelow(root, onLink, own) : entry.isFile() ? [own] : []
  })
}

/**
 * Brings the finished working folder to the place: renames it if nothing is there, else writes the files that differ, each beside its place
 * and then renamed. Returns the number of files written.
 *
 * @throws ChangedMeanwhile for what someone else wrote since the command began
 */
export function bringFleet(work: string, { place, isConverted, before }: Omit<FleetPlace, 'unwritten'>): number {
  const after = readFiles(work, filesBelow(work))
  if (!existsSync(place)) {
    if (isConverted) throw new ChangedMeanwhile([place], { isPartial: false })
    renameSync(work, place)
    return after.size
  }
  if (!isConverted && readdirSync(place).length > 0) throw new ChangedMeanwhile([place], { isPartial: false })
  const changes = [
    ...[...after].flatMap(([path, { bytes, mode }]): readonly FleetChange[] => {
      const old = before.get(path)
      if (old === undefined) return [{ path, after: { bytes, mode: isExecutable(mode) ? 0o755 : 0o644 } }]
      const isTurned = isExecutable(mode) !== isExecutable(old.mode)
      return !isTurned && old.bytes.equals(bytes) ? [] : [{ path, before: old, after: { bytes, mode: isTurned ? mode : old.mode } }]
    }),
    ...[...before].flatMap(([path, old]): readonly FleetChange[] => (after.has(path) ? [] : [{ path, before: old }])),
  ]
  writeInTurn(place, changes)
  clearLeftovers(place)
  return changes.length
}

/** A file as it was and as it will be; undefined for one that is not there. */
interface FleetChange {
  readonly path: string
  readonly before?: FleetFile
  readonly after?: FleetFile
}

/** Stages the writing, replacing and removing of files below a place. A folder of files that is not there yet comes as a whole. */
function stageChanges(staging: Staging, place: string, changes: readonly FleetChange[]): void {
  const isNew = ({ path, before }: FleetChange) => before === undefined && !existsSync(join(place, dirname(path)))
  const folders = groupBy(changes.filter(isNew), ({ path }) => topOfNew(place, path))
  for (const [folder, files] of folders) {
    const within = files.flatMap(({ path, after }) => (after === undefined ? [] : [{ path: posix.relative(folder, path), ...after }]))
    staging.folder(folder, within)
  }
  for (const { path, before, after } of changes.filter((change) => !isNew(change))) {
    const isAsRead = before === undefined ? isFree(join(place, path)) : holdsBytes(join(place, path), before.bytes)
    // Before the first file is written: a revision in part is none.
    if (before === undefined && !isAsRead()) throw new ChangedMeanwhile([join(place, path)], { isPartial: false })
    if (after === undefined) staging.removeFile(path, { isAsRead })
    else staging.file({ path, ...after }, { isAsRead })
  }
}

/** Returns the outermost folder of a file that is not there yet. */
function topOfNew(place: string, path: string): string {
  const folder = dirname(path)
  return existsSync(join(place, dirname(folder))) ? folder : topOfNew(place, folder)
}

/**
 * Writes new files, then the matrices that name new revisions, and the record last, so that the next run completes an interrupted one. New
 * files are removed again if no matrix can be written: a revision that no matrix names counts as one that people hold back. All are staged
 * before the first is in its place, so that a run that is interrupted in between leaves the temporary file of the matrix, from which the
 * next run knows that the revision is not held back.
 */
function writeInTurn(place: string, changes: readonly FleetChange[]): void {
  const turn = ({ path }: FleetChange) => (path === RECORD ? 2 : path.startsWith('fleet/') ? 0 : 1)
  const created = changes.filter(({ before }) => before === undefined)
  const others = changes.filter(({ before }) => before !== undefined).toSorted((a, b) => turn(a) - turn(b))
  const [news, rest] = [new Staging(place), new Staging(place)]
  // Its temporary files stay until all is written: that of a matrix shows the next run that a revision is not held back.
  rest.listed(dirname(RECORD), [])
  let isCreated = false
  try {
    stageChanges(news, place, created)
    stageChanges(rest, place, others)
    news.commit()
    isCreated = true
    rest.commit()
  } catch (error) {
    for (const staging of [news, rest]) staging.abort()
    const isRefused = error instanceof StagingError || error instanceof ChangedMeanwhile
    if (!isRefused || error.isPartial === isCreated) throw error
    takeBack(place, created)
    if (error instanceof ChangedMeanwhile) throw new ChangedMeanwhile(error.places, { isPartial: false })
    throw new StagingError(error.place, { cause: error.cause, isPartial: false })
  }
}

function takeBack(place: string, created: readonly FleetChange[]): void {
  const made = created.filter(({ path, after }) => after !== undefined && holdsBytes(join(place, path), after.bytes)())
  const staging = new Staging(place)
  stageChanges(
    staging,
    place,
    made.flatMap(({ path, after }) => (after === undefined ? [] : [{ path, before: after }])),
  )
  staging.commit()
}
