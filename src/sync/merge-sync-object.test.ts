import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { mergeSyncObject } from './merge-sync-object.ts'

const kustomization = (spec: JsonRecord): JsonRecord => ({ kind: 'Kustomization', metadata: { name: 'a', namespace: 'flux-system' }, spec })

function merge(base: JsonRecord, theirs: JsonRecord, ours: JsonRecord) {
  const { value, lost } = mergeSyncObject({ base: kustomization(base), theirs: kustomization(theirs), ours: kustomization(ours) })
  return { spec: value.spec, lost: lost.map(({ field, ours: mine }) => [field.join('.'), mine]) }
}

const deps = (...names: string[]) => ({ dependsOn: names.map((name) => ({ name })) })

test('an entry that people added to dependsOn, and a field of an entry, stay when the fleet adds an entry', () => {
  const ours = {
    dependsOn: [
      { name: 'a', readyExpr: 'true' },
      { name: 'storage', namespace: 'platform' },
    ],
  }
  const merged = merge(deps('a'), deps('a', 'b'), ours)
  expect(merged).toEqual({ spec: { dependsOn: [...ours.dependsOn, { name: 'b' }] }, lost: [] })
})

test('an entry in another namespace is another entry, and the own namespace may be written', () => {
  const ours = {
    dependsOn: [
      { name: 'a', namespace: 'flux-system' },
      { name: 'a', namespace: 'other' },
    ],
  }
  expect(merge(deps('a'), deps('a', 'b'), ours).spec).toEqual({ dependsOn: [...ours.dependsOn, { name: 'b' }] })
})

test('an entry that the fleet removed goes, also if people wrote its own namespace, and one of another namespace stays', () => {
  const written = { name: 'a', namespace: 'flux-system' }
  expect(merge(deps('a', 'b'), deps('b'), { dependsOn: [written, { name: 'b' }] }).spec).toEqual(deps('b'))
  const other = { name: 'a', namespace: 'other' }
  expect(merge(deps('a', 'b'), deps('b'), { dependsOn: [{ name: 'a' }, { name: 'b' }, other] }).spec).toEqual({
    dependsOn: [{ name: 'b' }, other],
  })
})

test('an entry that the fleet removed goes with the field that people added, which is named', () => {
  const edited = { name: 'a', readyExpr: 'true' }
  const merged = merge(deps('a', 'b'), deps('b'), { dependsOn: [edited, { name: 'b' }, { name: 'storage' }] })
  expect(merged).toEqual({ spec: deps('b', 'storage'), lost: [['spec.dependsOn.0', edited]] })
})

test('an entry of people stays when the fleet removes the whole list, and an empty list goes', () => {
  expect(merge(deps('a'), {}, deps('a', 'storage')).spec).toEqual(deps('storage'))
  expect(merge(deps('a'), {}, { dependsOn: [{ name: 'a', readyExpr: 'x' }] })).toEqual({
    spec: {},
    lost: [['spec.dependsOn.0', { name: 'a', readyExpr: 'x' }]],
  })
})

test('health checks and options of a sync are merged entry by entry', () => {
  const check = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name, namespace: 'x' })
  const healthChecks = [check('a'), check('mine')]
  expect(merge({ healthChecks: [check('a')] }, { healthChecks: [check('a'), check('b')] }, { healthChecks }).spec).toEqual({
    healthChecks: [...healthChecks, check('b')],
  })
  const options = (...syncOptions: string[]) => ({ syncPolicy: { syncOptions } })
  expect(merge(options('A=true'), options('A=true', 'B=true'), options('A=true', 'Mine=true')).spec).toEqual(
    options('A=true', 'Mine=true', 'B=true'),
  )
})

test('files that people exclude stay when the fleet excludes another file', () => {
  const excluding = (exclude: string) => ({ source: { directory: { recurse: true, exclude } } })
  const merged = merge(excluding('{a.yaml,*/a.yaml}'), excluding('{a.yaml,*/a.yaml,b.yaml}'), excluding('{a.yaml,*/a.yaml,{x,y}.yaml}'))
  expect(merged).toEqual({ spec: excluding('{a.yaml,*/a.yaml,{x,y}.yaml,b.yaml}'), lost: [] })
})

test('elements and steps of an ApplicationSet that people changed stay when a cluster is added', () => {
  const set = (elements: JsonRecord[], steps: JsonRecord[]) => ({
    generators: [{ list: { elements } }],
    strategy: { rollingSync: { steps } },
  })
  const step = (wave: string) => ({ matchExpressions: [{ key: 'wave', operator: 'In', values: [wave] }] })
  const ours = set(
    [
      { name: 'a', url: 'u', note: 'mine' },
      { name: 'mine', url: 'm' },
    ],
    [{ ...step('0'), maxUpdate: 1 }],
  )
  const merged = merge(
    set([{ name: 'a', url: 'u' }], [step('0')]),
    set(
      [
        { name: 'a', url: 'u' },
        { name: 'b', url: 'u' },
      ],
      [step('0'), step('1')],
    ),
    ours,
  )
  expect(merged).toEqual({
    spec: set(
      [
        { name: 'a', url: 'u', note: 'mine' },
        { name: 'mine', url: 'm' },
        { name: 'b', url: 'u' },
      ],
      [{ ...step('0'), maxUpdate: 1 }, step('1')],
    ),
    lost: [],
  })
})

test('a value that the fleet and people changed is that of the fleet, and is named', () => {
  expect(merge({ interval: '10m' }, { interval: '30m' }, { interval: '1m' })).toEqual({
    spec: { interval: '30m' },
    lost: [['spec.interval', '1m']],
  })
})

