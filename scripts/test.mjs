// `npm test`: every test that needs nothing but this repository and Node. Arguments go to vitest. `npm test -- --diff CASE` runs no test: it
// shows what a golden case changes.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
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
  const folder = mkdtempSync(join(temporaryFolder(), 'krm-variants-tests-'))
  try {
    return spawnSync(...vitest, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, TMPDIR: folder } }).status ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Returns the folder in which tests write: memory, where a machine has enough of it, since tests write thousands of small files and
 * repositories. Docker gives 64 MB, and some machines run no programs there.
 */
function temporaryFolder() {
  const memory = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > 4e9 && runsPrograms(memory) ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}

function runsPrograms(folder) {
  const place = mkdtempSync(join(folder, 'krm-variants-'))
  try {
    const program = join(place, 'program')
    writeFileSync(program, '#!/bin/sh\n')
    chmodSync(program, 0o755)
    return spawnSync(program).status === 0
  } finally {
    rmSync(place, { recursive: true })
  }
}
