import { expect, test } from 'vitest'
import { evaluate } from '../run.ts'
import { ResourceList } from './resource-list.ts'

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n'
const ITEMS = 'items:\n- kind: A\n  metadata:\n    name: x\n- kind: B\n  metadata: {name: y}\n'

test.each([
  { reason: 'nothing', text: '', expected: 'expected a ResourceList, found nothing' },
  { reason: 'blanks only', text: ' \n\n', expected: 'expected a ResourceList, found nothing' },
  { reason: 'plain text', text: 'hello', expected: "expected a ResourceList, found 'hello' (line 1, column 1)" },
  { reason: 'a list', text: '- a\n', expected: 'expected a ResourceList, found a list (line 1, column 1)' },
  {
    reason: 'another kind',
    text: 'apiVersion: v1\nkind: List\nitems: []\n',
    expected: "expected `kind: ResourceList`, found 'List' (line 2, column 7)",
  },
  { reason: 'no kind', text: 'items: []\n', expected: 'expected `kind: ResourceList`, found no `kind` (line 1, column 1)' },
  {
    reason: 'another apiVersion',
    text: 'apiVersion: v2\nkind: ResourceList\n',
    expected: "expected `apiVersion: config.kubernetes.io/v1` (or v1beta1, v1alpha1), found 'v2' (line 1, column 13)",
  },
  {
    reason: 'carriage returns alone',
    text: `${HEAD}${ITEMS}`.replaceAll('\n', '\r'),
    expected: 'expected line feeds between lines, found a carriage return alone (line 1, column 37)',
  },
  {
    reason: 'a carriage return alone between items',
    text: `${HEAD}items:\n- kind: A\r- kind: B\n`,
    expected: 'expected line feeds between lines, found a carriage return alone (line 4, column 11)',
  },
  {
    reason: 'items that are no list',
    text: `${HEAD}items: {}\n`,
    expected: 'expected `items` to be a list, found a map (line 3, column 8)',
  },
  {
    reason: 'a functionConfig that is a text',
    text: `${HEAD}items: []\nfunctionConfig: maxDeletions=3\n`,
    expected: "expected `functionConfig` to be a map, found 'maxDeletions=3' (line 4, column 17)",
  },
  {
    reason: 'a functionConfig that is a list',
    text: `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","functionConfig":[]}`,
    expected: 'expected `functionConfig` to be a map, found a list (line 1, column 80)',
  },
  {
    reason: 'a functionConfig that is an item',
    text: `${HEAD}items:\n- &a {kind: A}\nfunctionConfig: *a\n`,
    expected: 'expected `functionConfig` to be a map, found an alias (line 5, column 17)',
  },
  {
    reason: 'a key twice',
    text: `${HEAD}items: []\nkind: ResourceList\n`,
    expected: 'expected `kind` once, found it twice (line 4, column 1)',
  },
  {
    reason: 'a key of nothing that is known',
    text: `${HEAD}spec: 1\n`,
    expected: 'expected only apiVersion, kind, metadata, items, functionConfig, results in a ResourceList, found `spec` (line 3, column 1)',
  },
  {
    reason: 'something between items and the first dash',
    text: `${HEAD}items:\n,\n- a: 1\n`,
    expected:
      "expected one YAML document with a ResourceList, found a fault: a value must not begin with ,; put quotes around it: ',' (line 4, column 1)",
  },
  { reason: 'a NUL byte', text: `${HEAD}items:\n- a: "\0"\n`, expected: 'expected YAML text, found a NUL byte (line 4, column 7)' },
  {
    reason: 'two documents',
    text: `${HEAD}items: []\n---\na: 1\n`,
    expected: 'expected one YAML document with a ResourceList, found a fault: a second document begins (line 4, column 1)',
  },
])('refused: $reason', ({ text, expected }) => {
  expect(evaluate(() => {}, text)).toEqual({ stdout: '', stderr: `${expected}\n`, exitCode: 1 })
})

test.each([
  { reason: 'in a quoted text', tail: '    name: "abc' },
  { reason: 'in a flow list below spec', tail: '    name: a\n  spec: {a: [1,\n' },
])('half a document is refused: it ends $reason', ({ tail }) => {
  const outcome = evaluate(() => {}, `${HEAD}items:\n- apiVersion: v1\n  kind: A\n  metadata:\n${tail}`)
  expect(outcome).toMatchObject({ stdout: '', exitCode: 1, stderr: expect.stringMatching(/found a fault: .* \(line \d+, column \d+\)\n$/) })
})

