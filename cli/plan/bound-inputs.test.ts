import { expect, test } from 'vitest'
import type { JsonValue } from '../../src/json.ts'
import { formatResult } from '../../src/result.ts'
import { changesSince, type PresentState, plain } from './bound-inputs.ts'
import type { BoundUpstream, PlanInputs, SavedPlan } from './saved-plan.ts'

const INPUTS: PlanInputs = { optionsDigest: 'o', files: new Map([['set.yaml', '1']]), upstreams: [] }

const CHANGES: JsonValue = [{ op: 'create', name: 'a' }]

const AGAIN = '; plan again with --out [plan-outdated]'

/** Returns what differs from a saved plan of `fleet`, each as a person reads it but for the advice. */
function differing(was: Partial<SavedPlan>, now: Partial<PlanInputs & PresentState> = {}): readonly string[] {
  const options = { followRenames: false, discardEdits: false, allowOutside: false }
  const saved = { ...INPUTS, version: '1', folder: 'fleet', options, changes: CHANGES, ...was }
  const { changes = CHANGES, isOthers = () => false, ...inputs } = now
  const folder = { disk: '/fleet', shown: 'fleet' }
  const found = changesSince(saved, 'plan.json', { inputs: { ...INPUTS, ...inputs }, changes, folder, isOthers }).map(formatResult)
  expect(found.filter((line) => !line.endsWith(AGAIN))).toEqual([])
  return found.map((line) => line.replace(AGAIN, ''))
}

const files = (digests: Readonly<Record<string, string>>) => ({ files: new Map(Object.entries(digests)) })

test('nothing differs from a plan with the same inputs and changes', () => {
  expect(differing({})).toEqual([])
})

test('each file that is new, gone or changed is named, in order', () => {
  const found = differing(files({ 'd.yaml': '1', 'b.yaml': '1', 'a.yaml': '1' }), files({ 'c.yaml': '1', 'b.yaml': '2', 'a.yaml': '1' }))
  expect(found).toEqual([
    "fleet/b.yaml: error: must be as it was for 'plan.json', changed",
    "fleet/c.yaml: error: must be as it was for 'plan.json', is new",
    "fleet/d.yaml: error: must be as it was for 'plan.json', is gone",
  ])
})

test('a file that belongs to another part of the fleet may differ, and no other file', () => {
  const [was, now] = [
    files({ 'east/a.yaml': '1', 'west/b.yaml': '1' }),
    files({ 'east/a.yaml': '2', 'east/new.yaml': '1', 'west/b.yaml': '2' }),
  ]
  expect(differing(was, { ...now, isOthers: (path) => path.startsWith('east/') })).toEqual([
    "fleet/west/b.yaml: error: must be as it was for 'plan.json', changed",
  ])
})

test('an upstream with another commit or of another kind is named, as is one that is new or no longer asked for', () => {
  const upstream = (name: string, from: BoundUpstream['from'], commit?: string) => ({ name, from, ...(commit !== undefined && { commit }) })
  const was = [upstream('a', 'git', 'c1'), upstream('b', 'folder'), upstream('c', 'missing'), upstream('same', 'git', 'c1')]
  const now = [upstream('a', 'git', 'c2'), upstream('b', 'missing'), upstream('d', 'folder'), upstream('same', 'git', 'c1')]
  expect(differing({ upstreams: was }, { upstreams: now })).toEqual([
    "error: upstream 'a' must be commit c1 as it was planned, is commit c2 now",
    "error: upstream 'b' must be a folder as it was planned, is missing now",
    "error: upstream 'c' must be missing as it was planned, is not asked for now",
    "error: upstream 'd' must be not asked for as it was planned, is a folder now",
  ])
})

test('other options are named', () => {
  expect(differing({}, { optionsDigest: 'p' })).toEqual([
    "error: the options of render-variants must be as they were for 'plan.json', changed",
  ])
})

test('other changes are named only where no input that explains them differs', () => {
  expect(differing({}, { changes: [] })).toEqual(["plan.json: error: `changes` must be what the sets of 'fleet' ask for, got others"])
  expect(differing({}, { changes: [], optionsDigest: 'p' })).toHaveLength(1)
})

test('options are plain with sorted maps and keys, and lists as they are', () => {
  const one = { b: new Map<string, unknown>(Object.entries({ z: 1, a: new Map([['y', 2]]) })), a: ['z', 'a'] }
  expect(JSON.stringify(plain(one))).toBe('{"a":["z","a"],"b":[["a",[["y",2]]],["z",1]]}')
})
