import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { formatResult } from '../result.ts'
import { functionsIn, type PipelineStep } from './pipeline-steps.ts'
import { describeEnd, failure, functionName, reportedIn, resultsOfStep } from './step-run.ts'

function stepOf(fn: string): PipelineStep {
  const text = `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\npipeline:\n  mutators:\n  - ${fn}\n`
  const [step] = functionsIn(KrmObject.fromDocument(text, { path: 'Kptfile', index: 0, line: 1 }))
  return step ?? expect.fail('there is one function')
}

const STEP = stepOf('{image: "a/b:v1"}')

test.each([
  ['{name: mine, image: a/b, exec: sed}', 'mine'],
  ['{image: a/b, exec: sed}', 'a/b'],
  ['{exec: sed -e x}', 'sed -e x'],
])('the function %s is called %s in messages', (fn, name) => {
  expect(functionName(stepOf(fn))).toBe(name)
})

test('the failure of a function is an error at the function, whose name is cut', () => {
  expect(formatResult(failure(STEP, 'failed'))).toBe("Kptfile:7:5: error: `pipeline.mutators[0]` 'a/b:v1' failed [function-failed]")
  expect(failure(stepOf(`{name: ${'n'.repeat(400)}}`), 'failed').message.length).toBeLessThan(260)
})

test.each([
  [1, '', 'failed with exit code 1'],
  [3, 'boom\n', 'failed with exit code 3: boom'],
  [1, '  a  \n\n \nb\n', 'failed with exit code 1: a; b'],
  [1, '1\n2\n3\n4', 'failed with exit code 1: 1; 2; 3; 4'],
  [1, '1\n2\n3\n4\n5\n6', 'failed with exit code 1: 1; 2; 3; 4; and 2 more lines'],
  [undefined, 'no such program', 'no such program'],
  [undefined, 'a\nb', 'a; b'],
])('a function that ends with %s and says %j %s', (exitCode, stderr, words) => {
  expect(describeEnd({ stdout: '', stderr, exitCode })).toBe(words)
})

test('a long line of stderr is cut', () => {
  expect(describeEnd({ stdout: '', stderr: 'x'.repeat(1000), exitCode: 1 }).length).toBeLessThan(360)
})

/** Reads the results of an output; `hunter2` is a secret. */
function reported(results: string) {
  const stdout = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n${results}`
  return reportedIn({ stdout, stderr: '', exitCode: 0 }, (text) => text.replaceAll('hunter2', '***'))
}

test.each([
  ['', []],
  ['results:\n', []],
  ['results: []\n', []],
  ['results: {}\n', []],
  ['results: [{message: a}, {message: b}]\n', [{ message: 'a' }, { message: 'b' }]],
  ['"results": [{message: a}]\n', [{ message: 'a' }]],
  ["'results' : [{message: a}]\n", [{ message: 'a' }]],
  ['results: {name: old, items: [{message: a}]}\n', [{ message: 'a' }]],
  ['results: {name: old, items: []}\n', []],
  ['results: [{message: hunter2 x, tags: {k: hunter2}}]\n', [{ message: '*** x', tags: { k: '***' } }]],
  [
    'results: [{message: null, severity: null, file: null, tags: {a: null}}]\n',
    [{ message: null, severity: null, file: null, tags: { a: null } }],
  ],
  ['results: [{message: 5, severity: true, file: {index: 0}}]\n', [expect.anything()]],
  ['results: [a: [\n', []],
])('the output with %j has the results %j, and no fault', (results, expected) => {
  expect(reported(results)).toEqual({ reported: expected })
})

test.each([
  ['results: text\n', '`results` must be a list'],
  ['results: 5\n', '`results` must be a list'],
  ['results: {name: old}\n', '`results` must be a list'],
  ['results: {name: old, items: text}\n', '`results` must be a list'],
  ['results: [{message: a}, text]\n', '`results[1]` must be a map'],
  ['results: [{message: a}, {message: [b]}, {severity: {}}]\n', '`results[1].message` must be a text'],
  ['results: [{severity: {}}]\n', '`results[0].severity` must be a text'],
  ['results: [{resourceRef: a}]\n', '`results[0].resourceRef` must be a map'],
  ['results: [{field: a}]\n', '`results[0].field` must be a map'],
  ['results: [{file: [a]}]\n', '`results[0].file` must be a map'],
  ['results: [{file: {index: 1.5}}]\n', '`results[0].file.index` must be a whole number'],
  ["results: [{file: {index: '1'}}]\n", '`results[0].file.index` must be a whole number'],
  ['results: [{tags: a}]\n', '`results[0].tags` must be a map of texts'],
  ['results: [{tags: {a: b, c: {}}}]\n', '`results[0].tags` must be a map of texts'],
])('the output with %j cannot be read: %s', (results, fault) => {
  expect(reported(results).fault).toBe(`printed results that cannot be read: ${fault}`)
})

test.each([
  [{ message: 'm' }, "info: 'a/b:v1': m"],
  [{ message: 'm', severity: 'error' }, "error: 'a/b:v1': m"],
  [{ message: 'm', severity: 'warning' }, "warning: 'a/b:v1': m"],
  [{ message: 'm', severity: 'note' }, "info: 'a/b:v1': m"],
  [{ message: 'm', resourceRef: { kind: 'A', name: 'x', namespace: 'n' } }, "info: 'a/b:v1' on A x: m"],
  [{ message: 'm', resourceRef: { kind: 'A' } }, "info: 'a/b:v1' on A: m"],
  [{ message: 'm', resourceRef: { kind: '', name: 'x' } }, "info: 'a/b:v1' on x: m"],
  [{ message: 'm', field: { path: 'spec.a' } }, "info: 'a/b:v1' on `spec.a`: m"],
  [{ message: 'm', resourceRef: { kind: 'A', name: 'x' }, field: { path: 'spec.a' } }, "info: 'a/b:v1' on A x `spec.a`: m"],
  [{ message: 5 }, "info: 'a/b:v1': 5"],
  [{}, "info: 'a/b:v1': "],
])('the result %j of a function is shown as %s', (result, line) => {
  const [found] = resultsOfStep([result], STEP)
  expect(found && `${found.severity}: ${found.message}`).toBe(line)
  expect(found).toMatchObject({
    field: { path: ['pipeline', 'mutators', 0] },
    file: { path: 'Kptfile', index: 0 },
    position: { line: 7, column: 5 },
    tags: { rule: 'function-result' },
  })
})

test('a long message is cut', () => {
  expect(resultsOfStep([{ message: 'x'.repeat(9000) }], STEP)[0]?.message.length).toBeLessThan(2100)
})

test('an error that the reason of the failure has already is not repeated, a warning and another error are', () => {
  const results = [
    { severity: 'error', message: '`labels` must be a map' },
    { severity: 'warning', message: 'must be a map' },
    { severity: 'error', message: 'other' },
    { severity: 'error', message: '' },
  ]
  const shown = (end?: string) => resultsOfStep(results, STEP, end).map(({ message }) => message.replace("'a/b:v1': ", ''))
  expect(shown('failed with exit code 1: `spec.labels` must be a map')).toEqual(['must be a map', 'other', ''])
  expect(shown('`labels` must be a map; other')).toEqual(['must be a map', ''])
  expect(shown()).toEqual(['`labels` must be a map', 'must be a map', 'other', ''])
})
