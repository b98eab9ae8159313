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

/**
 * Returns the text of src/rules/generated/rule-families.ts: the records of every family as a constant, so that the compiler knows each id and
 * checks each record.
 *
 * @throws Error  if a file is not YAML, or has one key twice
 */
export function ruleFamilies() {
  const families = FAMILIES.map(
    (name) => `  // ${name}.yaml\n  ${JSON.stringify(familyOf(`${name}.yaml`), null, 2).replaceAll('\n', '\n  ')},\n`,
  )
  return `// Written by scripts/generate.mjs from the records of src/rules/*.yaml.
import type { RuleFamily } from '../rule-record.ts'

export const RULE_FAMILIES = [
${families.join('')}] as const satisfies readonly RuleFamily[]
`
}

function familyOf(file) {
  const document = parseDocument(readFileSync(join(RECORDS, file), 'utf8'))
  const [error] = document.errors
  if (error !== undefined) throw new Error(`src/rules/${file}: ${error.message}`)
  return document.toJS()
}
