import { expect, test } from 'vitest'
import { asRecord, type JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { withMarks } from './generated-objects.ts'
import { findMovedObjects, type WasIn } from './moved-objects.ts'

const object = (apiVersion: string, kind: string, name: string, spec: JsonRecord): JsonRecord => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'n' },
  spec,
})
const source = (name: string, url: string) => object('source.toolkit.fluxcd.io/v1', 'GitRepository', name, { url })
const kustomization = (name: string, from: string, path: string) =>
  object('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', name, { path, sourceRef: { kind: 'GitRepository', name: from } })
const application = (name: string, repoURL: string, path: string) =>
  object('argoproj.io/v1alpha1', 'Application', name, { source: { repoURL, path } })
const rootSync = (name: string, repo: string, dir: string) => object('configsync.gke.io/v1beta1', 'RootSync', name, { git: { repo, dir } })
const artifactSync = (name: string, image: string) => object('configsync.gke.io/v1beta1', 'RootSync', name, { oci: { image, dir: 'dns' } })
const setOf = (name: string, ...paths: readonly string[]) =>
  object('argoproj.io/v1alpha1', 'ApplicationSet', name, {
    generators: [{ list: { elements: paths.map((path) => ({ url: 'https://g/a', path })) } }],
  })

/** Returns the names of new objects, each with the name of the former one: `NEW < FORMER`. */
function moves(coming: readonly JsonRecord[], left: readonly KrmObject[], wasIn: WasIn = () => false): readonly string[] {
  const found = findMovedObjects({ coming, left, wanted: coming }, wasIn)
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
    coming: [rootSync('new', 'https://g/a', 'dns'), artifactSync('new-oci', 'g/a:v2')],
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
