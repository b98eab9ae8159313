// `npm test`: every test that needs nothing but this repository and Node. Arguments go to vitest. `npm test -- --diff CASE` runs no test: it
// shows what a golden case changes.
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { installIfNeeded, prepare, ROOT } from './ready.mjs'

installIfNeeded()
const [first, name] = process.argv.slice(2)
process.exitCode = first === '--diff' ? (await import('./diff-case.mjs')).diffCases(name) : runTests(process.argv.slice(2))

function runTests(args) {
  prepare(process.execPath, ['scripts/generate.mjs'])
  // vitest leaves a core to itself, which does little: half of a machine with two cores would wait.
  const workers = args.some((arg) => arg.startsWith('--maxWorkers')) ? [] : [`--maxWorkers=${availableParallelism()}`]
  const vitest = [
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--silent=passed-only', ...workers, ...args],
  ]
  return spawnSync(...vitest, { cwd: ROOT, stdio: 'inherit' }).status ?? 1
}
