import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { mergeSyncObject } from './merge-sync-object.ts'
import { rollingStep } from './rolling-steps.ts'

/** The Applications of each ring, in the order of the rings: the place of a ring is its wave. */
type Rings = readonly (readonly string[])[]

/** Returns the ApplicationSet of rings; a ring of no Application has no step. */
function setOf(rings: Rings, maxUpdates: readonly (number | undefined)[] = []): JsonRecord {
  const elements = rings.flatMap((names, wave) => names.map((name) => ({ name, wave: String(wave) })))
  const steps = rings.flatMap((names, wave) => {
    const maxUpdate = maxUpdates[wave]
    return names.length === 0 ? [] : [{ ...rollingStep(String(wave)), ...(maxUpdate !== undefined && { maxUpdate }) }]
  })
  const spec = { generators: [{ list: { elements } }], strategy: { type: 'RollingSync', rollingSync: { steps } } }
  return { kind: 'ApplicationSet', metadata: { name: 's', namespace: 'argocd' }, spec }
}

const CANARY = ['ber', 'ham']
const ALL = ['cgn', 'fra', 'muc']

test.each<{
  readonly name: string
  readonly to: Rings
  readonly expected: readonly (number | undefined)[]
  readonly lost?: readonly unknown[]
}>([
  { name: 'a first ring comes', to: [['lab'], CANARY, ALL], expected: [undefined, 1, 2] },
  { name: 'a ring comes between', to: [CANARY, ['lab'], ALL], expected: [1, undefined, 2] },
  { name: 'the rings change places', to: [ALL, CANARY], expected: [2, 1] },
  { name: 'a cluster goes to the other ring', to: [['ber'], ['ham', ...ALL]], expected: [1, 2] },
  { name: 'all clusters of a ring are others', to: [['a'], ['b']], expected: [1, 2] },
  {
    name: 'a ring goes into the other one, whose number another ring gets',
    to: [['lab'], [...CANARY, ...ALL]],
    expected: [1, 2],
  },
  {
    name: 'a ring goes into the next one, which gets its number',
    to: [[...CANARY, ...ALL], ['lab']],
    expected: [2, undefined],
    lost: [{ field: ['spec', 'strategy', 'rollingSync', 'steps', 0], ours: { ...rollingStep('0'), maxUpdate: 1 }, theirs: undefined }],
  },
])('what people added to a step stays with its ring: $name', ({ to, expected, lost = [] }) => {
  const merged = mergeSyncObject({ base: setOf([CANARY, ALL]), theirs: setOf(to), ours: setOf([CANARY, ALL], [1, 2]) })
  expect(merged.value).toEqual(setOf(to, expected))
  expect(merged.lost).toEqual(lost)
})
