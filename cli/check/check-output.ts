import { readBoundedText } from '../../src/folder/bounded-file.ts'
import { maskedText } from '../../src/folder/masked-text.ts'
import { acrossClusters } from '../../src/grouped-results.ts'
import { hideKnownSecrets } from '../../src/known-secrets.ts'
import { remember } from '../../src/remember.ts'
import type { Result } from '../../src/result.ts'
import type { Host } from '../host.ts'
import { pathsInRepository } from '../print/repository-paths.ts'
import { stylesFor } from '../print/styles.ts'
import { checkGithub, checkJson, checkJunit, checkSarif } from './check-formats.ts'
import { type CheckTextOptions, checkText, type LineOf } from './check-text.ts'
import { type CheckView, viewCheck } from './check-view.ts'

interface Printing extends CheckTextOptions {
  readonly version: string
}

const PRINTERS = {
  text: checkText,
  json: (view: CheckView) => checkJson(view),
  sarif: (view: CheckView, { version }: Printing) => checkSarif(view, version),
  github: (view: CheckView) => checkGithub(view),
  junit: (view: CheckView) => checkJunit(view),
} as const

type Format = keyof typeof PRINTERS

/** The names of the formats. */
export const CHECK_FORMATS: readonly string[] = Object.keys(PRINTERS)

/** The choices of the caller about the output. */
export interface CheckOutput {
  readonly format: Format
  readonly all?: boolean
  readonly color?: boolean
}

/** The formats that code hosts read, with the paths of their repository. */
const FOR_HOSTS: ReadonlySet<Format> = new Set<Format>(['sarif', 'github', 'junit'])

/**
 * Returns the findings as a format shows them. A person reads one line of findings that are equal on several clusters, so they count
 * once; programs get and count the finding of each cluster.
 */
export function viewFor(results: readonly Result[], dir: string, { format, all = false }: CheckOutput, host: Host): CheckView {
  const shown = format === 'text' && !all ? acrossClusters(results) : results
  return viewCheck(FOR_HOSTS.has(format) ? fromTop(shown, dir, host) : shown)
}

/** Prints the findings of a folder. */
export function printCheck(view: CheckView, dir: string, options: CheckOutput, host: Host): void {
  const { format, all = false } = options
  const printing = { styles: stylesFor(host, options), lineOf: lineReader(dir, host), all, version: host.version }
  const text = PRINTERS[format](view, printing)
  if (format === 'github') host.writeData(hideKnownSecrets(text))
  else host.write(text)
}

/** Returns findings with the paths of their files from the top of the git repository. */
function fromTop(results: readonly Result[], dir: string, host: Host): readonly Result[] {
  const pathOf = pathsInRepository(dir, host)
  return results.map((result) =>
    result.file === undefined ? result : { ...result, file: { ...result.file, path: pathOf(result.file.path) } },
  )
}

/** Returns a function that returns a line of a file. Each file is read once. A list on stdin has no files. */
function lineReader(dir: string, host: Host): LineOf {
  const files = new Map<string, readonly string[]>()
  return (path, line) => {
    if (dir === '-') return undefined
    return remember(files, path, () => linesOf(host.locate(path)))[line - 1]
  }
}

function linesOf(place: string): readonly string[] {
  try {
    return maskedText(readBoundedText(place)).split(/\r?\n/)
  } catch {
    // Gone since it was checked, or too large to read.
    return []
  }
}
