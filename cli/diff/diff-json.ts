import type { DiffReport } from '../../src/diff/report.ts'
import { resultToJson } from '../../src/result.ts'
import { printJson } from '../print/print-value.ts'

/** Raised when a field of the document changes its meaning or is removed. */
const FORMAT_VERSION = 1

/** Returns a report for other programs: one JSON document by schemas/output/diff.json. */
export function diffJson({ results, ...report }: DiffReport): string {
  return `${printJson({ formatVersion: FORMAT_VERSION, ...report, results: results.map(resultToJson) }, 2)}\n`
}
