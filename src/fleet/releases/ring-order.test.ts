import { expect, test } from 'vitest'
import type { FieldPath } from '../../field-path.ts'
import { formatResult } from '../../result.ts'
import type { VariantChange } from '../change.ts'
import { kptfileOf, list, planOf, resourceListOf, setOf } from '../testing/fleet-of-objects.ts'
import { matrixWithRings, type WrittenRing as RingOfMatrix } from '../testing/fleet-with-rings.ts'
import { packageLocks } from './behind.ts'
import {
  askedNumber,
  isSame,
  judgeEmptyRings,
  judgeRings,
  type KnownLocks,
  matrixOf,
  type RingChange,
  ringRevisionsAfter,
} from './ring-order.ts'

/** A ring: the revision before and after, and its packages with the ref that each is locked to; '' for a package that is not there. */
interface WrittenRing {
  readonly name: string
  readonly change: string
  readonly packages?: Readonly<Record<string, string>>
}

/** Returns rings, and the locks of their packages. */
function ringsOf(written: readonly WrittenRing[], directory = 'app') {
  const packages = written.flatMap((ring) => Object.entries(ring.packages ?? {}))
  const kptfiles = packages.flatMap(([repo, ref]) => {
    const lock = { upstreamLock: { type: 'git', git: { repo: 'r', directory, ref, commit: 'c' } } }
    return ref === '' ? [] : [[`${repo}/app/Kptfile`, kptfileOf(lock)] as const]
  })
  const objects = [setOf([list(...packages.map(([repo]) => repo), 'none')]), ...kptfiles]
  const { fleet, sets } = planOf(objects)
  const variants = new Map<string | undefined, VariantChange>(sets.flatMap(({ changes }) => changes.map((each) => [each.why?.repo, each])))
  const object = sets[0]?.object
  if (object === undefined) throw new Error('must have a set')
  const rings = written.map(({ name, change, packages: own = {} }, index): RingChange => {
    const [before = '', after = before] = change.split(' → ')
    const at = { object, path: ['spec', 'rings', index] }
    return { name, before, after, at, upstream: { package: 'app' }, variants: Object.keys(own).flatMap((repo) => variants.get(repo) ?? []) }
  })
  return { rings, locks: packageLocks({ fleet, sets }, resourceListOf(objects).items) }
}

