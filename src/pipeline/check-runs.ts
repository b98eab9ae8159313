import { attempt } from '../attempt.ts'
import type { FileTree } from '../folder/file-tree.ts'
import type { PackageFile } from '../folder/package.ts'
import { folderOf, isKptfile, KPTFILE } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import { VARIANT_ANNOTATION } from '../well-known.ts'
import { answered } from './calls.ts'
import { hasFunctions } from './check-resources.ts'
import { findRunners, type Runner, type Runners } from './match.ts'
import { type AskedPackage, type PackageRun, readOnePackage, runPackage, stepsOf } from './run-packages.ts'

/** The packages of a folder, and what runs their functions. */
export interface TriedPackages {
  readonly files: readonly PackageFile[]
  /** Returns a package of the folder, by its path in the files. */
  open(folder: string): AskedPackage
  /**
   * Returns true for a folder that holds, or is inside, what must not be run as it is: an upstream package, or a package with known errors.
   */
  isLeftOut(folder: string): boolean
  /** The built-in functions. */
  readonly runners: Runners
}

/** The outcome of trying the functions of packages. */
export interface TriedRuns {
  /** The errors for which `run` would refuse a package, and the setters that go nowhere. */
  readonly results: readonly Result[]
  /** The folders of packages that `render` made and that are not as their functions make them. */
  readonly behind: readonly string[]
}

/**
 * Runs the built-in functions of packages in memory. The run of a package ends at the first function that is not built in, since its answer
 * is not known.
 */
export function tryRuns({ files, open, isLeftOut, runners }: TriedPackages): TriedRuns {
  const behind: string[] = []
  const results = packagesToRun(files, isLeftOut).flatMap((folder) => {
    const asked = open(folder)
    const run = tryRun(asked, runners)
    if (run === undefined) return []
    if (run.changes.length > 0 && isMadeByRender(asked.tree) && isBehind(asked, run, runners)) behind.push(folder)
    return run.results.filter(({ severity, tags }) => severity === 'error' || tags.rule === 'setter-unmatched')
  })
  return { results, behind }
}

/** Returns true for a package that is not as its functions make it; false if one of them cannot run here. */
export function waitsForFunctions(asked: AskedPackage, runners: Runners): boolean {
  const run = tryRun(asked, runners)
  return run !== undefined && isBehind(asked, run, runners)
}

/** Returns false for functions that change their own output: that the package is not as they make it says nothing. */
function isBehind(asked: AskedPackage, { failed, changes }: PackageRun, runners: Runners): boolean {
  if (failed || changes.length === 0) return false
  if (changes.some(({ op }) => op !== 'update')) return true
  const texts = new Map(changes.map(({ path, text }) => [path, Buffer.from(text)]))
  const tree: FileTree = {
    ...asked.tree,
    read: (path) => texts.get(path) ?? asked.tree.read(path),
    documents: (path, name) => (texts.has(path) ? undefined : asked.tree.documents?.(path, name)),
  }
  return tryRun({ ...asked, tree }, runners)?.changes.length === 0
}

/** Returns true for a package whose Kptfile names the variant that it was made for. */
export function isMadeByRender(tree: FileTree): boolean {
  return Buffer.from(tree.read(KPTFILE)).includes(VARIANT_ANNOTATION)
}

function tryRun(asked: AskedPackage, runners: Runners): PackageRun | undefined {
  const read = readOnePackage(asked)
  const { matched } = findRunners(stepsOf([read]), { ...runners, otherwise: stop })
  return attempt(() => answered(runPackage(read, matched)), UnknownAnswer)
}

class UnknownAnswer extends Error {}

const stop: Runner = () => {
  throw new UnknownAnswer('the answer of a function that is not built in is not known')
}

/** Returns the outermost folders of packages, themselves or with subpackages that have functions, that may be run as they are. */
function packagesToRun(files: readonly PackageFile[], isLeftOut: (folder: string) => boolean): readonly string[] {
  const kptfiles = files.filter(({ path }) => isKptfile(path))
  const running = new Set(kptfiles.filter(hasFunctions).flatMap(({ path }) => withFoldersAbove(folderOf(path))))
  const chosen = new Set<string>()
  for (const folder of kptfiles.map(({ path }) => folderOf(path)).sort((a, b) => a.length - b.length))
    if (running.has(folder) && !isLeftOut(folder) && !withFoldersAbove(folder).some((each) => chosen.has(each))) chosen.add(folder)
  return [...chosen]
}

/** Returns a folder and all folders above it, the top last. */
export function withFoldersAbove(folder: string): readonly string[] {
  return folder === '' ? [''] : [folder, ...withFoldersAbove(folderOf(folder))]
}
