import { resultToJson } from '../../src/result.ts'
import { printJson } from '../print/print-value.ts'
import type { PackageView, RenderView } from './render-view.ts'

/** Grows when a field of the document changes its meaning or goes. */
const FORMAT_VERSION = 1

/** Returns what rendering would do, or did, for other programs: one JSON document, as schemas/output/render.json has it. */
export function renderJson({ isDryRun, counts, lost, packages, results }: RenderView): string {
  const document = { formatVersion: FORMAT_VERSION, dryRun: isDryRun, counts, lost, packages: packages.map(packageJson) }
  return `${printJson({ ...document, results: results.map(resultToJson) }, 2)}\n`
}

/** With all that is said of it: among the results of the run, what is said of many packages names three. */
function packageJson({ results, ...view }: PackageView): object {
  return { ...view, results: results.map(resultToJson) }
}
