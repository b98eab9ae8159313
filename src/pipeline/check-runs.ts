import type { PackageFile } from '../package/package.ts'
import { folderOf, isKptfile } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import { findRunners, type Runner, type Runners } from './match.ts'
import { functionsIn } from './pipeline-steps.ts'
import { type AskedPackage, readOnePackage, runPackage, stepsOf } from './run-packages.ts'

/** The packages of a folder, and what runs their functions. */
export interface TriedPackages {
  readonly files: readonly PackageFile[]
  /** Returns a package of the folder, by its path in the files. */
  open(folder: string): AskedPackage
  /** Returns true for a folder that holds, or is inside, what must not be run as it is: an upstream package, or a package with known errors. */
  isLeftOut(folder: string): boolean
  /** The built-in functions. */
  readonly runners: Runners
}

/**
 * Runs the built-in functions of packages in memory, and returns the errors for which `run` would refuse a package. The run of a package ends
 * at the first function that is not built in, since its answer is not known.
 */
export function refusedRuns({ files, open, isLeftOut, runners }: TriedPackages): readonly Result[] {
  const tried = { ...runners, otherwise: stop }
  return packagesToRun(files, isLeftOut).flatMap((folder) => {
    const read = readOnePackage(open(folder))
    try {
      return runPackage(read, findRunners(stepsOf([read]), tried).matched).results.filter(({ severity }) => severity === 'error')
    } catch (error) {
      if (error instanceof UnknownAnswer) return []
      throw error
    }
  })
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

function hasFunctions({ documents }: PackageFile): boolean {
  return documents.some(({ object }) => object !== undefined && functionsIn(object).length > 0)
}
