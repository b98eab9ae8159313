// `npm run build`: one self-contained file for each function and one for the tool, into dist/.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { atFirstCall } from './at-first-call.mjs'
import { functionDoc } from './function-doc.mjs'
import { functionNames } from './function-registry.mjs'
import { prepare, ROOT } from './ready.mjs'

const DIST = join(ROOT, 'dist')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** Functions by folder, so that a new one needs no list. */
function entryPoints() {
  const functions = functionNames().map((name) => ({ in: `functions/${name}/main.ts`, out: name }))
  return [...functions, { in: 'cli/main.ts', out: 'krm-variants' }]
}

/** The text of one bundle; each has its own documentation inside. */
async function bundle({ in: file, out }) {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [file],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    // CommonJS packages ask for Node's modules with require, which an ES module does not have.
    banner: { js: "#!/usr/bin/env node\nimport{createRequire as r}from'node:module';const require=r(import.meta.url);" },
    // The same library as ES modules, a quarter smaller.
    alias: { yaml: './node_modules/yaml/browser/index.js' },
    define: { FUNCTION_DOC: JSON.stringify(functionDoc(out)), PACKAGE_VERSION: JSON.stringify(version) },
    plugins: [atFirstCall],
    // Less text to read at start; names stay, for traces.
    minifyWhitespace: true,
    lineLimit: 140,
    logLevel: 'warning',
  }).catch(() => process.exit(1)) // esbuild has said why
  return outputFiles[0].contents
}

prepare(process.execPath, ['scripts/compile-schemas.mjs'])
const bundles = await Promise.all(entryPoints().map(async (entry) => ({ name: `${entry.out}.mjs`, contents: await bundle(entry) })))
rmSync(DIST, { recursive: true, force: true })
mkdirSync(DIST)
for (const { name, contents } of bundles) {
  writeFileSync(join(DIST, name), contents, { mode: 0o755 })
  process.stdout.write(`${name.padEnd(28)}${(contents.length / 1024).toFixed(0).padStart(5)} KiB\n`)
}
