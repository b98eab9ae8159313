import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CATALOG } from './catalog.ts'
import { versionNotes } from './version-notes.ts'

const PAGE = readFileSync(new URL('../../docs/catalog.md', import.meta.url), 'utf8')

test('the differences of a version are rows of docs/catalog.md that name the version', () => {
  const noted = CATALOG.flatMap((fn) =>
    fn.versions.flatMap((version) => versionNotes(fn, version).differences.map((row) => ({ name: fn.name, version, row }))),
  )
  expect(noted.length).toBeGreaterThan(5)
  for (const { name, version, row } of noted) {
    const text = PAGE.split('\n').find((line) => line.startsWith(`| ${row} |`)) ?? ''
    const section = PAGE.slice(0, PAGE.indexOf(text)).split('\n## ').at(-1)?.split('\n')[0]
    expect({ row, names: text.includes(version), isOf: section === name || text.includes(name) }).toEqual({ row, names: true, isOf: true })
  }
})

test('only the functions whose keys are known name them, and only some fail for another key', () => {
  const notes = (name: string, version: string) => {
    const { configMapKeys, refusesOtherKeys } = versionNotes({ name }, version)
    return [configMapKeys, refusesOtherKeys]
  }
  expect(notes('ensure-name-substring', 'v0.2.0')).toEqual([['prepend', 'append'], true])
  expect(notes('list-setters', 'v0.1.0')).toEqual([[], false])
  expect(notes('apply-setters', 'v0.2.0')).toEqual([undefined, false])
  expect(notes('set-namespace', 'v0.4.1')).toEqual([['namespace'], false])
  expect(notes('set-namespace', 'master')).toEqual([['namespace', 'namespaceMatcher'], false])
  expect(notes('set-image', 'master')).toEqual([['name', 'newName', 'newTag', 'digest'], false])
})
