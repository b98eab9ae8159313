import { build } from 'esbuild'
import { atFirstCall } from './at-first-call.mjs'
import { bundleInParts } from './parts.mjs'
import { ROOT } from './ready.mjs'
import { VERSION } from './version.mjs'

/**
 * The text of one self-contained program.
 *
 * @param entry       its main file, from the repository's root
 * @param functionDoc what `--help` and `--doc` of a function answer
 */
export async function bundle(entry, functionDoc) {
  const banner = `#!/usr/bin/env node\n${constants({ FUNCTION_DOC: functionDoc, PACKAGE_VERSION: VERSION })}`
  return withRequire(await bundleInParts({ ...OPTIONS, entryPoints: [entry], plugins: [atFirstCall('import')] }, banner))
}

/** The text of one self-contained module that programs of others import; what it says of itself is theirs to say. */
export async function bundleModule(entry) {
  const { text } = await bundleAs(entry, { banner: { js: constants({ FUNCTION_DOC: {}, PACKAGE_VERSION: '' }) } })
  return withRequire(text, '')
}

/**
 * The text of one self-contained script, not a module.
 *
 * @param contents  of a module at the repository's root
 * @param values    constants by name, beside those of a program
 */
export async function bundleScript(contents, functionDoc, values) {
  const { text } = await bundleAs(undefined, {
    stdin: { contents, resolveDir: ROOT },
    format: 'cjs',
    banner: { js: constants({ FUNCTION_DOC: functionDoc, PACKAGE_VERSION: VERSION, ...values }) },
  })
  return text
}

/**
 * A line with what the sources only declare. esbuild's `define` would have every module ask for a constant that is an object.
 * One character beyond ASCII would have Node hold all of the text in twice the space.
 */
function constants(values) {
  const line = `const ${Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value)}`)};`
  return line.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const OPTIONS = {
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
}

async function bundleAs(entry, options) {
  const entryPoints = entry === undefined ? {} : { entryPoints: [entry] }
  const { outputFiles } = await build({ ...OPTIONS, ...entryPoints, plugins: [atFirstCall('require')], ...options })
  return outputFiles[0]
}

/**
 * CommonJS packages ask for Node's modules with `require`, which an ES module does not have; to make one costs every start.
 *
 * @param before  the end of what it is put behind: of a program its first line
 */
function withRequire(text, before = '\n') {
  if (!/\b__require\d*\(/.test(text)) return text
  return text.replace(before, `${before}import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);`)
}
