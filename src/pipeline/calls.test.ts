import fc from 'fast-check'
import { expect, test } from 'vitest'
import { finish, type Steps } from '../progress.ts'
import { answered, type Calls, inTurns, turn } from './calls.ts'
import type { FunctionAnswer, Runner } from './match.ts'
import { AT_ONCE } from './runners/program.ts'
import { waited } from './testing/waited.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']

/** The calls of a test: what began and ended, and how many ran at one time. */
class Trace {
  most = 0
  #running = 0

  /** Returns a function in another process that answers with its input after some milliseconds. */
  runner(milliseconds: number): Runner {
    const answer = (input: string): FunctionAnswer => ({ stdout: input, stderr: '', exitCode: 0 })
    const later = async (input: string): Promise<FunctionAnswer> => {
      this.most = Math.max(this.most, ++this.#running)
      await new Promise((resolve) => setTimeout(resolve, milliseconds))
      this.#running--
      return answer(input)
    }
    return Object.assign(answer, { later })
  }
}

/** Returns steps that call a function for each item twice, and note what they see in their turn. */
function steps(times: readonly number[], trace: Trace, taken: string[]): Steps<readonly string[]> {
  const seen: string[] = []
  const begin = function* (item: string): Calls<string> {
    const runner = trace.runner(times[NAMES.indexOf(item)] ?? 0)
    const first = yield { runner, input: item }
    yield* turn()
    seen.push(`${first.stdout} after ${taken.join('')}`)
    return (yield { runner, input: item.toUpperCase() }).stdout
  }
  return (function* () {
    yield* inTurns(NAMES, begin, (value) => taken.push(value) > 0)
    return seen
  })()
}

const IN_ORDER = ['a after ', 'b after A', 'c after AB', 'd after ABC', 'e after ABCD', 'f after ABCDE']

test('each item sees in its turn what those before it left, however long their functions take', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(8), { minLength: 6, maxLength: 6 }), async (times) => {
      const [trace, taken]: [Trace, string[]] = [new Trace(), []]
      expect(await waited(steps(times, trace, taken))).toEqual(IN_ORDER)
      expect(taken.join('')).toBe('ABCDEF')
      expect(trace.most).toBe(Math.min(AT_ONCE, NAMES.length))
    }),
    { numRuns: 30 },
  )
})

test('a caller that cannot wait gets the same, one call after the other', () => {
  const [trace, taken]: [Trace, string[]] = [new Trace(), []]
  expect(finish(steps([1, 1, 1, 1, 1, 1], trace, taken))).toEqual(IN_ORDER)
  expect(trace.most).toBe(0)
})

test('one item alone gets its answers by blocking', () => {
  const work = function* (): Calls<string> {
    yield* turn()
    return (yield { runner: new Trace().runner(1), input: 'x' }).stdout
  }
  expect(answered(work())).toBe('x')
})

test('a fault of an item is thrown in its turn, after the items before it', async () => {
  const taken: string[] = []
  const begin = function* (item: string): Calls<string> {
    if (item === 'b') throw new Error('b is broken')
    return (yield { runner: new Trace().runner(5), input: item }).stdout
  }
  await expect(
    waited(
      (function* () {
        yield* inTurns(NAMES, begin, (value) => taken.push(value) > 0)
      })(),
    ),
  ).rejects.toThrow('b is broken')
  expect(taken).toEqual(['a'])
})

test('the items after the last wanted one are left out', async () => {
  const taken: string[] = []
  const begin = function* (item: string): Calls<string> {
    return (yield { runner: new Trace().runner(1), input: item }).stdout
  }
  await waited(
    (function* () {
      yield* inTurns(NAMES, begin, (value) => taken.push(value) < 2)
    })(),
  )
  expect(taken).toEqual(['a', 'b'])
})