test('a map that a person wrote in place of a text stays where the fleet changed the text, and is named', () => {
  const sides = [{ path: './a' }, { path: './b' }, { path: { mine: 'c' } }].map((source) => kustomization(source))
  const [base = {}, theirs = {}, ours = {}] = sides
  const { value, lost, kept } = mergeSyncObject({ base, theirs, ours })
  expect([value, lost, kept]).toEqual([ours, [], [{ field: ['spec', 'path'], ours: { mine: 'c' }, theirs: './b' }]])
})

test('an entry that people edited and the fleet removed is removed, and named with its whole place', () => {
  const edited = { name: 'a', readyExpr: 'true' }
  expect(merge(deps('b', 'a'), deps('b'), { dependsOn: [{ name: 'b' }, edited] })).toEqual({
    spec: deps('b'),
    lost: [['spec.dependsOn.1', edited]],
  })
  expect(merge(deps('a'), {}, { dependsOn: [edited] })).toEqual({ spec: {}, lost: [['spec.dependsOn.0', edited]] })
  const generators = (...elements: readonly JsonRecord[]) => ({ generators: [{ list: { elements } }] })
  const element = { name: 'a', url: 'u' }
  expect(merge(generators(element), generators(), generators({ ...element, note: 'mine' }))).toEqual({
    spec: generators(),
    lost: [['spec.generators.0.list.elements.0', { ...element, note: 'mine' }]],
  })
})

test.each([
  ['dependsOn', { name: 'b', namespace: 'x' }],
  ['healthChecks', { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'x', name: 'b' }],
  ['ignoreDifferences', { group: 'apps', kind: 'Deployment', namespace: 'x', name: 'b' }],
])('an entry of %s that differs from that of the fleet in one field of its identity is another entry', (list, entry) => {
  for (const field of Object.keys(entry)) {
    const mine = { ...entry, [field]: 'mine' }
    expect([field, merge({ [list]: [] }, { [list]: [entry] }, { [list]: [mine] }).spec]).toEqual([field, { [list]: [mine, entry] }])
  }
  const noted = { ...entry, note: 'mine' }
  expect(merge({ [list]: [entry] }, { [list]: [entry] }, { [list]: [noted] }).spec).toEqual({ [list]: [noted] })
  expect(merge({ [list]: [entry] }, { [list]: [] }, { [list]: [entry] }).spec).toEqual({ [list]: [] })
})

test.each<[string, (values: readonly string[]) => JsonRecord]>([
  ['metadata.finalizers', (finalizers) => ({ metadata: { name: 'a', finalizers } })],
  ['spec.syncPolicy.syncOptions', (syncOptions) => ({ metadata: {}, spec: { syncPolicy: { syncOptions } } })],
  [
    'spec.template.spec.syncPolicy.syncOptions',
    (syncOptions) => ({ metadata: {}, spec: { template: { spec: { syncPolicy: { syncOptions } } } } }),
  ],
])('the texts of %s are merged one by one', (_path, object) => {
  const { value, lost } = mergeSyncObject({ base: object(['a', 'b']), theirs: object(['b', 'c']), ours: object(['a', 'b', 'mine']) })
  expect([value, lost]).toEqual([object(['b', 'mine', 'c']), []])
})

test.each([
  // [as generated, as the fleet wants it, as people have it, merged]
  ['{a.yaml,b.yaml}', '{a.yaml}', '{a.yaml,b.yaml,mine.yaml}', '{a.yaml,mine.yaml}'],
  ['a.yaml', '{a.yaml,b.yaml}', 'a.yaml', '{a.yaml,b.yaml}'],
  ['{a.yaml,b.yaml}', 'b.yaml', '{a.yaml,b.yaml}', 'b.yaml'],
  ['{x}', '{x,y}', '{a,b}/{c,d}', '{{a,b}/{c,d},y}'],
  ['{x}', '{x,y}', '{x,{{.mine}}}', '{x,y,{{.mine}}}'],
  ['{x}', '{{.exclude}}', '{x}', '{{.exclude}}'],
  ['{{.exclude}}', '{x}', '{{.exclude}}', 'x'],
])('of the excluded files %s the fleet makes %s and people %s: %s', (base, theirs, ours, expected) => {
  const ofApplication = (exclude: string) => ({ source: { directory: { exclude } } })
  const ofSet = (exclude: string) => ({ template: { spec: ofApplication(exclude) } })
  for (const of of [ofApplication, ofSet]) expect(merge(of(base), of(theirs), of(ours)).spec).toEqual({ ...of(expected) })
})

test('excluded files that are no text stay as people wrote them', () => {
  const excluding = (exclude: JsonRecord[string]) => ({ source: { directory: { exclude } } })
  expect(merge(excluding('{a}'), excluding('{a}'), excluding(1)).spec).toEqual(excluding(1))
  expect(merge({ source: 'a' }, { source: 'a' }, { source: 'mine' }).spec).toEqual({ source: 'mine' })
})

test('a list that only people have stays, and one of the fleet that people do not have is added', () => {
  expect(merge({}, {}, deps('mine')).spec).toEqual(deps('mine'))
  expect(merge({}, deps('a'), {}).spec).toEqual(deps('a'))
  expect(merge(deps('a'), deps('a'), {}).spec).toEqual({})
})

test('generators are the same ones as long as they are in the same place', () => {
  const list = (...names: readonly string[]) => ({ list: { elements: names.map((name) => ({ name })) } })
  const generators = (...all: readonly JsonRecord[]) => ({ generators: all })
  expect(merge(generators(list('a')), generators(list('a', 'b')), generators(list('a'), { git: {} })).spec).toEqual(
    generators(list('a', 'b'), { git: {} }),
  )
})
