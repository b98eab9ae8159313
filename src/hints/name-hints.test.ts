import { expect, test } from 'vitest'
import type { Hint } from '../cel/advisor.ts'
import { CelError } from '../cel/cel-error.ts'
import { compile, compileExtendedCondition, type Scope } from '../cel/program.ts'
import { advise } from './advise.ts'
import { textHint } from './name-hints.ts'

const ALL = ['repoDefault', 'packageDefault', 'upstream', 'target', 'repository']

function hintsOf(compiled: () => unknown): readonly Hint[] {
  try {
    compiled()
  } catch (error) {
    if (error instanceof CelError) return error.hints
    throw error
  }
  throw new Error('must not compile')
}

/** Returns the hints for an expression: an advice as its text, a name with what else it may be. */
function hints(expression: string, scope: Scope = ALL): readonly string[] {
  return hintsOf(() => compile(expression, scope, { advise })).map(textOf)
}

function textOf(hint: Hint): string {
  if (hint.kind === 'advice') return hint.text
  return `${hint.kind} ${hint.name}${hint.kind === 'variable' ? `: ${hint.otherwise}` : ''}`
}

test.each([
  { name: 'replaceAll', closest: "a choice, x == 'a' ? 'b' : x" },
  { name: 'upperAscii', closest: 'matches(…), which takes any case with (?i) before the pattern' },
  { name: 'split', closest: 'matches(…); a part that is wanted alone needs a label of its own' },
  { name: 'hasPrefix', closest: 'startsWith(…), endsWith(…) and contains(…)' },
  { name: 'concat', closest: "+, as in a + '-' + string(n)" },
  { name: 'len', closest: 'size(…)' },
  { name: 'toString', closest: 'string(…)' },
  { name: 'parseInt', closest: 'int(…)' },
  { name: 'coalesce', closest: "has(a.b) ? a.b : 'none'" },
  { name: 'existsOne', closest: 'exists_one(x, …)' },
  { name: 'flatten', closest: 'map(x, …) and filter(x, …)' },
  { name: 'any', closest: 'exists(x, …) and all(x, …)' },
  { name: 'max', closest: 'a comparison with ? :' },
  { name: 'keys', closest: 'key in target.labels' },
  { name: 'first', closest: '[0] takes the first element' },
  { name: 'now', closest: "timestamp('2026-01-31T00:00:00Z')" },
])('the function $name of another language has a nearest choice', ({ name, closest }) => {
  expect(hints(`${name}(target.name)`)).toEqual([`'${name}' is not in Porch's standard library; the nearest is: ${closest}`])
  expect(hints(`target.name.${name}('a')`)).toEqual([`'${name}' is not in Porch's standard library; the nearest is: ${closest}`])
})

test('a function that no language has is a name, and one that is too long is nothing', () => {
  expect(hints('startWith(target.name)')).toEqual(['function startWith'])
  expect(hints(`${'f'.repeat(63)}(target.name)`)).toEqual([`function ${'f'.repeat(63)}`])
  expect(hints(`${'f'.repeat(64)}(target.name)`)).toEqual([])
})

test.each(['math.greatest(1, 2)', 'sets.contains([1], [1])', 'base64.encode(b"a")', 'optional.of(1)'])(
  '%s is of a library that Porch lacks',
  (expression) => {
    expect(hints(expression)).toContain(`the functions of '${expression.split('.')[0]}' are not in Porch's standard library`)
  },
)

test('the name of a library alone is a text', () => {
  expect(hints('math')).toEqual(["variable math: a text needs quotes: 'math'"])
})

test.each([
  { expression: 'edge', expected: "variable edge: a text needs quotes: 'edge'" },
  { expression: 'cluster.spec', expected: 'variable cluster: undefined' },
  { expression: "cluster['a']", expected: 'variable cluster: undefined' },
  { expression: "target.labels[cluster] + 'a'", expected: "a key is a text and needs quotes: target.labels['cluster']" },
  { expression: 'name', expected: 'variable name: it is a field of an object: target.name, repository.name, upstream.name' },
  {
    expression: 'labels.region',
    expected: 'variable labels: it is a field of an object: target.labels, repository.labels, upstream.labels',
  },
  { expression: 'cluster.name', expected: "variable cluster: the object that a target matches is 'target': target.name" },
  { expression: 'cluster.labels.region', expected: "variable cluster: the object that a target matches is 'target': target.labels.region" },
  { expression: 'cluster.labels', expected: "variable cluster: the object that a target matches is 'target': target.labels" },
  { expression: 'cluster.name.x', expected: "variable cluster: the object that a target matches is 'target': target.name" },
  {
    expression: 'inputs.a',
    expected: 'variable inputs: spec.inputs of a PackageVariantMatrix names the objects that expressions read, and it names none',
  },
])('the unknown variable of $expression', ({ expression, expected }) => {
  expect(hints(expression)).toEqual([expected])
})

