import { expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { refusal } from './admission.ts'
import { glasskubeInstall, glasskubeReading } from './testing/objects.ts'

const known = (id: string, version: string, ...required: readonly string[]) => ({
  id,
  versions: [{ version, dependencies: required.map((text) => ({ name: text.split(' ')[0], version: text.split(' ')[1] ?? '' })) }],
})
const KNOWN = [
  known('app', 'v1.0.0', 'db >=1.0.0'),
  known('db', 'v1.0.0'),
  known('db', 'v2.0.0'),
  known('db', 'v3.0.0'),
  known('strict', 'v1.0.0', 'db <2.0.0'),
  known('strict', 'v2.0.0', 'db <1.5.0'),
  known('wishful', 'v1.0.0', 'db >=9.0.0'),
  known('lost', 'v1.0.0', 'gone'),
]
const [app, strict, db1, db2] = [
  glasskubeInstall('app', 'v1.0.0'),
  glasskubeInstall('strict', 'v1.0.0'),
  glasskubeInstall('db', 'v1.0.0'),
  glasskubeInstall('db', 'v2.0.0'),
]
const install = (name: string, version = 'v1.0.0') => glasskubeInstall(name, version)

/** Returns the reason why the webhook refuses a change of what is installed. */
function refused(before: readonly KrmObject[], after: readonly KrmObject[], closed = true): string | undefined {
  return refusal(glasskubeReading(before, KNOWN, closed).index, glasskubeReading(after, KNOWN, closed).index)
}

test.each<[string, readonly KrmObject[], readonly KrmObject[]]>([
  ['a package with what it requires', [], [app, db1]],
  ['a package whose requirement can be installed', [], [app]],
  ['another version that all packages allow', [app, db1], [app, db2]],
  ['another version of a package whose requirement can be installed', [strict], [install('strict', 'v2.0.0')]],
  ['a deletion of what no package requires', [app, db1, strict], [app, db1]],
  ['no change', [app], [app]],
  ['a change beside a conflict that was there before', [strict, db2], [strict, db2, app]],
  ['a package beside one of which nothing was known before', [install('unknown')], [install('unknown'), app]],
])('the webhook admits %s', (_, before, after) => {
  expect(refused(before, after)).toBeUndefined()
})

test.each<[string, readonly KrmObject[], readonly KrmObject[], RegExp]>([
  ['a version in conflict', [db2], [db2, strict], /^strict v1\.0\.0 requires db/],
  ['another version in conflict', [strict, db1], [strict, db2], /^strict v1\.0\.0 requires db/],
  ['a version in conflict beside an older conflict', [strict, db2], [strict, db2, install('wishful')], /^wishful v1\.0\.0 requires db/],
  ['an older conflict at another version', [strict, db2], [strict, install('db', 'v3.0.0')], /^strict v1\.0\.0 requires db/],
  ['an older conflict with another range', [strict, db2], [install('strict', 'v2.0.0'), db2], /^strict v2\.0\.0 requires db/],
  ['a requirement that no version meets', [], [install('wishful')], /^wishful v1\.0\.0 requires db/],
  ['a requirement of which no version is known', [], [install('lost')], /^lost v1\.0\.0 requires gone/],
  ['a deletion of what a package requires', [app, db1], [app], /^app v1\.0\.0 requires db/],
  ['a package of which nothing is known', [], [install('unknown')], /^nothing is known of the version$/],
  ['a package of which nothing is known, at a version that another one has', [db1], [db1, install('unknown')], /^nothing is known/],
  ['a version of which nothing is known', [db1], [install('db', 'v7.0.0')], /^nothing is known of the version$/],
  ['two conflicts', [db2], [db2, strict, install('wishful')], /^strict v1\.0\.0 requires db .*; wishful v1\.0\.0 requires db/],
])('the webhook refuses %s', (_, before, after, reason) => {
  expect(refused(before, after)).toMatch(reason)
})

test('a requirement that cannot be judged, since not every package is known, is no reason', () => {
  expect(refused([], [install('lost')], false)).toBeUndefined()
})
