import { expect, test } from 'vitest'
import { answerDoc, type FunctionDoc, waitingNote } from './function-doc.ts'

const DOC: FunctionDoc = {
  short: 'Turns a into b.',
  long: 'It has no options.',
  examples: 'kpt fn eval',
  image: 'ghcr.io/krm-variants/turn',
  description: 'a to b',
  tags: ['mutator'],
  sourceURL: '',
  examplePackageURLs: [],
  license: 'Apache-2.0',
  hidden: false,
}

test.each([
  { reason: 'kpt fn doc', args: ['--help'], expected: 'Turns a into b.\n\nIt has no options.\n\nExamples:\n\nkpt fn eval\n' },
  { reason: 'the help wins in any order', args: ['--doc', '--help'], expected: answerDoc(['--help'], DOC, '1.2.3') },
  { reason: 'the version', args: ['--version'], expected: '1.2.3\n' },
  { reason: 'nothing is asked for', args: [], expected: undefined },
  { reason: 'an orchestrator may pass arguments that mean nothing here', args: ['-x', 'help', '--docs'], expected: undefined },
])('$reason', ({ args, expected }) => {
  expect(answerDoc(args, DOC, '1.2.3')).toBe(expected)
})

test('--doc is JSON with every field, in the order of the Go SDK', () => {
  const answer = answerDoc(['--doc'], DOC, '1.2.3') ?? ''
  expect(JSON.parse(answer)).toEqual(DOC)
  expect(Object.keys(JSON.parse(answer))).toEqual(Object.keys(DOC))
})

test('a person at a terminal reads what the function waits for', () => {
  expect(waitingNote(DOC)).toMatch(/^turn waits for a ResourceList on stdin .*--help.*\n$/)
})