test.each([
  {
    name: 'repository',
    scope: ['repoDefault', 'target'],
    expected: 'downstream.repoExpr chooses the repository, so it is not known there',
  },
  { name: 'upstream', scope: ['target'], expected: 'the expression is about a target, for all upstreams' },
  { name: 'packageDefault', scope: ['target'], expected: 'the expression is about a target, for all upstreams' },
])('a variable that the expression does not see: $name', ({ name, scope, expected }) => {
  expect(hints(`${name}.name`, scope)).toEqual([`variable ${name}: ${expected}`])
})

test('without a target, the path of an object is not rewritten', () => {
  expect(hints('cluster.name', ['item'])).toEqual(['variable cluster: undefined'])
})

test.each(['object', 'self', 'resource', 'obj', 'input', 'request', 'target'])('what a policy looks at is item, not %s', (name) => {
  expect(hints(`${name}.x`, ['item', 'variables'])).toEqual([`variable ${name}: what a policy looks at is 'item'`])
  expect(hints(`${name}.x`, ['variables'])).toEqual([`variable ${name}: undefined`])
})

test('the known variables come with the name, and a long name comes to nothing', () => {
  const [hint] = hintsOf(() => compile('edge', ['target', 'repository'], { advise }))
  expect(hint).toMatchObject({ kind: 'variable', name: 'edge', known: ['target', 'repository'] })
  expect(hints(`${'v'.repeat(63)} + 'a'`)).toHaveLength(1)
  expect(hints(`${'v'.repeat(64)} + 'a'`)).toEqual([])
})

test.each([
  { expression: 'target.labels.a-b', written: "target.labels['a-b']" },
  { expression: 'target.labels.app.kubernetes.io/name', written: "target.labels['app.kubernetes.io/name']" },
  { expression: 'target.annotations.a-b-c', written: "target.annotations['a-b-c']" },
])('a key with a sign belongs in brackets: $expression', ({ expression, written }) => {
  expect(hints(expression)).toEqual([`write a key with - or / in brackets: ${written}`])
})

test.each([
  { expression: 'target.labels[cost-center]', written: "target.labels['cost-center']" },
  { expression: 'target.labels[region]', written: "target.labels['region']" },
  { expression: 'target.annotations[app.example.com/name]', written: "target.annotations['app.example.com/name']" },
])('a key in brackets needs quotes: $expression', ({ expression, written }) => {
  expect(hints(expression)).toContain(`a key is a text and needs quotes: ${written}`)
})

test('a name in brackets behind another map is a variable', () => {
  expect(hints('target.other[region]')).toEqual(["variable region: a text needs quotes: 'region'"])
})

test('words with signs are a text without quotes', () => {
  expect(textHint('us-east1', ['target'])).toEqual({
    kind: 'variable',
    name: 'us-east1',
    known: ['target'],
    otherwise: "a text needs quotes: 'us-east1'",
  })
})

/** Returns the hints for a condition that knows kpt's extension libraries. */
function extended(expression: string): readonly string[] {
  return hintsOf(() => compileExtendedCondition(expression, ['item'], { advise })).map(textOf)
}

test.each([
  { call: 'toLower', known: 'lowerAscii' },
  { call: 'toUpperCase', known: 'upperAscii' },
  { call: 'replaceAll', known: 'replace' },
  { call: 'substr', known: 'substring' },
  { call: 'strip', known: 'trim' },
  { call: 'find', known: 'indexOf' },
  { call: 'unique', known: 'distinct' },
])('with the extension libraries, $call is called $known', ({ call, known }) => {
  expect(extended(`item.name.${call}() == 'a'`)).toEqual([`no function '${call}'; the function is called '${known}'`])
})

test('with the extension libraries, the functions of a library are listed, and other functions of languages keep their choice', () => {
  const [ofSets] = extended('sets.contain(item.a, item.b)')
  expect(ofSets?.startsWith("no function 'sets.contain'; the functions of 'sets' are sets.")).toBe(true)
  expect(extended('item.name.hasPrefix("a")')).toEqual([
    "'hasPrefix' is not in kpt's libraries; the nearest is: startsWith(…), endsWith(…) and contains(…)",
  ])
  expect(extended('item.name.lowerAsci() == "a"')).toEqual(['function lowerAsci'])
})
