// `npm test`: every test that needs nothing but this repository and Node. Arguments go to vitest.
import { spawnSync } from 'node:child_process'
import { installIfNeeded, prepare, ROOT } from './ready.mjs'

installIfNeeded()
prepare(process.execPath, ['scripts/compile-schemas.mjs'])
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--silent=passed-only', ...process.argv.slice(2)],
  {
    cwd: ROOT,
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 1
