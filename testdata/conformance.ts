import { ADAPTERS } from './conformance-runner/adapters.ts'
import { runTree } from './conformance-runner/run-tree.ts'

const { lines, failed } = runTree(process.env.VECTORS ?? 'testdata/conformance', ADAPTERS)
process.stdout.write(`${lines.join('\n')}\n`)
process.exitCode = failed ? 1 : 0
