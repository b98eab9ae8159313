import { resultToJson } from '../../src/result.ts'
import { printJson } from '../print/print-value.ts'
import type { PackageView, RenderView } from './render-view.ts'

/** What rendering would do, for other programs: one JSON document. */
export function renderJson({ counts, lost, packages, results }: RenderView): string {
  return `${printJson({ counts, lost, packages: packages.map(packageJson), results: results.map(resultToJson) }, 2)}\n`
}

/** With all that is said of it: among the results of the run, what is said of many packages names three. */
function packageJson({ results, ...view }: PackageView): object {
  return { ...view, results: results.map(resultToJson) }
}
