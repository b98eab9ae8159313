import { expect, test } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { kustomizeFiles } from './kustomize-patches.ts'

const API = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n'

/** Returns the files of a folder `app`, each with an object, and which of them are patches and which are passed over by a Kustomization. */
function filesOf(kustomization: string, { at = 'app/kustomization.yaml', others = [] as readonly KrmObject[] } = {}) {
  const objects = ['app/a.yaml', 'app/b.yaml', 'app/sub/c.yaml', 'd.yaml'].map((path) =>
    writtenObject('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n', path),
  )
  const { isPatch, passingOver } = kustomizeFiles([...objects, writtenObject(kustomization, at), ...others])
  const pathOf = ({ file }: KrmObject) => file?.path
  return {
    patches: objects.filter(isPatch).map(pathOf),
    passed: objects.flatMap((each) => (passingOver(each) === undefined ? [] : (pathOf(each) ?? []))),
  }
}

test('the files of `patches` and `patchesStrategicMerge` are patches, from the folder of the Kustomization', () => {
  expect(filesOf(`${API}patches: [{path: a.yaml}, {path: sub/c.yaml}]\n`).patches).toEqual(['app/a.yaml', 'app/sub/c.yaml'])
  expect(filesOf(`${API}patchesStrategicMerge: [./b.yaml, ../d.yaml]\n`).patches).toEqual(['app/b.yaml', 'd.yaml'])
  expect(filesOf(`${API}resources: [a.yaml]\n`).patches).toEqual([])
})

test('a patch in the text of the Kustomization names no file', () => {
  expect(filesOf(`${API}patches: [{patch: 'a.yaml', target: {kind: A}}]\npatchesStrategicMerge: [{a.yaml: b}]\n`).patches).toEqual([])
})

test('the target of a patch names no file, whatever its texts are', () => {
  const target = '{group: sub/c.yaml, kind: A, name: b.yaml}'
  expect(filesOf(`${API}patches: [{path: a.yaml, target: ${target}}]\n`)).toEqual({ patches: ['app/a.yaml'], passed: ['app/b.yaml'] })
  expect(filesOf(`${API}patchesJson6902: [{path: a.yaml, target: ${target}}]\n`).passed).toEqual(['app/b.yaml'])
})

test.each([
  ['patches: [{path: p.yaml, target: {kind: ConfigMap, name: a}}]', true],
  ['patchesJson6902: [{path: p.yaml, target: {kind: ConfigMap, name: a}}]', true],
  ['patches: [{patch: "[]", target: {kind: ConfigMap}}]', true],
  ['patches: [{patch: "[]", target: {labelSelector: app=a}}]', true],
  ['patches: [{patch: "[]", target: {kind: Config.*, name: a|b}}]', true],
  ['patches: [{patch: "[]", target: {kind: ConfigMap, name: b}}]', false],
  ['patches: [{patch: "[]", target: {kind: Secret, name: a}}]', false],
  ['patches: [{path: p.yaml}]', false],
  ['resources: [a.yaml]', false],
])('with %s the ConfigMap a may be patched: %s', (fields, isTarget) => {
  const object = writtenObject('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n', 'app/a.yaml')
  expect(kustomizeFiles([writtenObject(`${API}${fields}\n`, 'app/kustomization.yaml')]).isTarget(object)).toBe(isTarget)
})

test('a Kustomization without apiVersion is known by the name of its file', () => {
  const bare = 'patches: [{path: a.yaml}]\n'
  const patchesAt = (at: string, text = bare) => filesOf(text, { at }).patches
  expect(['app/kustomization.yaml', 'app/kustomization.yml', 'app/Kustomization'].map((at) => patchesAt(at))).toEqual(
    Array(3).fill(['app/a.yaml']),
  )
  expect(['app/my-kustomization.yaml', 'app/kustomization.yaml.bak', 'app/kustomization.json'].map((at) => patchesAt(at))).toEqual(
    Array(3).fill([]),
  )
  expect(filesOf('patches: [{path: app/a.yaml}]\n', { at: 'kustomization.yaml' }).patches).toEqual(['app/a.yaml'])
  expect(patchesAt('app/kustomization.yaml', `apiVersion: example.org/v1\nkind: Kustomization\n${bare}`)).toEqual([])
  expect(patchesAt('app/any.yaml', `${API}${bare}`)).toEqual(['app/a.yaml'])
})

test('a file beside a Kustomization that names it nowhere is passed over, and one in another folder is not', () => {
  expect(filesOf(`${API}resources: [a.yaml]\n`).passed).toEqual(['app/b.yaml'])
  expect(filesOf(API).passed).toEqual(['app/a.yaml', 'app/b.yaml'])
  const { passingOver } = kustomizeFiles([writtenObject(API, 'app/kustomization.yaml')])
  expect(passingOver(writtenObject('apiVersion: v1\nkind: A\n', 'app/x.yaml'))).toBe('app/kustomization.yaml')
})

test('any field may name a file, also behind the key of a generator; a text of several lines names none', () => {
  expect(filesOf(`${API}secretGenerator: [{name: s, files: [key=a.yaml, b.yaml]}]\n`).passed).toEqual([])
  expect(filesOf(`${API}any: {deep: [{er: a.yaml}]}\nnumber: 3\n`).passed).toEqual(['app/b.yaml'])
  expect(filesOf(`${API}patches:\n- patch: |\n    a.yaml\n- path: b.yaml\n`).passed).toEqual(['app/a.yaml'])
})

test('a Kustomization that cannot be read names nothing', () => {
  expect(filesOf(`${API}resources: [*gone]\n`).passed).toEqual(['app/a.yaml', 'app/b.yaml'])
})

test('without a Kustomization there are no patches, and nothing is passed over', () => {
  expect(filesOf('apiVersion: v1\nkind: ConfigMap\npatches: [{path: a.yaml}]\n', { at: 'app/x.yaml' })).toEqual({ patches: [], passed: [] })
})

test('an object without a file is no patch, and no Kustomization by its name', () => {
  const bare = KrmObject.fromDocument('kind: A\n')
  const { isPatch, passingOver } = kustomizeFiles([bare, writtenObject(`${API}patches: [{path: a.yaml}]\n`, 'app/kustomization.yaml')])
  expect([isPatch(bare), passingOver(bare)]).toEqual([false, undefined])
})
