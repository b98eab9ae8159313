// `node scripts/executable.mjs FILE`: the tool as one executable, with the Node that runs this in it and its code compiled.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postject from 'postject'
import { bundleScript } from './bundle.mjs'
import { prepare } from './ready.mjs'

// What Node looks for in itself (Node.js documentation, Single executable applications).
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const [file] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'krm-variants-executable-'))
const [main, config, blob] = ['main.cjs', 'config.json', 'program.blob'].map((name) => join(folder, name))
try {
  prepare(process.execPath, ['scripts/generate.mjs'])
  // A script has no await at its top.
  writeFileSync(main, await bundleScript("import './cli/executable.ts'", {}, {}))
  writeFileSync(config, JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true }))
  prepare(process.execPath, ['--experimental-sea-config', config])
  copyFileSync(process.execPath, file)
  chmodSync(file, 0o755)
  // macOS runs nothing that was changed after it was signed.
  if (process.platform === 'darwin') spawnSync('codesign', ['--remove-signature', file], { stdio: 'inherit' })
  const macho = process.platform === 'darwin' ? { machoSegmentName: 'NODE_SEA' } : {}
  await postject.inject(file, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse: FUSE, ...macho })
  if (process.platform === 'darwin') spawnSync('codesign', ['--sign', '-', file], { stdio: 'inherit' })
} finally {
  rmSync(folder, { recursive: true })
}
