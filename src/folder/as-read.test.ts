import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { ChangedMeanwhile, holdsText, isFree, keepsContent } from './as-read.ts'

test('a file is as it was read while it, or the link in its place, leads to exactly its text', () => {
  const root = testFolder()
  const [place, link] = [join(root, 'a'), join(root, 'link')]
  expect(holdsText(place, 'text')()).toBe(false)
  writeFileSync(place, 'text')
  symlinkSync('a', link)
  expect([holdsText(place, 'text')(), holdsText(link, 'text')()]).toEqual([true, true])
  for (const text of ['texT', 'text\n', 'tex', '']) expect(holdsText(place, text)()).toBe(false)
  rmSync(place)
  mkdirSync(place)
  expect([holdsText(place, '')(), holdsText(link, 'text')()]).toEqual([false, false])
})

test('a place is free if neither a file nor a link is there', () => {
  const root = testFolder()
  const test = isFree(join(root, 'a'))
  expect(test()).toBe(true)
  symlinkSync('nowhere', join(root, 'a'))
  expect(test()).toBe(false)
  rmSync(join(root, 'a'))
  expect(test()).toBe(true)
  mkdirSync(join(root, 'a'))
  expect(test()).toBe(false)
})

test('a folder keeps its content until a file in it changes, also where it was moved to', () => {
  const root = testFolder()
  const [place, aside] = [join(root, 'a'), join(root, 'aside')]
  mkdirSync(place)
  writeFileSync(join(place, 'b'), 'text')
  const test = keepsContent(place)
  expect(test()).toBe(true)
  renameSync(place, aside)
  expect([test(aside), test()]).toEqual([true, false])
  writeFileSync(join(aside, 'c'), '')
  expect(test(aside)).toBe(false)
})

test('the error of what changed meanwhile names the places and says if other changes were made', () => {
  const error = new ChangedMeanwhile(['a', 'b/c'], { isPartial: true })
  expect(error.message).toBe('changed since the run read it: a, b/c')
  expect([error.name, error.places, error.isPartial]).toEqual(['ChangedMeanwhile', ['a', 'b/c'], true])
})
