import { ADAPTERS } from './conformance-runner/adapters.ts'
import { runCelSpec } from './conformance-runner/cel-spec/run-suites.ts'
import { runTree } from './conformance-runner/run-tree.ts'

const reports = [await runTree(process.env.VECTORS ?? 'testdata/conformance', ADAPTERS), runCelSpec()]
process.stdout.write(`${reports.flatMap(({ lines }) => lines).join('\n')}\n`)
process.exitCode = reports.some(({ failed }) => failed) ? 1 : 0
