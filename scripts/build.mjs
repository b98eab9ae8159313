// `npm run build`: one self-contained file for each function and one for the tool, into dist/.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './bundle.mjs'
import { functionDoc } from './function-doc.mjs'
import { functionNames } from './function-registry.mjs'
import { prepare, ROOT } from './ready.mjs'

const DIST = join(ROOT, 'dist')

/** Functions by folder, so that a new one needs no list. */
function entryPoints() {
  const functions = functionNames().map((name) => ({ in: `functions/${name}/main.ts`, out: name }))
  return [...functions, { in: 'cli/main.ts', out: 'krm-variants' }]
}

async function contentsOf({ in: file, out }) {
  return { name: `${out}.mjs`, contents: await bundle(file, functionDoc(out)) }
}

prepare(process.execPath, ['scripts/generate.mjs'])
const bundles = await Promise.all(entryPoints().map(contentsOf)).catch((error) => {
  // esbuild has said what is wrong with the source.
  if (Array.isArray(error.errors)) process.exit(1)
  throw error
})
rmSync(DIST, { recursive: true, force: true })
mkdirSync(DIST)
for (const { name, contents } of bundles) {
  writeFileSync(join(DIST, name), contents, { mode: 0o755 })
  process.stdout.write(`${name.padEnd(28)}${(Buffer.byteLength(contents) / 1024).toFixed(0).padStart(5)} KiB\n`)
}
