import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { findingsFor, refusesOtherYaml, SYSTEM_NAMES, SYSTEMS, type SystemName, systemName } from './compatibility.ts'

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

const meta = (annotations = '') => `metadata: {name: a${annotations && `, annotations: {${annotations}}`}}`
const variant = (spec: string, name = 'a') =>
  object(`apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: ${name}}\nspec: ${spec}\n`, 'variant.yaml')
const revision = (number: number, workspace: string, packageName = 'p') =>
  object(
    `apiVersion: porch.kpt.dev/v1alpha1\nkind: PackageRevision\nmetadata: {name: ${packageName}-${number}}\nspec: {repository: r, packageName: ${packageName}, revision: ${number}, workspaceName: ${workspace}}\n`,
    'revisions.yaml',
  )

/** Returns SEVERITY RULE and the proposed value of each finding. */
const proposed = (system: SystemName, ...items: readonly KrmObject[]) =>
  findingsFor(system, [], items).map(({ severity, tags, field }) => `${severity} ${tags.rule} ${field?.proposedValue ?? ''}`.trim())

test('Porch needs the workspace of a revision, which is known where the PackageRevision is', () => {
  const upstream = variant('{upstream: {repo: r, package: p, revision: 2}}')
  expect(proposed('porch', upstream)).toEqual(['error porch-unknown-workspace v2'])
  expect(proposed('porch', upstream, revision(1, 'one'), revision(2, 'two'))).toEqual(['error porch-needs-workspace two'])
  expect(proposed('porch', upstream, revision(1, 'one'))).toEqual(['error porch-needs-workspace'])
  expect(proposed('porch', upstream, revision(2, 'two', 'other'))).toEqual(['error porch-unknown-workspace v2'])
})

test('an upstream by workspace alone, and one of revision 0, needs no other workspace', () => {
  expect(proposed('porch', variant('{upstream: {repo: r, package: p, workspaceName: w}}'))).toEqual([])
  expect(proposed('porch', variant('{upstream: {repo: r, package: p, revision: 0}}'))).toEqual([])
})

test('a workspace of another revision is an error for Porch, a warning for a fleet that is rendered here, and nothing for kpt', () => {
  const upstream = variant('{upstream: {repo: r, package: p, revision: 2, workspaceName: one}}')
  const revisions = [revision(1, 'one'), revision(2, 'two')]
  expect(proposed('porch', upstream, ...revisions)).toEqual(['error other-workspace two'])
  expect(proposed('krm-variants', upstream, ...revisions)).toEqual(['warning other-workspace two'])
  expect(proposed('kpt', upstream, ...revisions)).toEqual([])
  expect(proposed('porch', variant('{upstream: {repo: r, package: p, revision: 2, workspaceName: two}}'), ...revisions)).toEqual([])
})

test('a variant with a dot in its name and functions is refused for Porch, which would add them again and again', () => {
  const functions = '{upstream: {repo: r, package: p, workspaceName: w}, pipeline: {mutators: [{image: a/b:v1}]}}'
  expect(found('porch', variant(functions, 'a.b'))).toContain('error porch-dotted-name name')
  expect(found('porch', variant(functions, 'ab'))).not.toContain('error porch-dotted-name name')
  expect(found('porch', variant('{upstream: {repo: r, package: p, workspaceName: w}}', 'a.b'))).toEqual([])
})

test('an object of our own kinds must be kept from API servers', () => {
  const own = (annotations = '') =>
    object(`apiVersion: fleet.krm-variants.dev/v1alpha1\nkind: FleetPolicy\n${meta(annotations)}\nspec: {}\n`, 'own.yaml')
  expect(proposed('kpt', own())).toEqual(['warning kpt-unknown-kind true'])
  expect(proposed('porch', own())).toEqual(['warning porch-unknown-kind true'])
  expect(findingsFor('kpt', [], [own()])[0]?.message).toContain('there nothing judges by it')
  expect(proposed('kpt', own("config.kubernetes.io/local-config: 'true'"))).toEqual([])
  expect(proposed('kpt', own("config.kubernetes.io/local-config: 'false'"))).toHaveLength(1)
})

test('kpt beta.56 refuses a Kptfile with a status that newer versions write', () => {
  const rendered = object(`apiVersion: kpt.dev/v1\nkind: Kptfile\n${meta()}\nstatus: {renderStatus: {errorSummary: x}}\n`, 'a/Kptfile')
  expect(found('kpt@beta.56', rendered)).toEqual(['error kpt-unknown-field renderStatus'])
  expect(found('kpt@1.0', rendered)).toEqual([])
})

test('kpt refuses a list without a name', () => {
  const list = (text: string) => object(`apiVersion: v1\nkind: ConfigMapList\n${text}`, 'list.yaml')
  expect(found('kpt', list('items: []\n'))).toEqual(['error not-a-resource name'])
  expect(found('kpt', list('metadata: {name: a}\nitems: []\n'))).toEqual([])
  expect(found('kpt', list('items: text\n'))).toEqual([])
})

