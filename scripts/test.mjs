// `npm test`: every test that needs nothing but this repository and Node. Arguments go to vitest. `npm test -- --diff CASE` runs no test:
// it shows what a golden case changes.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
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
  const above = temporaryFolder()
  removeLeftovers(above)
  const folder = mkdtempSync(join(above, `krm-variants-tests-${process.pid}-`))
  try {
    return spawnSync(...vitest, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, TMPDIR: folder } }).status ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Removes what runs of the tests left behind that were killed. */
function removeLeftovers(above) {
  for (const name of readdirSync(above)) {
    const [, id] = /^krm-variants-tests-(\d+)-/.exec(name) ?? []
    if (id === undefined || isRunning(Number(id))) continue
    // A folder of another user stays.
    try {
      rmSync(join(above, name), { recursive: true, force: true })
    } catch {}
  }
}

/** Returns true for the id of a process that runs, also of another user. */
function isRunning(id) {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return error.code === 'EPERM'
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
