import { expect, test } from 'vitest'
import { judgeMerge } from '../scripts/fuzz/merge-judge/judge.ts'
import { MUTANTS } from '../scripts/fuzz/merge-judge/mutants.ts'
import { randomCase } from '../scripts/fuzz/merge-judge/random-case.ts'
import { mergedTexts } from '../scripts/fuzz/merge-packages.ts'
import { randomFrom } from '../scripts/fuzz/random.ts'

const CASES = 1500

// The answers of the merge are the same for every mutant: each case is merged once.
const random = randomFrom(1)
const merged: { readonly each: ReturnType<typeof randomCase>; readonly answer: ReturnType<typeof mergedTexts> }[] = []

function mergedCase(at: number) {
  while (merged.length <= at) {
    const each = randomCase(random)
    merged.push({ each, answer: mergedTexts(each) })
  }
  return merged[at] as (typeof merged)[number]
}

test('a merge without a fault passes the judge', () => {
  const failing = Array.from({ length: 150 }, (_, at) => mergedCase(at)).flatMap(({ each, answer }) => judgeMerge(each, answer))
  expect(failing).toEqual([])
})

test.each(MUTANTS)('the judge finds a merge with this fault: $fault', ({ mutate }) => {
  let found: readonly string[] = []
  let at = 0
  for (; at < CASES && found.length === 0; at++) {
    const { each, answer } = mergedCase(at)
    found = judgeMerge(each, mutate(each, answer))
  }
  expect(found, `none of ${CASES} cases fails`).not.toEqual([])
})
