import { expect, test } from 'vitest'
import { CelError, type CelErrorDetail, type CelPhase } from '../../cel/cel-error.ts'
import { compile } from '../../cel/program.ts'
import { prepareVariables } from '../../cel/variables.ts'
import { advise } from '../../hints/advise.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { nearestNames } from '../../schema/nearest-name.ts'
import { describeNoValue, formatHints, programFault, whereFault } from './expression-faults.ts'
import { SCOPE, SCOPE_OF_REPO_EXPR } from './template-programs.ts'

const VARIABLES = prepareVariables(new Map(Object.entries({ packageDefault: 'shop', target: { name: 'ber-01', labels: { env: 'prod' } } })))

function hintsFor(expression: string, scope = SCOPE): readonly string[] {
  try {
    return [`no error: ${compile(expression, scope, { advise }).evaluate(VARIABLES)}`]
  } catch (error) {
    if (error instanceof CelError) return formatHints(error).split('\nhint: ').slice(1)
    throw error
  }
}

test.each([
  [
    'targt.name',
    "no variable 'targt'; the variables here are target, upstream, repoDefault, repository, packageDefault; did you mean 'target'?",
  ],
  [
    'edge',
    "no variable 'edge'; a text needs quotes: 'edge'; the variables here are target, upstream, repoDefault, repository, packageDefault",
  ],
  [
    'us-east1',
    "no variable 'us-east1'; a text needs quotes: 'us-east1'; the variables here are upstream, target, repoDefault, repository, packageDefault",
  ],
  [
    'cluster.name',
    "no variable 'cluster'; the object that a target matches is 'target': target.name; the variables here are upstream, target, repository, repoDefault, packageDefault",
  ],
  [
    "name + 'x'",
    "no variable 'name'; it is a field of an object: target.name, repository.name, upstream.name; the variables here are target, upstream, repoDefault, repository, packageDefault",
  ],
  [
    "['a'].map(one, on)[0]",
    "no variable 'on'; the variables here are one, target, upstream, repository, repoDefault, packageDefault; did you mean 'one'?",
  ],
  ['target.labels.app-name', "write a key with - or / in brackets: target.labels['app-name']"],
  ['target.labels.app.kubernetes.io/name', "write a key with - or / in brackets: target.labels['app.kubernetes.io/name']"],
  ["target.name.contain('x')", "no function 'contain'; did you mean 'contains'?"],
  ["foo('x')", "no function 'foo'; the functions of texts are contains, endsWith, matches, size, startsWith, string"],
  ["target.name.replace('a', 'b')", "'replace' is not in Porch's standard library; the nearest is: a choice, x == 'a' ? 'b' : x"],
  [
    'target.name.upperAscii()',
    "'upperAscii' is not in Porch's standard library; the nearest is: matches(…), which takes any case with (?i) before the pattern",
  ],
  [
    "target.name.split('-')[0]",
    "'split' is not in Porch's standard library; the nearest is: matches(…); a part that is wanted alone needs a label of its own",
  ],
  ["'%s'.format([target.name])", "'format' is not in Porch's standard library; the nearest is: +, as in a + '-' + string(n)"],
  ['[1].map(x)', 'it is written list.map(x, value) or list.map(x, test, value)'],
  ['target.labels.existsOne(x, x == 1)', "'existsOne' is not in Porch's standard library; the nearest is: exists_one(x, …)"],
  ['packageDefault + 1', 'as a text: string(1)'],
  ['target.labels.env + 1', 'as a text: string(1)'],
  ["true ? 'a' : 1", 'as a text: string(1)'],
  ["target.labels['env'] + target.name + packageDefault", "as a text: string(target.labels['env'])"],
  ["[target.name, 'a'][0]", 'as a text: string(target.name)'],
  ["[1, 'a'][0]", 'a list or map holds one type: int here, from its first'],
  ["contains(target.name, 'a')", "write target.name.contains('a')"],
  ['target.name.string()', 'write string(target.name)'],
  ['target.labels.zone', "where it may be missing: has(target.labels.zone) ? target.labels.zone : 'none'"],
  ["target.labels['a/b']", "where it may be missing: 'a/b' in target.labels ? target.labels['a/b'] : 'none'"],
  ["has(target.labels['a'])", "has(…) takes a field, as in has(a.b); of any other key ask 'b' in a"],
  ['size(target.name)', 'as a text: string(size(target.name))'],
  ['target.labels', "of a map take one value: map['key']"],
  ["['a']", 'of a list take one element: list[0]'],
  ['null', "a template needs a string: has(a.b) ? a.b : 'none'"],
  ["target.name = 'a'", "'==' compares"],
  ['target.name and true', "'&&' is the operator"],
  ['${target.name}', 'write variables as they are: target.name, not ${target.name}'],
  ['{{ target.name }}', 'write variables as they are: target.name, not {{ target.name }}'],
  ["'a' 'b'", 'texts are joined with +'],
  ['package', 'the package that a target gives by default is packageDefault'],
  ['while', "CEL keeps the word for later; a text needs quotes: 'while'"],
  ['in-cluster', "a text needs quotes: 'in-cluster'"],
  ['10.0.0.1', "a text needs quotes: '10.0.0.1'"],
  ['https://ber-01.example.com:6443/', "a text needs quotes: 'https://ber-01.example.com:6443/'"],
])('%s', (expression, hint) => {
  expect(hintsFor(expression)).toEqual([hint])
})

