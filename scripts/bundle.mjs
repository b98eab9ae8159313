import { build } from 'esbuild'
import { ROOT } from './ready.mjs'
import { VERSION } from './version.mjs'

const SHEBANG = '#!/usr/bin/env node\n'

/**
 * Returns the text of a program in one self-contained file.
 *
 * @param entry        its main file, from the repository's root
 * @param functionDoc  the answers of a function to `--help` and `--doc`
 */
export async function bundle(entry, functionDoc) {
  const banner = constants({ FUNCTION_DOC: functionDoc, PACKAGE_VERSION: VERSION })
  const [{ text }] = await outputsOf({ entryPoints: [entry], banner: { js: banner } })
  return SHEBANG + withRequire(text)
}

/**
 * Returns the two files of the tool by path: the one that users call, which turns on Node's cache of compiled code and loads the other. The
 * cache holds only code that is loaded after it.
 */
export async function bundleTool() {
  const [{ text }] = await outputsOf({ entryPoints: ['cli/main.ts'], external: ['./tool.ts'] })
  const tool = await bundle('cli/tool.ts', {})
  return new Map([
    ['krm-variants.mjs', SHEBANG + text.replace('"./tool.ts"', '"./krm-variants/tool.mjs"')],
    ['krm-variants/tool.mjs', tool],
  ])
}

/** Returns the text of one self-contained module for programs of others; a module has no version and no documentation of its own. */
export async function bundleModule(entry) {
  const [{ text }] = await outputsOf({ entryPoints: [entry], banner: { js: constants({ FUNCTION_DOC: {}, PACKAGE_VERSION: '' }) } })
  return withRequire(text)
}

/**
 * Returns the text of one self-contained script, which is no module.
 *
 * @param contents  of a module at the repository's root
 * @param values    constants by name, beside those of a program
 */
export async function bundleScript(contents, functionDoc, values) {
  const banner = constants({ FUNCTION_DOC: functionDoc, PACKAGE_VERSION: VERSION, ...values })
  const [{ text }] = await outputsOf({ stdin: { contents, resolveDir: ROOT }, format: 'cjs', banner: { js: banner } })
  return text
}

/**
 * Returns a line with what the sources only declare. esbuild's `define` would have every module ask for a constant that is an object.
 * One character beyond ASCII would have Node hold all of the text in twice the space.
 */
function constants(values) {
  const line = `const ${Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value)}`)};`
  return line.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

async function outputsOf(options) {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    // The same library as ES modules, a quarter smaller.
    alias: { yaml: './node_modules/yaml/browser/index.js' },
    // Less text to read at start; names stay, for traces.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 140,
    logLevel: 'warning',
    ...options,
  })
  return outputFiles
}

/** Gives a file the function `require`, by which CommonJS packages ask for Node's modules. To make one costs every start. */
function withRequire(text) {
  if (!/\b__require\b/.test(text)) return text
  return `import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);${text}`
}
