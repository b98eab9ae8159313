import { expect, test } from 'vitest'
import { CelError } from '../cel/cel-error.ts'
import type { JsonRecord, JsonValue } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { formatResult } from '../result.ts'
import { checkConditions, conditionFault, conditionFaults, pipelinePaths, stepCondition } from './condition.ts'

const objectOf = (value: JsonRecord) => KrmObject.fromDocument(JSON.stringify(value), { path: 'a.yaml', index: 0, line: 1 })

test.each([
  // [condition, resources, what it gives]
  ['resources.size() > 0', [], false],
  ['resources.size() > 1', [{ kind: 'A' }, { kind: 'B' }], true],
  ["resources.exists(r, r.metadata.name == '')", [{ kind: 'A' }], true],
  ["resources.exists(r, r.metadata.name == '')", [{ metadata: { labels: {} } }], true],
  ["resources.exists(r, r.metadata.name == 'a')", [{ metadata: { name: 'a' } }], true],
  ["resources.exists(r, r.metadata.name == 'a')", [{ metadata: { name: 'b' } }], false],
  ["resources[1].metadata.name == 'b'", [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }], true],
  ["resources[0] == 'text'", ['text'], true],
] as const)('the condition %s holds for %j: %s', (text, resources: readonly JsonValue[], expected) => {
  const condition = stepCondition(text)
  expect(condition?.text).toBe(text)
  expect(condition?.holds(resources)).toBe(expected)
})

test('a function without a condition has none, and a condition without a value throws', () => {
  expect(stepCondition('')).toBeUndefined()
  expect(() => stepCondition("resources[1].kind == 'A'")?.holds([])).toThrow(CelError)
})

test.each([
  [{}, []],
  [{ when: '' }, []],
  [{ when: 7 }, []],
  [{ when: 'resources.size() > 0' }, []],
  [{ when: "resources[0].kind == 'A'" }, []],
  [{ when: 'resources.size()' }, [expect.stringMatching(/^must give true or false, gives int: resources.size\(\)\nhint: /)]],
  [
    { when: 'nope' },
    [expect.stringMatching(/^must compile: 1:1: undeclared reference to 'nope'.*\n \| nope\n \| \^\nhint: .* resources$/)],
  ],
  [{ when: 'resources.size( > 0' }, [expect.stringMatching(/^must compile: 1:17: Syntax error/)]],
])('a function with %j has the faults %j', (fn, messages) => {
  const faults = conditionFaults(fn, ['pipeline', 'mutators', 2])
  expect(faults.map(({ message }) => message)).toEqual(messages)
  for (const { path, severity, rule } of faults)
    expect({ path, severity, rule }).toEqual({
      path: ['pipeline', 'mutators', 2, 'when'],
      severity: 'error',
      rule: 'function-condition',
    })
})

test('a condition without a value is shown with a mark below the place, or as a whole if the place is not known', () => {
  const text = 'true &&\nresources[4]'
  const messageOf = (error: CelError) => conditionFault(['when'], text, error).message
  expect(messageOf(new CelError('eval', 'no such index', { line: 2, column: 10 }))).toBe(
    'must have a value: no such index\nresources[4]\n         ^',
  )
  expect(messageOf(new CelError('eval', 'no such index'))).toBe(`must have a value: no such index\n${text}`)
  expect(messageOf(new CelError('eval', 'odd', { line: 2 }))).toBe(`must have a value: odd\n${text}`)
})

test('what may help is below the fault of a condition', () => {
  const error = new CelError('convert', 'gives string', { hints: () => [{ kind: 'advice', text: 'compare it' }] })
  expect(conditionFault(['when'], 'name', error).message).toBe('must give true or false, gives string: name\nhint: compare it')
})

test('the pipelines of an object are where its kind has them', () => {
  const paths = (kind: string, spec: JsonRecord = {}) =>
    pipelinePaths(objectOf({ apiVersion: 'v1', kind, metadata: { name: 'a' }, spec })).map((path) => path.join('.'))
  expect(paths('Kptfile')).toEqual(['pipeline'])
  expect(paths('PackageVariant')).toEqual(['spec.pipeline'])
  expect(paths('PackageVariantSet', { targets: [{}, {}] })).toEqual([
    'spec.targets.0.template.pipeline',
    'spec.targets.1.template.pipeline',
  ])
  expect(paths('PackageVariantSet', { targets: { template: {} }, upstreams: [{}] })).toEqual([])
  expect(paths('PackageVariantMatrix', { overrides: [{}] })).toEqual(['spec.template.pipeline', 'spec.overrides.0.template.pipeline'])
  expect(paths('PackageVariantMatrix', { targets: [{}], upstreams: [{}] })).toEqual([
    'spec.template.pipeline',
    'spec.upstreams.0.template.pipeline',
    'spec.targets.0.template.pipeline',
  ])
  expect(paths('ConfigMap')).toEqual([])
  expect(pipelinePaths(objectOf({ metadata: { name: 'a' } }))).toEqual([])
})

test('the faults of all conditions are reported at their places, mutators before validators', () => {
  const pipeline = { validators: [{ image: 'a', when: 'resources' }], mutators: ['text', { image: 'a' }, { image: 'b', when: 'x' }] }
  const kptfile = objectOf({ kind: 'Kptfile', pipeline })
  const set = objectOf({ kind: 'PackageVariantSet', spec: { targets: [{ template: { pipeline } }, { template: { pipeline: {} } }] } })
  const found = checkConditions([kptfile, objectOf({ kind: 'ConfigMap', pipeline }), set])
  expect(found.map((result) => result.field?.path?.join('.'))).toEqual([
    'pipeline.mutators.2.when',
    'pipeline.validators.0.when',
    'spec.targets.0.template.pipeline.mutators.2.when',
    'spec.targets.0.template.pipeline.validators.0.when',
  ])
  expect(formatResult(found[0] ?? expect.fail('a finding is missing'))).toMatch(
    /^a\.yaml:1:\d+: error: `pipeline\.mutators\[2\]\.when` must compile: 1:1: /,
  )
})
