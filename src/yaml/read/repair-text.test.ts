import { expect, test } from 'vitest'
import { REPAIRED_COLUMN, repairFlow, withLooseComments } from './repair-text.ts'
import { readYaml } from './yaml-reader.ts'

const INDENT = ' '.repeat(REPAIRED_COLUMN)

test('the brackets and commas that go-yaml writes at the beginning of a line are indented', () => {
  expect(repairFlow('a: [1\n, 2\n]\nb: {c: 1\n}\n').text).toBe(`a: [1\n${INDENT}, 2\n${INDENT}]\nb: {c: 1\n${INDENT}}\n`)
})

test('a text that begins with a bracket, and one without any at the beginning of a line, stay', () => {
  for (const text of ['[1\n]\n', 'a: [1]\n ]\n']) {
    const { text: repaired, origin } = repairFlow(text)
    expect([repaired, origin(3)]).toEqual([text, 3])
  }
})

test('a line of no flow collection stays, and the others have their offsets', () => {
  const { text, lines, origin } = repairFlow('a: [1\n]\nb: c\n}\n', [13])
  expect([text, lines]).toEqual([`a: [1\n${INDENT}]\nb: c\n}\n`, [6]])
  expect(origin(text.indexOf('}'))).toBe(13)
})

test('an offset in the repaired text is that of the same character in the original', () => {
  const original = 'a: [1\n, 2\n]\nb: 3\n'
  const { text, origin } = repairFlow(original)
  for (const character of ['a', '1', ',', '2', ']', 'b', '3'])
    expect([character, origin(text.indexOf(character))]).toEqual([character, original.indexOf(character)])
})

test('a text between quotes of either kind may go on with a bracket at the beginning of a line', () => {
  for (const quote of ["'", '"'])
    expect(readYaml(`a: ${quote}b\n} c${quote}\n`)).toMatchObject({ entries: [{ value: { type: 'scalar', text: 'b } c' } }] })
})

test.each([
  ['a comment below a key', 'a:\n  b:\n#c\n    d\n', 'a:\n  b:\n# \n    d\n'],
  ['an indented comment', 'a:\n  b:\n  #c\n    d\n', 'a:\n  b:\n  # \n    d\n'],
  ['two comments', 'a:\n#b\n#c\n  d\n', 'a:\n# \n# \n  d\n'],
  ['a comment with a blank', 'a:\n# c\n  d\n', 'a:\n# c\n  d\n'],
  ['a comment behind a value', 'a: b #c\n', 'a: b #c\n'],
  ['a line of a block of text', 'a: |\n  #c\nb: 1\n', 'a: |\n  #c\nb: 1\n'],
  ['a line between quotes', 'a: "b\n  #c"\n', 'a: "b\n  #c"\n'],
])('%s', (_, text, loose) => {
  expect(withLooseComments(text)).toBe(loose)
})
