import { posix } from 'node:path'
import { compareText, type FieldPath } from '../../src/field-path.ts'
import { groupedResults } from '../../src/grouped-results.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { compareResults, formatResult, type Result } from '../../src/result.ts'
import { withEqualViolations } from './equal-violations.ts'
import type { Styles } from './styles.ts'

/**
 * Returns findings in the order of files and lines, a line each: `file:line:column: severity: message [rule]`. Of one rule and object at
 * most as many are printed as functions report, and equal violations of a policy are one line.
 */
export function printResults(results: readonly Result[], styles?: Styles): string {
  return withEqualViolations(groupedResults(results).toSorted(compareFindings))
    .map((result) => `${printResult(result, styles)}\n`)
    .join('')
}

/** Returns a finding in one line, with the style of its severity. */
export function printResult(result: Result, styles: Styles | undefined): string {
  const { severity } = result
  const style = severity === 'info' ? undefined : styles?.[severity]
  return style === undefined ? formatResult(result) : formatResult(result).replace(`${severity}:`, (word) => style(word))
}

/** Compares findings by file and line. Findings without a place are first; equal places are ordered as functions order results. */
export function compareFindings(a: Result, b: Result): number {
  return comparePlaces(a, b) || compareResults(a, b)
}

function comparePlaces(a: Result, b: Result): number {
  return (
    compareText(a.file?.path ?? '', b.file?.path ?? '') ||
    (a.position?.line ?? 0) - (b.position?.line ?? 0) ||
    (a.position?.column ?? 0) - (b.position?.column ?? 0)
  )
}

/**
 * Returns the path of a file in the folder `dir` as the caller sees it, so that terminals and editors can open it. The path in a list on
 * stdin (`-`) is unchanged.
 */
export function placeFile(path: string, dir: string): string {
  return dir === '-' ? path : posix.join(dir, path)
}

/** Returns a path below `dir` relative to `dir`; any other path unchanged. */
export function pathIn(dir: string, path: string): string {
  const folder = posix.join(dir, '/')
  return path.startsWith(folder) ? path.slice(folder.length) : path
}

/** Returns findings without the files that are only in memory: such a finding names its object alone. */
export function withoutFiles(results: readonly Result[], inMemory: ReadonlySet<string>): readonly Result[] {
  return results.map((result) => {
    const { file, position, ...rest } = result
    return file !== undefined && inMemory.has(file.path) ? rest : result
  })
}

/** Returns `FILE:LINE` of a field; empty if the object has no file. */
export function placed(object: KrmObject | undefined, path: FieldPath): { readonly place?: string } {
  return object?.file === undefined ? {} : { place: `${object.file.path}:${object.positionOf(path).line}` }
}

/**
 * Rules whose infos are shown although infos are hidden: users wonder why an object is no target, why an edit is lost that they did not
 * make, what an update that they asked for did, if a run keeps their edits, and what a removed package leaves.
 */
const SHOWN_INFOS = new Set([
  'placeholder-object',
  'compared-before-functions',
  'update',
  'generated-edited',
  'removal-leaves',
  'sync-moved',
  'sync-name-cut',
  'sync-order',
])

/** Returns the findings that a command shows, each once. */
export function shownResults(results: readonly Result[]): readonly Result[] {
  return distinctResults(results.filter(({ severity, tags }) => severity !== 'info' || SHOWN_INFOS.has(tags.rule)))
}

/** The rules of findings that say of a Kptfile what another finding of these rules says in other words. */
const OF_ONE_FAULT: ReadonlySet<string> = new Set(['kptfile', 'unreadable-file', 'unknown-kind'])

/**
 * Returns each finding once. The reader of a folder, the decoder of an object and the search for packages may report the same finding, one
 * fault of a Kptfile in several ways, or one reason not to remove variants and their packages: the first error at its place is kept. A file
 * that is not read for its ending is no second finding beside the refusal to remove what the file may want.
 */
export function distinctResults(results: readonly Result[]): readonly Result[] {
  const distinct = [...new Map(results.map((result) => [formatResult(result), result])).values()]
  const said = new Map<string, Result>()
  const isFault = ({ severity, tags: { rule } }: Result) => severity === 'error' && (OF_ONE_FAULT.has(rule) || rule === 'deletion-guard')
  for (const result of distinct.filter(isFault)) {
    const place = placeOf(result)
    if (place !== undefined && !said.has(place)) said.set(place, result)
  }
  const guards = distinct.filter(({ tags: { rule } }) => rule === 'deletion-guard')
  const guarded = new Set(guards.flatMap(({ file }) => (file === undefined ? [] : [file.path])))
  return distinct.filter((result) => {
    if (result.tags.rule === 'file-ending' && guarded.has(result.file?.path ?? '')) return false
    if (result.severity === 'warning' && guards.some((guard) => goesOn(guard, result))) return false
    const first = said.get(placeOf(result) ?? '')
    const isSaid = OF_ONE_FAULT.has(result.tags.rule) || (result.severity === 'error' && first?.tags.rule === result.tags.rule)
    return !isSaid || first === undefined || first === result
  })
}

/** Returns true if an error says of a file what a warning says, and then what follows from the fault. */
function goesOn(error: Result, { file, message }: Result): boolean {
  return file !== undefined && error.file?.path === file.path && error.message.startsWith(`${message};`)
}

function placeOf({ file, position }: Result): string | undefined {
  return file === undefined || position === undefined ? undefined : `${file.path}:${position.line}:${position.column}`
}
