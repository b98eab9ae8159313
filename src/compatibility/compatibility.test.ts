import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { findingsFor, SYSTEM_NAMES, SYSTEMS, type SystemName, systemName } from './compatibility.ts'

function object(text: string, path: string): KrmObject {
  return KrmObject.fromDocument(text, { path, index: 0, line: 1 })
}

const KPTFILE = object(
  'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\npipeline:\n  mutators:\n  - {image: a/b:v1, when: "true", configRef: {kind: A, name: a}}\n',
  'a/Kptfile',
)
const SET = object(
  `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: s, uid: u}
spec:
  upstream: {repo: r, package: p, revision: 1, workspaceName: v1}
  targets:
  - repositories: [{name: east}]
    template:
      injectors: [{name: site, point: endpoints}]
      pipeline: {mutators: [{image: a/b:v1, when: "true"}]}
`,
  'set.yaml',
)

/** Returns the severity, rule and last field of each finding, in order. */
function found(system: SystemName, ...items: readonly KrmObject[]): readonly string[] {
  return findingsFor(system, [], items).map(({ severity, tags, field }) => `${severity} ${tags.rule} ${field?.path.at(-1)}`)
}

test('kpt 1.0 knows `when`, and no release is proven to know `configRef`', () => {
  expect(found('kpt@1.0', KPTFILE)).toEqual(['warning kpt-unknown-field configRef'])
})

test('kpt before 1.0 refuses a Kptfile with `when` or `configRef`', () => {
  const refused = ['error kpt-unknown-field configRef', 'error kpt-unknown-field when']
  expect(found('kpt@beta.67', KPTFILE)).toEqual(refused)
  expect(found('kpt@beta.56', KPTFILE)).toEqual(refused)
})

test('the target without a version is the newest release', () => {
  expect(found('kpt', KPTFILE)).toEqual(found('kpt@1.0', KPTFILE))
  expect(found('porch', KPTFILE, SET)).toEqual(found('porch@1.6', KPTFILE, SET))
})

test('Porch refuses or drops a field that its CustomResourceDefinitions do not have', () => {
  expect(found('porch@1.6', SET)).toEqual(['error porch-drops-field when', 'error porch-drops-field point'])
  expect(found('porch@main', SET)).toContain('error porch-drops-field point')
  expect(found('porch@main', SET)).not.toContain('error porch-drops-field when')
  const [first] = findingsFor('porch', [], [SET])
  expect(first?.message).toContain('whose API server refuses the object, or drops the field for a client that asks for no validation')
})

test('Porch before 1.6 has no kind FunctionConfig', () => {
  const config = object(
    'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: FunctionConfig\nmetadata: {name: a}\nspec: {image: a}\n',
    'fn.yaml',
  )
  expect(found('porch@1.5', config)).toEqual(['warning porch-no-function-config kind'])
  expect(found('porch@1.6', config)).toEqual([])
})

test('a warning about a value that a system refuses is an error for that system alone', () => {
  const tolerated = { severity: 'warning', message: 'is not in the API', tags: { rule: 'not-in-api' } } as const
  expect(findingsFor('porch', [tolerated], []).map(({ severity }) => severity)).toEqual(['error'])
  expect(findingsFor('krm-variants', [tolerated], []).map(({ severity }) => severity)).toEqual(['warning'])
})

test('every system has a name in the list of names, and a name may have the last number of a release', () => {
  expect(SYSTEM_NAMES).toEqual(expect.arrayContaining(Object.keys(SYSTEMS)))
  expect(SYSTEM_NAMES).toHaveLength(Object.keys(SYSTEMS).length)
  expect(systemName('kpt@1.0.0')).toBe('kpt@1.0')
  expect(systemName('porch@1.6.2')).toBe('porch@1.6')
  expect(systemName('porch@1.5.3')).toBe('porch@1.5.3')
  expect(systemName('kpt@2.0')).toBeUndefined()
})
