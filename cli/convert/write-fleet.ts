import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { RECORD } from '../../src/convert/fleet-texts.ts'
import { ChangedMeanwhile } from '../../src/folder/as-read.ts'
import type { FileChange } from '../../src/folder/file-changes.ts'
import { NOT_SEARCHED } from '../../src/folder/find-package-files.ts'
import { realPlace } from '../../src/folder/inside-folder.ts'
import { makeFolder } from '../../src/folder/make-folder.ts'
import { isOutside, StagingError } from '../../src/folder/staging.ts'
import { writeAt } from '../../src/folder/write-at.ts'
import { writeFiles } from '../../src/folder/write-files.ts'
import { asRecord, type JsonRecord, scalarText } from '../../src/json.ts'
import type { Host } from '../host.ts'
import { UsageError } from '../usage-error.ts'
import { objectInFile } from './object-in-file.ts'

/** The place of a fleet, with links resolved, and the files that it had when the command began. */
export interface FleetPlace {
  readonly place: string
  /** True if the folder is the result of an earlier conversion. */
  readonly isConverted: boolean
  readonly before: ReadonlyMap<string, Buffer>
}

/** Reads the folder that gets the fleet. @throws UsageError for a folder that convert must not write, and for links in a fleet */
export function readFleetPlace(dir: string, out: string, from: 'kustomize' | 'applicationset', host: Host): FleetPlace {
  const [tree, place] = [realPlace(host.locate(dir)), realPlace(host.locate(out))]
  // The folder of ApplicationSets is a whole git repository, and the fleet may be a folder of it.
  if (from === 'kustomize' && !isOutside(tree, place)) throw new UsageError(`\`--out\` must be outside of the tree '${dir}', got '${out}'`)
  if (!isOutside(place, tree)) throw new UsageError(`\`--out\` must not be a folder around the tree '${dir}', got '${out}'`)
  const found = statSync(place, { throwIfNoEntry: false })
  if (found === undefined) {
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined)
      throw new UsageError(`\`--out\` must name a new folder, '${out}' is a link that leads nowhere`)
    if (!existsSync(dirname(place))) throw new UsageError(`\`--out\` must be in a folder that exists, there is no folder '${dirname(out)}'`)
    return { place, isConverted: false, before: new Map() }
  }
  if (!found.isDirectory()) throw new UsageError(`\`--out\` must name a new folder, '${out}' is a file`)
  if (readdirSync(place).length === 0) return { place, isConverted: false, before: new Map() }
  if (!existsSync(join(place, RECORD)))
    throw new UsageError(`convert overwrites nothing, and '${out}' is a folder with other files: choose another one with --out`)
  const before = new Map(filesBelow(place, refuseLink(out)).map((path) => [path, readFileSync(join(place, path))]))
  return { place, isConverted: true, before }
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

/** Writes the files of a fleet into a working folder. */
export function copyFleet({ before }: FleetPlace, work: string): void {
  for (const [path, bytes] of before) writeFile(work, path, bytes)
}

export function writeFile(root: string, path: string, content: string | Uint8Array): void {
  makeFolder(dirname(join(root, path)))
  writeAt(join(root, path), content)
}

/** Writes the files of a revision of an upstream package into a working folder. */
export function writeBaseRevision(work: string, folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  for (const [path, content] of files) writeFile(work, `${folder}/${path}`, content)
}

/** Returns the paths of the files of a folder, without those of Git. */
export function filesBelow(root: string, onLink: (path: string) => void = () => {}, path = ''): readonly string[] {
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const own = posix.join(path, entry.name)
    if (NOT_SEARCHED.includes(entry.name)) return []
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
export function bringFleet(work: string, { place, isConverted, before }: FleetPlace): number {
  const after = new Map(filesBelow(work).map((path) => [path, readFileSync(join(work, path))]))
  if (!existsSync(place)) {
    if (isConverted) throw new ChangedMeanwhile([place], { isPartial: false })
    renameSync(work, place)
    return after.size
  }
  if (!isConverted && readdirSync(place).length > 0) throw new ChangedMeanwhile([place], { isPartial: false })
  const changes = [
    ...[...after].flatMap(([path, bytes]): readonly FileChange[] => {
      const old = before.get(path)
      if (old?.equals(bytes) === true) return []
      const text = bytes.toString()
      return [old === undefined ? { path, op: 'create', text } : { path, op: 'update', text, before: old.toString() }]
    }),
    ...[...before].flatMap(([path, bytes]): readonly FileChange[] =>
      after.has(path) ? [] : [{ path, op: 'delete', text: '', before: bytes.toString() }],
    ),
  ]
  writeInTurn(place, changes)
  return changes.length
}

/**
 * Writes new files, then the matrices that name new revisions, and the record last, so that the next run completes an interrupted one. New
 * files are removed again if no matrix can be written: a revision that no matrix names counts as one that people hold back.
 */
function writeInTurn(place: string, changes: readonly FileChange[]): void {
  const turn = ({ path }: FileChange) => (path === RECORD ? 2 : path.startsWith('fleet/') ? 0 : 1)
  const created = changes.filter(({ op }) => op === 'create')
  const others = changes.filter(({ op }) => op !== 'create').toSorted((a, b) => turn(a) - turn(b))
  let isCreated = false
  try {
    writeFiles(place, created)
    isCreated = true
    writeFiles(place, others)
  } catch (error) {
    const isRefused = error instanceof StagingError || (error instanceof ChangedMeanwhile && isCreated)
    if (!isRefused || (isCreated && error.isPartial)) throw error
    const made = created.filter(({ path }) => existsSync(join(place, path)))
    writeFiles(
      place,
      made.map(({ path, text }) => ({ path, op: 'delete', text: '', before: text })),
    )
    throw error instanceof StagingError ? new StagingError(error.place, { cause: error.cause, isPartial: false }) : error
  }
}
