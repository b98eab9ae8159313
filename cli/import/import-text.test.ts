import { expect, test } from 'vitest'
import { revisionChanges } from '../../src/diff/package-changes.ts'
import { packageOfTexts } from '../../testdata/package-of-texts.ts'
import { stylesFor } from '../print/styles.ts'
import { changesText } from './import-text.ts'

const PLAIN = stylesFor({ environment: {}, isTerminal: false }, {})
const config = (name: string, value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {a: ${value}}\n`
const claim = (size: string) =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: disk}\nspec: {resources: {requests: {storage: ${size}}}}\n`

function text(before: string, after: string): string {
  const [was, is] = [before, after].map((each) => packageOfTexts({ 'all.yaml': each }))
  if (was === undefined || is === undefined) return ''
  return changesText(revisionChanges(was, is), 'web@v1', PLAIN)
}

test('equal revisions, one changed object and several are counted in words', () => {
  expect(text(config('a', 'x'), config('a', 'x'))).toBe('no object differs from web@v1\n')
  expect(text(config('a', 'x'), config('a', 'y'))).toMatch(/^1 object differs from web@v1\n {2}ConfigMap a\n {6}.*data\.a.*x.*y\n$/)
  const [before, after] = ['x', 'y'].map((value) => `${config('a', value)}---\n${config('b', value)}`)
  expect(text(before ?? '', after ?? '')).toMatch(/^2 objects differ from web@v1\n/)
})

test('a dangerous change is counted, has a sign, its reason and its rule', () => {
  const shown = text(`${claim('2Gi')}---\n${config('a', 'x')}`, `${claim('1Gi')}---\n${config('a', 'y')}`)
  expect(shown).toMatch(/^2 objects differ from web@v1, 1 dangerous change\n {2}! PersistentVolumeClaim disk\n/)
  expect(shown).toMatch(/\n {6}! spec\.resources\.requests\.storage: .* \[[a-z-]+\]\n {2}ConfigMap a\n/)
})

test('an object that is new or gone says so', () => {
  expect(text(config('a', 'x'), `${config('a', 'x')}---\n${config('b', 'x')}`)).toMatch(/\n {2}ConfigMap b is created\n/)
  expect(text(`${config('a', 'x')}---\n${config('b', 'x')}`, config('a', 'x'))).toMatch(/\n {2}(?:! )?ConfigMap b is deleted\n/)
})
