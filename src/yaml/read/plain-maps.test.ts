import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { VALUES } from './builder.ts'
import { readFast } from './fast-reader.ts'
import { isOfPlainMaps } from './plain-maps.ts'

const PLAIN = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository # of a site
metadata: # kpt-merge: fleet/site-1
  name: site-1
  annotations:
    note: "it's 7: or # so"
    config.kubernetes.io/path: 'a/b.yaml'

# how it is read
spec:
  description: two words, and more (no more)
  git:
    repo: https://git.example.com/site-1.git
    branch:
  type: git
  branches:
  - main
  - 'next' # soon
  owners:
    - name: a
      mail: a@example.com
    - name: b
      of:
      - c
      - d: 1
  team: b`

test.each(['', '\n'])('an object of maps and short scalars is one, before the end %j', (end) => {
  expect(isOfPlainMaps(PLAIN + end)).toBe(true)
  expect(isOfPlainMaps(`- ${PLAIN.replaceAll('\n', '\n  ')}${end}`)).toBe(true)
})

test.each([
  ['a key that stands twice', 'a: 1\nb: 2\na: 3\n'],
  ['a key that stands twice below', 'a:\n  b: 1\n  c:\n    d: 1\n  b: 2\n'],
  ['a map below a scalar', 'a: 1\n  b: 2\n'],
  ['a column between two', 'a:\n    b: 1\n  c: 2\n'],
  ['a map in a line', 'a: b: c\n'],
  ['a word that ends in a colon', 'a: b:\n'],
  ['braces', 'a: {b: 1, b: 2}\n'],
  ['a key twice in an item', 'a:\n- b: 1\n  b: 2\n'],
  ['a list below a scalar', 'a: 1\n- b\n'],
  ['a list at the root', '- a\n'],
  ['a map behind a list', 'a:\n  - b\n  c: 1\n'],
  ['a map below an item', 'a:\n- b\n  c: 1\n'],
  ['a list of lists', 'a:\n- - b\n'],
  ['a list of lists on one line', 'a: [[b]]\n'],
  ['an open list', 'a: [b\n'],
  ['a list with an empty entry', 'a: [b, ]\n'],
  ['a list with an alias', 'a: [*b]\n'],
  ['a list with a map', 'a: [b: c]\n'],
  ['a list with more behind', 'a: [b]c\n'],
  ['a list with an escape', 'a: ["\\x"]\n'],
  ['a list on two lines', 'a: [b,\n  c]\n'],
  ['an item of nothing', 'a:\n-\n'],
  ['a carriage return in a comment', 'a: 1 # b\ra: 2\n'],
  ['no blank before a comment', "a: 'b'#c\n"],
  ['an escape', 'a: "\\x"\n'],
  ['a quote that is open', "a: 'b\n"],
  ['a tab', 'a:\tb\n'],
  ['an anchor', 'a: &b c\n'],
  ['a document end', 'a: b\n...\nc: d\n'],
])('%s is left to the readers', (_, text) => {
  expect(isOfPlainMaps(text)).toBe(false)
})

test.each([
  ['passed lines', 'a: [1\nb:\n  c: {\n', 'd: 1\n', true],
  ['a key twice behind them', 'a: 1\nb:\n  c: 1\n', 'd: 1\nd: 2\n', false],
  ['a passed key once more behind them', 'a: 1\n', 'd: 2\na: 2\n', false],
])('%s: only other lines are looked at', (_, passed, behind, expected) => {
  expect(isOfPlainMaps(passed + behind, { root: ['a', 'b'], end: passed.length })).toBe(expected)
  const item = `- ${passed.replaceAll(/\n(?=.)/g, '\n  ')}`
  expect(isOfPlainMaps(`${item}${behind.replaceAll(/^(?=.)/gm, '  ')}`, { root: ['a', 'b'], end: item.length })).toBe(expected)
})

const LINES = fc.array(
  fc.tuple(
    fc.constantFrom('', '  ', '    ', '- ', '  - ', '    - ', '-   '),
    fc.constantFrom('a:', 'b:', 'a.b/c-d:', "'a':", '#', '', 'a', '?', '<<:', 'a: b:'),
    fc.constantFrom(
      '',
      ' 1',
      ' a b',
      ' a #c',
      " 'a'",
      ' "a"',
      " 'a",
      ' "\\x"',
      ' |',
      ' [a',
      ' [a]',
      ' [a, "b: c"] # d',
      ' [a, ]',
      " ['a'b]",
      ' [a]b',
      ' {a: 1}',
      ' &x',
      ' *x',
      ' # c',
      '#c',
      ' a: b',
      ' -',
      ' a, b',
    ),
  ),
  { maxLength: 6 },
)

test('whatever is one the readers accept, with no key twice', () => {
  let seen = 0
  fc.assert(
    fc.property(LINES, (lines) => {
      const text = `a0: 1\nb0: 2\n${lines.map((parts) => `${parts.join('')}\n`).join('')}`
      expect(isOfPlainMaps(text, { root: ['a0'], end: 'a0: 1\n'.length })).toBe(isOfPlainMaps(text))
      if (!isOfPlainMaps(text)) return
      seen++
      expect(parseDocument(text, { uniqueKeys: true }).errors).toEqual([])
      expect(readFast(text, VALUES, { frame: 'document' })).toBeDefined()
    }),
    { seed: 1, numRuns: 20_000 },
  )
  expect(seen).toBeGreaterThan(500)
})
