import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { functionDoc } from './function-doc.mjs'
import { ROOT } from './ready.mjs'

/** The functions of the family: the folders below functions/ with a program in them. */
export function functionNames() {
  return readdirSync(join(ROOT, 'functions'))
    .filter((name) => existsSync(join(ROOT, 'functions', name, 'main.ts')))
    .sort()
}

/** The built-in functions of the KRM functions catalog: the folders below src/catalog/. */
export function catalogNames() {
  return readdirSync(join(ROOT, 'src/catalog'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

/** Returns the text of cli/generated/registry.ts: how each function is loaded. */
export function registry(functions) {
  const loaders = functions.map(
    (name) => `  ['${name}', async () => (await import('../../functions/${name}/${name}.ts')).${exportOf(name)}],`,
  )
  return `// Written by scripts/generate.mjs from functions/.
import type { KrmFunction } from '../../src/run.ts'

/** The functions of the family by name. Each is loaded only when it is called for. */
export const FUNCTIONS: ReadonlyMap<string, () => Promise<KrmFunction>> = new Map([
${loaders.join('\n')}
])
`
}

/**
 * Returns the text of cli/generated/schemas.ts: every schema. A file of its own, since the schemas of functions bring code that most
 * commands do not need.
 *
 * @param exported  `{ file, name }` of each: what it is called, and where
 */
export function schemas(exported) {
  return `// Written by scripts/generate.mjs from functions/ and the kinds of src/.
${exported.map(({ file, name }) => `import { ${name} } from '../../${file}'`).join('\n')}
import type { Schema } from '../../src/schema/schema.ts'

/** The schemas of all kinds. */
export const SCHEMAS: readonly Schema[] = [${exported.map(({ name }) => name).join(', ')}]
`
}

/**
 * Returns the text of functions/render-variants/generated/own-functions.ts: the functions that a package may name and that render-variants
 * runs. It runs itself without an import.
 */
export function ownFunctions(functions) {
  const others = functions.filter((name) => name !== 'render-variants')
  const imports = others.map((name) => `import { ${exportOf(name)} } from '../../${name}/${name}.ts'`)
  return `// Written by scripts/generate.mjs from functions/.
import type { KrmFunction } from '../../../src/run.ts'
${imports.join('\n')}

/** Returns the functions of this project by name, but for render-variants. */
export function ownFunctions(): readonly (readonly [string, KrmFunction])[] {
  return [
${others.map((name) => `    ['${name}', ${exportOf(name)}],`).join('\n')}
  ]
}
`
}

/** Returns the text of cli/generated/docs.ts: what each function says of itself. */
export function docs(functions) {
  const folders = [...functions.map((name) => `functions/${name}`), ...catalogNames().map((name) => `src/catalog/${name}`)]
  const entries = folders.map((folder) => `  ['${basename(folder)}', ${JSON.stringify(functionDoc(basename(folder), folder))}],`)
  return `// Written by scripts/generate.mjs from the READMEs and metadata of functions/ and src/catalog/.
import type { FunctionDoc } from '../../src/doc/function-doc.ts'

/** What the functions of the family and those of the catalog answer to --help, by name. */
export const DOCS: ReadonlyMap<string, FunctionDoc> = new Map([
${entries.join('\n')}
])
`
}

/** functions/fan-out/fan-out.ts exports fanOut. */
export function exportOf(name) {
  return name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
}
