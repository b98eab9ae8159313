import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { editItems } from '../src/catalog/edit-items.ts'
import { RULE_SEVERITIES } from '../src/dependencies/rule-severities.ts'
import { RULES } from '../src/rules/all-rules.ts'
import { RULE_FAMILIES } from '../src/rules/generated/rule-families.ts'
import type { RuleId } from '../src/rules/rule-id.ts'
import { evaluate, type KrmFunction } from '../src/run.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Returns the paths of all sources below a folder, without tests. */
function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('generated'))
    .map((path) => join(folder, path))
}

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

test('a rule has one record', () => {
  const ids = RULE_FAMILIES.flatMap(({ rules }) => Object.keys(rules))
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('no record names a rule that the code does not name', () => {
  const source = ['src', 'functions', 'cli'].flatMap(sourcesBelow).filter((path) => !path.startsWith('src/rules/'))
  const texts = source.map(textOf).join('\n')
  expect([...RULES.keys()].filter((id) => !texts.includes(`'${id}'`) && !texts.includes(`\n  ${id}: `))).toEqual([])
})

test('a rule that a source gives a finding has a record', () => {
  const source = ['src', 'functions', 'cli'].flatMap(sourcesBelow).filter((path) => !path.startsWith('src/rules/'))
  const given = source.flatMap((path) => Array.from(textOf(path).matchAll(GIVEN), ([, id = '']) => `${path}: ${id}`))
  expect(given.length).toBeGreaterThan(100)
  expect(given.filter((each) => !RULES.has(each.replace(/^.*: /, '')))).toEqual([])
})

/** Matches the id of a rule where a finding or fault is made. The compiler refuses unknown ids too; this test names them. */
const GIVEN = /\b(?:rule: |(?:tolerated|refusedField|fault|keyFault|packageFinding)\((?='[a-z]+-))'([a-z]+(?:-[a-z]+)*)'/g

test('sources below the tool import types of rules only, so that no function has their texts', () => {
  const loaded = (path: string) =>
    Array.from(textOf(path).matchAll(/^import (?!type ).*'(.*)'$/gm), ([, from = '']) => join(path, '..', from))
  const source = ['src', 'functions', 'page'].flatMap(sourcesBelow).filter((path) => !path.startsWith('src/rules/'))
  expect(source.filter((path) => loaded(path).some((from) => from.startsWith('src/rules/')))).toEqual([])
})

test('texts of rules end without a period, which the page writes', () => {
  const texts = [...RULES].flatMap(([id, rule]) => [rule.summary, rule.why, rule.toFix].map((text) => ({ id, text })))
  expect(texts.filter(({ text }) => text?.endsWith('.') && !text.endsWith('…'))).toEqual([])
})

test('the severity of a rule of dependencies, which users may change, is one of its record', () => {
  const others = [...RULE_SEVERITIES].filter(([id, severity]) => ![RULES.get(id)?.severity].flat().includes(severity))
  expect(others).toEqual([])
})

/** Returns the texts that a golden case, a transcript or a test file records. */
function recorded(place: string): readonly string[] {
  if (!existsSync(join(ROOT, place))) return []
  if (!statSync(join(ROOT, place)).isDirectory()) return [textOf(place)]
  return readdirSync(join(ROOT, place)).flatMap((file) =>
    ['expected.yaml', 'stdout', 'stderr'].includes(file) ? [textOf(join(place, file))] : [],
  )
}

test('the message of a rule is in the golden case, transcript or test that its record names', () => {
  const isShown = (id: string, text: string) =>
    text.includes(`[${id}]`) || text.includes(`\n    rule: ${id}\n`) || text.includes(`rule: '${id}'`) || text.includes(`title=${id}::`)
  expect(
    [...RULES.values()].filter(({ id, shownBy }) => shownBy !== undefined && !recorded(shownBy).some((text) => isShown(id, text))),
  ).toEqual([])
})

const TWINS = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a, annotations: {config.kubernetes.io/path: 'a.yaml'}}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a, annotations: {config.kubernetes.io/path: 'b.yaml'}}
`

// Guards of the core that no function runs into today: each with a function that would.
const GUARDS: readonly { readonly rule: RuleId; readonly fn: KrmFunction }[] = [
  { rule: 'empty-package', fn: (list) => list.items.forEach(list.remove, list) },
  { rule: 'field-path', fn: ({ items: [item] }) => item && Reflect.apply(item.set, item, ['spec.replicas', 3]) },
  { rule: 'output-size', fn: ({ items }) => editItems(items, (item) => item.set(['data', 'x'], 'x'.repeat(40_000_000))) },
  { rule: 'plain-json', fn: (list) => list.items[0]?.set(['data', 'share'], Number.NaN) },
]

// A golden case of set-namespace shows the same rule of another guard.
const UPSERT_OF_TWINS: (typeof GUARDS)[number] = {
  rule: 'duplicate-object',
  fn: (list) => void list.upsert({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }, 'a.yaml'),
}

test.each([...GUARDS, UPSERT_OF_TWINS])('$rule keeps a function from doing harm', ({ rule, fn }) => {
  const { stdout, stderr, exitCode } = evaluate(fn, TWINS)
  expect(exitCode).toBe(1)
  expect(stderr).toContain(`[${rule}]`)
  expect(stdout.startsWith(TWINS)).toBe(true)
})
