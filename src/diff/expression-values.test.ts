import { expect, test } from 'vitest'
import { ExpressionValues, expressionValues } from './expression-values.ts'
import { matrixFleet, matrixText, originOfPackage, webAt } from './testing/matrix-states.ts'

const HAM = new ExpressionValues([{ value: 'ham-01', shown: '${target.name}' }])

test.each([
  ['a whole text', 'ham-01', '${target.name}'],
  ['a word between other characters', 'tills-ham-01.example', 'tills-${target.name}.example'],
  ['every word', 'ham-01/ham-01', '${target.name}/${target.name}'],
  ['no part of a word before it', 'xham-01', 'xham-01'],
  ['no part of a word behind it', 'ham-012', 'ham-012'],
  ['no part of a word in another alphabet', 'ham-01ü', 'ham-01ü'],
  ['a word behind a part of a word', 'xham-01 ham-01', 'xham-01 ${target.name}'],
  ['a word before a part of a word', 'ham-01 ham-01x', '${target.name} ham-01x'],
  ['nothing of a text without the value', 'ber', 'ber'],
])('an expression stands for %s', (_, text, pattern) => {
  expect(HAM.patternOf(text)).toBe(pattern)
})

test('an earlier value is replaced first, and no value is found in the text of an expression', () => {
  const values = new ExpressionValues([
    { value: 'ham-01', shown: '${target.name}' },
    { value: 'ham', shown: '${site}' },
    { value: 'target', shown: '${other}' },
  ])
  expect(values.patternOf('ham-01 ham target')).toBe('${target.name} ${site} ${other}')
  expect(values.patternOf('a ham b ham-01')).toBe('a ${site} b ${target.name}')
})

test('a text of which nothing is replaced is unchanged, whatever its characters', () => {
  expect(HAM.patternOf('a\0b')).toBe('a\0b')
})

const MATRIX = matrixText(
  webAt(1),
  'template:',
  '  labels: {fixed: written}',
  '  labelExprs:',
  '  - {key: region, valueExpr: " target.labels.region "}',
  '  - {key: size, valueExpr: target.labels.size}',
  '  - {key: own, valueExpr: repository.name}',
  '  - {key: long, valueExpr: "target.name + \'-zone\'"}',
)

/** Returns a text in which the values of the variant of a Repository are replaced. */
const patternOf = (name: string, size: string, text: string) =>
  expressionValues(
    originOfPackage(matrixFleet(MATRIX, { [name]: ['status: open', 'region: north', `size: "${size}"`] }), `${name}/web`),
  ).patternOf(text)

test('the values of a variant are those of its expressions and the name of its target, the longer before the shorter', () => {
  expect(patternOf('ham', 'xl', 'north written')).toBe('${target.labels.region} written')
  expect(patternOf('ham', 'xl', 'xl ham-zone')).toBe("${target.labels.size} ${target.name + '-zone'}")
})

test('of two expressions that give one text the one of the template is shown, and a text of one character is too short', () => {
  expect(patternOf('ham', 'xl', 'ham')).toBe('${repository.name}')
  expect(patternOf('ham', 'x', 'x')).toBe('x')
  expect(patternOf('ham', 'ab', 'ab')).toBe('${target.labels.size}')
})

test('the expressions that give the same text in every variant are alike, and their texts are filled in', () => {
  const site = { value: 'ham', shown: '${site}' }
  const first = new ExpressionValues([{ value: 'ham-01', shown: '${target.name}' }, site, { value: 'xl', shown: '${size}' }])
  const second = new ExpressionValues([site, { value: 'xl', shown: '${other}' }, { value: 'xs', shown: '${size}' }])
  const alike = ExpressionValues.alike([first, second])
  expect(alike.patternOf('ham-01 ham xl')).toBe('${site}-01 ${site} xl')
  expect(ExpressionValues.alike([first, second, new ExpressionValues([])]).isEmpty).toBe(true)
  expect(ExpressionValues.alike([first]).patternOf('xl')).toBe('${size}')
  expect(first.filledIn('${target.name}/${site}/${site}/${other}')).toBe('ham-01/ham/ham/${other}')
})

test('a package without a set has no values', () => {
  expect([expressionValues(undefined).isEmpty, expressionValues(undefined).patternOf('web'), HAM.isEmpty]).toEqual([true, 'web', false])
})

test('the name of a target, and else the repository of a listed one, are values too', () => {
  const plain = originOfPackage(matrixFleet(matrixText(webAt(1)), { ham: ['status: open'] }), 'ham/web')
  expect(expressionValues(plain).patternOf('ham')).toBe('${target.name}')
  const listed = matrixText(webAt(1)).replace('repositorySelector: {matchLabels: {status: open}}', 'repositories: [{name: ham}]')
  const named = originOfPackage(matrixFleet(listed, { ham: ['status: open'] }), 'ham/web')
  expect(expressionValues(named).patternOf('ham')).toBe('${repository.name}')
})
