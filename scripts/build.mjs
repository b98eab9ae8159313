// `npm run build`: one self-contained file for each function and one for the tool, into dist/.
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { atFirstCall } from './at-first-call.mjs'
import { functionDoc } from './function-doc.mjs'
import { prepare, ROOT } from './ready.mjs'

/** Functions by folder, so that a new one needs no list. */
function entryPoints() {
  const functions = readdirSync(join(ROOT, 'functions')).map((name) => ({ in: `functions/${name}/main.ts`, out: name }))
  return [...functions, { in: 'cli/main.ts', out: 'krm-variants' }].filter((entry) => existsSync(join(ROOT, entry.in)))
}

/** One bundle; each has its own documentation inside. Returns its size in bytes. */
async function bundle({ in: file, out }) {
  const outfile = `dist/${out}.mjs`
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    // CommonJS packages ask for Node's modules with require, which an ES module does not have.
    banner: { js: "#!/usr/bin/env node\nimport{createRequire as r}from'node:module';const require=r(import.meta.url);" },
    // The same library as ES modules, a quarter smaller.
    alias: { yaml: './node_modules/yaml/browser/index.js' },
    define: { FUNCTION_DOC: JSON.stringify(functionDoc(out)) },
    plugins: [atFirstCall],
    // Less text to read at start; names stay, for traces.
    minifyWhitespace: true,
    lineLimit: 140,
    logLevel: 'warning',
    metafile: true,
  }).catch(() => process.exit(1)) // esbuild has said why
  chmodSync(join(ROOT, outfile), 0o755)
  return metafile.outputs[outfile].bytes
}

prepare(process.execPath, ['scripts/compile-schemas.mjs'])
rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
for (const entry of entryPoints()) {
  const bytes = await bundle(entry)
  process.stdout.write(`${`${entry.out}.mjs`.padEnd(28)}${(bytes / 1024).toFixed(0).padStart(5)} KiB\n`)
}