test('kpt runs a program only where it is allowed to, and refuses an image that is none', () => {
  const kptfile = (fn: string) => object(`apiVersion: kpt.dev/v1\nkind: Kptfile\n${meta()}\npipeline: {mutators: [${fn}]}\n`, 'a/Kptfile')
  expect(found('kpt', kptfile('{exec: ./fn}'))).toEqual(['warning kpt-needs-allow-exec exec'])
  expect(found('kpt', kptfile("{image: 'A B'}"))).toContain('error function-image image')
  expect(found('kpt', kptfile('{image: ghcr.io/a/b:v1}'))).toEqual([])
})

test('a name without a registry is a warning for a system that adds another registry than we do', () => {
  const shop = (image: string) =>
    object(`apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\npipeline: {mutators: [{image: "${image}"}]}\n`, 'a/Kptfile')
  expect(found('kpt@beta.56', shop('set-labels:v0.2.0'))).toEqual(['warning other-image image'])
  expect(found('kpt@beta.56', shop('a.io/set-labels:v0.2.0'))).toEqual([])
  expect(found('kpt@1.0', shop('set-labels:v0.2.0'))).toEqual([])
})

test('functions are found in every template of a matrix, and in the pipeline of a variant', () => {
  const fn = '{image: a/b:v1, when: "true"}'
  const template = `template: {pipeline: {mutators: [${fn}]}}`
  const matrix = object(
    `apiVersion: fleet.krm-variants.dev/v1alpha1\nkind: PackageVariantMatrix\n${meta("config.kubernetes.io/local-config: 'true'")}\nspec:\n  ${template}\n  upstreams: [{repo: r, package: p, workspaceName: w, ${template}}]\n  targets: [{${template}}]\n  overrides: [{name: o, ${template}}]\n`,
    'matrix.yaml',
  )
  expect(found('kpt@beta.67', matrix)).toEqual(Array(4).fill('error kpt-unknown-field when'))
  expect(found('kpt@beta.67', variant(`{pipeline: {mutators: [${fn}], validators: [${fn}]}}`))).toEqual(
    Array(2).fill('error kpt-unknown-field when'),
  )
})

test('a set without a uid whose variants are among the files blocks its controller', () => {
  const set = (uid: string, annotations = '') =>
    object(
      `apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: s, ${uid}annotations: {${annotations}}}\nspec: {upstream: {repo: r, package: p, workspaceName: w}, targets: []}\n`,
      'set.yaml',
    )
  const made = object(
    `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\n${meta('krm-variants.dev/package-variant-set: default/s')}\nspec: {upstream: {repo: r, package: p, workspaceName: w}}\n`,
    'variant.yaml',
  )
  expect(found('porch', set(''), made)).toEqual(['warning porch-blocked-set uid'])
  expect(found('porch', set('uid: u, '), made)).toEqual([])
  expect(found('porch', set(''))).toEqual([])
  expect(found('porch', set('', "config.kubernetes.io/local-config: 'true'"), made)).toEqual([])
})

test('a file that is no resource is an error for kpt only inside of a package', () => {
  const template = (path: string) =>
    ({ severity: 'warning', message: 'm', tags: { rule: 'template-file' }, file: { path, index: 0 } }) as const
  const severities = (system: SystemName) =>
    findingsFor(system, [template('a/x.yaml'), template('b/x.yaml')], [KPTFILE]).map(({ severity }) => severity)
  expect(severities('kpt@1.0').slice(0, 2)).toEqual(['error', 'warning'])
  expect(severities('krm-variants').slice(0, 2)).toEqual(['warning', 'warning'])
})

test('a finding that Porch says more about is replaced', () => {
  const ignored = { severity: 'warning', message: 'm', tags: { rule: 'upstream-revision-ignored' } } as const
  expect(findingsFor('porch', [ignored], [])).toEqual([])
  expect(findingsFor('kpt', [ignored], [])).toEqual([ignored])
})

test('kpt alone refuses a package without functions for YAML that is no resource', () => {
  expect(SYSTEM_NAMES.filter(refusesOtherYaml)).toEqual(['kpt', 'kpt@beta.56', 'kpt@beta.67', 'kpt@1.0'])
})

test.each([
  ['fleet.krm-variants.dev/v1alpha1', 'PackageVariantMatrix', /; there no controller makes its variants/],
  ['fleet.krm-variants.dev/v1alpha1', 'PackageRevisionSet', /without our CustomResourceDefinition; there nothing reads it$/],
  ['fleet.krm-variants.dev/v1alpha1', 'Other', /send Other to the API server, which has no such kind$/],
  ['fn.krm-variants.dev/v1alpha1', 'FleetPolicy', /which has no such kind$/],
])('an object of %s, kind %s, is said to have no effect in a cluster', (apiVersion, kind, message) => {
  const [finding, ...others] = findingsFor('kpt', [], [object(`apiVersion: ${apiVersion}\nkind: ${kind}\n${meta()}\n`, 'own.yaml')])
  expect(others).toEqual([])
  expect(finding?.message).toMatch(message)
  expect(finding?.field?.path).toEqual(['metadata', 'annotations', 'config.kubernetes.io/local-config'])
})

test('objects of other groups may be sent to API servers', () => {
  for (const apiVersion of ['v1', 'example.org/v1', 'krm-variants.dev/v1alpha1'])
    expect(findingsFor('kpt', [], [object(`apiVersion: ${apiVersion}\nkind: FleetPolicy\n${meta()}\n`, 'own.yaml')])).toEqual([])
})
