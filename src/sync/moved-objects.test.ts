import { expect, test } from 'vitest'
import { asRecord, type JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { withMarks } from './generated-objects.ts'
import { findMovedObjects, type WasIn } from './moved-objects.ts'
import { gitRepositoryOf, syncOf, type TestOptions, variantOf } from './testing/sync-of-objects.ts'

const object = (apiVersion: string, kind: string, name: string, spec: JsonRecord): JsonRecord => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'n' },
  spec,
})
const source = (name: string, url: string, more: JsonRecord = {}) =>
  object('source.toolkit.fluxcd.io/v1', 'GitRepository', name, { url, ...more })
const kustomization = (name: string, from: string, path: string, more: JsonRecord = {}) =>
  object('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', name, { path, sourceRef: { kind: 'GitRepository', name: from }, ...more })
const application = (name: string, repoURL: string, path: string, more: JsonRecord = {}) =>
  object('argoproj.io/v1alpha1', 'Application', name, { source: { repoURL, path }, ...more })
const rootSync = (name: string, repo: string, dir: string, more: JsonRecord = {}) =>
  object('configsync.gke.io/v1beta1', 'RootSync', name, { git: { repo, dir, ...more } })
const artifactSync = (name: string, image: string) => object('configsync.gke.io/v1beta1', 'RootSync', name, { oci: { image, dir: 'dns' } })
const setOf = (name: string, ...paths: readonly string[]) =>
  object('argoproj.io/v1alpha1', 'ApplicationSet', name, {
    generators: [{ list: { elements: paths.map((path) => ({ url: 'https://g/a', path })) } }],
  })

/** Returns the names of new objects, each with the name of the former one: `NEW < FORMER`. The objects of `stay` are there before too. */
function moves(
  coming: readonly JsonRecord[],
  left: readonly KrmObject[],
  wasIn: WasIn = () => false,
  stay: readonly { readonly object: KrmObject; readonly value: JsonRecord }[] = [],
): readonly string[] {
  const wanted = [...coming, ...stay.map(({ value }) => value)]
  const found = findMovedObjects({ coming, left, wanted, present: [...left, ...stay.map((each) => each.object)] }, wasIn)
  return [...found].map(([value, former]) => `${KrmObject.fromDocument(JSON.stringify(value)).name} < ${former.name}`)
}

/** Returns an object as a run wrote it, with a field of a person. */
function written(value: JsonRecord): KrmObject {
  return KrmObject.fromDocument(JSON.stringify(withMarks({ ...value, spec: { ...asRecord(value.spec), mine: true } }, value, 's')))
}

test.each<{
  readonly what: string
  readonly coming: readonly JsonRecord[]
  readonly left: readonly JsonRecord[]
  readonly expected: readonly string[]
}>([
  {
    what: 'an Application of the same folder',
    coming: [application('new', 'https://g/a', 'dns')],
    left: [application('old', 'https://g/a', 'dns'), application('other', 'https://g/b', 'dns'), application('web', 'https://g/a', 'web')],
    expected: ['new < old'],
  },
  {
    what: 'a Kustomization of the same folder, whose source has another name too',
    coming: [source('fleet', 'https://g/a'), kustomization('new', 'fleet', './dns')],
    left: [
      source('ber', 'https://g/a'),
      kustomization('old', 'ber', './dns'),
      source('ham', 'https://g/b'),
      kustomization('ham-dns', 'ham', './dns'),
    ],
    expected: ['fleet < ber', 'new < old'],
  },
  {
    what: 'a RootSync of the same folder',
    coming: [rootSync('new', 'https://g/a', 'dns'), artifactSync('new-oci', 'g/a:v1')],
    left: [rootSync('old', 'https://g/a', '/dns/'), artifactSync('old-oci', 'g/a:v1')],
    expected: ['new < old', 'new-oci < old-oci'],
  },
  {
    what: 'an ApplicationSet of the same folders',
    coming: [setOf('new', 'dns', 'web')],
    left: [setOf('old', 'dns', 'web'), setOf('other', 'dns')],
    expected: ['new < old'],
  },
  {
    what: 'no object where two could be meant',
    coming: [application('new', 'https://g/a', 'dns')],
    left: [application('one', 'https://g/a', 'dns'), application('two', 'https://g/a', 'dns')],
    expected: [],
  },
  {
    what: 'no object of another kind',
    coming: [rootSync('new', 'https://g/a', 'dns')],
    left: [application('old', 'https://g/a', 'dns')],
    expected: [],
  },
  {
    what: 'no ApplicationSet, where both have no elements',
    coming: [setOf('new')],
    left: [setOf('old')],
    expected: [],
  },
])('a new object follows $what', ({ coming, left, expected }) => {
  expect(moves(coming, left.map(written))).toEqual(expected)
})

test('an object whose generated state is not known is followed by none', () => {
  const plain = KrmObject.fromDocument(JSON.stringify(application('old', 'https://g/a', 'dns')))
  expect(moves([application('new', 'https://g/a', 'dns')], [plain])).toEqual([])
})

