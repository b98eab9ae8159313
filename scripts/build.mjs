// `npm run build`: one self-contained file for each function, and the two of the tool, into dist/.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, bundleTool } from './bundle.mjs'
import { functionDoc } from './function-doc.mjs'
import { functionNames } from './function-registry.mjs'
import { prepare, ROOT } from './ready.mjs'

const DIST = join(ROOT, 'dist')

const TOOL = 'krm-variants'

/** Returns the texts of all bundles by path. Functions are found by folder, so that a new one needs no list. */
async function bundles() {
  const functions = functionNames().map(async (name) => [`${name}.mjs`, await bundle(`functions/${name}/main.ts`, functionDoc(name))])
  const [tool, ...texts] = await Promise.all([bundleTool(), ...functions])
  return new Map([...texts, ...tool])
}

prepare(process.execPath, ['scripts/generate.mjs'])
const texts = await bundles().catch((error) => {
  // esbuild has said what is wrong with the source.
  if (Array.isArray(error.errors)) process.exit(1)
  throw error
})
rmSync(DIST, { recursive: true, force: true })
mkdirSync(join(DIST, TOOL), { recursive: true })
for (const [path, text] of texts) writeFileSync(join(DIST, path), text, { mode: path.includes('/') ? 0o644 : 0o755 })
for (const name of [...functionNames(), TOOL]) {
  const size = [...texts]
    .filter(([path]) => path === `${name}.mjs` || path.startsWith(`${name}/`))
    .reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0)
  process.stdout.write(`${`${name}.mjs`.padEnd(28)}${(size / 1024).toFixed(0).padStart(5)} KiB\n`)
}
