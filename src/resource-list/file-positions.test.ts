import { expect, test } from 'vitest'
import { YamlDocument } from '../yaml/document.ts'
import { documentSiblings, FilePositions } from './file-positions.ts'
import { KrmObject } from './krm-object.ts'
import { ResourceList } from './resource-list.ts'

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n'

interface Placed {
  readonly path?: string
  readonly index?: number
  readonly packagePath?: string
}

/** An item of four lines in its file, `kind` to `b`. */
function item({ path, index = 0, packagePath }: Placed): string {
  const wire = [
    ...(path === undefined ? [] : [`config.kubernetes.io/path: ${path}`, `config.kubernetes.io/index: '${index}'`]),
    ...(packagePath === undefined ? [] : [`internal.config.kubernetes.io/package-path: ${packagePath}`]),
  ]
  const annotations = wire.length === 0 ? '' : `    annotations:\n${wire.map((line) => `      ${line}\n`).join('')}`
  return `- kind: A\n  metadata:\n    name: a\n${annotations}  b: 1\n`
}

/** Returns the line of the field `b` of each item, of a list with these items. */
function lines(...items: readonly Placed[]): readonly (number | undefined)[] {
  return ResourceList.parse(`${HEAD}${items.map(item).join('')}`).items.map((each) => each.positionOf(['b']).line)
}

test.each([
  { reason: 'files of one object', items: [{ path: 'a.yaml' }, { path: 'b.yaml' }], expected: [4, 4] },
  {
    reason: 'two objects of a file, with a line between them',
    items: [{ path: 'a.yaml' }, { path: 'a.yaml', index: 1 }],
    expected: [4, 9],
  },
  {
    reason: 'the index decides, not the order of the list',
    items: [{ path: 'a.yaml', index: 2 }, { path: 'a.yaml' }, { path: 'a.yaml', index: 1 }],
    expected: [14, 4, 9],
  },
  {
    reason: 'files of one name in two packages',
    items: [
      { path: 'a.yaml', packagePath: '/p' },
      { path: 'a.yaml', index: 1, packagePath: '/q' },
    ],
    expected: [4, 4],
  },
  { reason: 'items without a file', items: [{}, {}], expected: [4, 4] },
  {
    reason: 'an item without a file between two of a file',
    items: [{ path: 'a.yaml' }, {}, { path: 'a.yaml', index: 1 }],
    expected: [4, 4, 9],
  },
])('the lines before an object in its file: $reason', ({ items, expected }) => {
  expect(lines(...items)).toEqual(expected)
})

test('the columns of an item are those of its file, and at least 1', () => {
  const [first] = ResourceList.parse(`${HEAD}  - kind: A\n    spec:\n      b: 1\n`).items
  expect(first?.positionOf(['spec', 'b'])).toEqual({ line: 3, column: 6 })
  expect(first?.keyPositionOf(['kind'])).toEqual({ line: 1, column: 1 })
  expect(first?.positionOf([])).toEqual({ line: 1, column: 1 })
})

test('the lines of annotations of the wire are hidden only behind them', () => {
  const text = '- kind: A\n  metadata:\n    name: a\n    annotations:\n      config.kubernetes.io/path: a.yaml\n      x: y\n  b: 1\n'
  const [first] = ResourceList.parse(`${HEAD}${text}`).items
  expect(first?.positionOf(['metadata', 'name']).line).toBe(3)
  expect(first?.positionOf(['metadata', 'annotations', 'x']).line).toBe(5)
  expect(first?.positionOf(['b']).line).toBe(6)
})

test('a functionConfig begins in the line below its key', () => {
  const { functionConfig } = ResourceList.parse(`${HEAD}- kind: A\nfunctionConfig:\n  kind: B\n  c: 1\n`)
  expect(functionConfig?.positionOf(['c'])).toEqual({ line: 2, column: 4 })
})

test('a document of a file begins at its line, and keeps its columns', () => {
  const object = KrmObject.fromDocument('kind: A\nspec:\n  b: 1\n', { path: 'a.yaml', index: 3, line: 11 })
  expect(object.positionOf(['spec', 'b'])).toEqual({ line: 13, column: 6 })
  expect(object.file).toEqual({ path: 'a.yaml', index: 3 })
  expect(KrmObject.fromDocument('kind: A\nspec: 1\n').positionOf(['spec'])).toEqual({ line: 2, column: 7 })
})

test('a draft of an item has the place of the item', () => {
  const list = ResourceList.parse(`${HEAD}${item({ path: 'a.yaml' })}${item({ path: 'a.yaml', index: 1 })}`)
  expect(list.items[1]?.draft().positionOf(['b'])).toEqual({ line: 9, column: 4 })
})

test('an unreadable document is reported with its file, at its line in the file', () => {
  const object = () => KrmObject.ofWholeDocument('kind: A\nb: [\n', { path: 'a.yaml', index: 0, line: 11 })
  expect(object).toThrow('a.yaml: expected YAML, found a fault: the list that begins with [ is not closed with ] (line 13, column 1)')
})

test('an unreadable item is reported at its line in the list', () => {
  const text = `${HEAD}- kind: A\n- kind: B\n  c: [\n`
  expect(() => ResourceList.parse(text)).toThrow('(line 7, column 1)')
})

test('documents that know their own lines have none before them', () => {
  const { linesBefore, linesAbove } = documentSiblings()
  const document = new YamlDocument('a: 1\n', new FilePositions('document'))
  expect([linesBefore(document), linesAbove(document)]).toEqual([0, 0])
})
