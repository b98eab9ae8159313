import { expect, test } from 'vitest'
import { lineOfChange } from '../../src/diff/causes/object-places.ts'
import type { ChangedField } from '../../src/diff/report.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { shownField } from './diff-wording.ts'

const field = (before: ChangedField['before'], after: ChangedField['after']): ChangedField => ({
  path: 'spec.args',
  steps: ['spec', 'args'],
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
})

const lines = (changed: string) =>
  Array.from({ length: 60 }, (_, i) => (i === 45 ? `setting = ${changed}\n` : `setting_${i} = ${i}\n`)).join('')

test('long values are shown around their first difference', () => {
  const shown = shownField(field(lines('value'), lines('DANGER')))
  expect(shown).toMatch(/^spec\.args: ….*setting = value.* → ….*setting = DANGER/)
  expect(shown.length).toBeLessThan(230)
  expect(shownField(field('a', 'b'))).toBe('spec.args: a → b')
})

test('a list without keys is shown by the entries that it loses and gets', () => {
  expect(shownField(field(['--a', '--b'], ['--b', '--c', '--d']))).toBe('spec.args: - "--a", + "--c", + "--d"')
  expect(shownField(field(['--a', '--a'], ['--a']))).toBe('spec.args: - "--a"')
  expect(shownField(field(['a', 'b', 'c'], ['c', 'b', 'a']))).toBe('spec.args: ["a","b","c"] → ["c","b","a"]')
})

test('the line of a change in a file of a ConfigMap is the line that differs', () => {
  const text = 'kind: ConfigMap\ndata:\n  conf: |\n    one\n    two\n    three\n  other: "one\\ntwo"\n'
  const object = KrmObject.fromDocument(text, { path: 'a.yaml', index: 0, line: 10 })
  const line = (path: string, before: string, after: string) => lineOfChange(object, ['data', path], before, after).line
  expect(line('conf', 'one\n2\nthree\n', 'one\ntwo\nthree\n')).toBe(14)
  expect(line('conf', 'one\ntwo\nthree\nfour\n', 'one\ntwo\nthree\n')).toBe(15)
  expect(line('other', 'one', 'one\ntwo')).toBe(16)
})
