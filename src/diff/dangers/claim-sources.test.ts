import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { dangerPaths, judgedChange, judgedObject } from './testing/judged-changes.ts'

const X = { kind: 'PersistentVolumeClaim', name: 'x' }
const Y = { kind: 'PersistentVolumeClaim', name: 'y' }
const SNAPSHOT = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' }
const OTHER_KIND = { apiGroup: 'example.com', kind: 'Book', name: 'b' }
const ELSEWHERE = { ...X, namespace: 'other' }
const BOTH = ['spec.dataSource', 'spec.dataSourceRef']

// By PrepareForCreate and PrepareForUpdate of Kubernetes' pkg/registry/core/persistentvolumeclaim, and ValidatePersistentVolumeClaimUpdate.
test.each<[what: string, before: JsonRecord, after: JsonRecord, refused: readonly string[]]>([
  ['one of two equal sources goes', { dataSource: X, dataSourceRef: X }, { dataSourceRef: X }, []],
  ['the other of two equal sources goes', { dataSource: X, dataSourceRef: X }, { dataSource: X }, []],
  ['both sources go', { dataSource: X, dataSourceRef: X }, {}, BOTH],
  ['the only source goes, which the server keeps in the other field', { dataSource: X }, {}, []],
  ['the only reference goes, which the server keeps in the other field', { dataSourceRef: SNAPSHOT }, {}, []],
  ['a reference that the server writes into no other field goes', { dataSourceRef: ELSEWHERE }, {}, ['spec.dataSourceRef']],
  ['a source moves to the other field', { dataSource: X }, { dataSourceRef: X }, []],
  ['a source is named twice', { dataSource: SNAPSHOT }, { dataSource: SNAPSHOT, dataSourceRef: SNAPSHOT }, []],
  ['a source moves to the other field and changes', { dataSource: X }, { dataSourceRef: Y }, BOTH],
  ['another source', { dataSource: X }, { dataSource: Y }, ['spec.dataSource.name']],
  ['a reference to something else than the source', { dataSource: X }, { dataSource: X, dataSourceRef: Y }, ['spec.dataSourceRef']],
  ['a source comes', {}, { dataSource: X }, ['spec.dataSource']],
  ['a source of a kind that the server does not read in this field comes', {}, { dataSource: OTHER_KIND }, []],
  ['such a source goes', { dataSource: OTHER_KIND }, {}, []],
  [
    'such a source replaces one',
    { dataSource: X },
    { dataSource: { ...OTHER_KIND, name: 'x' } },
    ['spec.dataSource.kind', 'spec.dataSource.apiGroup'],
  ],
  ['a reference of that kind comes', {}, { dataSourceRef: OTHER_KIND }, ['spec.dataSourceRef']],
])('of a claim, the API server refuses what changes a source: %s', (_, before, after, refused) => {
  const claim = (spec: JsonRecord) => judgedObject('v1 PersistentVolumeClaim', { spec })
  expect([...dangerPaths('immutable-volume-claim', judgedChange(claim(before), claim(after)))].sort()).toEqual([...refused].sort())
})
