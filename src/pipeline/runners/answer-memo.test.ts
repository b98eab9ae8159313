import { expect, test } from 'vitest'
import type { FunctionAnswer, Runner } from '../match.ts'
import { AnswerMemo } from './answer-memo.ts'

/** Returns a runner of another process that counts its calls; the first answer of `later` comes when `release` is called. */
function counted(prefix = '') {
  const calls: string[] = []
  const answer = (input: string): FunctionAnswer => {
    calls.push(input)
    return { stdout: `${prefix}${input} ${calls.length}`, stderr: '', exitCode: 0 }
  }
  const gate = new EventTarget()
  const opened = new Promise((resolve) => gate.addEventListener('open', resolve))
  const later = async (input: string) => {
    const made = answer(input)
    await opened
    return made
  }
  return { calls, release: () => gate.dispatchEvent(new Event('open')), runner: Object.assign(answer, { later }) as Runner }
}

test('a function in this process is not kept: its runner is the same', () => {
  const runner: Runner = () => ({ stdout: '', stderr: '', exitCode: 0 })
  expect(new AnswerMemo().wrap('a', runner)).toBe(runner)
})

test('equal lists of one function share an answer, other lists and other functions do not', () => {
  const memo = new AnswerMemo()
  const [one, other] = [counted(), counted('other ')]
  const [first, second] = [memo.wrap('one', one.runner), memo.wrap('other', other.runner)]
  expect([first('a'), first('a'), memo.wrap('one', one.runner)('a')].map(({ stdout }) => stdout)).toEqual(['a 1', 'a 1', 'a 1'])
  expect(first('b').stdout).toBe('b 2')
  expect(second('a').stdout).toBe('other a 1')
  expect([one.calls, other.calls]).toEqual([['a', 'b'], ['a']])
})

test('a list that is answered already, or that a call waits for, starts no second call', async () => {
  const { calls, release, runner } = counted()
  const { later } = new AnswerMemo().wrap('one', runner)
  const waiting = [later?.('a'), later?.('a'), later?.('b')]
  expect(calls).toEqual(['a', 'b'])
  release()
  expect((await Promise.all(waiting)).map((answer) => answer?.stdout)).toEqual(['a 1', 'a 1', 'b 2'])
  expect((await later?.('a'))?.stdout).toBe('a 1')
  expect(calls).toEqual(['a', 'b'])
})

test('a failure is an answer too, and a call that breaks is made again', async () => {
  let broken = true
  const runner: Runner = Object.assign(() => ({ stdout: '', stderr: 'boom', exitCode: 1 }), {
    later: async () => {
      if (broken) throw new Error('broken')
      return { stdout: '', stderr: 'boom', exitCode: 1 }
    },
  })
  const { later } = new AnswerMemo().wrap('one', runner)
  await expect(later?.('a')).rejects.toThrow('broken')
  broken = false
  expect(await later?.('a')).toEqual({ stdout: '', stderr: 'boom', exitCode: 1 })
})
