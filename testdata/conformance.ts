import { existsSync } from 'node:fs'
import { ADAPTERS } from './conformance-runner/adapters.ts'
import { runCelSpec } from './conformance-runner/cel-spec/run-suites.ts'
import { comparedPageFaults } from './conformance-runner/compared-page.ts'
import { hasKfn } from './conformance-runner/pipelines/functions.ts'
import { runTree, sumFolders } from './conformance-runner/run-tree.ts'
import { SHARED_MUST_BE_THERE } from './shared-folder.ts'

/** Runs of kpt and of the catalog functions lie beside the repository. */
const PIPELINES = '../shared/pipelines'
const own = existsSync(PIPELINES) ? ['testdata/conformance', PIPELINES] : ['testdata/conformance']
const trees = process.env.VECTORS === undefined ? own : [process.env.VECTORS]

const reports = [...(await Promise.all(trees.map((tree) => runTree(tree, ADAPTERS)))), runCelSpec()]
/** Without Go some cases of kpt are left out, and the counts of the page are not those of the run. */
const isWhole = trees.includes(PIPELINES) && hasKfn()
const missing =
  SHARED_MUST_BE_THERE && !existsSync(PIPELINES) ? [`${PIPELINES}: the recorded answers of kpt and of the catalog must be there`] : []
const faults = [...missing, ...(isWhole ? comparedPageFaults(sumFolders(reports)) : [])]
process.stdout.write(`${[...reports.flatMap(({ lines }) => lines), ...faults].join('\n')}\n`)
process.exitCode = faults.length > 0 || reports.some(({ failed }) => failed) ? 1 : 0
