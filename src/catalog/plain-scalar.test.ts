import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { documentOf, printedScalar, writeScalar } from './plain-scalar.ts'

/** Returns the line of a field that gets a text in place of a value of this style. */
function written(style: 'plain' | 'single' | 'double', value: string): string {
  const item = writtenObject('kind: A\nfield: old # note\n')
  writeScalar(item, ['field'], { style, text: 'old' }, value)
  return item.toText().split('\n').slice(1, -1).join('\n')
}

test.each([
  ['!!str 80', '"90"'],
  ['!!str "80"', '"90"'],
  ['!local 80', '"90"'],
  ['!!int "80"', '90'],
  ['!!float 80', '90'],
])('in place of %s, 90 is written as %s', (old, expected) => {
  const item = writtenObject(`kind: A\nfield: ${old}\n`)
  const [scalar] = item.scalars(['field'])
  writeScalar(item, ['field'], scalar, '90')
  expect(item.toText()).toBe(`kind: A\nfield: ${expected}\n`)
})

test.each([
  ['a number where the type was open', 'plain', '5', 'field: 5 # note'],
  ['a text in quotes stays a text', 'double', '5', 'field: "5" # note'],
  ['a number keeps its spelling', 'plain', '0644', 'field: 0644 # note'],
  ['a word', 'plain', 'web', 'field: web # note'],
  ['a text that YAML reads as a map', 'plain', 'a: b', "field: 'a: b' # note"],
  ['a text that YAML reads as a list', 'plain', '[a]', "field: '[a]' # note"],
  ['a text that ends at a comment', 'plain', 'a #b', "field: 'a #b' # note"],
  ['an empty text', 'plain', '', 'field: "" # note'],
] as const)('%s', (_, style, value, line) => {
  expect(written(style, value).replaceAll('"', "'")).toBe(line.replaceAll('"', "'"))
})

test('one value after another is written as each of them is spelled', () => {
  expect(['5', 'a: b', '5', 'web'].map((value) => written('plain', value).replaceAll('"', "'"))).toEqual([
    'field: 5 # note',
    "field: 'a: b' # note",
    'field: 5 # note',
    'field: web # note',
  ])
})

test('a text that is no YAML has no document', () => {
  expect(documentOf('{')).toBeUndefined()
  expect(documentOf('a\nb')?.get(['value'])).toBe('a b')
})

// As go-yaml prints a node alone.
test.each([
  ['plain', 'web', '', 'web'],
  ['plain', 'web', '# note', 'web # note'],
  ['plain', '', '', ''],
  ['plain', '', '# note', '# note'],
  ['plain', 'a: b', '# note', "'a: b' # note"],
  ['plain', "it's: x", '', "'it''s: x'"],
  ['plain', 'a: b\nc', '', '|-\n  a: b\n  c'],
  ['single', "it's", '', "'it''s'"],
  ['double', 'a"b', '# note', '"a\\"b" # note'],
  ['literal', 'a\nb\n', '# note', '| # note\n  a\n  b'],
  ['literal', 'a\n\nb', '', '|-\n  a\n\n  b'],
  ['folded', 'a\n\n', '', '>+\n  a'],
] as const)('a %s value %j with the comment %j is printed', (style, text, comment, printed) => {
  expect(printedScalar(style, text, comment)).toBe(printed)
})