test('of objects in other folders one is followed whose package was there, if it is the only one and people edited it', () => {
  const coming = [application('new', 'https://g/a', 'ber/new')]
  const old = application('old', 'https://g/a', 'ber/old')
  const others = [application('web', 'https://g/a', 'ber/web'), application('far', 'https://g/b', 'ber/old')].map(written)
  const wasIn: WasIn = (_, folder) => folder === 'ber/old'
  expect(moves(coming, [written(old), ...others], wasIn)).toEqual(['new < old'])
  expect(moves(coming, [written(old), ...others], () => true)).toEqual([])
  const asked: string[] = []
  const unedited = KrmObject.fromDocument(JSON.stringify(withMarks(old, old, 's')))
  expect(moves(coming, [unedited], (_, folder) => asked.push(folder) > 0)).toEqual([])
  expect(asked).toEqual([])
})

test.each<{ readonly what: string; readonly make: (name: string, spec: JsonRecord) => JsonRecord; readonly specs: readonly JsonRecord[] }>([
  {
    what: 'an Application',
    make: (name, spec) => application(name, 'https://g/a', 'dns', spec),
    specs: [{ destination: { name: 'ber' } }, { destination: { server: 'ber' } }, { destination: { name: 'ber', namespace: 'dns' } }],
  },
  {
    what: 'a Kustomization',
    make: (name, spec) => kustomization(name, 'fleet', 'dns', spec),
    specs: [{ kubeConfig: { secretRef: { name: 'ber' } } }, { targetNamespace: 'dns' }],
  },
  {
    what: 'a GitRepository',
    make: (name, spec) => source(name, 'https://g/a', spec),
    specs: [{ ref: { branch: 'ber' } }, { ref: { tag: 'ber' } }, { secretRef: { name: 'ber' } }],
  },
  {
    what: 'a RootSync',
    make: (name, spec) => rootSync(name, 'https://g/a', 'dns', spec),
    specs: [{ branch: 'ber' }, { revision: 'ber' }, { secretRef: { name: 'ber' } }],
  },
  {
    what: 'an ApplicationSet',
    make: (name, element) =>
      object('argoproj.io/v1alpha1', 'ApplicationSet', name, {
        generators: [{ list: { elements: [{ url: 'https://g/a', path: 'dns', ...element }] } }],
      }),
    specs: [{ branch: 'ber' }, { destination: 'ber' }, { server: 'ber' }, { namespace: 'dns' }],
  },
])('$what of one folder follows only one of the same branch or tag, Secret and destination', ({ make, specs }) => {
  const fleet = source('fleet', 'https://g/fleet')
  const stay = [{ object: written(fleet), value: fleet }]
  const all = [{}, ...specs]
  for (const now of all) {
    for (const before of all) {
      const expected = now === before ? ['new < old'] : []
      const found = moves([make('new', now)], [written(make('old', before))], undefined, stay)
      expect({ now, before, found }).toEqual({ now, before, found: expected })
    }
  }
})

test('a Kustomization does not follow one whose source read another branch until now', () => {
  const [before, now] = [source('fleet', 'https://g/a', { ref: { branch: 'a' } }), source('fleet', 'https://g/a', { ref: { branch: 'c' } })]
  const old = written(kustomization('old', 'fleet', 'dns'))
  const coming = [kustomization('new', 'fleet', 'dns')]
  expect(moves(coming, [old], undefined, [{ object: written(before), value: now }])).toEqual([])
  expect(moves(coming, [old], undefined, [{ object: written(before), value: before }])).toEqual(['new < old'])
})

/** Returns the sync objects of clusters that each deploy package `dns` from one repository, on the branch with the name of the cluster. */
function branchPerCluster(options: TestOptions, ...clusters: readonly string[]): readonly JsonRecord[] {
  const repositories = clusters.map((cluster) => gitRepositoryOf(cluster, { repo: 'https://g/fleet.git', branch: cluster }))
  const { objects, results } = syncOf([...repositories, ...clusters.map((cluster) => variantOf(cluster, 'dns'))], options)
  expect(results.filter((line) => line.includes('error'))).toEqual([])
  return objects
}

test.each<{ readonly options: TestOptions }>([
  { options: { system: 'argocd' } },
  { options: { system: 'argocd', expressions: { destinationExpr: 'repository.name' } } },
  { options: { system: 'flux' } },
  { options: { system: 'flux', expressions: { destinationExpr: 'repository.name' } } },
  { options: { system: 'config-sync' } },
])('with a branch for each cluster, a new cluster follows none that goes, and another name is followed: $options', ({ options }) => {
  const before = branchPerCluster(options, 'a', 'b')
  const nameOf = ({ metadata }: JsonRecord) => asRecord(metadata).name
  const without = (some: readonly JsonRecord[], others: readonly JsonRecord[]) =>
    some.filter((one) => !others.some((other) => nameOf(one) === nameOf(other) && one.kind === other.kind))
  const found = (after: readonly JsonRecord[]) => {
    const left = without(before, after)
    expect(left).not.toEqual([])
    const stay = without(before, left).map((value) => ({ object: written(value), value }))
    return moves(without(after, before), left.map(written), undefined, stay)
  }
  expect(found(branchPerCluster(options, 'b', 'c'))).toEqual([])
  const { expressions } = options
  const otherNames = { ...options, expressions: { ...expressions, nameExpr: "'of-' + repository.name" } }
  expect(found(branchPerCluster(otherNames, 'b'))).toEqual(['of-b < b-dns'])
})
