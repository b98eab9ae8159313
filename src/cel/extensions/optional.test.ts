import { expect, test } from 'vitest'
import { CelError } from '../cel-error.ts'
import { compile, compileExtendedCondition } from '../program.ts'
import { prepareVariables } from '../variables.ts'

const RESOURCES = [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { app: 'x', tier: 'web' } } },
  { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'b' }, spec: { replicas: 3 } },
]

/** Returns the value of a condition on two resources, or the words of its error. */
function answerTo(expression: string): string {
  try {
    return String(compileExtendedCondition(expression, ['resources']).holds(prepareVariables(new Map([['resources', RESOURCES]]))))
  } catch (error) {
    if (error instanceof CelError) return error.message.replace(/^ERROR: <input>:/, '').replace(/\n.*/s, '')
    throw error
  }
}

// Answers of cel-go 0.28.0 in the environment of kpt (kpt pkg/lib/runneroptions/celenv.go).
test.each([
  ["resources[0].?metadata.?labels.?app.orValue('none') == 'x'", 'true'],
  ["resources[0].?metadata.labels.app.orValue('none') == 'x'", 'true'],
  ['resources[0].?spec.?replicas.orValue(1) == 1', 'true'],
  ["resources[0].?metadata.?labels[?'nope'].hasValue()", 'false'],
  ['resources[5].?kind.hasValue()', 'index out of bounds: 5'],
  ['resources[?5].?kind.hasValue()', 'false'],
  ["resources[?0].?kind == optional.of('ConfigMap')", 'true'],
  ['resources[0].kind.?upper.hasValue()', 'false'],
  ['has(resources[0].?metadata.labels.app)', 'true'],
  ['has(resources[0].?spec.replicas)', 'false'],
  ['optional.none() == optional.none()', 'true'],
  [
    'optional.of(1) == optional.of(1.0)',
    "1:16: found no matching overload for '_==_' applied to '(optional_type(int), optional_type(double))'",
  ],
  ['optional.of(null).hasValue()', 'true'],
  ["optional.ofNonZeroValue('').hasValue()", 'false'],
  ['optional.ofNonZeroValue([0]).hasValue()', 'true'],
  ["optional.ofNonZeroValue(b'').hasValue()", 'false'],
  ["optional.ofNonZeroValue(b'a').hasValue()", 'true'],
  ['optional.none().value() == 1', 'optional.none() dereference'],
  ['optional.none().or(optional.of(2)).orValue(3) == 2', 'true'],
  ['optional.of(1).orValue(1 / 0) == 1', 'true'],
  ['optional.of(3).optMap(x, x * 2).orValue(0) == 6', 'true'],
  ['optional.none().optMap(x, x / 0).orValue(7) == 7', 'true'],
  ['optional.of(3).optFlatMap(x, x > 5 ? optional.of(x) : optional.none()).hasValue()', 'false'],
  ["[?resources[0].?kind, ?resources[0].?spec] == ['ConfigMap']", 'true'],
  ["{?'kind': resources[0].?kind, ?'spec': resources[0].?spec} == {'kind': 'ConfigMap'}", 'true'],
  ['[optional.of(1), optional.none()].unwrapOpt() == [1]', 'true'],
  ["optional.unwrap([optional.none(), optional.of('a')]) == ['a']", 'true'],
  ['[1, 2, 3].first().value() + [1, 2, 3].last().value() == 4', 'true'],
  ['[].first().hasValue()', 'false'],
  ['type(optional.none()) == optional_type', 'true'],
  ['optional.of(1).optMap(1, 2).hasValue()', '1:23: optMap() variable name must be a simple identifier'],
  ['optional.of(1) == 1', "1:16: found no matching overload for '_==_' applied to '(optional_type(int), int)'"],
  ['[?1] == [1]', "1:3: expected type 'optional_type(int)' but found 'int'"],
  ['1.optMap(x, x) == optional.of(1)', "1:9: found no matching overload for 'hasValue' applied to 'int.()'"],
  ['dyn(1).orValue(2) == 2', 'no such overload'],
  ['resources[0].?kind.orValue(false)', 'gives dyn'],
  ['resources[0].?kind', 'gives optional_type(dyn)'],
  ["resources[0].metadata.labels.exists(k, v, k == 'app' && v == 'x')", 'true'],
  ["resources[0].metadata.labels.all(k, v, v == 'x')", 'false'],
  ['[1, 2, 3].all(i, v, v == i + 1)', 'true'],
  ['[1, 1].existsOne(i, v, v == 1)', 'false'],
  ['[1, 2].exists_one(i, v, v == 1)', 'true'],
  ["['a', 'b'].transformList(i, v, i > 0, v + string(i)) == ['b1']", 'true'],
  ["{'a': 1}.transformList(k, v, k + string(v)) == ['a1']", 'true'],
  ["['a', 'b'].transformMap(i, v, v + '!') == {0: 'a!', 1: 'b!'}", 'true'],
  ["resources[0].metadata.labels.transformMap(k, v, k != 'app', v) == {'tier': 'web'}", 'true'],
  ["['a', 'b'].transformMapEntry(i, v, {v: i}) == {'a': 0, 'b': 1}", 'true'],
  ["['a', 'a'].transformMapEntry(i, v, {v: i}) == {}", 'insert failed: key a already exists'],
  ["['a'].transformMapEntry(i, v, v) == {}", "1:24: found no matching overload for 'cel.@mapInsert' applied to '(map(dyn, dyn), string)'"],
  ['[1].all(x, x, true)', '1:12: duplicate variable name: x'],
  ['[1].all(1, v, true)', '1:9: argument must be a simple name'],
  ['dyn(1).all(i, v, true)', 'unsupported comprehension range type: types.Int'],
  ['resources.map(r, r.kind).transformMapEntry(i, kind, {kind: i}).size() == 2', 'true'],
  ["false ? int('-') == 1 : true", 'true'],
  ['1 / 0 == 1 || true', 'true'],
  ['1 / 0 in []', 'division by zero'],
])('%s gives %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each(['target.?name', 'target[?"name"]', '[?target]', '{?"a": target}'])('a template has no optional values: %s', (expression) => {
  expect(() => compile(expression, ['target'])).toThrow('unsupported syntax')
})

test('an entry that may be left out is left out, and has its value, also beside an entry that is always there', () => {
  expect(answerTo("{?'a': resources[0].?nope, 'b': resources[0].kind} == {'b': 'ConfigMap'}")).toBe('true')
  expect(answerTo("{?'a': resources[0].?kind, 'b': resources[0].kind}['a'] == 'ConfigMap'")).toBe('true')
})

test('nested optMap is compiled and evaluated once for each level', () => {
  const nested = Array.from({ length: 60 }).reduce((inner: string) => `${inner}.optMap(x, x)`, 'optional.of(1)')
  expect(answerTo(`${nested}.hasValue()`)).toBe('true')
})
