import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { narrowerScope, widerScope } from './admission-scopes.ts'

/** Each of two scopes, and the fields by which the second is asked about more than the first, and about less. */
test.each([
  ['{}', '{}', [], []],
  ['{rules: [RULE]}', '{rules: [RULE]}', [], []],
  ['{}', '{rules: [RULE]}', ['rules'], []],
  // Each part of a rule is one of its lists.
  ['{rules: [RULE]}', '{rules: [{operations: [CREATE, UPDATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}]}', ['rules'], []],
  ['{rules: [RULE]}', '{rules: [{operations: [CREATE], apiGroups: ["", apps], apiVersions: [v1], resources: [pods]}]}', ['rules'], []],
  ['{rules: [RULE]}', '{rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1, v2], resources: [pods]}]}', ['rules'], []],
  ['{rules: [RULE]}', '{rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods, nodes]}]}', ['rules'], []],
  ['{rules: [RULE]}', '{rules: [{operations: [CREATE], apiGroups: ["*"], apiVersions: [v1], resources: [pods]}]}', ['rules'], []],
  ['{rules: [RULE]}', '{rules: [{operations: [UPDATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}]}', ['rules'], ['rules']],
  // Rules that are written otherwise may stand for the same requests.
  ['{rules: [ALL]}', '{rules: [EACH]}', [], []],
  ['{rules: [EACH, RULE]}', '{rules: [EACH]}', [], []],
  ['{rules: [NAMESPACED, CLUSTER]}', '{rules: [RULE]}', [], []],
  ['{rules: [NAMESPACED]}', '{rules: [RULE]}', ['rules'], []],
  ['{rules: [RULE]}', '{rules: [ANY_SCOPE]}', [], []],
  ['{rules: [CLUSTER]}', '{rules: [NAMESPACED]}', ['rules'], ['rules']],
  ['{resourceRules: [NAMED]}', '{resourceRules: [RULE]}', ['resourceRules'], []],
  // A binding without rules is asked about all that its policy is.
  ['{resourceRules: [RULE]}', '{}', ['resourceRules'], []],
  ['{resourceRules: []}', '{}', ['resourceRules'], []],
  ['{resourceRules: []}', '{resourceRules: [RULE]}', ['resourceRules'], []],
  ['{excludeResourceRules: [RULE]}', '{}', ['excludeResourceRules'], []],
  ['{excludeResourceRules: [RULE]}', '{excludeResourceRules: [RULE, CLUSTER]}', [], []],
  ['{namespaceSelector: {matchLabels: {a: b}}}', '{}', ['namespaceSelector'], []],
  ['{objectSelector: {matchLabels: {a: b}}}', '{objectSelector: {}}', ['objectSelector'], []],
  ['{objectSelector: {matchLabels: {a: b}}}', '{objectSelector: {matchLabels: {a: c}}}', ['objectSelector'], ['objectSelector']],
  // Without rules, the policy of matching says nothing; Equivalent is the default.
  ['{matchPolicy: Exact}', '{}', [], []],
  ['{rules: [RULE], matchPolicy: Exact}', '{rules: [RULE]}', ['matchPolicy'], []],
  ['{resourceRules: [RULE], matchPolicy: Exact}', '{resourceRules: [RULE], matchPolicy: Equivalent}', ['matchPolicy'], []],
  ['{rules: [RULE], matchPolicy: Exact}', '{rules: [RULE], matchPolicy: Exact}', [], []],
  ['{rules: [RULE], matchPolicy: Equivalent}', '{rules: [RULE]}', [], []],
  ['{matchConditions: [{name: a}, {name: b}]}', '{matchConditions: [{name: a}]}', ['matchConditions'], []],
  ['{matchConditions: [{name: a, expression: x}]}', '{matchConditions: [{name: a, expression: y}]}', [], []],
  [
    '{matchConditions: [{name: a}], rules: [CLUSTER], matchPolicy: Exact, objectSelector: {matchLabels: {a: b}}, namespaceSelector: {matchLabels: {a: b}}, excludeResourceRules: [RULE]}',
    '{rules: [CLUSTER, NAMESPACED]}',
    ['rules', 'excludeResourceRules', 'namespaceSelector', 'objectSelector', 'matchPolicy', 'matchConditions'],
    [],
  ],
])('from %s to %s a guard is asked about more by %j and about less by %j', (before, after, more, less) => {
  const [was, is] = [before, after].map(scopeOf)
  expect(widerScope(was, is)).toEqual(more)
  expect(narrowerScope(was, is)).toEqual(less)
  expect(narrowerScope(is, was)).toEqual(more)
})

const RULE = 'operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]'
const SHORT: Readonly<Record<string, string>> = {
  RULE: `{${RULE}}`,
  ANY_SCOPE: `{${RULE}, scope: "*"}`,
  NAMESPACED: `{${RULE}, scope: Namespaced}`,
  CLUSTER: `{${RULE}, scope: Cluster}`,
  NAMED: `{${RULE}, resourceNames: [a]}`,
  ALL: '{operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"]}',
  EACH: '{operations: [CREATE, UPDATE, DELETE, CONNECT], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"]}',
}

function scopeOf(text: string) {
  return parse(text.replace(/\b[A-Z_]+\b/g, (word) => SHORT[word] ?? word))
}

const inRule = (resource: string) => ({ rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: [resource] }] })

/** The resources that a pattern stands for, of all that the test has. */
test.each([
  ['*', ['*', 'pods', 'nodes']],
  ['*/*', ['*', '*/*', '*/exec', 'pods', 'pods/*', 'pods/exec', 'pods/log', 'nodes', 'nodes/exec']],
  ['*/exec', ['*/exec', 'pods/exec', 'nodes/exec']],
  ['pods', ['pods']],
  ['pods/*', ['pods', 'pods/*', 'pods/exec', 'pods/log']],
  ['pods/exec', ['pods/exec']],
])('the pattern %s of resources stands for %j alone', (pattern, covered) => {
  const all = ['*', '*/*', '*/exec', 'pods', 'pods/*', 'pods/exec', 'pods/log', 'nodes', 'nodes/exec']
  expect(all.filter((resource) => widerScope(inRule(pattern), inRule(resource)).length === 0)).toEqual(covered)
})

test('a guard of two rules is asked about less when one of them goes', () => {
  const { rules } = inRule('pods')
  expect(narrowerScope({ rules: [...rules, ...inRule('nodes').rules] }, { rules })).toEqual(['rules'])
  expect(narrowerScope({ rules }, undefined)).toEqual(['rules'])
  expect(narrowerScope(undefined, undefined)).toEqual([])
})
