import { expect, test } from 'vitest'
import type { Result } from '../../src/result.ts'
import { stylesFor } from '../print/styles.ts'
import { ringsJson, ringsText } from './rings-report.ts'
import type { RingView } from './rings-view.ts'

const PLAIN = stylesFor({ environment: {}, isTerminal: false }, {})
const CANARY: RingView = {
  matrix: 'm',
  namespace: 'n',
  upstream: 'catalog/app',
  ring: 'canary',
  revision: '2',
  packages: 3,
  there: 3,
  behind: [],
  missing: [],
}
const RENDERED = { edited: [], conflicts: [], failing: [] }
const FAILED: Result = { severity: 'error', message: 'failed', tags: { rule: 'required' } }
const linesOf = (...rings: readonly RingView[]) => ringsText({ rings, results: [] }, PLAIN).trimEnd().split('\n')

test('the rings of one upstream are a table whose numbers end below each other, with the place of the revision behind', () => {
  expect(linesOf(CANARY, { ...CANARY, ring: 'everything', packages: 1200, place: 'a.yaml:4' })).toEqual([
    'n/m: catalog/app',
    '  ring        revision  packages  there  behind  to create  edited  in conflict  failing',
    '  canary      2                3      3       0          0       -            -        -',
    '  everything  2             1200      3       0          0       -            -        -  a.yaml:4',
  ])
})

test('each upstream of each matrix has a table of its own', () => {
  const tables = ringsText(
    { rings: [CANARY, { ...CANARY, upstream: 'catalog/b' }, { ...CANARY, matrix: 'x' }, CANARY], results: [] },
    PLAIN,
  )
  expect(tables.split('\n').filter((line) => line.includes(': '))).toEqual(['n/m: catalog/app', 'n/m: catalog/b', 'n/x: catalog/app'])
})

test('packages that hold a ring up are named below the table, three of each kind', () => {
  const behind = ['a', 'b', 'c', 'd'].map((name) => ({ folder: `${name}/app`, locked: '1' }))
  const rendered = { ...RENDERED, edited: [{ folder: 'e/app', files: ['x.yaml'] }] }
  const lines = linesOf({ ...CANARY, behind, missing: ['m/app'], rendered })
  expect(lines[2]).toMatch(/ 3 {6}3 {7}4 {10}1 {7}1 {12}0 {8}0$/)
  expect(lines.slice(3)).toEqual([
    '  canary, behind: a/app (1), b/app (1), c/app (1) and 1 more',
    '  canary, to create: m/app',
    '  canary, edited: e/app',
  ])
})

test('the findings of three packages that fail or are in conflict are printed, and the number of the other packages', () => {
  const met = (...names: readonly string[]) => names.map((name) => ({ folder: `${name}/app`, results: [FAILED] }))
  const three = linesOf({ ...CANARY, rendered: { ...RENDERED, failing: met('a', 'b', 'c') } }).slice(3)
  expect(three).toEqual(['  canary, failing: a/app, b/app, c/app', ...Array(3).fill('    error: failed [required]')])
  const four = linesOf({ ...CANARY, rendered: { ...RENDERED, conflicts: met('a', 'b', 'c', 'd') } }).slice(3)
  expect(four.slice(1)).toEqual([...Array(3).fill('    error: failed [required]'), '    and 1 more package'])
  expect(four[0]).toBe('  canary, in conflict: a/app, b/app, c/app and 1 more')
})

test('for programs a ring has what a render finds only where its packages were rendered', () => {
  const shown = (ring: RingView) => JSON.parse(ringsJson({ rings: [ring], results: [] })).rings
  expect(shown(CANARY)).toEqual([CANARY])
  const conflicts = [{ folder: 'a/app', results: [FAILED] }]
  expect(shown({ ...CANARY, rendered: { ...RENDERED, conflicts } })).toEqual([{ ...CANARY, edited: [], conflicts, failing: [] }])
})
