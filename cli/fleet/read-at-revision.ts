import { type FileRef, FunctionError } from '../../src/result.ts'

/**
 * Runs an action and returns its value.
 *
 * @throws FunctionError as the action does, with the revision before the paths of its files: `main:fleet/set.yaml`
 */
export function readAtRevision<T>(revision: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    const named = (file: FileRef): FileRef => ({ ...file, path: `${revision}:${file.path}` })
    throw new FunctionError(error.results.map((result) => (result.file ? { ...result, file: named(result.file) } : result)))
  }
}
