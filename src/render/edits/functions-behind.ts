import { equalJson } from '../../json.ts'
import { equalBytes } from '../../merge/same-content.ts'
import type { Calls } from '../../pipeline/calls.ts'
import { isKptfile, KPTFILE } from '../../resource-list/package-of.ts'
import type { Result } from '../../result.ts'
import { afterRun, type PackageToRun } from '../clone/rendered-package.ts'
import type { PackageFunctions } from '../runs/package-functions.ts'
import { writtenObjects } from './written-values.ts'

/*
 * People edit a rendered package: a setter, a config, a new resource, a function. Then the package does not hold what its functions make of
 * it. No record says so, and none could know all that people do with git and kpt. The functions themselves say it:
 *
 *   what the functions make of the package is the package                            nothing to do
 *   it is not, and the package is as the last render left it                         nothing to do: no person changed anything
 *   it is not, and what the functions make of their own output is that output        the package waits for its functions
 *   it is not, and the functions change their own output                             each run would change the package again
 */

/**
 * The state of a package: `none` has no functions, `current` has nothing to do, `behind` waits for its functions, `unsettled` waits for
 * functions that change their own output, `unknown` has a function that cannot run here.
 */
export type FunctionsState = 'none' | 'current' | 'behind' | 'unsettled' | 'unknown'

/**
 * Returns the state of a package whose upstream revision stays. A package whose functions fail waits for them: their run says why they
 * fail.
 *
 * @param left  returns the files as a new clone of the revision has them; undefined if they are not known
 */
export function* functionsState(
  pkg: PackageToRun,
  functions: PackageFunctions,
  left: () => Calls<ReadonlyMap<string, Uint8Array> | undefined>,
): Calls<FunctionsState> {
  if (!functions.mayRun(pkg)) return 'none'
  const own = functions.forComparison
  const run = yield* own.run(pkg)
  if (run.outcome === 'unmatched') return 'unknown'
  if (run.outcome !== 'done') return 'behind'
  if (run.changed.size === 0 || isAsLeft(pkg, yield* left())) return 'current'
  const again = yield* own.run(afterRun(pkg, run))
  return again.outcome === 'done' && again.changed.size === 0 ? 'behind' : 'unsettled'
}

function isAsLeft({ paths, read }: PackageToRun, left: ReadonlyMap<string, Uint8Array> | undefined): boolean {
  if (left === undefined || paths.length !== left.size) return false
  return paths.every((path) => {
    const bytes = left.get(path)
    return bytes !== undefined && (equalBytes(read(path), bytes) || (isKptfile(path) && isSameKptfile(read(path), bytes)))
  })
}

/** Returns true if two Kptfiles have the same content but for the outcomes of runs. */
function isSameKptfile(a: Uint8Array, b: Uint8Array): boolean {
  const [one = {}, other = {}] = [a, b].map((bytes) => {
    const [kptfile] = writtenObjects(KPTFILE, bytes)
    const { status: _, ...rest } = kptfile?.toJson() ?? {}
    return rest
  })
  return equalJson(one, other)
}

/** Returns the warning about a package that waits for its functions. */
export function behindResult(folder: string, state: 'behind' | 'unsettled'): Result {
  const what = 'must be as its functions make it; files of the package changed since its functions ran'
  const way =
    state === 'behind'
      ? '`render` runs them again'
      : 'its functions change their own output, so `render` does not run them again: `krm-variants run` does'
  return {
    severity: 'warning',
    message: `${what}, and ${way}`,
    file: { path: `${folder}/${KPTFILE}`, index: 0 },
    tags: { rule: 'functions-behind' },
  }
}
