import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { appendDocuments, assembleFile, layOutFile, textAsRead } from './assemble-file.ts'
import type { PackageFile } from './package.ts'
import { readPackageFile } from './read-package-file.ts'

function fileOf(text: string): PackageFile {
  const { file } = readPackageFile('a.yaml', Buffer.from(text))
  if (file === undefined) throw new Error('the file of a test must be read')
  return file
}

/** Returns a file without the objects of some kinds, and with other texts for the objects of others. */
function assembled(text: string, texts: Readonly<Record<string, string | undefined>>): string {
  return assembleFile(fileOf(text), (object) => (Object.hasOwn(texts, object.kind ?? '') ? texts[object.kind ?? ''] : object.toText()))
}

const GONE = { A: undefined }

test.each([
  ['nothing goes', '# l\n\nkind: A\n--- # b\nkind: B\n...\nrest\n', {}, '# l\n\nkind: A\n--- # b\nkind: B\n...\nrest\n'],
  ['the last goes, with its separator', 'kind: B\n--- # a\nkind: A\n', GONE, 'kind: B\n'],
  ['one between goes', 'kind: B\n---\nkind: A\n---\nkind: C\n', GONE, 'kind: B\n---\nkind: C\n'],
  ['the first goes', 'kind: A\n---\nkind: B\n', GONE, 'kind: B\n'],
  ['the first goes with its separator', '---\nkind: A\n---\nkind: B\n', GONE, '---\nkind: B\n'],
  ['the first goes, a licence stays', '# l\n# m\n\n \n# about a\nkind: A\n---\nkind: B\n', GONE, '# l\n# m\n\n \nkind: B\n'],
  ['the first goes, a comment of its own too', '# about a\nkind: A\n---\nkind: B\n', GONE, 'kind: B\n'],
  ['the first goes, the comment of the next separator stays', 'kind: A\n--- # b\nkind: B\n', GONE, '--- # b\nkind: B\n'],
  ['the first goes with a separator, the comment of the next stays', '---\nkind: A\n--- # b\nkind: B\n', GONE, '--- # b\nkind: B\n'],
  ['the first goes, both comments stay', '--- # a\nkind: A\n--- # b\nkind: B\n', GONE, '--- # a\n--- # b\nkind: B\n'],
  ['a byte order mark stays at the top', '\uFEFFkind: A\n---\nkind: B\n', GONE, '\uFEFFkind: B\n'],
  ['a byte order mark stays before the comment of a separator', '\uFEFFkind: A\n--- # b\nkind: B\n', GONE, '\uFEFF--- # b\nkind: B\n'],
  ['a byte order mark before a separator stays', '\uFEFF---\nkind: A\n--- # b\nkind: B\n', GONE, '\uFEFF--- # b\nkind: B\n'],
  ['a byte order mark of the next stays at the top', 'kind: A\n---\n\uFEFFkind: B\n', GONE, '\uFEFFkind: B\n'],
  ['a byte order mark of the next goes below a licence', '# l\n\nkind: A\n---\n\uFEFFkind: B\n', GONE, '# l\n\nkind: B\n'],
  ['a comment between fields is no licence', 'kind: A\n# c\n\na: 1\n---\nkind: B\n', GONE, 'kind: B\n'],
  ['a changed text stays if the first line alone ends otherwise', '\nkind: A\r\na: 1\r\n', { A: 'kind: A\na: 2\n' }, 'kind: A\na: 2\n'],
  ['all but the first of three go', 'kind: A\n---\nkind: B\n---\nkind: C\n', { B: undefined, C: undefined }, 'kind: A\n'],
  ['the first two of three go', 'kind: A\n---\nkind: B\n---\nkind: C\n', { A: undefined, B: undefined }, 'kind: C\n'],
  ['the only one goes', 'kind: A\n', GONE, ''],
  ['what is no object stays', '- a\n---\nkind: A\n---\n# c\n', GONE, '- a\n---\n# c\n'],
  ['a changed text is written', 'kind: A\na: 1\n---\nkind: B\n', { A: 'kind: A\na: 2\n' }, 'kind: A\na: 2\n---\nkind: B\n'],
  ['a changed text gets CRLF', 'kind: A\r\na: 1\r\n', { A: 'kind: A\na: 2\r\n' }, 'kind: A\r\na: 2\r\n'],
  ['a changed text of mixed line ends stays', 'kind: A\r\na: 1\n', { A: 'kind: A\na: 2\n' }, 'kind: A\na: 2\n'],
  ['a changed text of line feeds stays', 'kind: A\na: 1\n', { A: 'kind: A\r\na: 2\n' }, 'kind: A\r\na: 2\n'],
])('%s', (_what, text, texts, expected) => {
  expect(assembled(text, texts)).toBe(expected)
})

test('a file without documents is empty', () => {
  expect(assembleFile({ path: 'a.yaml', documents: [] }, () => '')).toBe('')
})

test('a file as it was read has every byte, also after edits', () => {
  const text = '\uFEFF# l\n--- # a\nkind: A\n...\nrest\n---\n- b\n'
  const file = fileOf(text)
  file.documents[1]?.object?.set(['kind'], 'Z')
  expect(textAsRead(file)).toBe(text)
})

test.each([
  ['', 'kind: A\n---\nkind: B\n'],
  ['kind: Z\n', 'kind: Z\n---\nkind: A\n---\nkind: B\n'],
  ['kind: Z', 'kind: Z\n---\nkind: A\n---\nkind: B\n'],
  ['kind: Z\r\na: 1', 'kind: Z\r\na: 1\r\n---\nkind: A\n---\nkind: B\n'],
  ['kind: Y\na: |\n  x\n---\nkind: Z\na: |\n  y', 'kind: Y\na: |\n  x\n---\nkind: Z\na: |-\n  y\n---\nkind: A\n---\nkind: B\n'],
])('objects that are appended to %j are documents of their own', (text, expected) => {
  const objects = ['A', 'B'].map((kind) => KrmObject.fromDocument(`kind: ${kind}\n`))
  expect(appendDocuments(text, objects)).toBe(expected)
  expect(appendDocuments(text, [])).toBe(text)
})

test('a JSON file stays one, and new documents before the first one are in front of its text', () => {
  const laidOut = (path: string, text: string, ...texts: readonly string[]) => {
    const { file: before } = readPackageFile(path, Buffer.from(text))
    const [known] = before?.documents.flatMap(({ object }) => object ?? []) ?? []
    const documents = texts.map((each) => ({
      source: each.includes('A') && known !== undefined ? known : KrmObject.fromDocument(each),
      text: each,
    }))
    return layOutFile(documents, { path, before })
  }
  expect(laidOut('a.json', '{"kind": "A"}\n', '{"kind": "A", b: c}\n')).toBe('{\n  "kind": "A",\n  "b": "c"\n}\n')
  expect(laidOut('a.yaml', '--- # a\nkind: A\n', 'kind: D\n', 'kind: E\n', 'kind: A\n')).toBe(
    '--- # a\nkind: D\n---\nkind: E\n---\nkind: A\n',
  )
})
