import type { Simulation } from '../../functions/resolve-dependencies/resolve-dependencies.ts'
import { resultToJson } from '../../src/result.ts'
import { printJson } from '../print/print-value.ts'

/** A simulation for other programs: one JSON document, a state for each change after the first, which is what is there. */
export function simulateJson(states: Simulation): string {
  const shown = states.map(({ results, ...state }) => ({ ...state, results: results.map(resultToJson) }))
  return `${printJson({ states: shown }, 2)}\n`
}
