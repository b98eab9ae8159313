import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from './random.ts'

const REAL = '../shared/real'

/**
 * The documents of all real YAML files, one text each.
 *
 * @throws Error  when the public files are not beside the repository
 */
export function realDocuments(): readonly string[] {
  if (!existsSync(REAL)) throw new Error(`real files must be in ${REAL}: all fuzz targets but emitter begin with them`)
  return files(REAL)
    .filter((path) => /\.ya?ml$|Kptfile$/.test(path))
    .flatMap((path) => readFileSync(path, 'utf8').split(/^---.*\n/m))
    .filter((text) => text.trim() !== '')
}

/** The real packages as kpt puts them on the wire, a ResourceList each; none without kpt, and none of what kpt refuses. */
export function realLists(): readonly string[] {
  lists ??= sourceLists()
  return lists
}

/** A run of kpt for each package takes longer than reading its output: two targets share them. */
let lists: readonly string[] | undefined

function sourceLists(): readonly string[] {
  const packages = readdirSync(join(REAL, 'packages')).map((name) => join(REAL, 'packages', name))
  const folders = packages.filter((path) => statSync(path).isDirectory())
  const runs = folders.map((folder) => spawnSync('kpt', ['fn', 'source', folder], { encoding: 'utf8', maxBuffer: 2 ** 28 }))
  return runs.flatMap(({ status, stdout }) => (status === 0 ? [stdout] : []))
}

function files(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => (entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)]))
}

/** Longer texts take the readers too long for what they show. */
const MOST_LINES = 60

/** A text of at most `MOST_LINES` lines: the whole, or a block from inside it, moved to column 0. */
export function fragment(random: Random, text: string): string {
  const lines = text.split(/(?<=\n)/)
  if (lines.length <= MOST_LINES) return text
  const first = random.below(lines.length)
  const column = indentOf(lines[first] ?? '')
  const below = lines.slice(first, first + MOST_LINES)
  const end = below.findIndex((line) => line.trim() !== '' && indentOf(line) < column)
  return (end === -1 ? below : below.slice(0, end)).map((line) => line.slice(Math.min(column, indentOf(line)))).join('')
}

function indentOf(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0
}
