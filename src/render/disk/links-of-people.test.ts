import { mkdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { OneVariantFleet } from '../../../testdata/one-variant-fleet.ts'
import type { TestFiles } from '../../../testdata/test-fleet.ts'
import { configMapText, kptfileText } from '../../../testdata/written-objects.ts'
import { formatResult } from '../../result.ts'

const SCRIPT = '#!/bin/sh\n'

/** Returns the findings of an update of a package in which a person made a link, which the update must leave. */
function findings(link: string, target: string, before: TestFiles, after: TestFiles): readonly string[] {
  const kptfile = { Kptfile: kptfileText('shop') }
  const fleet = new OneVariantFleet({ v1: { ...kptfile, ...before }, v2: { ...kptfile, ...after } })
  fleet.render(1)
  const place = join(fleet.root, 'out/edge/shop', link)
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(target, place)
  const { results } = fleet.render(2)
  expect(readlinkSync(place)).toBe(target)
  return results.map(formatResult)
}

const warning = (link: string, target: string, fate: string) =>
  `out/edge/shop/${link}: warning: \`${link}\` is a symbolic link to \`${target}\` by an edit; upstream ${fate} [edit-lost]`
const named = (link: string, target: string, successor: string, path = successor) =>
  warning(
    link,
    target,
    `named that \`${successor}\`, so that the link leads nowhere: \`ln -sfn ${path} out/edge/shop/${link}\` corrects it`,
  )
const removed = (link: string, target: string) =>
  warning(link, target, 'removed that, or gave another name to it and changed it, so that the link leads nowhere')

test.each<readonly [what: string, link: string, target: string, before: TestFiles, after: TestFiles, expected: readonly string[]]>([
  ['a file', 'run', 'a.sh', { 'a.sh': SCRIPT }, { 'b.sh': SCRIPT }, [named('run', 'a.sh', 'b.sh')]],
  ['a file above', 'bin/run', '../a.sh', { 'a.sh': SCRIPT }, { 'lib/b.sh': SCRIPT }, [named('bin/run', 'a.sh', 'lib/b.sh', '../lib/b.sh')]],
  [
    'a resource that upstream changed',
    'mine.yaml',
    'a.yaml',
    { 'a.yaml': configMapText('a', 'data: {v: "1"}\n') },
    { 'b.yaml': configMapText('a', 'data: {v: "2"}\n') },
    [named('mine.yaml', 'a.yaml', 'b.yaml')],
  ],
  [
    'a folder',
    'now',
    'conf/one',
    { 'conf/one/a.sh': SCRIPT, 'conf/one/b.sh': `${SCRIPT}b\n` },
    { 'conf/two/a.sh': SCRIPT, 'conf/two/b.sh': `${SCRIPT}b\n` },
    [named('now', 'conf/one', 'conf/two')],
  ],
])('a link to %s that upstream renamed is named with the new place', (_, link, target, before, after, expected) => {
  expect(findings(link, target, before, after)).toEqual(expected)
})

test.each<readonly [what: string, before: TestFiles, after: TestFiles]>([
  ['removed', { 'a/x.sh': SCRIPT }, {}],
  ['renamed and changed', { 'a/x.sh': SCRIPT }, { 'b/x.sh': `${SCRIPT}exit\n` }],
  ['divided among folders', { 'a/x.sh': SCRIPT, 'a/y.sh': `${SCRIPT}y\n` }, { 'b/x.sh': SCRIPT, 'c/y.sh': `${SCRIPT}y\n` }],
])('a link to a folder that upstream %s is named', (_, before, after) => {
  expect(findings('now', 'a', before, after)).toEqual([removed('now', 'a')])
})

test('a link that still leads somewhere, or led nowhere before, has no finding', () => {
  const [before, after] = [{ 'a/x.sh': SCRIPT, 'a/y.sh': `${SCRIPT}y\n` }, { 'a/z.sh': SCRIPT }]
  expect(findings('now', 'a', before, after)).toEqual([])
  expect(findings('now', 'b', before, after)).toEqual([])
  expect(findings('now', '/etc/hostname', before, after)).toEqual([])
})
