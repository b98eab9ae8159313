import { expect, test } from 'vitest'
import { readPackageContents, sourceFault } from './package-contents.ts'
import { digest, objectOf } from './testing/objects.ts'

const REFERENCE = 'xpkg.example.org/acme/helm:v1.0.0'
const A = digest('a')

function metadata(kind = 'Provider', spec: object = {}, annotations: object = {}, apiVersion = 'meta.pkg.crossplane.io/v1'): object {
  return { apiVersion, kind, metadata: { name: 'helm', annotations }, spec }
}

function definition(name: string, kind = 'Chart'): object {
  const spec = { group: 'acme.org', names: { kind }, versions: [{ name: 'v1', served: true }] }
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name }, spec }
}

/** Returns the entry of some contents, or the messages of the faults. */
function read(objects: readonly object[], { reference = REFERENCE, digest: of = '' } = {}) {
  const { entry, faults } = readPackageContents({
    name: 'helm.xpkg',
    objects: objects.map((each) => objectOf(each)),
    reference,
    digest: of,
  })
  return entry ?? faults.map(({ message }) => message)
}

test.each([
  ['Provider', 'meta.pkg.crossplane.io/v1', 'Provider'],
  ['Configuration', 'meta.pkg.crossplane.io/v1alpha1', 'Configuration'],
  ['Function', 'meta.pkg.crossplane.io/v1beta1', 'Function'],
  ['Project', 'meta.dev.upbound.io/v1alpha1', 'Configuration'],
])('the metadata of a %s of %s makes an entry of a %s', (kind, apiVersion, expected) => {
  expect(read([metadata(kind, {}, {}, apiVersion)])).toEqual({
    ecosystem: 'crossplane',
    id: 'xpkg.example.org/acme/helm',
    version: 'v1.0.0',
    package: { kind: expected },
    fields: { dependencies: [] },
  })
})

test.each([
  ['no metadata', [definition('a')]],
  ['metadata of another group', [metadata('Provider', {}, {}, 'pkg.crossplane.io/v1')]],
  ['a Project of another group', [metadata('Project')]],
])('contents with %s are refused', (_what, objects) => {
  expect(read(objects)).toEqual([expect.stringContaining('must hold a Provider, Configuration or Function')])
})

test('every second metadata object is a fault', () => {
  expect(read([metadata(), metadata('Configuration'), metadata('Function')])).toEqual([
    expect.stringContaining('must be of one object'),
    expect.stringContaining('must be of one object'),
  ])
})

test.each([
  ['is missing', { reference: '' }, 'must be given with the reference that installs it'],
  ['has no registry', { reference: 'acme/helm:v1.0.0' }, 'must have a reference with a registry'],
  ['has no tag', { reference: 'xpkg.example.org/acme/helm' }, 'must have a reference with a tag'],
  ['has a digest of another form', { reference: `${REFERENCE}@sha256:ab` }, 'must have a reference with sha256: and 64 hex digits'],
  ['has another digest than the image', { reference: `${REFERENCE}@${A}`, digest: digest('b') }, 'must have the digest of its reference'],
])('a reference that %s is a fault', (_what, given, message) => {
  expect(read([metadata()], given)).toEqual([expect.stringContaining(message)])
})

test.each([
  [{ digest: A }, A],
  [{ reference: `${REFERENCE}@${A}` }, A],
  [{ reference: `${REFERENCE}@${A}`, digest: A }, A],
  [{}, undefined],
])('the digest of %j', (given, expected) => {
  const entry = read([metadata()], given)
  expect('fields' in entry && entry.fields.digest).toBe(expected)
})

test('a reference that is given comes before the one in the metadata', () => {
  const annotated = metadata('Provider', {}, { 'krm-variants.dev/package': 'xpkg.example.org/acme/helm:v2.0.0' })
  expect(read([annotated], { reference: '' })).toMatchObject({ version: 'v2.0.0' })
  expect(read([annotated])).toMatchObject({ version: 'v1.0.0' })
})

test('an entry has the range of Crossplane and the dependencies, as far as they are some', () => {
  const dependsOn = [{ provider: 'xpkg.example.org/acme/base', version: '>=v1.0.0' }, 'text', 5]
  expect(read([metadata('Provider', { crossplane: { version: '>=v1.14' }, dependsOn })])).toMatchObject({
    fields: { constraints: { crossplane: '>=v1.14' }, dependencies: [dependsOn[0]] },
  })
  for (const crossplane of [{ version: '' }, { version: 5 }, undefined])
    expect(read([metadata('Provider', { crossplane, dependsOn: 'text' })])).toMatchObject({ fields: { dependencies: [] } })
  expect(read([metadata('Provider', { crossplane: { version: '' } })])).not.toHaveProperty('fields.constraints')
})

test('an entry has the definitions and compositions that a package brings, each once; a Function brings none', () => {
  const composition = { apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', metadata: { name: 'web' }, spec: {} }
  const abstract = {
    ...definition('shops.acme.org', 'Shop'),
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'CompositeResourceDefinition',
  }
  const others = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }]
  const objects = [definition('charts.acme.org'), definition('charts.acme.org'), composition, abstract, ...others]
  expect(read([metadata(), ...objects])).toMatchObject({
    fields: {
      provides: [
        { apiVersion: 'acme.org/v1', kind: 'Chart' },
        { apiVersion: 'acme.org/v1', kind: 'Shop' },
      ],
      brings: [
        { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'charts.acme.org' },
        { apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', name: 'web' },
        { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'shops.acme.org' },
      ],
    },
  })
  expect(read([metadata('Function'), ...objects])).toMatchObject({ fields: { dependencies: [] } })
  expect(Object.keys(read([metadata('Function'), ...objects]))).toContain('fields')
  expect(read([metadata('Function'), ...objects])).not.toHaveProperty('fields.brings')
  expect(read([metadata('Function'), ...objects])).not.toHaveProperty('fields.provides')
})

test('a fault of a whole source is an error at its file', () => {
  expect(sourceFault('helm.xpkg', 'package-contents', 'must hold one')).toEqual({
    severity: 'error',
    message: 'must hold one',
    file: { path: 'helm.xpkg', index: 0 },
    tags: { rule: 'package-contents' },
  })
})
