import { expect, test } from 'vitest'
import type { OpenDocument } from '../yaml/read/text-reading.ts'
import { YamlError } from '../yaml/read/yaml-error.ts'
import { FilePositions } from './file-positions.ts'
import { FullReads, RecentTexts, UsualStarts } from './text-caches.ts'

/** A text that counts how often it was freed and written. */
class CountedText implements OpenDocument {
  readonly owner = new FilePositions('document')
  forgotten = 0
  written = 0
  forget(): void {
    this.forgotten++
  }
  write(): void {
    this.written++
  }
}

const HALF = 500_000

test('texts are kept up to the limit, and the oldest are freed first', () => {
  const recent = new RecentTexts()
  const [first, second, third] = [new CountedText(), new CountedText(), new CountedText()]
  recent.keep(first, HALF)
  recent.keep(second, HALF)
  expect([first.forgotten, second.forgotten]).toEqual([1, 0])
  recent.keep(third, HALF)
  expect([first.forgotten, second.forgotten, third.forgotten]).toEqual([1, 1, 0])
})

test('a text that is read again stays', () => {
  const recent = new RecentTexts()
  const [first, second] = [new CountedText(), new CountedText()]
  recent.keep(first, HALF)
  recent.keep(first, 1)
  recent.keep(second, HALF)
  expect(first.forgotten).toBe(0)
})

test('a text counts once, however often it is read', () => {
  const recent = new RecentTexts()
  const [first, second] = [new CountedText(), new CountedText()]
  for (let time = 0; time < 100; time++) recent.keep(first, HALF / 10)
  recent.keep(second, 1)
  expect([first.forgotten, second.forgotten]).toEqual([0, 0])
})

test('only one text has pending edits: the text before writes its own', () => {
  const recent = new RecentTexts()
  const [first, second] = [new CountedText(), new CountedText()]
  recent.edited(first)
  recent.edited(first)
  expect(first.written).toBe(0)
  recent.edited(second)
  expect([first.written, second.written]).toEqual([1, 0])
})

test('the full parser reads four million characters of a list, each text counted once', () => {
  const reads = new FullReads()
  const [first, second] = [{}, {}]
  reads.count(first, 4_000_000)
  reads.count(first, 4_000_000)
  expect(() => reads.count(second, 1)).toThrow(YamlError)
  expect(() => new FullReads().count({}, 4_000_001)).toThrow('at most 4000000 characters of a list may have another layout than kpt writes')
})

const START = { apiVersion: 'apps/v1', kind: 'Deployment' }

test.each([
  { reason: 'the layout of kpt', text: '- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n', expected: START },
  { reason: 'an item that ends behind the kind', text: '- apiVersion: apps/v1\n  kind: Deployment\n', expected: START },
  { reason: 'a deeper line would continue the kind', text: '- apiVersion: apps/v1\n  kind: Deployment\n    more\n', expected: undefined },
  { reason: 'an empty line may continue the kind', text: '- apiVersion: apps/v1\n  kind: Deployment\n\n    more\n', expected: undefined },
  { reason: 'the kind first', text: '- kind: Deployment\n  apiVersion: apps/v1\n  metadata:\n', expected: undefined },
  { reason: 'an apiVersion that is null', text: '- apiVersion: null\n  kind: Deployment\n', expected: undefined },
  { reason: 'a kind that is null', text: '- apiVersion: apps/v1\n  kind: Null\n', expected: undefined },
  {
    reason: 'a kind that begins with null',
    text: '- apiVersion: apps/v1\n  kind: nullable\n',
    expected: { apiVersion: 'apps/v1', kind: 'nullable' },
  },
  { reason: 'a kind in quotes', text: '- apiVersion: apps/v1\n  kind: "Deployment"\n', expected: undefined },
  { reason: 'a comment behind the kind', text: '- apiVersion: apps/v1\n  kind: Deployment # a\n', expected: undefined },
  { reason: 'one line', text: '- apiVersion: apps/v1\n', expected: undefined },
  { reason: 'nothing', text: '', expected: undefined },
])('the first two lines of an item, read the first time and again: $reason', ({ text, expected }) => {
  const starts = new UsualStarts()
  expect(starts.of(text)).toEqual(expected)
  expect(starts.of(text)).toEqual(expected)
})

test('items of several kinds in turn keep their own', () => {
  const starts = new UsualStarts()
  const item = (kind: string, next = '  metadata:\n') => `- apiVersion: v1\n  kind: ${kind}\n${next}`
  const kinds = ['A', 'B', 'A', 'A'].map((kind) => starts.of(item(kind))?.kind)
  expect(kinds).toEqual(['A', 'B', 'A', 'A'])
  expect(starts.of(item('A', '    more\n'))).toBeUndefined()
  expect(starts.of(item('AB'))?.kind).toBe('AB')
})
