import { expect, test } from 'vitest'
import type { DiffReport } from '../../src/diff/report.ts'
import { diffMarkdown } from './diff-markdown.ts'

test('the line of the dangers names as many as fit, each whole, and counts the others', () => {
  const report = (texts: readonly string[]): DiffReport => ({
    from: { name: 'main' },
    to: { name: 'head' },
    packagesAre: 'rendered',
    counts: { packages: 0, changed: 0, clusters: 0, groups: 0, local: 0 },
    groups: [],
    dangers: texts.map((text) => ({ rule: 'wide-change', text, count: 1, groups: [] })),
    images: [],
    packages: [],
    results: [],
  })
  const lineOf = (...texts: readonly string[]) => /\*\*Dangers:\*\* (.*)\n/.exec(diffMarkdown(report(texts), 65_000))?.[1]
  const wide = (set: string) => `40 of 40 clusters of set default/${set}-${'long-'.repeat(8)}name change at once`
  expect(lineOf('1 guard removed', '2 volumes deleted')).toBe('1 guard removed, 2 volumes deleted')
  expect(lineOf(wide('a'), wide('b'), wide('c'), wide('d'))).toBe(`${wide('a')}, ${wide('b')} and 2 more`)
  expect(lineOf('x'.repeat(300), '1 guard removed')).toBe(`${'x'.repeat(250)}… and 1 more`)
})
