import { readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../../testdata/test-folder.ts'
import { AnswerCache } from './answer-cache.ts'

const DAY = 24 * 60 * 60 * 1000

/** A folder with the answers to some inputs, each with the days since its last use, and the function that reads an entry's input again. */
function answersIn(days: Readonly<Record<string, number>>) {
  const folder = testFolder()
  const calls: string[] = []
  const run = (input: string, cache = new AnswerCache(folder)) =>
    cache.keep((text) => {
      calls.push(text)
      return { stdout: text, stderr: '', exitCode: 0 }
    }, 'image')(input)
  const files = new Map<string, string>()
  for (const input of Object.keys(days)) {
    const before = new Set(readdirSync(folder))
    run(input)
    files.set(input, join(folder, readdirSync(folder).find((name) => !before.has(name)) ?? ''))
  }
  for (const [input, file] of files) utimesSync(file, ...both(Date.now() - (days[input] ?? 0) * DAY))
  calls.length = 0
  return { folder, files, run, calls }
}

function both(time: number): [Date, Date] {
  return [new Date(time), new Date(time)]
}

test('a new answer removes the entries that were not used for 30 days', () => {
  const { run, calls } = answersIn({ old: 31, recent: 29 })
  run('new')
  run('recent')
  run('old')
  expect(calls).toEqual(['new', 'old'])
})

test('an entry that is read counts as used', () => {
  const { run, calls } = answersIn({ old: 31 })
  run('old')
  run('new')
  run('old')
  expect(calls).toEqual(['new'])
})

test('of more than 512 MB the entries go that were used least recently; files of others stay', () => {
  const { folder, files, run } = answersIn({ large: 2, small: 3 })
  writeFileSync(join(folder, 'notes'), '')
  truncateSync(files.get('large') ?? '', 512 * 1024 * 1024)
  run('new')
  expect(readdirSync(folder)).toHaveLength(2)
  expect(readdirSync(folder)).toContain('notes')
})

test('an answer with another exit code than 0 is not kept', () => {
  const folder = testFolder()
  let calls = 0
  const run = (exitCode: number | undefined) =>
    new AnswerCache(folder).keep(() => ({ stdout: `${++calls}`, stderr: 'why', exitCode }), 'image')('in')
  expect([run(1), run(undefined), run(0), run(1)].map(({ stdout, exitCode }) => [stdout, exitCode])).toEqual([
    ['1', 1],
    ['2', undefined],
    ['3', 0],
    ['3', 0],
  ])
})
