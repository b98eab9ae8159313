import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onlyDocument, splitDocuments } from './split-documents.ts'

/** The documents that count, and where they begin. */
function documentsOf(file: string) {
  const { chunks, faults } = splitDocuments(file)
  expect(faults).toEqual([])
  return chunks.filter(({ isEmpty }) => !isEmpty).map(({ text, line }) => ({ text, line }))
}

// Each checked against `kpt fn source`, 1.0.0-beta.56.
test.each([
  { reason: 'one document without a separator', file: 'a: 1\n', expected: [{ text: 'a: 1\n', line: 1 }] },
  { reason: 'one without a final line feed', file: 'a: 1', expected: [{ text: 'a: 1', line: 1 }] },
  {
    reason: 'a separator may carry a comment',
    file: 'a: 1\n--- # two\nb: 2\n',
    expected: [
      { text: 'a: 1\n', line: 1 },
      { text: 'b: 2\n', line: 3 },
    ],
  },
  {
    reason: 'comments above a document are its own',
    file: '# lic\n\na: 1\n---\n# b\nb: 2\n',
    expected: [
      { text: '# lic\n\na: 1\n', line: 1 },
      { text: '# b\nb: 2\n', line: 5 },
    ],
  },
  {
    reason: 'comments alone, blank lines and null are no document',
    file: '# lic\n---\n\n---\nnull # x\n---\n~\n---\na: 1\n---\n',
    expected: [{ text: 'a: 1\n', line: 9 }],
  },
  { reason: 'a separator at the end needs no line feed', file: 'a: 1\n---', expected: [{ text: 'a: 1\n', line: 1 }] },
  { reason: 'an indented --- is text', file: 'a: |\n  ---\nb: 1\n', expected: [{ text: 'a: |\n  ---\nb: 1\n', line: 1 }] },
  {
    reason: 'nothing after ... is read',
    file: 'a: 1\n...\nb: 2\n---\nc: 3\n',
    expected: [
      { text: 'a: 1\n', line: 1 },
      { text: 'c: 3\n', line: 5 },
    ],
  },
  { reason: 'a document may begin beside its separator', file: '--- {a: 1}\n', expected: [{ text: '{a: 1}\n', line: 1 }] },
  {
    reason: 'CRLF stays',
    file: 'a: 1\r\n---\r\nb: 2\r\n',
    expected: [
      { text: 'a: 1\r\n', line: 1 },
      { text: 'b: 2\r\n', line: 3 },
    ],
  },
  {
    reason: 'a byte order mark is not part of the document',
    file: '\uFEFFa: 1\n---\n\uFEFFb: 2\n',
    expected: [
      { text: 'a: 1\n', line: 1 },
      { text: 'b: 2\n', line: 3 },
    ],
  },
  { reason: 'nor one before a separator', file: '\uFEFF---\na: 1\n', expected: [{ text: 'a: 1\n', line: 2 }] },
  { reason: 'an empty file holds nothing', file: '', expected: [] },
])('$reason', ({ file, expected }) => {
  expect(documentsOf(file)).toEqual(expected)
})

test.each(['a: 1\n---b\nc: 1\n', 'a: 1\n----\n', 'a: 1\n--- {b: 2}\n'])(
  'a line that only looks like a separator is a fault: %j',
  (file) => {
    expect(splitDocuments(file).faults).toEqual([{ line: 2, column: 1, text: file.split('\n')[1] }])
  },
)

test('the chunks of any file are the file', () => {
  const line = fc.constantFrom('---', '--- # c', '--- {a: 1}', '----', '...', '', '# c', 'a: 1', '~', '\uFEFF', '\uFEFF---', '\r', ' ---')
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\n'), (lines, lineEnd, last) => {
      const file = lines.join(lineEnd) + last
      const chunks = splitDocuments(file).chunks
      expect(chunks.map(({ separator, before, text, after }) => separator + before + text + after).join('')).toBe(file)
    }),
  )
})

test.each([
  ['one document', 'a: 1\n', { text: 'a: 1\n', line: 1 }],
  ['a header in a document of its own', '# licence\n---\na: 1\n', { text: 'a: 1\n', line: 3 }],
  ['a separator in the first line', '---\na: 1\n', { text: 'a: 1\n', line: 2 }],
  ['a comment behind the document', 'a: 1\n---\n# end\n', { text: 'a: 1\n', line: 1 }],
  ['two documents', 'a: 1\n---\nb: 2\n', { text: 'a: 1\n---\nb: 2\n', line: 1 }],
  ['comments alone', '# a\n---\n# b\n', { text: '# a\n---\n# b\n', line: 1 }],
])('the only document of a file with %s', (_what, file, expected) => {
  expect(onlyDocument(file)).toMatchObject(expected)
})
