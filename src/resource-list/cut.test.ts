import { expect, test } from 'vitest'
import { cutList } from './cut.ts'

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n'

test('a list in the layout of kpt is cut into its keys and items, which are the whole text together', () => {
  const text = `# head\n${HEAD}items:\n- a: 1\n  b: 2\n# of the next\n- c: 3\nfunctionConfig:\n  d: 4\n`
  expect(cutList(text)).toEqual({
    pieces: [
      { key: '', text: '# head\n' },
      { key: 'apiVersion', text: 'apiVersion: config.kubernetes.io/v1\n' },
      { key: 'kind', text: 'kind: ResourceList\n' },
      { key: 'items', text: 'items:\n' },
      { key: 'functionConfig', text: 'functionConfig:\n  d: 4\n' },
    ],
    slices: ['- a: 1\n  b: 2\n# of the next\n', '- c: 3\n'],
    column: 0,
    bareItems: false,
    bareRoot: false,
  })
})

test.each([
  {
    reason: 'dashes deeper than the key',
    text: 'items:\n  - a: 1\n    b: 2\n  - c\n',
    slices: ['  - a: 1\n    b: 2\n', '  - c\n'],
    column: 2,
  },
  { reason: 'comments and blank lines before the first item', text: 'items: # all\n\n# one\n- a\n', slices: undefined },
  { reason: 'blank lines and comments before the first item', text: 'items:\n\n# one\n- a\n', slices: ['- a\n'], column: 0 },
  { reason: 'a dash with the value below', text: 'items:\n-\n  a: 1\n- b\n', slices: ['-\n  a: 1\n', '- b\n'], column: 0 },
  { reason: 'a dash at the end of the text', text: 'items:\n- a\n-', slices: ['- a\n', '-'], column: 0 },
  { reason: 'line breaks of Windows', text: 'items:\r\n-\r\n  a: 1\r\n- b\r\n', slices: ['-\r\n  a: 1\r\n', '- b\r\n'], column: 0 },
  { reason: 'an empty list', text: 'items: []\n', slices: [], column: 0 },
  { reason: 'an empty list at the end of the text', text: 'items: []', slices: [], column: 0 },
  { reason: 'an empty list beside a key', text: 'items: []\nresults:\n- a\n', slices: [], column: 0 },
  { reason: 'results have no items', text: 'items:\n- a\nresults:\n- b\n- c\n', slices: ['- a\n'], column: 0 },
  { reason: 'results before the items', text: 'results:\n- b\nitems:\n- a\n', slices: ['- a\n'], column: 0 },
  { reason: 'a flow value over several lines', text: 'items:\n- a: {\nb: c\n}\n', slices: undefined },
  {
    reason: 'a flow value whose lines begin with its signs',
    text: 'items:\n- {a: 1\n,b: 2\n}\n- c\n',
    slices: ['- {a: 1\n,b: 2\n}\n', '- c\n'],
    column: 0,
  },
  {
    reason: 'a text with a dash at the beginning of a deeper line',
    text: 'items:\n- a: |\n    - b\n- c\n',
    slices: ['- a: |\n    - b\n', '- c\n'],
    column: 0,
  },
  { reason: 'a start of a document', text: '---\nitems:\n- a\n', slices: ['- a\n'], column: 0 },
  { reason: 'a byte order mark', text: '\ufeff---\r\nitems:\n- a\n', slices: ['- a\n'], column: 0 },
  { reason: 'no items', text: 'kind: A\n', slices: [], column: 0 },
  { reason: 'nothing', text: '', slices: [], column: 0 },
])('cut: $reason', ({ text, slices, column }) => {
  const cut = cutList(text)
  expect(cut?.slices).toEqual(slices)
  expect(cut?.column).toBe(column)
  if (cut !== undefined) expect(joinedText(cut)).toBe(text)
})

/** Returns the pieces and slices of a cut, joined in their order. */
function joinedText({ pieces, slices }: NonNullable<ReturnType<typeof cutList>>): string {
  return pieces.map(({ key, text }) => `${text}${key === 'items' ? slices.join('') : ''}`).join('')
}

test.each([
  { reason: 'a directive', text: '%YAML 1.2\n---\nitems:\n- a\n' },
  { reason: 'an unknown key', text: 'items:\n- a\nother: b\n' },
  { reason: 'a key twice', text: 'kind: A\nkind: B\n' },
  { reason: 'a key in quotes', text: '"items":\n- a\n' },
  { reason: 'a key without a space behind its colon', text: 'items:a\n' },
  { reason: 'an indented line before the first key', text: '  a: 1\nkind: A\n' },
  { reason: 'an item without a list', text: '- a\n' },
  { reason: 'a dash below a key without a list', text: 'kind:\n- a\n' },
  { reason: 'no list below the key', text: 'items:\nkind: A\n' },
  { reason: 'an empty list with items', text: 'items: []\n- a\n' },
  { reason: 'a list in brackets', text: 'items: [a]\n' },
  { reason: 'an anchor behind the key', text: 'items: &a\n- b\n' },
  { reason: 'a line between two columns', text: 'items:\n    - a\n  b: c\n' },
  { reason: 'a text at the column of the dashes', text: 'items:\n  - a\n  b\n' },
  { reason: 'a dash without a space', text: 'items:\n  - a\n  -b\n' },
  { reason: 'a first line that is no dash', text: 'items:\n  a: b\n' },
  { reason: 'a second document', text: 'items:\n- a\n---\nkind: B\n' },
  { reason: 'an odd line break', text: 'items:\r- a\n' },
])('left to the parser: $reason', ({ text }) => {
  expect(cutList(text)).toBeUndefined()
})
