import { expect, test } from 'vitest'
import { finish, type Steps } from './progress.ts'
import { remember } from './remember.ts'

test('all steps are run before the value is there', () => {
  const ran: number[] = []
  function* work(): Steps<string> {
    for (const done of [0, 1, 2]) {
      ran.push(done)
      yield { done, total: 3 }
    }
    return 'end'
  }
  expect(finish(work())).toBe('end')
  expect(ran).toEqual([0, 1, 2])
})

test('a value is made once for each key, also one that is false or empty', () => {
  const kept = new Map<string, boolean | string>()
  let made = 0
  const make = (key: string) => {
    made++
    return key === 'a' ? false : ''
  }
  expect(['a', 'b', 'a', 'b'].map((key) => remember(kept, key, make))).toEqual([false, '', false, ''])
  expect(made).toBe(2)
})
