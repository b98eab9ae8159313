import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stylesFor } from '../print/styles.ts'
import { fitPlan, SMALLEST_LIMIT } from './fit-plan.ts'
import { planJson, planMarkdown, planText } from './plan-report.ts'
import { type ChangeView, OPERATIONS, type PlanView, viewPlan } from './plan-view.ts'

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
