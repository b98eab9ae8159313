import { isBytes } from '../../merge/package-files.ts'
import type { Result } from '../../result.ts'
import type { RenderedPackage } from '../render-package.ts'
import type { Downstream } from './read-downstream.ts'

/**
 * What there is to say of files that cannot be read. What one of many teams broke must not keep the fleet from being rendered: the file is left
 * as it is. Where upstream changed that file, its change would be lost for good, since the Kptfile would say that the package has it: an error.
 * Of one that a strategy replaces nothing is said.
 */
export function carriedResults(unreadable: Downstream['unreadable'], { files, outcomes }: RenderedPackage): readonly Result[] {
  const passedOver = new Set(outcomes.filter(({ result, upstream }) => result === 'kept' && upstream.exists).map(({ path }) => path))
  const isReplaced = (path: string): boolean => files.has(path) && !isBytes(files.get(path))
  return [...unreadable].flatMap(([path, results]) => (isReplaced(path) ? [] : results.map(passedOver.has(path) ? atStake : carried)))
}

function atStake(result: Result): Result {
  return { ...result, severity: 'error', message: `${result.message}; upstream changed this file, and that cannot be merged into it` }
}

function carried(result: Result): Result {
  return result.severity === 'error' ? { ...result, severity: 'warning', message: `${result.message}; it is left as it is` } : result
}
