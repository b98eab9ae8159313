import { expect, test } from 'vitest'
import { tooDeepAt } from './depth-place.ts'
import { positionAt } from './lines.ts'
import { YamlError } from './yaml-error.ts'
import { readYaml } from './yaml-reader.ts'

function faultPlace(text: string) {
  try {
    readYaml(text)
    return undefined
  } catch (error) {
    if (error instanceof YamlError) return { message: error.message, ...positionAt(text, error.offset) }
    throw error
  }
}

const MESSAGE = 'nested deeper than 100 levels'

test.each([
  { reason: 'brackets', text: `a: b\nc: ${'['.repeat(101)}${']'.repeat(101)}\n`, line: 2, column: 103 },
  { reason: 'so many brackets that the parser gives up', text: `a: b\nc: ${'['.repeat(20_000)}\n`, line: 2, column: 103 },
  { reason: 'dashes', text: `a: b\nc:\n  ${'- '.repeat(20_000)}x\n`, line: 3, column: 201 },
  { reason: 'maps', text: `a: b\n${Array.from({ length: 120 }, (_, n) => `${' '.repeat(n)}a:\n`).join('')}`, line: 102, column: 101 },
])('$reason nested too deep are reported where they become so', ({ text, line, column }) => {
  expect(faultPlace(text)).toEqual({ message: MESSAGE, line, column })
})

/** Returns maps in maps, each a column deeper. */
function stairs(levels: number): string {
  return Array.from({ length: levels }, (_, n) => `${' '.repeat(n)}a:\n`).join('')
}

test.each([
  { reason: 'the hundredth bracket in a map', text: `a: ${'['.repeat(100)}\n`, offset: 102 },
  { reason: 'braces too', text: `a: ${'{'.repeat(100)}\n`, offset: 102 },
  { reason: 'brackets on several lines', text: `a: [\n${'[\n'.repeat(99)}`, offset: 201 },
  { reason: 'brackets behind too many closing ones', text: `a: ]]]]]${'['.repeat(100)}\n`, offset: 107 },
  { reason: 'dashes', text: `${'- '.repeat(101)}x\n`, offset: 200 },
  { reason: 'question marks', text: `${'? '.repeat(101)}x\n`, offset: 200 },
  { reason: 'columns', text: stairs(101), offset: stairs(100).length + 100 },
])('a text is too deep from a place on: $reason', ({ text, offset }) => {
  expect(tooDeepAt(text)).toBe(offset)
})

test.each([
  { reason: 'nothing', text: '' },
  { reason: 'as many brackets as may be', text: `a: ${'['.repeat(99)}\n` },
  { reason: 'closed brackets', text: `a: ${'[]'.repeat(200)}\n` },
  { reason: 'brackets in a comment', text: `# ${'['.repeat(200)}\n` },
  { reason: 'maps in one column', text: 'a:\n'.repeat(200) },
  { reason: 'as many columns as may be', text: stairs(100) },
  { reason: 'columns that end', text: `${stairs(60)}${stairs(60)}` },
  { reason: 'dashes without spaces', text: `${'-'.repeat(300)}\n` },
])('no place where a text is too deep: $reason', ({ text }) => {
  expect(tooDeepAt(text)).toBe(0)
})
