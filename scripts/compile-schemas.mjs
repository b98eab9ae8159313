// Compiles every schema of the project to code (src/schema/generated, not in git), and with --publish writes schemas/*.json.
// Runs before tests, type check and build: `node scripts/compile-schemas.mjs`.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const GENERATED = join(ROOT, 'src/schema/generated')
const PUBLISHED = join(ROOT, 'schemas')

/** Writes the code of every schema; with `publish` also the JSON that editors read. Unchanged files keep their time stamp. */
async function compileSchemas({ publish }) {
  const { schemas, publishSchema } = await loadSchemas()
  mkdirSync(GENERATED, { recursive: true })
  for (const schema of schemas) {
    const name = schema.$id
      .split('/')
      .at(-1)
      .replace(/\.json$/, '')
    const json = publishSchema(schema)
    writeIfChanged(join(GENERATED, `${name}.js`), await compile(json))
    writeIfChanged(join(GENERATED, `${name}.d.ts`), DECLARATION)
    if (publish) writeIfChanged(join(PUBLISHED, `${name}.json`), `${JSON.stringify(json, null, 2)}\n`)
  }
}

const DECLARATION = `import type { Validator } from '../validator.ts'\n\nexport declare const check: Validator['check']\n`

/** The schemas are TypeScript, which Node 20 does not run: one bundle of them all, loaded from memory. A schema is an export with an $id. */
async function loadSchemas() {
  const modules = schemaFiles().map((file) => `export * from './${file}'`)
  const contents = [...modules, "export { publishSchema } from './src/schema/publish-schema.ts'"].join('\n')
  const code = await bundle({ contents, resolveDir: ROOT, loader: 'ts' })
  const { publishSchema, ...exported } = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
  return { publishSchema, schemas: Object.values(exported).filter((value) => value.$id !== undefined) }
}

function schemaFiles() {
  const folders = ['src/kinds', 'src/dependencies/config']
  const kinds = folders.flatMap((folder) => readdirSync(join(ROOT, folder)).map((file) => `${folder}/${file}`))
  const functions = readdirSync(join(ROOT, 'functions')).map((name) => `functions/${name}/schema.ts`)
  return [...kinds.filter((file) => file.endsWith('-schema.ts')), ...functions.filter((file) => existsSync(join(ROOT, file)))].sort()
}

/** ajv's standalone code asks for its runtime with require(), also as a module: bundling puts in the few lines it needs. */
async function compile(json) {
  const ajv = new Ajv({
    schemas: [json],
    allErrors: true,
    allowUnionTypes: true,
    inlineRefs: false,
    messages: false,
    formats: { cel: true },
    code: { source: true, esm: true },
  })
  const source = standalone(ajv, { check: json.$id })
  return bundle({ contents: source, resolveDir: ROOT, loader: 'js' })
}

async function bundle(stdin) {
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  })
  return outputFiles[0].text
}

function writeIfChanged(path, text) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
}

await compileSchemas({ publish: process.argv.includes('--publish') })
