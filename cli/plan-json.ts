import { resultToJson } from '../src/result.ts'
import type { PlanView } from './plan-view.ts'
import { printJson } from './print-value.ts'

/** A plan for other programs: one JSON document. `leftOut` is there only when it had to be cut. */
export function planJson({ counts, sets, results, leftOut }: PlanView): string {
  const findings = results.map(resultToJson)
  return `${printJson({ counts, sets, results: findings, ...(leftOut !== undefined && { leftOut }) }, 2)}\n`
}
