import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { editItems } from '../src/catalog/edit-items.ts'
import { evaluate, type KrmFunction } from '../src/run.ts'
import { namedRules } from './named-rules.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The texts of all files below a folder whose path passes. */
function textsBelow(folder: string, passes: (path: string) => boolean): string[] {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return paths.filter(passes).map((path) => readFileSync(join(ROOT, folder, path), 'utf8'))
}

/** Returns what the first group of a pattern matches, each once, in order. */
function idsIn(texts: readonly string[], pattern: RegExp): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, id]) => id ?? '')))].sort()
}

const isSource = (path: string): boolean => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('generated')
const source = ['src', 'functions', 'cli'].flatMap((folder) => textsBelow(folder, isSource))
const rows = [...readFileSync(join(ROOT, 'docs/rules.md'), 'utf8').matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, id]) => id ?? '')
const expectations = textsBelow('testdata', (path) => path.endsWith('/expected.yaml')).map((text) => text.split(/^results:\n/m)[1] ?? '')
const transcripts = textsBelow('testdata/cli', (path) => path.endsWith('stderr') || path.endsWith('stdout'))
const shown = [
  ...new Set([
    ...idsIn(expectations, /^ {4}rule: ([a-z0-9-]+)$/gm),
    ...idsIn(transcripts, /(?:(?:error|warning|info)|^hint): .*\[([a-z0-9-]+)\]$/gm),
  ]),
].sort()

test('docs/rules.md has each rule once, in order', () => {
  expect(rows).toEqual([...new Set(rows)].sort())
})

test('every rule that the source names, or a recorded result, has a row in docs/rules.md', () => {
  const named = namedRules(source)
  expect([...named, ...shown].filter((id) => !rows.includes(id))).toEqual([])
})

test('a rule counts as named wherever a function gets it', () => {
  const source = [
    'export function tolerated(rule: string, path: FieldPath): Fault {',
    "const GONE = 'constant-rule'\nfunction at(object: A, rule: Finding['rule'], f: (a: B) => C): D {\n return at(x(1, 2), isOld ? 'old-rule' : 'new-rule', y)",
    "return tolerated('argument-rule', ['a', 'b'])\nx({ rule: 'plain-rule', path })\ny({ rule: op === 'remove' ? 'one-rule' : 'two-rule' })\nz({ rule: GONE })",
  ]
  expect([...namedRules([...source, source.join('\n')])].sort()).toEqual(
    expect.arrayContaining(['argument-rule', 'constant-rule', 'new-rule', 'old-rule', 'one-rule', 'plain-rule', 'two-rule']),
  )
})

test('every row of docs/rules.md is a rule of the source', () => {
  expect(rows.filter((id) => !source.some((text) => text.includes(`'${id}'`)))).toEqual([])
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
const GUARDS: readonly { readonly rule: string; readonly fn: KrmFunction }[] = [
  { rule: 'empty-package', fn: (list) => list.items.forEach(list.remove, list) },
  { rule: 'field-path', fn: ({ items: [item] }) => item && Reflect.apply(item.set, item, ['spec.replicas', 3]) },
  { rule: 'output-size', fn: ({ items }) => editItems(items, (item) => item.set(['data', 'x'], 'x'.repeat(40_000_000))) },
  { rule: 'plain-json', fn: (list) => list.items[0]?.set(['data', 'share'], Number.NaN) },
]

// Rules of the merge, of trees and tags that only git can hold, and of what a second render finds: their own tests record the messages.
const messages = [
  ...idsIn(
    ['src/intake', 'src/merge', 'src/package', 'src/sync', 'cli', 'e2e'].flatMap((folder) =>
      textsBelow(folder, (path) => path.endsWith('.test.ts')),
    ),
    /(?:error|warning): .*\[([a-z0-9-]+)\]/g,
  ),
  // A change since a revision, as annotations of a code host show it.
  ...idsIn(
    textsBelow('cli/check', (path) => path.endsWith('.test.ts')),
    /::(?:error|warning) file=[^:]*,title=([a-z0-9-]+)::/g,
  ),
]

// A golden case of set-namespace shows the same rule of another guard.
const UPSERT_OF_TWINS: (typeof GUARDS)[number] = {
  rule: 'duplicate-object',
  fn: (list) => void list.upsert({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }, 'a.yaml'),
}

test('the message of every rule is recorded in a golden case or a transcript', () => {
  expect(rows.filter((id) => !shown.includes(id) && !messages.includes(id))).toEqual(GUARDS.map(({ rule }) => rule))
})

test.each([...GUARDS, UPSERT_OF_TWINS])('$rule keeps a function from doing harm', ({ rule, fn }) => {
  const { stdout, stderr, exitCode } = evaluate(fn, TWINS)
  expect(exitCode).toBe(1)
  expect(stderr).toContain(`[${rule}]`)
  expect(stdout.startsWith(TWINS)).toBe(true)
})
