import { expect, test } from 'vitest'
import { findTable, readTableExpr, tableBy, tableComment, tableExpr, type ValueTable } from './value-tables.ts'

const cluster = (env: string | undefined, region: string | undefined, value: string | undefined) => ({
  labels: new Map(
    Object.entries({ cluster: `${env}-${region}`, env, region }).flatMap(([key, text]) => (text ? [[key, text] as const] : [])),
  ),
  value,
})
const grid = (value: (env: string, region: string) => string | undefined) =>
  ['prod', 'staging'].flatMap((env) => ['eu', 'us', 'ap'].map((region) => cluster(env, region, value(env, region))))
const shown = (table: ValueTable | undefined) => table && tableComment(table)

test('a value that one label decides in all clusters becomes a table by this label', () => {
  expect(shown(findTable(grid((env) => (env === 'prod' ? '3' : '1'))))).toBe('# by env: prod: 3, staging: 1')
  expect(shown(findTable(grid((_env, region) => `${region}.example.com`)))).toBe(
    '# by region: ap: ap.example.com, eu: eu.example.com, us: us.example.com',
  )
})

test.each([
  ['a value that no label decides', grid((env, region) => `${env}-${region}`)],
  ['one value for all', grid(() => '1')],
  ['a cluster without a value', grid((env) => (env === 'prod' ? '3' : undefined))],
  ['a cluster without the label', [...grid((env) => env), cluster(undefined, undefined, '1')]],
  ['two clusters', [cluster('prod', 'eu', '3'), cluster('staging', 'eu', '1')]],
  ['a label that each cluster has another value of', ['dev', 'test', 'prod'].map((env) => cluster(env, undefined, env))],
  ['a value of two lines', grid((env) => `${env}\nx`)],
])('%s has no table', (_what, clusters) => {
  expect(findTable(clusters)).toBeUndefined()
})

test('of two labels that decide, the one with fewer values does', () => {
  const clusters = [cluster('dev', 'eu', '1'), cluster('test', 'eu', '1'), cluster('prod', 'us', '3'), cluster('prod', 'us', '3')]
  expect(shown(findTable(clusters))).toBe('# by region: eu: 1, us: 3')
})

test('a table that is made anew keeps its order and the entries that no cluster has', () => {
  const known = new Map([
    ['staging', '1'],
    ['qa', '2'],
    ['prod', '3'],
  ])
  const clusters = [...grid((env) => (env === 'prod' ? '5' : '1')), cluster('dev', 'eu', '0')]
  expect(shown(tableBy('env', clusters, known))).toBe('# by env: staging: 1, qa: 2, prod: 5, dev: 0')
})

test.each(['3', '', 'a, "b" \\ c: d', "it's", '["a","b"]'])(
  'the expression of a table with the value %s is read as it was written',
  (value) => {
    const table = { label: 'env', entries: new Map(Object.entries({ prod: value, staging: '1' })) }
    expect(readTableExpr(tableExpr(table))).toEqual(table)
  },
)

test.each([
  '{"prod": 3}[repository.labels["env"]]',
  '{"prod": "3"}["prod"]',
  "inputs.values.spec['web']['replicas']",
  '{x}[repository.labels["env"]]',
])('the expression %s is no table', (expr) => {
  expect(readTableExpr(expr)).toBeUndefined()
})

test('the comment of a table has quotes around values that would be misread', () => {
  expect(tableComment({ label: 'env', entries: new Map(Object.entries({ prod: 'a, b: c', staging: '' })) })).toBe(
    '# by env: prod: "a, b: c", staging: ""',
  )
})
