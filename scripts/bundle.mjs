import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { atFirstCall } from './at-first-call.mjs'
import { ROOT } from './ready.mjs'

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/**
 * The text of one self-contained program.
 *
 * @param entry       its main file, from the repository's root
 * @param functionDoc what `--help` and `--doc` of a function answer
 */
export async function bundle(entry, functionDoc) {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    banner: { js: '#!/usr/bin/env node' },
    // The same library as ES modules, a quarter smaller.
    alias: { yaml: './node_modules/yaml/browser/index.js' },
    define: { FUNCTION_DOC: JSON.stringify(functionDoc), PACKAGE_VERSION: JSON.stringify(version) },
    plugins: [atFirstCall],
    // Less text to read at start; names stay, for traces.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 140,
    logLevel: 'warning',
  })
  return withRequire(outputFiles[0].text)
}

/** CommonJS packages ask for Node's modules with `require`, which an ES module does not have; to make one costs every start. */
function withRequire(program) {
  if (!program.includes('__require(')) return program
  return program.replace('\n', "\nimport{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);")
}
