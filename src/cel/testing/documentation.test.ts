import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SCOPE, SCOPE_OF_REPO_EXPR } from '../../fleet/templates/template-programs.ts'
import { FUNCTION_NAMES } from '../check/declarations.ts'
import { MACRO_FORMS } from '../parse/macros.ts'
import { compile } from '../program.ts'
import { prepareVariables } from '../variables.ts'

const DOCUMENT = readFileSync(new URL('../../../docs/cel.md', import.meta.url), 'utf8')

/** The cells of the rows of a table, by its head. */
function rowsBelow(head: string): readonly (readonly string[])[] {
  const table = DOCUMENT.slice(DOCUMENT.indexOf(head)).split('\n\n')[0] ?? ''
  return table
    .split('\n')
    .slice(2)
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll('\\|', '|')))
}

function codeIn(cell: string): readonly string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code)
}

const EXAMPLES = rowsBelow('| what | example | gives |').map(([what = '', example = '', gives = '']) => ({ what, example, gives }))

// The target that the document shows.
const VARIABLES = prepareVariables(
  new Map(
    Object.entries({
      repoDefault: 'ber-01',
      packageDefault: 'shop',
      target: {
        name: 'ber-01',
        namespace: 'fleet',
        labels: { env: 'prod', region: 'eu', 'app.kubernetes.io/name': 'shop' },
        annotations: { opened: '2024-02-29T09:30:00Z', tills: '12' },
      },
    }),
  ),
)

test.each(EXAMPLES)('$what: $example', ({ example, gives }) => {
  const [expression = ''] = codeIn(example)
  expect(compile(expression, SCOPE).evaluate(VARIABLES)).toBe(gives)
})

test('every function and macro has an example that calls it', () => {
  const examples = EXAMPLES.map(({ example }) => example).join('\n')
  const without = [...FUNCTION_NAMES, ...MACRO_FORMS.keys()].filter((name) => !new RegExp(`\\b${name}\\(`).test(examples))
  expect(without).toEqual([])
})

test('the variables of each place are those that its expressions are compiled with', () => {
  const places = rowsBelow('| in `spec.targets[].template` | variables |')
  expect(places.length).toBeGreaterThan(5)
  for (const [place = '', variables = ''] of places) {
    expect(codeIn(variables), place).toEqual(place === '`downstream.repoExpr`' ? SCOPE_OF_REPO_EXPR : SCOPE)
  }
})
