import { expect, test } from 'vitest'
import { DIALECTS } from '../../versions/dialects.ts'
import { rangeReader } from '../range.ts'
import { placeIn } from '../reading/field.ts'
import { checkConstraint } from '../reading/written-constraint.ts'
import { CARVEL_TRAPS } from './constraint-traps.ts'
import { packageInstall } from './testing/objects.ts'

interface Given {
  /** The versions that are known of the package. */
  readonly known?: readonly string[]
  readonly prereleases?: boolean
  readonly dialect?: 'k14s' | 'carvelhead'
}

/** Returns the rule of a constraint, the words about it, and the constraint that is proposed. */
function trapOf(text: string, { known = [], prereleases, dialect = 'k14s' }: Given = {}) {
  const reader = rangeReader(DIALECTS[dialect])
  const found = checkConstraint({
    text,
    reader,
    ecosystem: 'carvel',
    traps: CARVEL_TRAPS,
    place: () => placeIn(packageInstall('app', 'app.example.com'), []),
    known: () => known.flatMap((version) => reader.version(version) ?? []),
    ...(prereleases !== undefined && { prereleases }),
  })
  return found.map(({ rule, message, proposedValue }) => [rule, message.replace(`"${text}" `, ''), proposedValue])[0]
}

const suspect = (words: string, proposed?: string) => ['constraint-suspect', words, proposed]

test.each<[string, string, string | undefined]>([
  ['^1.x', "means exactly 1.0.0 here: kapp-controller drops the '^'", '1.x'],
  ['~1.x', "means exactly 1.0.0 here: kapp-controller drops the '~'", '1.x'],
  ['~1.2.x', "means exactly 1.2.0 here: kapp-controller drops the '~'", '1.2.x'],
  ['~>1.2.x', "means exactly 1.2.0 here: kapp-controller drops the '~>'", '1.2.x'],
  ['~> 10.20.x', "means exactly 10.20.0 here: kapp-controller drops the '~>'", '10.20.x'],
  [' ^1.x ', "means exactly 1.0.0 here: kapp-controller drops the '^'", '1.x'],
  // Of other tools ^1.2.x ends before 2.0.0, and ~1.2.x before 1.3.0: a wildcard means the second alone.
  ['^1.2.x', "means exactly 1.2.0 here: kapp-controller drops the '^'", undefined],
])('an operator of another tool before a wildcard is dropped: %s %s', (text, words, proposed) => {
  expect(trapOf(text)).toEqual(suspect(words, proposed))
})

test.each(['>=1.0.0 ^1.x', '^1.x >=1.0.0'])('an operator of another tool beside a second bound is not judged: %s', (text) => {
  expect(trapOf(text)).toBeUndefined()
})

test.each(['1.x', '1.2.x', '>=1.x', '>=1.0.0 <2.0.0', '1.0.0 || 2.0.0', '>=1.0.0'])('%s means what it seems to mean', (text) => {
  expect(trapOf(text)).toBeUndefined()
})

test.each(['>=1.0.0 | <2.0.0', '| >=1.0.0', '>=1.0.0 |', '>2.0.0 | <1.0.0'])('a single bar is dropped: %s', (text) => {
  expect(trapOf(text)).toEqual(suspect("holds a single '|', which kapp-controller drops; alternatives are joined by '||'"))
})

// splitAndTrim of the library: `! 1.0.0` is 1.0.0 itself, and `^ 1.x` is 1.x.
test.each([
  ['^ 1.2.0', '^'],
  ['~ 1.2.x', '~'],
  ['^ 1.x', '^'],
  ['>=1.0.0 ! 1.5.0', '!'],
])('a single sign is dropped, so that the version behind it is meant: %s', (text, sign) => {
  expect(trapOf(text)).toEqual(suspect(`holds a single '${sign}', which kapp-controller drops`))
})

test.each([
  ['1.0.0 - 2.0.0', '>=1.0.0 <=2.0.0'],
  ['  1.0.0 - 2.0.0 ', '>=1.0.0 <=2.0.0'],
  ['1.0.0 - 2.0.0 <3.0.0', undefined],
  ['>=0.1.0 1.0.0 - 2.0.0', undefined],
])('a hyphen range matches nothing: %s, and %s is proposed', (text, proposed) => {
  expect(trapOf(text)).toEqual(suspect('can never match; kapp-controller has no hyphen ranges', proposed))
})

test('a hyphen between two equal versions matches this version', () => {
  expect(trapOf('1.0.0 - 1.0.0')).toBeUndefined()
})

test('a range that no version is in is reported without a proposal', () => {
  expect(trapOf('>2.0.0 <1.0.0')).toEqual(suspect('can never match'))
})

test.each<[string, string, Given, string | undefined, string | undefined]>([
  ['a known one is admitted', '>=1.0.0 <2.0.0', { known: ['1.0.0', '2.0.0-rc.1'] }, '2.0.0-rc.1', '>=1.0.0 <2.0.0-0'],
  ['the constraint takes prereleases', '<3.0.0', { prereleases: true }, '3.0.0-rc.1', '<3.0.0-0'],
  ['the controller is of 2026, where -0 is no cure', '<2.0.0', { known: ['2.0.0-beta'], dialect: 'carvelhead' }, '2.0.0-beta', undefined],
  ['the known prerelease is below another bound', '<2.0.0', { known: ['1.9.0-rc.1'] }, undefined, undefined],
  ['the known version is the bound itself', '<2.0.0', { known: ['2.0.0'] }, undefined, undefined],
  ['the known version that is in the range is the bound itself', '<2.0.0 || 2.0.0', { known: ['2.0.0'] }, undefined, undefined],
  ['the known prerelease is not in the range', '>=2.0.0-rc.2 <2.0.0', { known: ['2.0.0-rc.1'] }, undefined, undefined],
  ['the constraint takes no prereleases', '<2.0.0', { prereleases: false }, undefined, undefined],
  ['the bound is a prerelease', '<2.0.0-0', { prereleases: true }, undefined, undefined],
  ['the range has no upper bound', '>=2.0.0', { known: ['2.0.0-rc.1'], prereleases: true }, undefined, undefined],
])('prereleases of an upper bound are in the range, where %s', (_, text, given, example, proposed) => {
  expect(trapOf(text, given)).toEqual(
    example === undefined ? undefined : suspect(`admits prereleases of its bound, such as ${example}`, proposed),
  )
})
