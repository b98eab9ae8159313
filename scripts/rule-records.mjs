import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseDocument } from 'yaml'

const RECORDS = fileURLToPath(new URL('../src/rules', import.meta.url))

// The files of src/rules, in the order of docs/rules.md.
const FAMILIES = [
  'fields',
  'texts',
  'files',
  'sets',
  'targets',
  'templates',
  'matrices',
  'rings',
  'kptfiles',
  'pipelines',
  'catalog',
  'injection',
  'updates',
  'upstreams',
  'rendering',
  'plans',
  'policies',
  'imports',
  'systems',
  'dependencies',
  'carvel',
  'crossplane',
  'glasskube',
  'sync',
]

// The files of src/rules/dangers: together the table of docs/dangers.md, the worst first.
const DANGERS = ['lost-objects', 'refused-changes', 'lost-service', 'wider-access', 'outages', 'judgements']

/**
 * Returns the text of src/rules/generated/rule-families.ts: the records of every family as a constant, so that the compiler knows each id
 * and checks each record.
 *
 * @throws Error  if a file is not YAML, or has one key twice
 */
export function ruleFamilies() {
  const families = FAMILIES.map((name) => recordsOf(`${name}.yaml`))
  return constant('RULE_FAMILIES', families, 'readonly RuleFamily[]', "import type { RuleFamily } from '../rule-record.ts'")
}

/** Returns the text of src/rules/generated/dangers.ts: every danger that `diff` marks by its id. @throws Error  as above */
export function dangers() {
  const records = Object.assign({}, ...DANGERS.map((name) => recordsOf(`dangers/${name}.yaml`)))
  return constant('DANGERS', records, 'Readonly<Record<string, DangerRecord>>', "import type { DangerRecord } from '../danger-record.ts'")
}

function constant(name, value, type, imported) {
  return `// Written by scripts/generate.mjs from the records of src/rules.
${imported}

export const ${name} = ${JSON.stringify(value, null, 2)} as const satisfies ${type}
`
}

function recordsOf(file) {
  const document = parseDocument(readFileSync(join(RECORDS, file), 'utf8'))
  const [error] = document.errors
  if (error !== undefined) throw new Error(`src/rules/${file}: ${error.message}`)
  return document.toJS()
}
