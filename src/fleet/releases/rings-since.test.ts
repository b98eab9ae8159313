import { expect, test } from 'vitest'
import { planOf, resourceListOf } from '../testing/fleet-of-objects.ts'
import { clusters, matrixWithRings, type WrittenRing } from '../testing/fleet-with-rings.ts'
import { judgeRingsSince } from './rings-since.ts'

/** Returns the rings `canary`, `middle` and `world` with revisions; a ring without a revision is not there. */
function ringsAt(canary?: number, middle?: number, world?: number): readonly WrittenRing[] {
  const rings = [
    { name: 'canary', repos: ['a'], revision: canary },
    { name: 'middle', repos: ['b'], revision: middle },
    { name: 'world', revision: world },
  ]
  return rings.flatMap(({ revision, ...ring }) => (revision === undefined ? [] : [{ ...ring, revision }]))
}

interface Row {
  readonly rule: string
  readonly before: readonly WrittenRing[]
  readonly after: readonly WrittenRing[]
  /** The ref of the package of the ring `canary` in the earlier state. */
  readonly ref?: string
  readonly earlierName?: string
  readonly said: readonly string[]
}

const WAITS = "ring 'world' must wait for ring 'canary'"

const AT_ONCE =
  "`spec.rings[1].revisions.app` of ring 'world' must not be raised to 'v2' together with that of ring 'canary', 'v1' → 'v2' (fleet/all.yaml:1): one ring in one change"

test.each<Row>([
  { rule: 'rings that stay are not judged', before: ringsAt(2, undefined, 1), after: ringsAt(2, undefined, 1), said: [] },
  { rule: 'a later ring may not overtake', before: ringsAt(2, undefined, 1), after: ringsAt(2, undefined, 2), said: [WAITS] },
  { rule: 'a later ring may follow', before: ringsAt(2, undefined, 1), after: ringsAt(2, undefined, 2), ref: 'app/v2', said: [] },
  { rule: 'a new set is not judged', before: ringsAt(2, undefined, 1), after: ringsAt(2, undefined, 2), earlierName: 'other', said: [] },
  { rule: 'a set that had no rings had the revision of its upstream', before: [], after: ringsAt(2, undefined, 2), said: [AT_ONCE] },
  { rule: 'a set that had no rings may have them at its revision', before: [], after: ringsAt(2, undefined, 1), said: [] },
  {
    rule: 'a new ring had the revision of the next one',
    before: ringsAt(2, undefined, 1),
    after: ringsAt(2, 2, 1),
    said: ["ring 'middle' must wait for ring 'canary'"],
  },
  { rule: 'a new ring may have the revision of the next one', before: ringsAt(2, undefined, 3), after: ringsAt(2, 3, 3), said: [] },
  { rule: 'a new last ring had the revision of the upstream', before: ringsAt(2), after: ringsAt(2, undefined, 2), said: [WAITS] },
  { rule: 'a new last ring may have the revision of the upstream', before: ringsAt(2), after: ringsAt(2, undefined, 1), said: [] },
])('$rule', ({ before, after, ref = 'app/v1', earlierName = 'm', said }) => {
  const earlier = resourceListOf([matrixWithRings(before, 1, earlierName), ...clusters({ a: ref, b: 'app/v1', c: 'app/v1' })]).items
  const plan = planOf([matrixWithRings(after), ...clusters({ a: 'app/v9', b: 'app/v9', c: 'app/v9' })])
  expect(judgeRingsSince(plan, earlier).map(({ message }) => /ring '\w+' must wait for ring '\w+'/.exec(message)?.[0] ?? message)).toEqual(
    said,
  )
})
