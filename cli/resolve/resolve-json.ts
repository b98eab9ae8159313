import { resultToJson } from '../../src/result.ts'
import { printJson } from '../print/print-value.ts'
import type { ResolveView } from './resolve-view.ts'

/** What resolving does, for other programs: one JSON document. */
export function resolveJson({ files, results }: ResolveView): string {
  return `${printJson({ files, results: results.map(resultToJson) }, 2)}\n`
}
