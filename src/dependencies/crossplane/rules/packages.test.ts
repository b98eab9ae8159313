import { describe, expect, test } from 'vitest'
import type { KrmObject } from '../../../resource-list/krm-object.ts'
import {
  digest,
  findingsOn,
  knownPackage,
  knownVersion,
  lockEntry,
  lockObject,
  objectOf,
  packageObject,
  read,
  revisionObject,
} from '../testing/objects.ts'

const HELM = 'xpkg.example.org/acme/helm'
const A = digest('a')

describe('dependency-form-invalid', () => {
  test.each(['Provider', 'Configuration', 'Function'])('a %s must name its package', (kind) => {
    const apiVersion = 'pkg.crossplane.io/v1'
    const missing = ['dependency-form-invalid: `spec.package` must be set']
    expect(findingsOn([objectOf({ apiVersion, kind, metadata: { name: 'helm' }, spec: { packagePullPolicy: 'Always' } })])).toEqual(missing)
    expect(findingsOn([objectOf({ apiVersion, kind, metadata: { name: 'helm' } })])).toEqual(missing)
    expect(findingsOn([objectOf({ apiVersion: 'aws.upbound.io/v1', kind, metadata: { name: 'helm' } })])).toEqual([])
  })

  test('a patch of an object that names its package needs none, and a misspelt field is said alone', () => {
    const patch = objectOf({ apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: 'helm' }, spec: {} })
    expect(findingsOn([packageObject('helm', `${HELM}:v1.0.0`), patch])).toEqual([])
    const misspelt = objectOf({ apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: 'helm' }, spec: { pakage: HELM } })
    expect(findingsOn([misspelt])).toEqual([expect.stringContaining("did you mean 'package'?")])
  })

  test('a patch that a kustomization without an apiVersion lists needs none', () => {
    const patch = objectOf({ apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: 'helm' } }, 'ber/helm.yaml')
    const listing = (path: string) => objectOf({ patches: [{ path }, { patch: '[]' }] }, 'ber/kustomization.yaml')
    expect(findingsOn([listing('helm.yaml'), patch])).toEqual([])
    expect(findingsOn([listing('../helm.yaml'), patch])).toEqual([
      expect.stringContaining('"ber/kustomization.yaml", which passes over it'),
    ])
  })

  test('an object that a patch with a target selects may get its package by the patch', () => {
    const provider = objectOf({ apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: 'helm' } }, 'ber/helm.yaml')
    const patched = (name: string, resources = ['helm.yaml']) =>
      objectOf({ resources, patches: [{ patch: '[]', target: { kind: 'Provider', name } }] }, 'ber/kustomization.yaml')
    expect(findingsOn([patched('helm'), provider])).toEqual([])
    expect(findingsOn([patched('web'), provider])).toEqual(['dependency-form-invalid: `spec.package` must be set'])
    expect(findingsOn([patched('helm.yaml', []), provider])).toEqual([expect.stringContaining('passes over it')])
  })

  test('a file that the kustomization beside it does not list is a warning, since no cluster gets it', () => {
    const patch = objectOf({ apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: 'helm' } }, 'ber/helm.yaml')
    const kustomization = (folder: string, resources: readonly string[] = []) => objectOf({ resources }, `${folder}/kustomization.yaml`)
    expect(findingsOn([kustomization('ber', ['web.yaml', 'more-helm.yaml']), patch])).toEqual([
      'dependency-form-invalid: `spec.package` must be set, or the file listed under `patches` of "ber/kustomization.yaml", which passes over it',
    ])
    for (const other of [kustomization('ams', ['helm.yaml']), kustomization('.', ['../helm.yaml'])])
      expect(findingsOn([kustomization('ber'), other, patch])).toEqual([expect.stringContaining('passes over it')])
    expect(findingsOn([kustomization('ber', ['web.yaml # helm.yaml', 'helm.yaml/web.yaml']), patch])).toEqual([
      expect.stringContaining('passes over it'),
    ])
    const generators = [{ name: 'x', files: ['key=helm.yaml'] }]
    expect(findingsOn([objectOf({ configMapGenerator: generators }, 'ber/kustomization.yaml'), patch])).toEqual([
      'dependency-form-invalid: `spec.package` must be set',
    ])
    for (const other of [kustomization('ber', ['helm.yaml']), kustomization('ams'), kustomization('.', ['ber/helm.yaml'])])
      expect(findingsOn([other, patch])).toEqual(['dependency-form-invalid: `spec.package` must be set'])
  })
})

