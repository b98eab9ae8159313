import { expect, test } from 'vitest'
import { type PlanOptions, parseLimit, parseOperations, parseShards, refuseTogether, refuseWithShards } from './plan-options.ts'

function refusal(options: Partial<PlanOptions>, dir = 'fleet'): string {
  try {
    refuseTogether(dir, { format: 'text', ...options })
    if (options.shards !== undefined) refuseWithShards({ format: 'text', ...options })
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

test.each<[name: string, options: Partial<PlanOptions>, message: string, dir?: string]>([
  ['two states', { against: 'main', againstCluster: 'all.yaml' }, '`--against` must not come with --against-cluster: a plan has one state'],
  ['stdin for the fleet and the cluster', { againstCluster: '-' }, '`--against-cluster -` must come with a folder', '-'],
  ['stdin that is read again and again', { againstCluster: '-', watch: true }, '`--against-cluster -` must come with a folder'],
  ['no revision', { against: '' }, '`--against` must name a git revision'],
  ['a cut page', { format: 'html', maxChars: 1 }, '`--max-chars` must not come with --format html'],
  ['choices of a render without a plan to save', { discardEdits: true }, '`--discard-edits` must come with --out FILE'],
  ['a saved plan of a list', { out: 'plan.json' }, '`--out` must save the plan of a folder, got -', '-'],
  ['a saved part of a plan', { out: 'plan.json', set: ['a'], cluster: 'b' }, '`--out` must not come with --set, --cluster'],
  ['shards of a part', { out: 'd', shards: 2, offline: true }, '`--shards` must not come with --offline: render is given them'],
  [
    'printed shards',
    { out: 'd', shards: 2, format: 'json', all: true },
    '`--shards` must not come with --format, --all: it prints no plan',
  ],
])('%s are refused together', (_, options, message, dir) => {
  expect(refusal(options, dir)).toContain(message)
})

test('options that go together are accepted', () => {
  expect(refusal({ out: 'plan.json', discardEdits: true, followRenames: true, packages: 'out' })).toBe('')
  expect(refusal({ out: 'shards', shards: 2 })).toBe('')
})

test('operations, shards and limits are read, and an unknown one is refused with what is allowed', () => {
  expect(parseOperations('create, remove')).toEqual(['create', 'remove'])
  expect(() => parseOperations('create,remov')).toThrow("did you mean 'remove'?")
  expect([parseShards('1'), parseShards('100000'), parseLimit('5000')]).toEqual([1, 100_000, 5000])
  for (const text of ['0', '100001', '1.5', 'x']) expect(() => parseShards(text)).toThrow('It must be a whole number from 1 to 100000.')
  expect(() => parseLimit('1')).toThrow(/^It must be a whole number, at least \d+\.$/)
})
