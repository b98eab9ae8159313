import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { layOutFile } from './assemble-file.ts'
import { readPackageFile } from './read-package-file.ts'

const FILE = `# licence

# about a
kind: A
---
# between
--- # b
kind: B
...
---
kind: C
`

test.each([
  { file: 'kind: A\na: |\n  x', expected: 'kind: A\na: |-\n  x\n---\nkind: D\n' },
  {
    file: 'kind: A\na: |\n  x\n--- # b\nkind: B\na: |+\n  y',
    expected: 'kind: A\na: |\n  x\n--- # b\nkind: B\na: |-\n  y\n---\nkind: D\n',
  },
  { file: 'kind: A\r\na: |\r\n  x', expected: 'kind: A\r\na: |-\r\n  x\r\n---\r\nkind: D\r\n' },
])('a document behind a block scalar that ends $file gives it no line break', ({ file, expected }) => {
  expect(laidOut(file, (kinds) => [...kinds, 'D'])).toBe(expected)
})

function laidOut(file: string, change: (kinds: readonly string[]) => readonly string[]): string {
  const before = readPackageFile('a.yaml', Buffer.from(file)).file
  const objects = new Map(before?.documents.flatMap(({ object }) => (object === undefined ? [] : [[String(object.kind), object]])))
  const wanted = change([...objects.keys()]).map((kind) => {
    const source = objects.get(kind) ?? KrmObject.fromDocument(`kind: ${kind}\n`)
    return { source, text: source.toText() }
  })
  return layOutFile(wanted, { path: 'a.yaml', before })
}

test.each([
  { reason: 'nothing changed', kinds: ['A', 'B', 'C'], expected: FILE },
  { reason: 'a new one at the end', kinds: ['A', 'B', 'C', 'D'], expected: `${FILE}---\nkind: D\n` },
  {
    reason: 'a new one between',
    kinds: ['A', 'D', 'B', 'C'],
    expected: FILE.replace('kind: A\n', 'kind: A\n---\nkind: D\n'),
  },
  { reason: 'one that goes', kinds: ['A', 'C'], expected: FILE.replace('--- # b\nkind: B\n...\n', '') },
  {
    reason: 'the first goes, the licence stays',
    kinds: ['B', 'C'],
    expected: '# licence\n\n# between\n--- # b\nkind: B\n...\n---\nkind: C\n',
  },
  { reason: 'in another order', kinds: ['C', 'A'], expected: 'kind: C\n---\n# licence\n\n# about a\nkind: A\n' },
  { reason: 'all new', kinds: ['D', 'E'], expected: 'kind: D\n---\nkind: E\n' },
])('$reason', ({ kinds, expected }) => {
  expect(laidOut(FILE, () => kinds)).toBe(expected)
})

test('CRLF stays CRLF', () => {
  const before = readPackageFile('a.yaml', Buffer.from('kind: A\r\na: 1\r\n')).file
  const source = before?.documents[0]?.object
  expect(source && layOutFile([{ source, text: 'kind: A\r\na: 2\nb: 3\n' }], { path: 'a.yaml', before })).toBe(
    'kind: A\r\na: 2\r\nb: 3\r\n',
  )
})

test('a file that keeps its documents keeps its bytes', () => {
  const documents = fc.array(fc.constantFrom('kind: A\n', 'kind: B\nx: 1\n', '# c\n', '\n', 'kind: C\n...\n', '{kind: D}\n'), {
    maxLength: 5,
  })
  const separators = fc.constantFrom('---\n', '--- # s\n', '---\n\n')
  fc.assert(
    fc.property(documents, separators, fc.boolean(), (parts, separator, leading) => {
      const text = (leading ? separator : '') + parts.join(separator)
      const before = readPackageFile('a.yaml', Buffer.from(text)).file
      const objects = before?.documents.flatMap(({ object }) => object ?? []) ?? []
      fc.pre(objects.length > 0)
      expect(
        layOutFile(
          objects.map((source) => ({ source, text: source.toText() })),
          { path: 'a.yaml', before },
        ),
      ).toBe(text)
    }),
  )
})
