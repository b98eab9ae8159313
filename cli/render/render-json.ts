import { resultToJson } from '../../src/result.ts'
import { printJson } from '../print/print-value.ts'
import type { RenderView } from './render-view.ts'

/** What rendering would do, for other programs: one JSON document. */
export function renderJson({ counts, lost, packages, results }: RenderView): string {
  return `${printJson({ counts, lost, packages, results: results.map(resultToJson) }, 2)}\n`
}
