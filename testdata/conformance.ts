import { existsSync } from 'node:fs'
import { ADAPTERS } from './conformance-runner/adapters.ts'
import { runCelSpec } from './conformance-runner/cel-spec/run-suites.ts'
import { runTree } from './conformance-runner/run-tree.ts'

/** Runs of kpt and of the catalog functions lie beside the repository. */
const PIPELINES = '../shared/pipelines'
const own = existsSync(PIPELINES) ? ['testdata/conformance', PIPELINES] : ['testdata/conformance']
const trees = process.env.VECTORS === undefined ? own : [process.env.VECTORS]

const reports = [...(await Promise.all(trees.map((tree) => runTree(tree, ADAPTERS)))), runCelSpec()]
process.stdout.write(`${reports.flatMap(({ lines }) => lines).join('\n')}\n`)
process.exitCode = reports.some(({ failed }) => failed) ? 1 : 0
