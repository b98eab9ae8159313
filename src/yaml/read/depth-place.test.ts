import { expect, test } from 'vitest'
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
