import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { edits } from '../scripts/fuzz/edits.ts'
import { emitter } from '../scripts/fuzz/emitter.ts'
import { functionRuns } from '../scripts/fuzz/function-runs.ts'
import { merge } from '../scripts/fuzz/merge.ts'
import { resolveRuns } from '../scripts/fuzz/resolve-runs.ts'
import { satisfy } from '../scripts/fuzz/satisfy.ts'
import { scalars } from '../scripts/fuzz/scalars.ts'
import { splice } from '../scripts/fuzz/splice.ts'
import { wrongTypes } from '../scripts/fuzz/wrong-types.ts'
import { SHARED_MUST_BE_THERE } from './shared-folder.ts'

// `npm run fuzz` runs as many cases as each target asks for, and CI some of them; here a few of each, always from the same seed.
const SEED = 1

test('emitter: what we write every reader reads', () => {
  expect(emitter.run(500, SEED).examples).toEqual([])
})

test('scalars: both readers read a scalar of every style as the same node', () => {
  expect(scalars.run(500, SEED).examples).toEqual([])
})

test('wrong-types: a value of a wrong type is a result or is ignored', () => {
  expect(wrongTypes.run(20, SEED).examples).toEqual([])
})

test('satisfy: the preferred solution where brute force finds any, else the smallest explanation', () => {
  expect(satisfy.run(40, SEED).examples).toEqual([])
})

test.each(resolveRuns)('$name: an answer where there is one, in any order, and the same in a second run', (target) => {
  expect(target.run(5, SEED).examples).toEqual([])
})

// The others begin with public files, which lie beside the repository; where CI runs they must be there. Two more ask kpt for each of them,
// and are run by CI alone.
const REAL = fileURLToPath(new URL('../../shared/real', import.meta.url))

describe.skipIf(!existsSync(REAL) && !SHARED_MUST_BE_THERE)('from public files', () => {
  test.each([
    { target: merge, count: 30, property: 'an update keeps what each side changed, and every other line' },
    { target: splice, count: 80, property: 'an edit makes what was meant and touches no other line' },
    { target: edits, count: 60, property: 'edits written together mean what they mean one by one' },
  ])('$target.name: $property', ({ target, count }) => {
    expect(target.run(count, SEED).examples).toEqual([])
  })

  test.each(functionRuns)('$name does what it is there to do, and nothing else', (target) => {
    expect(target.run(8, SEED).examples).toEqual([])
  })
})
