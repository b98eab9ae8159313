import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OneVariantFleet } from '../../../testdata/one-variant-fleet.ts'
import type { TestFiles } from '../../../testdata/test-fleet.ts'
import { configMapText, kptfileText } from '../../../testdata/written-objects.ts'
import { formatResult } from '../../result.ts'

interface Upgrade {
  readonly before: TestFiles
  readonly after: TestFiles
  /** The files whose bit a person turns after the first render. */
  readonly turned: readonly string[]
  /** The files that are executable in both revisions. */
  readonly executable?: readonly string[]
}

/** Returns the executable files of a package after an update, and the findings. */
function upgraded({ before, after, turned, executable = [] }: Upgrade): { executable: readonly string[]; findings: readonly string[] } {
  const kptfile = { Kptfile: kptfileText('shop') }
  const fleet = new OneVariantFleet({ v1: { ...kptfile, ...before }, v2: { ...kptfile, ...after } })
  for (const [revision, files] of Object.entries({ v1: before, v2: after }))
    for (const path of executable.filter((each) => files[each] !== undefined))
      chmodSync(join(fleet.root, `catalog/shop@${revision}/${path}`), 0o755)
  const place = (path: string) => join(fleet.root, 'out/edge/shop', path)
  fleet.render(1)
  for (const path of turned) chmodSync(place(path), executable.includes(path) ? 0o644 : 0o755)
  const { results } = fleet.render(2)
  return {
    executable: Object.keys(after).filter((path) => (statSync(place(path)).mode & 0o111) !== 0),
    findings: results.map(formatResult),
  }
}

const SCRIPT = '#!/bin/sh\n'

test.each<Upgrade & { readonly reason: string; readonly expected: readonly string[] }>([
  { reason: 'a renamed file', before: { 'a.sh': SCRIPT }, after: { 'b.sh': SCRIPT }, turned: ['a.sh'], expected: ['b.sh'] },
  { reason: 'a file that people left alone', before: { 'a.sh': SCRIPT }, after: { 'b.sh': SCRIPT }, turned: [], expected: [] },
  {
    reason: 'a bit that people turned off',
    before: { 'a.sh': SCRIPT },
    after: { 'b.sh': SCRIPT },
    turned: ['a.sh'],
    executable: ['a.sh', 'b.sh'],
    expected: [],
  },
  {
    reason: 'of two files with the same bytes the one with the same name',
    before: { 'bin/a.sh': SCRIPT },
    after: { 'sbin/a.sh': SCRIPT, 'sbin/b.sh': SCRIPT },
    turned: ['bin/a.sh'],
    expected: ['sbin/a.sh'],
  },
  {
    reason: 'a resource that changed, in another file',
    before: { 'a.yaml': configMapText('a', 'data: {v: "1"}\n') },
    after: { 'b.yaml': configMapText('a', 'data: {v: "2"}\n') },
    turned: ['a.yaml'],
    expected: ['b.yaml'],
  },
])('the executable bit of people goes with $reason', ({ expected, ...upgrade }) => {
  expect(upgraded(upgrade)).toEqual({ executable: expected, findings: [] })
})

test.each<Upgrade & { readonly reason: string; readonly says: string }>([
  { reason: 'removed', before: { 'a.sh': SCRIPT }, after: {}, turned: ['a.sh'], says: 'executable' },
  { reason: 'renamed and changed', before: { 'a.sh': SCRIPT }, after: { 'b.sh': `${SCRIPT}echo\n` }, turned: ['a.sh'], says: 'executable' },
  {
    reason: 'replaced by two files',
    before: { 'a.sh': SCRIPT },
    after: { 'b.sh': SCRIPT, 'c.sh': SCRIPT },
    turned: ['a.sh'],
    executable: ['a.sh'],
    says: 'not executable',
  },
])('the executable bit of a file that upstream $reason is named', ({ says, ...upgrade }) => {
  expect(upgraded(upgrade)).toEqual({
    executable: [],
    findings: [
      `out/edge/shop/a.sh: warning: \`a.sh\` is ${says} here by an edit; upstream removed the file, or gave another name to it and changed it, so that the edit is lost [edit-lost]`,
    ],
  })
})

const objects = (...names: readonly string[]) => names.map((name) => configMapText(name, 'data: {v: "1"}\n')).join('---\n')

test.each([
  { executable: ['a.yaml'], expected: [], says: 'executable' },
  { executable: ['b.yaml'], expected: ['c.yaml'], says: 'not executable' },
])(
  'of two files that upstream joins, the first gives its bit, and that of the other, $says, is named',
  ({ executable, expected, says }) => {
    const before = { 'a.yaml': objects('a'), 'b.yaml': objects('b') }
    const upgrade = { before, after: { 'c.yaml': objects('a', 'b') }, turned: ['a.yaml', 'b.yaml'], executable }
    expect(upgraded(upgrade)).toEqual({
      executable: expected,
      findings: [
        `out/edge/shop/b.yaml: warning: \`b.yaml\` is ${says} here by an edit; \`c.yaml\`, which upstream made of the file, has the bit of \`a.yaml\`, so that the edit is lost [edit-lost]`,
      ],
    })
  },
)

test('of two files that upstream joins, equal bits of people have no finding', () => {
  const before = { 'a.yaml': objects('a'), 'b.yaml': objects('b') }
  const upgrade = { before, after: { 'c.yaml': objects('a', 'b') }, turned: ['a.yaml', 'b.yaml'] }
  expect(upgraded(upgrade)).toEqual({ executable: ['c.yaml'], findings: [] })
})
