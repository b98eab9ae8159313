import { expect, test } from 'vitest'
import { CelError } from '../cel/cel-error.ts'
import { DYN, INT, mapOf, STRING } from '../cel/check/types.ts'
import { compileTyped } from '../cel/program.ts'
import { advise } from './advise.ts'

const TYPES = new Map([
  ['labels', mapOf(STRING, STRING)],
  ['name', STRING],
  ['count', INT],
  ['target', DYN],
])

/** Returns the hints for the faults of an expression: the text of each, or the name that it is about. */
function hintsOf(expression: string): readonly string[] {
  try {
    compileTyped(expression, TYPES, { advise })
  } catch (error) {
    if (error instanceof CelError) return error.hints.map((hint) => (hint.kind === 'advice' ? hint.text : `${hint.kind} ${hint.name}`))
  }
  throw new Error('must not compile')
}

test.each([
  [
    'a text after || is the default of the text before it',
    "labels.env == 'a' || labels.env || 'prod'",
    ['|| joins tests: compare, as in target.name == labels.env', "|| joins tests: compare, as in target.name == 'prod'"],
  ],
  [
    'a text before || has no default, since nothing stands before it',
    'labels.env || true',
    ['|| joins tests: compare, as in target.name == labels.env'],
  ],
  ['a number before || is compared', 'count || true', ['|| joins tests: compare, as in size(target.name) > 3']],
  ['a text after && is compared', "true && 'prod'", ["&& joins tests: compare, as in target.name == 'prod'"]],
  ['words with a dash are a text without quotes', 'us-east1', ['variable us-east1']],
  ['a field of a target with a dash is no text', 'target.labels.a-b', ["write a key with - or / in brackets: target.labels['a-b']"]],
  ['an address is a text without quotes', 'https://host:6443', ["a text needs quotes: 'https://host:6443'"]],
  [
    'the variable of an unknown macro is no mistake of its own',
    'target.any(x, x == 1)',
    ["'any' is not in Porch's standard library; the nearest is: exists(x, …) and all(x, …)"],
  ],
  [
    'another unknown name in an unknown macro is one',
    'target.any(x, y == 1)',
    ["'any' is not in Porch's standard library; the nearest is: exists(x, …) and all(x, …)", 'variable y'],
  ],
  ['a fault that is there twice has one hint', 'y + y', ['variable y']],
])('%s', (_rule, expression, hints) => {
  expect(hintsOf(expression)).toEqual(hints)
})
