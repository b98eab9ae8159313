import { type FileChange, fileChanges } from '../src/folder/file-changes.ts'
import type { FolderPackage } from '../src/folder/package.ts'
import { writeFolder } from '../src/folder/write-files.ts'
import { placeInKptfile } from '../src/kinds/kptfile-config-map.ts'
import { printable } from '../src/printable.ts'
import type { ResourceList } from '../src/resource-list/resource-list.ts'
import { FunctionError, hasErrors, type Result } from '../src/result.ts'
import { type KrmFunction, resultsOf } from '../src/run.ts'
import { type FolderView, folderJson, folderText, summarizeFolder, viewFiles } from './folder-view.ts'
import { holdingFolders } from './hold-folders.ts'
import type { ExitCode, Host } from './host.ts'
import { compareFindings, distinctResults, pathIn, placeFile, printResults } from './print/print-results.ts'
import { errorStylesFor, type Styles, stylesFor } from './print/styles.ts'
import { refuseUnwritable } from './refuse-unwritable.ts'

/** The changes that a function makes to a folder, as a view and as files to write. */
export interface FolderRun extends FolderView {
  readonly changes: readonly FileChange[]
}

/** A folder that the caller named `dir`, as `readFolder` reads it, and its list with the options of the function. */
interface Asked {
  readonly dir: string
  readonly read: FolderPackage
  readonly list: ResourceList
  /** True to add unified diffs. */
  readonly diff: boolean
}

/**
 * Runs a function on the resources of a folder as kpt would.
 *
 * @throws FunctionError with what cannot be read, with every error of the function, and with every place that cannot be written
 */
export function runOnFolder(fn: KrmFunction, { dir, read, list, diff }: Asked, host: Pick<Host, 'locate'>): FolderRun {
  const before = new Set(list.items)
  const found = distinctResults([...read.results, ...placeInKptfile(resultsOf(fn, list), () => list)])
  if (hasErrors(found)) throw new FunctionError(found)
  const changes = fileChanges({ ...read, list }).map((change) => ({ ...change, path: pathIn(dir, change.path) }))
  const unwritable = refuseUnwritable(host.locate(dir), changes, (path) => placeFile(path, dir))
  if (unwritable.length > 0) throw new FunctionError([...read.results, ...unwritable])
  return { files: viewFiles({ list, changes, before, diff, dir }), results: found, changes }
}

/** The formats of a command that writes a folder. */
export const FOLDER_FORMATS = ['text', 'json'] as const

/** The options of a command that writes a folder. */
export interface WriteOptions {
  readonly dryRun?: boolean
  readonly format: (typeof FOLDER_FORMATS)[number]
  readonly color?: boolean
}

/** A command that writes a folder. */
interface FolderCommand {
  /** The first word of the summary. */
  readonly title: string
  readonly dir: string
  readonly options: WriteOptions
  /** Returns the findings to print; JSON has all of them. */
  shown(results: readonly Result[]): readonly Result[]
  /** Returns the changes for a terminal, if not file by file. */
  textOf?(view: FolderView, styles: Styles): string
}

/**
 * Runs a function on a folder, writes the changes unless `--dry-run` is given, and prints the changes to stdout, findings and a summary to
 * stderr. A refusal is printed in the format that was asked for.
 *
 * @param run  may add notes to the summary
 */
export async function writeRun(
  { title, dir, options, shown, textOf = folderText }: FolderCommand,
  run: (notes: string[]) => FolderRun | Promise<FolderRun>,
  host: Host,
): Promise<ExitCode> {
  const notes: string[] = []
  const say = ({ results }: Pick<FolderView, 'results'>): void => host.warn(printResults(shown(results), errorStylesFor(host, options)))
  const print = (view: FolderView): void => {
    const sorted = { ...view, results: [...view.results].sort(compareFindings) }
    host.write(options.format === 'json' ? folderJson(sorted) : textOf(sorted, stylesFor(host, options)))
    host.warn(`${printable([`${title}: ${summarizeFolder(view, options.dryRun !== true)}`, ...notes].join('; '))}\n`)
  }
  try {
    const isWriting = options.dryRun !== true
    const { changes, ...view } = await holdingFolders({ dirs: [dir], isWriting }, host, async () => {
      const done = await run(notes)
      // Before the write: the next run of one that is killed while it writes finds nothing any more of what was replaced.
      say(done)
      if (isWriting) writeFolder(host.locate(dir), done.changes)
      return done
    })
    print(view)
    return options.dryRun === true && changes.length > 0 ? 2 : 0
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    say(error)
    print({ files: [], results: error.results })
    return 1
  }
}
