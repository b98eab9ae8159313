import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { resolveDependencies } from '../functions/resolve-dependencies/resolve-dependencies.ts'
import { evaluate } from '../src/run.ts'
import { readGoldenCase } from './golden-case.ts'
import { findGoldenFolders } from './golden-folders.ts'
import { randomRuns } from './random-runs.ts'

const CASES = findGoldenFolders().filter(({ functionName }) => functionName === 'resolve-dependencies')

interface List {
  readonly items?: readonly object[]
  readonly results?: readonly object[]
}

/**
 * Returns what comes of a list: its objects and results as sets, without where they stand in their files, which the order of the items
 * says.
 */
function outcomeOf(list: List) {
  const { stdout, exitCode } = evaluate(resolveDependencies, stringify(list))
  const { items = [], results = [] }: List = parse(stdout)
  return { exitCode, items: asSet(items), results: asSet(results) }
}

function asSet(values: readonly object[]): string[] {
  return values.map((value) => JSON.stringify(value, withoutPlace)).sort()
}

const PLACES = ['index', 'config.kubernetes.io/index', 'internal.config.kubernetes.io/index', 'line', 'column']

function withoutPlace(key: string, value: unknown): unknown {
  return PLACES.includes(key) ? undefined : value
}

test.each(CASES)('$caseName: the order of the items makes no difference', ({ folder }) => {
  const list: List = parse(readGoldenCase(folder).input)
  const { items = [] } = list
  const expected = outcomeOf(list)
  const orders = fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length })
  fc.assert(
    fc.property(orders, (shuffled) => {
      expect(outcomeOf({ ...list, items: shuffled })).toEqual(expected)
    }),
    { numRuns: randomRuns(1) },
  )
})