/** Returns the findings without their place and what follows the first sentence part. */
function judged(written: readonly WrittenRing[], known?: KnownLocks, directory?: string): readonly string[] {
  const { rings, locks } = ringsOf(written, directory)
  return judgeRings(rings, known ?? locks)
    .map(formatResult)
    .map((line) => line.replace(/^[^`]*/, '').replace(/`spec.rings\[(\d)\]` of /, '$1 '))
}

test('a ring may get a revision that every package of the rings before it is at', () => {
  const rings = (ref: string) => [
    { name: 'canary', change: 'v2', packages: { a: ref, b: 'v2' } },
    { name: 'world', change: 'v1 → v2' },
  ]
  expect(judged(rings('app/v2'))).toEqual([])
  expect(judged(rings('v3'))).toEqual([])
  expect(judged(rings('v1'))).toEqual([
    "1 ring 'world' must wait for ring 'canary': 1 of 2 packages is not at 'v2' yet, a/app (v1) [ring-overtaken]",
  ])
})

test('a package that is missing, at a branch or of another upstream is not at the revision', () => {
  const rings = (ref: string) => [
    { name: 'canary', change: 'v2', packages: { a: ref } },
    { name: 'world', change: 'v1 → v2' },
  ]
  expect(judged(rings(''))).toEqual([expect.stringContaining('a/app (missing)')])
  expect(judged(rings('main'))).toEqual([expect.stringContaining('a/app (main)')])
  expect(judged(rings('v2'), undefined, 'other')).toEqual([expect.stringContaining('a/app (other v2)')])
})

test('a package that cannot be read has not tried the revision', () => {
  const { rings, locks } = ringsOf([
    { name: 'canary', change: 'v2', packages: { a: 'v2' } },
    { name: 'world', change: 'v1 → v2' },
  ])
  expect(judgeRings(rings, { ...locks, unreadable: () => 'a/app/x.yaml:3' })).toMatchObject([
    { message: expect.stringContaining('(unreadable: a/app/x.yaml:3)') },
  ])
  expect(judgeRings(rings, { ...locks, unreadable: () => undefined })).toEqual([])
})

test('a ring must not skip the revision of the ring before it', () => {
  expect(
    judged([
      { name: 'canary', change: 'v1' },
      { name: 'world', change: 'v1 → v2' },
    ]),
  ).toEqual([expect.stringMatching(/^1 ring 'world' must not be 'v2' before ring 'canary' has it, which has 'v1'.* \[ring-skipped\]$/)])
  expect(
    judged([
      { name: 'canary', change: 'v2' },
      { name: 'world', change: 'v1 → v2' },
    ]),
  ).toEqual([])
})

test('a ring must not get a revision in the change in which the ring before it gets one', () => {
  expect(
    judged([
      { name: 'canary', change: 'v1 → v2' },
      { name: 'world', change: 'v1 → v2' },
    ]),
  ).toEqual([expect.stringContaining('[rings-at-once]')])
  expect(
    judged([
      { name: 'canary', change: 'v2 → v3' },
      { name: 'world', change: 'v1 → v2' },
    ]),
  ).toEqual([expect.stringContaining('[rings-at-once]')])
})

test('a line that earlier rings take their revision from is refused with the first of these rings, which is to get it first', () => {
  const written = ['canary', 'europe', 'world'].map((name) => ({ name, change: 'v1 → v2' }))
  const { rings, locks } = ringsOf(written)
  const [{ at } = { at: undefined }] = rings
  const messages = judgeRings(at === undefined ? [] : rings.map((ring) => ({ ...ring, at })), locks).map(({ message }) => message)
  expect(messages).toEqual([
    "`spec.rings[0]` of ring 'europe' must not be raised to 'v2' together with that of ring 'canary', which has no revision of its own and takes this one: promote ring 'canary' to 'v2' first",
    "`spec.rings[0]` of ring 'world' must not be raised to 'v2' together with that of ring 'canary', which has no revision of its own and takes this one: promote ring 'canary' to 'v2' first",
  ])
})

test('of a ring that is raised too far and at once with another, both are reported if they are two rings', () => {
  const rules = (...changes: readonly string[]) =>
    judged(changes.map((change, index) => ({ name: `r${index}`, change }))).map((line) => line.replace(/^.*\[/, '['))
  expect(rules('v1 → v2', 'v1', 'v1 → v2')).toEqual(['[ring-skipped]', '[rings-at-once]'])
  expect(rules('v1 → v2', 'v1 → v3')).toEqual(['[ring-skipped]'])
})

test('a ring must not go back before the rings after it', () => {
  expect(
    judged([
      { name: 'canary', change: 'v2 → v1' },
      { name: 'world', change: 'v2' },
    ]),
  ).toEqual([
    expect.stringMatching(/^0 ring 'canary' must not go back to 'v1' before ring 'world' does, which has 'v2'.* \[ring-skipped\]$/),
  ])
  expect(
    judged([
      { name: 'canary', change: 'v2 → v1' },
      { name: 'world', change: 'v1' },
    ]),
  ).toEqual([])
  expect(
    judged([
      { name: 'canary', change: 'v2' },
      { name: 'world', change: 'v2 → v1' },
    ]),
  ).toEqual([])
})

test('rings that keep their revision, and revisions without an order, are not judged', () => {
  expect(
    judged([
      { name: 'canary', change: 'v1' },
      { name: 'world', change: 'v2' },
    ]),
  ).toEqual([])
  expect(
    judged([
      { name: 'canary', change: 'v1' },
      { name: 'world', change: 'v1 → main' },
    ]),
  ).toEqual([])
})

test('without known packages a ring waits, but for a fleet that has none yet', () => {
  const rings = [
    { name: 'canary', change: 'v2', packages: { a: '' } },
    { name: 'world', change: 'v1 → v2' },
  ]
  expect(judged(rings, 'unknown')).toEqual([expect.stringContaining("must wait for ring 'canary': no package of the fleet is found")])
  expect(judged(rings, 'none')).toEqual([expect.stringContaining("may overtake ring 'canary'")])
  expect(judged(rings, { noFolder: 'out' })).toEqual([expect.stringContaining("the folder of the packages, 'out', does not exist")])
  expect(
    judged(
      [
        { name: 'canary', change: 'v2' },
        { name: 'world', change: 'v1 → v2' },
      ],
      'unknown',
    ),
  ).toEqual([])
})

test('a ring waits for an earlier ring without packages, where nothing tries the revision', () => {
  const emptyOf = (written: readonly WrittenRing[]) => judgeEmptyRings(ringsOf(written).rings).map(({ message }) => message)
  const world = { name: 'world', change: 'v1 → v2', packages: { b: 'v1' } }
  expect(emptyOf([{ name: 'canary', change: 'v2' }, world])).toEqual([expect.stringContaining("must wait for ring 'canary'")])
  expect(emptyOf([{ name: 'canary', change: 'v2', packages: { a: 'v2' } }, world])).toEqual([])
  expect(emptyOf([{ name: 'canary', change: 'v1' }, world])).toEqual([])
  expect(
    emptyOf([
      { name: 'canary', change: 'v2' },
      { ...world, change: 'v2' },
    ]),
  ).toEqual([])
})

test.each([
  ['4', 4],
  ['v4', 4],
  ['0', undefined],
  ['main', undefined],
  ['v4.1', undefined],
])('the revision that a caller asks for as %s is %s', (text, number) => {
  expect(askedNumber(text)).toBe(number)
})

/** Returns the matrix of rings, its upstream, and a function for fields below `spec`. */
function matrixWith(rings: readonly RingOfMatrix[]) {
  const [found] = planOf([matrixWithRings(rings, 1)]).sets
  const [upstream] = found?.set?.upstreams ?? []
  if (found?.set === undefined || upstream === undefined) throw new Error('must be a matrix')
  const { object, owner, set } = found
  return { owner, set, upstream, fieldAt: (...path: FieldPath) => ({ object, path: ['spec', ...path] }) }
}

const UPSTREAM_FIELD: FieldPath = ['upstreams', 0, 'revision']
const ringField = (index: number): FieldPath => ['rings', index, 'revisions', 'app']

test.each<[string, readonly (number | undefined)[], FieldPath, readonly string[]]>([
  [
    'of the upstream reaches every ring',
    [undefined, undefined, undefined],
    UPSTREAM_FIELD,
    ['v5 upstreams', 'v5 upstreams', 'v5 upstreams'],
  ],
  [
    'of the upstream leaves a revision of a ring and the rings before',
    [undefined, 3, undefined],
    UPSTREAM_FIELD,
    ['v3 rings.1', 'v3 rings.1', 'v5 upstreams'],
  ],
  [
    'of a ring reaches the rings before without their own',
    [undefined, 3, undefined],
    ringField(1),
    ['v5 rings.1', 'v5 rings.1', 'v1 upstreams'],
  ],
  ['of a ring leaves the own revision of a ring before', [4, 3, undefined], ringField(1), ['v4 rings.0', 'v5 rings.1', 'v1 upstreams']],
  ['of a ring that had none is its own', [undefined, undefined, undefined], ringField(1), ['v5 rings.1', 'v5 rings.1', 'v1 upstreams']],
  ['of the last ring reaches all rings', [undefined, undefined, undefined], ringField(2), ['v5 rings.2', 'v5 rings.2', 'v5 rings.2']],
  [
    'of another package changes no ring',
    [undefined, 3, undefined],
    ['rings', 1, 'revisions', 'web'],
    ['v3 rings.1', 'v3 rings.1', 'v1 upstreams'],
  ],
])('a new revision %s', (_, own, path, expected) => {
  const rings = own.map((revision, index) => ({ name: `r${index}`, repos: ['a'], ...(revision !== undefined && { revision }) }))
  const { set, upstream, fieldAt } = matrixWith(rings)
  const after = ringRevisionsAfter(set, upstream, { field: fieldAt(...path), revision: 5 })
  const placeOf = ([, list, index]: FieldPath) => (list === 'rings' ? `rings.${index}` : `${list}`)
  expect(after.map(({ revision, at }) => `${revision} ${placeOf(at.path)}`)).toEqual(expected)
})

test('a field is the same by its object and its path, and the matrix is named only for a field of another object', () => {
  const [one, other] = [matrixWith([{ name: 'all' }]), matrixWith([{ name: 'all' }])]
  const field = one.fieldAt(...UPSTREAM_FIELD)
  expect(isSame(field, one.fieldAt(...UPSTREAM_FIELD))).toBe(true)
  expect(isSame(field, one.fieldAt(...ringField(0)))).toBe(false)
  expect(isSame(field, other.fieldAt(...UPSTREAM_FIELD))).toBe(false)
  const found = { object: field.object, owner: one.owner }
  expect([matrixOf(found, field), matrixOf(found, other.fieldAt())]).toEqual([{}, { matrix: 'm' }])
})
