import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stylesFor } from '../print/styles.ts'
import { fitPlan, groupChanges, SMALLEST_LIMIT } from './fit-plan.ts'
import { planJson, planMarkdown, planText } from './plan-report.ts'
import { type ChangeView, isGroup, OPERATIONS, type PlanView, viewPlan } from './plan-view.ts'

const plain = stylesFor({ environment: {}, isTerminal: false }, { color: false })
const PRINTERS = { text: (view: PlanView) => planText(view, plain), markdown: planMarkdown, json: planJson }

const change: fc.Arbitrary<ChangeView> = fc.record({
  op: fc.constantFrom(...OPERATIONS),
  name: fc.stringMatching(/^[a-z]{1,60}$/),
  namespace: fc.constant('fleet'),
  upstream: fc.constant('catalog/app@1'),
  downstream: fc.constant('edge/app'),
  reason: fc.string({ maxLength: 200 }),
  cause: fc.constantFrom('one', 'another'),
  fields: fc.array(fc.record({ path: fc.constantFrom('a', 'b'), after: fc.string({ maxLength: 50 }) }), { maxLength: 3 }),
})
const plan = fc.array(fc.array(change, { maxLength: 20 }), { maxLength: 5 }).map((sets) =>
  viewPlan(
    sets.map((changes, i) => ({ name: `set-${i}`, unchanged: 0, changes })),
    [],
  ),
)

test.each(['text', 'markdown', 'json'] as const)('%s never exceeds the limit, and prints everything that fits', (format) => {
  fc.assert(
    fc.property(plan, fc.integer({ min: SMALLEST_LIMIT, max: 10_000 }), (view, limit) => {
      const whole = PRINTERS[format](view)
      const text = fitPlan(view, limit, PRINTERS[format])
      expect(text.length).toBeLessThanOrEqual(limit)
      expect(text === whole).toBe(whole.length <= limit)
    }),
  )
})

test('what is shown is never less dangerous than what is left out', () => {
  fc.assert(
    fc.property(plan, fc.integer({ min: SMALLEST_LIMIT, max: 5_000 }), (view, limit) => {
      const { sets, leftOut }: PlanView = JSON.parse(fitPlan(view, limit, planJson))
      const ranks = sets.flatMap(({ changes }) => changes.map(({ op }) => OPERATIONS.indexOf(op)))
      const left = OPERATIONS.flatMap((op, rank) => ((leftOut?.[op] ?? 0) > 0 ? [rank] : []))
      expect(Math.max(-1, ...ranks)).toBeLessThanOrEqual(Math.min(OPERATIONS.length, ...left))
    }),
  )
})

const changeOf = (name: string, more: Partial<ChangeView> = {}): ChangeView => ({
  op: 'update',
  name,
  namespace: 'fleet',
  upstream: 'catalog/app@1',
  downstream: `${name}/app`,
  reason: '',
  cause: 'one',
  fields: [],
  ...more,
})
const FIELD = [{ path: 'a', after: 1 }]
const WEB = { upstream: 'catalog/web@1' }

test.each<readonly [what: string, changes: readonly Partial<ChangeView>[], grouped: readonly unknown[]]>([
  ['equal changes with one cause are one, with that cause', [{}, {}, {}], [[3, 'one']]],
  [
    'updates with equal fields are one, and no cause of some is said of all',
    [{ fields: FIELD }, { fields: FIELD, cause: 'two' }, { fields: FIELD }],
    [[3, '']],
  ],
  ['updates with equal fields and one cause have that cause', [{ fields: FIELD }, { fields: FIELD }, { fields: FIELD }], [[3, 'one']]],
  ['updates without fields are equal only by their cause', [{}, {}, {}, { cause: 'two' }], [[3, 'one'], 'd']],
  ['updates of several upstreams are equal', [{}, WEB, {}], [[3, 'one']]],
  ['new variants of several upstreams are not', [{ op: 'create', ...WEB }, { op: 'create' }, { op: 'create' }], ['a', 'b', 'c']],
  ['two equal changes are two', [{}, {}], ['a', 'b']],
])('of the changes of a set, %s', (_what, changes, expected) => {
  const set = { name: 's', unchanged: 0, changes: changes.map((more, i) => changeOf('abcd'[i] ?? '', more)) }
  const [grouped] = groupChanges(viewPlan([set], [])).sets
  expect(grouped?.changes.map((entry) => (isGroup(entry) ? [entry.count, entry.cause] : entry.name))).toEqual(expected)
})
