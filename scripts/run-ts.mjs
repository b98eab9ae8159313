// Runs a TypeScript file on every supported Node: `node scripts/run-ts.mjs FILE [ARG ...]`. Node 20 cannot run TypeScript itself.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

const [file, ...args] = process.argv.slice(2)
// Below node_modules, so that the packages which are left out of the bundle are found from there.
const cache = join(import.meta.dirname, '../node_modules/.cache')
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'run-ts-'))
try {
  await build({
    entryPoints: [file],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What a script imports when it needs it stays a module of its own.
    splitting: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    sourcemap: 'inline',
  })
  const script = join(folder, basename(file).replace(/\.ts$/, '.mjs'))
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', script, ...args], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true })
}
