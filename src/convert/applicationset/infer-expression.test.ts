import { expect, test } from 'vitest'
import { type Example, inferExpression, mostFrequent } from './infer-expression.ts'

const example = (wanted: string, repository: string, packageName: string, labels: Readonly<Record<string, string>> = {}): Example => ({
  wanted,
  repository,
  packageName,
  labels,
})

test.each<[string, readonly Example[], string]>([
  ['one text for all', [example('web', 'dev', 'web'), example('web', 'prod', 'api')], "'web'"],
  [
    'variables and texts in a row',
    [example('dev-web', 'dev', 'web'), example('prod-api', 'prod', 'api')],
    "repository.name + '-' + packageDefault",
  ],
  [
    'a label that all have',
    [example('e1/web', 'dev', 'web', { env: 'e1' }), example('e2/web', 'prod', 'web', { env: 'e2' })],
    "repository.labels['env'] + '/web'",
  ],
  [
    'the last part of the package',
    [example('web', 'dev', 'apps/web'), example('api', 'dev', 'apps/api')],
    "{\n  'apps/api': 'api',\n  'apps/web': 'web'\n}[packageDefault]",
  ],
  [
    'another row for some packages',
    [example('dev', 'dev', 'web'), example('prod', 'prod', 'web'), example('core', 'dev', 'api'), example('core', 'prod', 'api')],
    "packageDefault in ['web'] ? repository.name\n: 'core'",
  ],
])('an expression gives every example its value: %s', (_, examples, expression) => {
  expect(inferExpression(examples)).toBe(expression)
})

test('a label that one example lacks is not used: the expression would fail there', () => {
  const examples = [example('e1', 'dev', 'web', { env: 'e1' }), example('', 'prod', 'web')]
  expect(inferExpression([...examples, example('e3', 'test', 'web', { env: 'e3' })])).not.toContain('labels')
})

test('values without a pattern are a table by repository and package, with quotes escaped', () => {
  const examples = [example("it's", 'dev', 'web'), example('other', 'prod', 'web')]
  expect(inferExpression(examples)).toBe("{\n  'dev/web': 'it\\'s',\n  'prod/web': 'other'\n}[repository.name + '/' + packageDefault]")
  expect(inferExpression([])).toBe("''")
})

test('of several values the most frequent is taken, of equally many the first', () => {
  expect(mostFrequent(['a', 'b', 'b'])).toBe('b')
  expect(mostFrequent(['b', 'a', 'a', 'b'])).toBe('b')
  expect(mostFrequent([])).toBeUndefined()
})

test.each<[string, readonly Example[], string]>([
  ['a text behind a variable', [example('dev.io', 'dev', 'web'), example('prod.io', 'prod', 'web')], "repository.name + '.io'"],
  [
    'labels in the order of their keys, after the name and the package',
    [example('1', 'dev', 'web', { b: '1', a: '1' }), example('2', 'prod', 'web', { b: '2', a: '2' })],
    "repository.labels['a']",
  ],
  [
    'packages that share a row',
    [
      example('dev', 'dev', 'web'),
      example('prod', 'prod', 'web'),
      example('dev', 'dev', 'dns'),
      example('prod', 'prod', 'dns'),
      example('x', 'dev', 'api'),
    ],
    "packageDefault in ['dns', 'web'] ? repository.name\n: 'x'",
  ],
  [
    'an empty text for some packages',
    [example('', 'dev', 'web'), example('', 'prod', 'web'), example('dev', 'dev', 'api'), example('prod', 'prod', 'api')],
    "packageDefault in ['web'] ? ''\n: repository.name",
  ],
  [
    'an empty text for the last packages',
    [example('dev', 'dev', 'api'), example('prod', 'prod', 'api'), example('', 'dev', 'web'), example('', 'prod', 'web')],
    "packageDefault in ['api'] ? repository.name\n: ''",
  ],
  ['an empty text for all', [example('', 'dev', 'web'), example('', 'prod', 'web')], "''"],
  ['a text with a backslash and a line break', [example('a\\b\nc', 'dev', 'web')], "'a\\\\b\\nc'"],
])('an expression gives every example its value, too: %s', (_, examples, expression) => {
  expect(inferExpression(examples)).toBe(expression)
})

test('at most four packages with rows of their own are a choice, more are a table', () => {
  const of = (count: number) =>
    inferExpression(
      Array.from({ length: count }, (_, at) => ['dev', 'prod'].map((name) => example(`x${at}${name}`, name, `p${at}`))).flat(),
    )
  expect(of(4).split('packageDefault in')).toHaveLength(4)
  expect(of(4)).toMatch(/\n: 'x3' \+ repository\.name$/)
  expect(of(5)).toMatch(/\[repository\.name \+ '\/' \+ packageDefault\]$/)
})

test('a value that only one example lacks is no variable of a row', () => {
  expect(inferExpression([example('dev', 'dev', 'web'), example('other', 'prod', 'web')])).toMatch(/^\{\n {2}'dev\/web': 'dev',/)
})
