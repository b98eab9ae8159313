import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { FunctionAnswer } from '../match.ts'
import { endPrograms, programRunner } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'programs-'))
afterAll(() => rmSync(folder, { recursive: true }))

const MODES = ['blocking', 'later'] as const

async function run(mode: (typeof MODES)[number], script: string, input = 'in', seconds = 30): Promise<FunctionAnswer> {
  const runner = programRunner(['sh', '-c', script], { folder, environment: process.env, seconds })
  return mode === 'blocking' ? runner(input) : (runner.later ?? runner)(input)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A killed process that no process has waited for yet is a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function untilDead(file: string): Promise<boolean> {
  const pid = Number(readFileSync(join(folder, file), 'utf8'))
  expect(pid).toBeGreaterThan(1)
  for (let i = 0; i < 50 && isAlive(pid); i++) await new Promise((resolve) => setTimeout(resolve, 20))
  return !isAlive(pid)
}

describe.each(MODES)('a program that runs %s', (mode) => {
  test('gets its input, and its output, stderr and exit code are the answer', async () => {
    expect(await run(mode, 'cat; echo why >&2; exit 3')).toEqual({ stdout: 'in', stderr: 'why\n', exitCode: 3 })
  })

  test('may leave its input unread', async () => {
    expect(await run(mode, 'exec <&-; echo done', 'x'.repeat(4_000_000))).toMatchObject({ stdout: 'done\n', exitCode: 0 })
  })

  // These two wait for a limit, together where a program does not block.
  test.concurrent('that takes too long is ended with the programs that it started, even if it ignores signals', async ({ expect }) => {
    const began = performance.now()
    const answer = await run(mode, `trap '' TERM; sleep 60 & echo $! > ${mode}-child; sleep 60`, '', 0.5)
    expect(performance.now() - began).toBeLessThan(30_000)
    expect(answer).toMatchObject({ stdout: '', exitCode: undefined, stderr: expect.stringContaining('longer than 0.5 s') })
    expect(await untilDead(`${mode}-child`)).toBe(true)
  })

  test.concurrent('that leaves a program behind which holds its output open is ended at the limit', async ({ expect }) => {
    const began = performance.now()
    const answer = await run(mode, `setsid sh -c 'echo $$ > ${mode}-daemon; exec sleep 20' & echo done`, '', 0.5)
    expect(answer).toEqual({
      stdout: '',
      stderr: 'ended, but a program that it started still held its output open after 0.5 s; close stdout and stderr there',
      exitCode: undefined,
    })
    expect(performance.now() - began).toBeLessThan(15_000)
    process.kill(Number(readFileSync(join(folder, `${mode}-daemon`), 'utf8')))
  })

  test.each(['', '>&2'])('that floods its output%s is ended, and nothing of the flood is kept', async (redirect) => {
    const answer = await run(mode, `exec yes flood ${redirect}`)
    expect(answer).toEqual({ stdout: '', stderr: 'printed more than 32 MB and was ended', exitCode: undefined })
  })

  test('may print eight times its input', async () => {
    const { stdout, exitCode } = await run(mode, 'cat >/dev/null; head -c 34000000 /dev/zero', 'x'.repeat(4_500_000))
    expect([stdout.length, exitCode]).toEqual([34_000_000, 0])
  })

  test('that is not there is named so', async () => {
    const runner = programRunner(['./gone'], { folder, environment: {}, seconds: 5 })
    const answer = mode === 'blocking' ? runner('') : await runner.later?.('')
    expect(answer).toEqual({ stdout: '', stderr: 'cannot be run: no such program', exitCode: undefined })
  })

  test('that a signal ends is a failure', async () => {
    expect(await run(mode, 'kill -TERM $$')).toMatchObject({ exitCode: undefined, stderr: 'was ended by SIGTERM' })
  })
})

test('the end of the tool ends the programs that run', async () => {
  const answer = run('later', 'echo $$ > last; exec sleep 60')
  await expect.poll(() => existsSync(join(folder, 'last')) && readFileSync(join(folder, 'last'), 'utf8')).toMatch(/\n$/)
  endPrograms()
  expect(await answer).toMatchObject({ exitCode: undefined, stderr: 'was ended by SIGKILL' })
  expect(await untilDead('last')).toBe(true)
})
