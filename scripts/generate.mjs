// Writes what the sources need of other files (cli/generated, not in git): for the tool every function and every schema, as the folders
// have them, the workflows of a recipe, and the script of the page; and the functions that render-variants runs
// (functions/render-variants/generated); and the records of rules (src/rules/generated). Runs before tests, type check and build: `node
// scripts/generate.mjs`. --pages also writes the pages of docs that are made from records; --check-pages fails if they differ; --publish
// also writes schemas/*.json.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { catalogNames, docs, functionNames, ownFunctions, registry, schemas } from './function-registry.mjs'
import { pageScript } from './page-script.mjs'
import { dangersPage, rulesPage } from './rule-pages.mjs'
import { dangers, ruleFamilies } from './rule-records.mjs'
import { workflows } from './workflow-registry.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PUBLISHED = join(ROOT, 'schemas')
const REGISTRY = join(ROOT, 'cli/generated')
const RULES = join(ROOT, 'src/rules/generated')
const OWN_FUNCTIONS = join(ROOT, 'functions/render-variants/generated')

/** Writes the generated files; with `publish` also the JSON of every schema that editors read. Unchanged files keep their time stamp. */
async function generate({ publish, pages }) {
  mkdirSync(RULES, { recursive: true })
  writeIfChanged(join(RULES, 'rule-families.ts'), ruleFamilies())
  writeIfChanged(join(RULES, 'dangers.ts'), dangers())
  const { exported, publishSchema, rules } = await loadSources()
  mkdirSync(REGISTRY, { recursive: true })
  mkdirSync(OWN_FUNCTIONS, { recursive: true })
  writeIfChanged(join(REGISTRY, 'registry.ts'), registry(functionNames()))
  writeIfChanged(join(REGISTRY, 'schemas.ts'), schemas(exported))
  writeIfChanged(join(OWN_FUNCTIONS, 'own-functions.ts'), ownFunctions(functionNames()))
  writeIfChanged(join(REGISTRY, 'page.ts'), await pageScript())
  writeIfChanged(join(REGISTRY, 'docs.ts'), docs(functionNames()))
  writeIfChanged(join(REGISTRY, 'workflows.ts'), workflows(readFileSync(join(ROOT, 'docs/recipes/pull-requests.md'), 'utf8')))
  if (pages !== undefined) {
    pages(join(ROOT, 'docs/rules.md'), rulesPage(rules.RULE_FAMILIES, rules.severityText, rules.meaningOf))
    pages(join(ROOT, 'docs/dangers.md'), dangersPage(rules.DANGERS))
  }
  if (!publish) return
  for (const { schema } of exported) {
    const name = schema.$id.split('/').at(-1)
    writeIfChanged(join(PUBLISHED, name), `${JSON.stringify(publishSchema(schema), null, 2)}\n`)
  }
}

/**
 * Schemas and rules are TypeScript, which Node 20 does not run: one bundle of them all, loaded from memory. A schema is an export with an
 * $id.
 */
async function loadSources() {
  const files = schemaFiles()
  const modules = files.map((file, i) => `export * as file${i} from './${file}'`)
  const contents = [
    ...modules,
    "export { publishSchema } from './src/schema/publish-schema.ts'",
    "export * as rules from './src/rules/all-rules.ts'",
    "export { RULE_FAMILIES } from './src/rules/generated/rule-families.ts'",
    "export { DANGERS } from './src/rules/generated/dangers.ts'",
  ].join('\n')
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  })
  const code = outputFiles[0].text
  const { publishSchema, rules, RULE_FAMILIES, DANGERS, ...loaded } = await import(
    `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  )
  const exported = files.flatMap((file, i) => Object.entries(loaded[`file${i}`]).map(([name, schema]) => ({ file, name, schema })))
  return { publishSchema, rules: { ...rules, RULE_FAMILIES, DANGERS }, exported: exported.filter(({ schema }) => schema.$id !== undefined) }
}

/** Kinds first, then functions, each by name. */
function schemaFiles() {
  const folders = ['src/kinds', 'src/dependencies/config', ...catalogNames().map((name) => `src/catalog/${name}`)]
  const kinds = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .sort()
      .map((file) => `${folder}/${file}`),
  )
  const functions = functionNames().map((name) => `functions/${name}/schema.ts`)
  return [...kinds.filter((file) => file.endsWith('-schema.ts')), ...functions.filter((file) => existsSync(join(ROOT, file)))]
}

/** Writes a file beside its place and renames it: tests that run at the same time read the old file or the new one, whole. */
function writeIfChanged(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  const beside = `${path}.${process.pid}`
  writeFileSync(beside, text)
  renameSync(beside, path)
}

/** Reports a page that is not what the records say. */
function compare(path, text) {
  if (readFileSync(path, 'utf8') === text) return
  process.stderr.write(`${path.slice(ROOT.length)} differs from the records in src/rules: change the records, then npm run generate\n`)
  process.exitCode = 1
}

const isGiven = (option) => process.argv.includes(option)
const pages = isGiven('--check-pages') ? compare : isGiven('--pages') ? writeIfChanged : undefined
await generate({ publish: isGiven('--publish'), pages })
