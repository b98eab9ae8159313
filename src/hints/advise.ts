import type { Advised, Hint } from '../cel/advisor.ts'
import { hintsOfFaults } from './hints-of-faults.ts'
import { comparedHints, convertHints, evaluationHints } from './value-hints.ts'

/** Returns the hints about an expression, in the words of Kubernetes, Porch and the languages that people come from. */
export function advise(failure: Advised): readonly Hint[] {
  switch (failure.kind) {
    case 'faults':
      return hintsOfFaults(failure)
    case 'evaluation':
      return evaluationHints(failure.tree, failure.offset, failure.checked)
    case 'no string':
      return convertHints(failure.tree, failure.value)
    case 'no condition':
      return comparedHints(failure.tree, failure.type)
  }
}