test('every hint names its own place; three are shown', () => {
  expect(hintsFor("a + 'x' + b + c + d")).toHaveLength(3)
})

test('the repository is not known where it is chosen', () => {
  expect(hintsFor('repository.name', SCOPE_OF_REPO_EXPR)).toEqual([
    "no variable 'repository'; downstream.repoExpr chooses the repository, so it is not known there; the variables here are repoDefault, upstream, target, packageDefault",
  ])
})

test('an advice with string(…) is one that works', () => {
  expect(hintsFor("target.name + '-' + string(1)")).toEqual(['no error: ber-01-1'])
  expect(hintsFor("string(target.labels['env']) + target.name + packageDefault")).toEqual(['no error: prodber-01shop'])
  expect(hintsFor("'a/b' in target.labels ? target.labels['a/b'] : 'none'")).toEqual(['no error: none'])
})

test.each<[string, string, CelErrorDetail, string]>([
  ['without a place', 'a.b', {}, 'm\na.b'],
  ['with a place in one line', 'a.b', { line: 1, column: 2 }, 'column 2: m\na.b\n ^'],
  ['with a place in the second line', 'a +\n  b.c', { line: 2, column: 4 }, 'line 2, column 4: m\n  b.c\n   ^'],
  ['with a line alone', 'a.b', { line: 1 }, 'm\na.b'],
  ['for a key of no keys', 'a.b', { missingKey: { key: 'b', keys: [] } }, 'm; there are no keys\na.b'],
  [
    'for a key near another',
    'a.tire',
    { missingKey: { key: 'tire', keys: ['env', 'tier'] } },
    "m; the keys are env, tier; did you mean 'tier'?\na.tire",
  ],
  [
    'for a key of many keys',
    'a.x',
    { missingKey: { key: 'x', keys: Array.from({ length: 12 }, (_, index) => `k${index}`) } },
    'm; the keys are k0, k1, k2, k3, k4, k5, k6, k7, k8, k9 and 2 more\na.x',
  ],
  ['with a hint', 'a.b', { hints: () => [{ kind: 'advice', text: 'try c' }] }, 'm\na.b\nhint: try c'],
])('an expression without a value is described %s', (_, text, detail, described) => {
  const failure = { expression: { text, path: ['spec'] }, error: new CelError('eval', 'm', detail) }
  expect(describeNoValue(failure, nearestNames())).toBe(described)
})

const OBJECT = KrmObject.fromDocument('apiVersion: v1\nkind: A\nmetadata: {name: a}\nspec: {where: x}\n')
const WHERE = { text: "'text'", path: ['spec', 'where'] }
const HINTS: CelErrorDetail = { hints: () => [{ kind: 'advice', text: 'h' }] }

test.each<[CelPhase, string, string | undefined, string]>([
  ['convert', 'gives string', 'expression-convert', "`spec.where` must give true or false, gives string: 'text'\nhint: h"],
  [
    'compile',
    'ERROR: <input>:1:2: no\nERROR: <input>:1:4: none',
    'expression-compile',
    '`spec.where` must compile: 1:2: no\n1:4: none\nhint: h',
  ],
])('a condition that fails to %s has an error with the rule of the phase', (phase, message, rule, expected) => {
  const found = whereFault(OBJECT, WHERE, new CelError(phase, message, HINTS))
  expect([found.severity, found.tags.rule, found.tags.reason, found.message]).toEqual(['error', rule, 'UnexpectedError', expected])
})

test.each<[CelPhase, string, string]>([
  ['compile', 'expression-compile', '`spec.where` must compile: m\nhint: h'],
  ['eval', 'expression-eval', '`spec.where` must have a value: m\nhint: h'],
  ['convert', 'expression-convert', '`spec.where` must give a string: m\nhint: h'],
])('an expression that fails to %s has an error with the rule of the phase', (phase, rule, expected) => {
  const found = programFault(OBJECT, WHERE, new CelError(phase, 'm', HINTS))
  expect([found.tags.rule, found.tags.reason, found.message]).toEqual([rule, 'UnexpectedError', expected])
})