test('a fault in an item that a function reads is reported with its line in the list', () => {
  const item = (name: string, spec: string) => `- apiVersion: v1\n  kind: A\n  metadata:\n    name: ${name}\n  spec:\n    ${spec}\n`
  const text = `${HEAD}items:\n${item('a', 'b: c')}${item('d', 'e: f: g')}${item('h', 'i: j')}`
  const line = text.split('\n').findIndex((written) => written.includes('e: f: g')) + 1
  const outcome = evaluate((list) => {
    for (const each of list.items) each.get(['spec', 'e'])
  }, text)
  expect(outcome).toMatchObject({ stdout: '', exitCode: 1, stderr: expect.stringContaining(`(line ${line}, column 8)`) })
})

const LAYOUTS = [
  { reason: 'as kpt emits it', text: HEAD + ITEMS },
  { reason: 'a leading document marker', text: `---\n${HEAD}${ITEMS}` },
  { reason: 'no final line feed', text: (HEAD + ITEMS).slice(0, -1) },
  { reason: 'items indented', text: `${HEAD}items:\n  - kind: A\n    metadata:\n      name: x\n  - kind: B\n    metadata: {name: y}\n` },
  { reason: 'carriage returns', text: (HEAD + ITEMS).replaceAll('\n', '\r\n') },
  { reason: 'a byte order mark', text: `\ufeff${HEAD}${ITEMS}` },
  { reason: 'quoted root keys', text: `${HEAD}${ITEMS}`.replace('kind:', '"kind":') },
  { reason: 'items before the kind', text: `${ITEMS}${HEAD}` },
  { reason: 'flow items', text: `${HEAD}items: [{kind: A, metadata: {name: x}}, {kind: B, metadata: {name: y}}]\n` },
  {
    reason: 'JSON',
    text: JSON.stringify(
      {
        apiVersion: 'config.kubernetes.io/v1',
        kind: 'ResourceList',
        items: [
          { kind: 'A', metadata: { name: 'x' } },
          { kind: 'B', metadata: { name: 'y' } },
        ],
      },
      null,
      1,
    ),
  },
  {
    reason: 'anchors',
    text: `${HEAD}items:\n- &a\n  kind: A\n  metadata: &m\n    name: x\n- kind: B\n  metadata: {name: y}\n  copy: *m\n`,
  },
  {
    reason: 'comments everywhere',
    text: `# a\n${HEAD}# b\nitems: # c\n# d\n- # e\n  kind: A\n  metadata: # f\n    name: x # g\n# h\n- kind: B\n  metadata: {name: y} # i\n# j\n`,
  },
]

test.each(LAYOUTS)('every layout comes back byte for byte: $reason', ({ text }) => {
  const list = ResourceList.parse(text)
  expect(list.toString()).toBe(text)
  expect(list.items.map(({ kind, name }) => [kind, name])).toEqual([
    ['A', 'x'],
    ['B', 'y'],
  ])
})

test.each(LAYOUTS)('every layout can be edited, added to and read again: $reason', ({ text }) => {
  const list = ResourceList.parse(text)
  list.items[0]?.set(['spec'], { replicas: 2 })
  list.upsert({ apiVersion: 'v1', kind: 'C', metadata: { name: 'z' } }, 'z.yaml')
  const printed = list.toString([{ severity: 'info', message: 'm', tags: { rule: 'fan-out' } }])
  const again = ResourceList.parse(printed)
  expect(again.items.map(({ name }) => name)).toEqual(['x', 'y', 'z'])
  expect(again.items[0]?.get(['spec', 'replicas'])).toBe(2)
  expect(again.items[1]?.kind).toBe('B')
})

test('the keys of the wrapper keep their order, results too', () => {
  const text = `${HEAD}results:\n- message: old\n${ITEMS}`
  const printed = ResourceList.parse(text).toString([{ severity: 'info', message: 'new', tags: { rule: 'fan-out' } }])
  expect(printed).toBe(`${HEAD}results:\n- message: new\n  severity: info\n  tags:\n    rule: fan-out\n${ITEMS}`)
})

test('a new object goes to the package whose pipeline runs when no item is named', () => {
  const item = (path: string, folder: string) =>
    `- kind: A\n  metadata:\n    name: x\n    annotations:\n      internal.config.kubernetes.io/path: ${path}\n      internal.config.kubernetes.io/package-path: ${folder}\n`
  const list = ResourceList.parse(`${HEAD}items:\n${item('a.yaml', '/p/sub')}${item('a.yaml', '/p')}`)
  const added = list.upsert({ apiVersion: 'v1', kind: 'C', metadata: { name: 'z' } }, 'a.yaml')
  expect([added.packagePath, added.file]).toEqual(['/p', { path: 'a.yaml', index: 1 }])
})
