import { expect, test } from 'vitest'
import { formatResult } from '../result.ts'
import { documentText, readVendorObjects } from './vendor-objects.ts'

function read(text: string, ...others: readonly string[]) {
  return readVendorObjects([text, ...others].map((each, at) => ({ name: `${at}.yaml`, bytes: Buffer.from(each) })))
}

const service = (name: string, more = '') => `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\n${more}`

/** Returns the documents of a text, which must have no faults. */
function documents(text: string, ...others: readonly string[]): readonly string[] {
  const { objects, results } = read(text, ...others)
  expect(results.map(formatResult)).toEqual([])
  return objects.map(documentText)
}

test.each([
  { reason: 'a last line without a line break gets one', text: service('a').trimEnd(), expected: [service('a')] },
  {
    reason: 'a template that made no object leaves no comment',
    text: `---\n# Source: a\n---\n# Source: b\n${service('b')}`,
    expected: [`# Source: b\n${service('b')}`],
  },
  {
    reason: 'the template of a document that begins anew',
    text: `---\n# Source: a\n---\n${service('a')}`,
    expected: [`# Source: a\n${service('a')}`],
  },
  {
    reason: 'a template is that of the next object only',
    text: `---\n# Source: a\n---\n${service('a')}---\n${service('b')}`,
    expected: [`# Source: a\n${service('a')}`, service('b')],
  },
  {
    reason: 'comments of empty documents come together, each once',
    text: `# one\n---\n# two\n---\n${service('a')}---\n${service('b')}`,
    expected: [`# one\n# two\n${service('a')}`, service('b')],
  },
  { reason: 'the comment of a separator', text: `--- # one\n${service('a')}`, expected: [`# one\n${service('a')}`] },
  {
    reason: 'a map in braces is written in lines',
    text: '{apiVersion: v1, kind: Service, metadata: {name: a}}',
    expected: [service('a')],
  },
  {
    reason: 'the entries of a List with their comments, the first with those above the List',
    text: `# all\n---\napiVersion: v1\nkind: List\nitems:\n# one\n- apiVersion: v1\n  kind: Service\n  metadata:\n    name: a # kept\n# two\n- {apiVersion: v1, kind: Service, metadata: {name: b}} # behind\n`,
    expected: [`# all\n# one\n${service('a').replace('name: a', 'name: a # kept')}`, `# two\n${service('b')}`],
  },
  {
    reason: 'the entries of a List of one template each name it, and the first has the comments of the List',
    text: `---\n# Source: a\n# all\napiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Service\n  metadata:\n    name: a\n- apiVersion: v1\n  kind: Service\n  metadata:\n    name: b\n`,
    expected: [`# Source: a\n# all\n${service('a')}`, `# Source: a\n${service('b')}`],
  },
  {
    reason: 'a comment deeper than the dash above belongs to the entry of the dash, also to the last one',
    text: `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Service\n  metadata:\n    name: a\n    # of a\n\n # too\n# of b\n-\n  # b\n  apiVersion: v1\n  kind: Service\n  metadata:\n    name: b\n  # last\nmetadata: {}\n`,
    expected: [service('a', '  # of a\n# too\n'), `# of b\n# b\n${service('b', '# last\n')}`],
  },
  {
    reason: 'an entry of a List keeps its comments and the blank lines at its end that a text keeps',
    text: `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Service\n  metadata:\n    name: a # kept\n  spec:\n    note: |+ # too\n      one\n\n\n- apiVersion: v1\n  kind: Service\n  metadata:\n    name: b\n`,
    expected: [service('a # kept', 'spec:\n  note: |+ # too\n    one\n\n\n'), service('b')],
  },
  { reason: 'an empty text', text: '', expected: [] },
])('documents of a text: $reason', ({ text, expected }) => {
  expect(documents(text)).toEqual(expected)
})

test('a block scalar at the end of a document has its final line break in the object, as in the text', () => {
  const { objects } = read(`${service('a', 'spec:\n  note: |\n    one\n')}---\n${service('b', 'spec:\n  note: |\n    two\n')}`)
  expect(objects.map(({ object }) => object.get(['spec', 'note']))).toEqual(['one\n', 'two\n'])
})

test('objects of several texts are in their order, and one that repeats counts once', () => {
  expect(documents(service('b'), service('a'), `{apiVersion: v1, kind: Service, metadata: {name: b}}`)).toEqual([
    service('b'),
    service('a'),
  ])
})

test.each([
  {
    reason: 'an object that repeats with other fields, also of another version',
    text: `${service('a')}---\n${service('a', 'spec: {}\n')}`,
    expected: ['0.yaml:6:1: error: must occur once: Service a is also at 0.yaml:1, with other fields [import-source]'],
  },
  {
    reason: 'a map without any part of an identity',
    text: 'a: 1\nb: 2\n',
    expected: ["0.yaml:1:1: error: must hold objects alone, got 'a: 1' [import-source]"],
  },
  {
    reason: 'a text below comments, cut after forty characters',
    text: `# one\n\n${'x'.repeat(41)}\n`,
    expected: [`0.yaml:3:1: error: must hold objects alone, got '${'x'.repeat(40)}' [import-source]`],
  },
  { reason: 'a list', text: '- a\n', expected: ["0.yaml:1:1: error: must hold objects alone, got '- a' [import-source]"] },
  {
    reason: 'the first field that an object lacks',
    text: 'kind: Service\nmetadata: {}\n',
    expected: ['0.yaml:1:1: error: `apiVersion` must be set, so that the object can be found again in the next revision [import-source]'],
  },
  {
    reason: 'an empty kind',
    text: 'apiVersion: v1\nkind: ""\nmetadata: {name: a}\n',
    expected: ['0.yaml:2:7: error: `kind` must be set, so that the object can be found again in the next revision [import-source]'],
  },
  {
    reason: 'a name, at its map',
    text: 'apiVersion: v1\nkind: Service\nmetadata: {}\n',
    expected: [
      '0.yaml:3:1: error: `metadata.name` must be set, so that the object can be found again in the next revision [import-source]',
    ],
  },
  {
    reason: 'an entry of a List without a name',
    text: 'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Service\n',
    expected: ['error: `metadata.name` must be set, so that the object can be found again in the next revision [import-source]'],
  },
])('faults at their place: $reason', ({ text, expected }) => {
  const found = read(text).results.map(formatResult)
  expect(found).toHaveLength(expected.length)
  for (const [at, line] of expected.entries()) expect(found[at]?.endsWith(line)).toBe(true)
})

test('bytes that are no UTF-8 are an error of their file, and the others are read', () => {
  const { objects, results } = readVendorObjects([
    { name: 'a.bin', bytes: Uint8Array.of(0xff, 0xfe, 0xff) },
    { name: 'b.yaml', bytes: Buffer.from(service('b')) },
  ])
  expect(results.map(formatResult)).toEqual(['a.bin:1:1: error: must be YAML in UTF-8, is binary or has another encoding [import-source]'])
  expect(objects.map(({ object }) => object.name)).toEqual(['b'])
})