test.each([
  { reference: 'xpkg.example.org/acme/Helm:v1.0.0', words: 'a path of 2 to 255 lowercase letters' },
  { reference: 'xpkg.example.org/a:v1.0.0', words: 'a path of 2 to 255 lowercase letters' },
  { reference: `${HELM}:v1.0.0+1`, words: 'a tag of at most 128 letters' },
  { reference: `${HELM}@sha256:abc`, words: 'a digest of' },
])('no registry holds $reference', ({ reference, words }) => {
  const [finding = '', ...more] = findingsOn([packageObject('helm', reference)])
  expect(more).toEqual([])
  expect(finding).toContain(`dependency-form-invalid: \`spec.package\` must have ${words}`)
  expect(finding).toContain(`got "${reference}"`)
})

test('a reference with variables is not checked', () => {
  expect(findingsOn([packageObject('helm', `${HELM}:\${VERSION}`)])).toEqual([])
})

describe('tag-and-digest', () => {
  test('a reference must not have both', () => {
    expect(findingsOn([packageObject('helm', `${HELM}:v1.0.0@${A}`)])).toEqual([
      expect.stringMatching(/^tag-and-digest: .*crossplane#7458/),
    ])
  })

  test('a tag or a digest alone is fine', () => {
    expect(findingsOn([packageObject('helm', `${HELM}:v1.0.0`)])).toEqual([])
    expect(findingsOn([packageObject('helm', `${HELM}@${A}`)])).toEqual([])
  })
})

describe('partial-tag', () => {
  test.each([
    { tag: ':v1', words: 'is no full version' },
    { tag: ':v1.2', words: 'is no full version' },
    { tag: '', words: "refuses the object from v2.0 on, and took the registry's tag 'latest' before" },
  ])('the reference with the tag "$tag" $words', ({ tag, words }) => {
    expect(findingsOn([packageObject('helm', `${HELM}${tag}`)])).toEqual([expect.stringContaining(words)])
  })

  test('a tag without the v of the known tag is another tag', () => {
    const catalog = [{ id: HELM, versions: ['v1.0.0'] }]
    expect(findingsOn([packageObject('helm', `${HELM}:1.0.0`)], catalog)).toEqual([expect.stringContaining('known is "v1.0.0"')])
    expect(findingsOn([packageObject('helm', `${HELM}:v1.0.0`)], catalog)).toEqual([])
  })
})

describe('duplicate-package', () => {
  test('two objects must not install one source, whatever their kind and version', () => {
    const objects = [packageObject('one', `${HELM}:v1.0.0`), packageObject('two', `${HELM}:v2.0.0`, {}, 'Function')]
    expect(findingsOn(objects)).toEqual([expect.stringMatching(/^duplicate-package: .*both install xpkg\.example\.org\/acme\/helm/)])
  })

  test('two entries of the Lock must not install one source', () => {
    expect(findingsOn([lockObject(lockEntry(HELM, 'v1.0.0', [], 'one'), lockEntry(HELM, 'v1.0.0', [], 'two'))])).toEqual([
      expect.stringMatching(/^duplicate-package: entry "one" of the Lock/),
    ])
  })
})

describe('generated-name-collision', () => {
  const app = { id: 'xpkg.example.org/acme/app', versions: [{ version: 'v1.0.0', dependencies: [{ provider: HELM, version: '>=v1' }] }] }
  const parent = packageObject('app', 'xpkg.example.org/acme/app:v1.0.0', {}, 'Configuration')

  test('a missing dependency must not get the name of a package of the same kind with another source', () => {
    const other = packageObject('acme-helm', 'xpkg.other.org/acme/helm:v1.0.0')
    expect(findingsOn([parent, other], [app])).toEqual([expect.stringMatching(/^generated-name-collision: .*would be named acme-helm/)])
  })

  test('a package of another kind has another name', () => {
    const other = packageObject('acme-helm', 'xpkg.other.org/acme/helm:v1.0.0', {}, 'Function')
    expect(findingsOn([parent, other], [app])).toEqual([])
  })
})

describe('lock-drift', () => {
  const helm = packageObject('helm', `${HELM}:v1.0.0`)

  test('an entry must have the version of the object', () => {
    expect(findingsOn([helm, lockObject(lockEntry(HELM, 'v2.0.0'))])).toEqual([
      expect.stringMatching(/^lock-drift: .* v2\.0\.0, .* has v1\.0\.0/),
    ])
    expect(findingsOn([helm, lockObject(lockEntry(HELM, 'v1.0.0'))])).toEqual([])
  })

  test('an entry must be a revision, if there are revisions', () => {
    const revision = revisionObject('helm', 'helm-1', { desiredState: 'Active', revision: 1 })
    const drifts = (name: string) =>
      findingsOn([helm, revision, lockObject(lockEntry(HELM, 'v1.0.0', [], name))]).filter((each) => each.startsWith('lock-drift'))
    expect(drifts('helm-1')).toEqual([])
    expect(drifts('helm-0')).toEqual([expect.stringContaining('as helm-0, and there is no revision of that name')])
  })

  test('an entry must have a name', () => {
    expect(findingsOn([lockObject(lockEntry(HELM, 'v1.0.0', [], ''))])).toEqual([expect.stringContaining('an entry without a name')])
  })

  test('an entry must have the dependencies of its version, in any order', () => {
    const dependencies = [
      { provider: 'xpkg.example.org/a', version: '>=v1' },
      { provider: 'xpkg.example.org/b', version: '>=v1' },
    ]
    const catalog = [{ id: HELM, versions: [{ version: 'v1.0.0', dependencies }] }]
    const recorded = dependencies.map(({ provider, version }) => ({ package: provider, constraints: version }))
    const drifts = (list: readonly object[]) =>
      findingsOn([helm, lockObject(lockEntry(HELM, 'v1.0.0', list))], catalog).filter((each) => each.startsWith('lock-drift'))
    expect(drifts(recorded.toReversed())).toEqual([])
    expect(drifts(recorded.slice(1))).toEqual([expect.stringContaining('its metadata')])
  })
})

describe('platform-incompatible', () => {
  const catalog = [{ id: HELM, versions: [{ version: 'v1.0.0', dependencies: [], constraints: { crossplane: '>=v1.20.0' } }] }]

  test('the version of the cluster must be in the range of the package', () => {
    const helm = packageObject('helm', `${HELM}:v1.0.0`)
    expect(findingsOn([helm], catalog, { crossplaneVersion: 'v1.19.0' })).toEqual([
      expect.stringMatching(/^platform-incompatible: .*v1\.19\.0/),
    ])
    expect(findingsOn([helm], catalog, { crossplaneVersion: 'v1.20.0' })).toEqual([])
  })

  test('a package with ignoreCrossplaneConstraints runs anyway', () => {
    const helm = packageObject('helm', `${HELM}:v1.0.0`, { ignoreCrossplaneConstraints: true })
    expect(findingsOn([helm], catalog, { crossplaneVersion: 'v1.19.0' })).toEqual([])
  })
})

describe('definitions of a Function', () => {
  const bringing = (...brings: readonly object[]) => [knownPackage(HELM, knownVersion('v1.0.0', [], { brings }))]
  const CRD = { kind: 'CustomResourceDefinition', name: 'charts.acme.org' }
  const fn = packageObject('helm', `${HELM}:v1.0.0`, {}, 'Function')
  const platforms = (object: KrmObject, entries: readonly object[], crossplaneVersion: string) =>
    findingsOn([object], entries, { crossplaneVersion }).filter((each) => each.startsWith('platform-incompatible'))

  test('a Function may bring definitions since Crossplane 2.2', () => {
    const found = read([fn], bringing({ kind: 'Composition', name: 'net' }, CRD), { crossplaneVersion: 'v2.1.0' }).findings()
    expect(found).toMatchObject([
      {
        rule: 'platform-incompatible',
        message: expect.stringMatching(
          /^xpkg\.example\.org\/acme\/helm v1\.0\.0 brings CustomResourceDefinition charts\.acme\.org \(.*\), which a Function may do since Crossplane v2\.2, the cluster has v2\.1\.0$/,
        ),
        place: { path: ['spec', 'package'] },
        tags: { package: HELM, required: '>=v2.2' },
      },
    ])
  })

  test('a Function of a newer Crossplane, a Provider, and a Function without definitions are no fault', () => {
    expect(platforms(fn, bringing(CRD), 'v2.2.0')).toEqual([])
    expect(platforms(packageObject('helm', `${HELM}:v1.0.0`), bringing(CRD), 'v2.1.0')).toEqual([])
    expect(platforms(fn, bringing({ kind: 'Composition', name: 'net' }), 'v2.1.0')).toEqual([])
    expect(platforms(fn, [], 'v2.1.0')).toEqual([])
  })
})
