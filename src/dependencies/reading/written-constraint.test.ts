import { expect, test } from 'vitest'
import { DIALECTS } from '../../versions/dialects.ts'
import { fieldOf, READER } from '../crossplane/testing/objects.ts'
import { rangeReader } from '../range.ts'
import { fieldAt, placeOfField } from './field.ts'
import {
  checkConstraint,
  type FindTrap,
  MASTERMINDS_TRAPS,
  matchesNothing,
  type WrittenConstraint,
  WrittenRequirement,
} from './written-constraint.ts'

const FIELD = fieldOf('x')

/** Returns the findings on a constraint: the rule, the message and the proposed value. */
function found(text: string, known: readonly string[] = [], more: Partial<WrittenConstraint> = {}) {
  const { reader = READER } = more
  const written: WrittenConstraint = {
    text,
    place: () => placeOfField(FIELD),
    ecosystem: 'crossplane',
    reader,
    traps: MASTERMINDS_TRAPS,
    known: () => known.flatMap((each) => reader.version(each) ?? []),
    ...more,
  }
  return checkConstraint(written)
}

const said = (...given: Parameters<typeof found>) =>
  found(...given).map(({ rule, message, proposedValue }) => [rule, message, proposedValue])

test('a constraint without a fault or trap has no finding', () => {
  expect(found('>=1.0.0, <2.0.0', ['v1.5.0'])).toEqual([])
})

test('a constraint that does not parse is reported with the form of the dialect, or the same range in its words', () => {
  expect(said('no range')).toEqual([
    [
      'constraint-invalid',
      '"no range" is no version constraint of Crossplane: improper constraint: "no range"; a range is ">=1.0.0, <2.0.0", one version "1.0.0"',
      undefined,
    ],
  ])
  expect(said('[0.45,0.50)')).toEqual([
    [
      'constraint-invalid',
      expect.stringMatching(/^"\[0\.45,0\.50\)" is no version constraint of Crossplane: .*; write ">=0\.45\.0, <0\.50\.0"$/),
      '>=0.45.0, <0.50.0',
    ],
  ])
})

test('a finding has the place, the dialect, the given tags, and the constraint cut to what a message shows', () => {
  const [finding] = found('z'.repeat(300), [], { tags: { package: 'p', dependency: 'd' } })
  expect(finding?.place.path).toEqual(['value'])
  expect(finding?.tags).toEqual({
    ecosystem: 'crossplane',
    dialect: 'm350',
    package: 'p',
    dependency: 'd',
    required: `${'z'.repeat(200)}…`,
  })
})

test.each([
  ['>2.0.0, <1.0.0', [], true],
  ['>=1.0.0, <2.0.0', [], false],
  // No version around the bounds is in the range, and a known one is.
  ['>1.0.0-alpha.1, <1.0.0-alpha.3', ['1.0.0-alpha.2'], false],
])('the constraint %s, where %j are known, matches nothing: %s', (text, known, expected) => {
  expect(said(text, known)).toEqual(expected ? [['constraint-suspect', `"${text}" can never match`, undefined]] : [])
})

test.each([['~0.0.0'], ['~>0.0.0'], ['~ v0.0.0'], [' ~0.0.0 ']])('the constraint "%s" matches every version', (text) => {
  expect(said(text)).toEqual([['constraint-suspect', `"${text}" matches every version, as >=0.0.0 would`, '>=0.0.0']])
})

test.each([['~0.0.1'], ['~0.0'], ['^0.0.0'], ['>=0.0.0'], ['~0.0.0 || ~1.0.0'], ['~1.0.0 || ~0.0.0']])(
  'the constraint "%s" does not',
  (text) => {
    expect(found(text)).toEqual([])
  },
)

test.each<[string, readonly string[], string, string]>([
  ['>=1.0.0', ['v2.0.0-rc.1', 'v1.5.0-rc.1'], '>=1.0.0-0', 'v2.0.0-rc.1'],
  ['>1.0.0', ['1.1.0-rc.1'], '>1.0.0-0', '1.1.0-rc.1'],
  ['<=2.0.0', ['1.1.0-rc.1'], '<=2.0.0-0', '1.1.0-rc.1'],
  ['<2.0.0', ['1.1.0-rc.1'], '<2.0.0-0', '1.1.0-rc.1'],
  ['^1.0.0', ['0.9.0', '1.1.0-rc.1'], '^1.0.0-0', '1.1.0-rc.1'],
  ['~1.1.0', ['1.1.1-rc.1'], '~1.1.0-0', '1.1.1-rc.1'],
  ['>=10.20.30', ['10.20.31-rc.1'], '>=10.20.30-0', '10.20.31-rc.1'],
  ['>=v9', ['v9.0.0-rc.1'], '>=v9-0', 'v9.0.0-rc.1'],
  ['~1.1', ['1.1.1-rc.1'], '~1.1-0', '1.1.1-rc.1'],
  ['>= v1.0.0 ', ['1.1.0-rc.1'], '>= v1.0.0-0', '1.1.0-rc.1'],
])('%s leaves out the only versions in it, prereleases of %j: %s is proposed', (text, known, proposed, example) => {
  expect(said(text, known)).toEqual([
    ['constraint-suspect', `"${text}" leaves prereleases out, and only prereleases match, such as ${example}: add -0`, proposed],
  ])
})

test.each([
  ['>=v9 <v10', ['v9.1.0-rc.1'], '>=v9-0 <v10-0'],
  ['>=1.0.0, <2.0.0', ['1.1.0-rc.1'], '>=1.0.0-0, <2.0.0-0'],
  ['^1.0.0 || ^2.0.0 ', ['2.1.0-rc.1', '0.1.0'], '^1.0.0-0 || ^2.0.0-0'],
])('of %s each version must admit prereleases of %j: %s is proposed', (text, known, proposed) => {
  const words = `leaves prereleases out, and only prereleases match, such as ${known[0]}: add -0 to each version`
  expect(said(text, known)).toEqual([['constraint-suspect', `"${text}" ${words}`, proposed]])
})

test.each<[string, string, readonly string[]]>([
  ['no version is known', '>=1.0.0', []],
  ['a known version is in the range', '>=1.0.0', ['1.1.0-rc.1', '1.0.0']],
  ['no prerelease would be in the range', '>=2.0.0', ['1.1.0-rc.1']],
  ['only a version that is no prerelease would be', '>=2.0.0', ['1.0.0']],
  ['the prerelease is one of the upper bound', '>=v9 <v10', ['v10.0.0-rc.1']],
  ['the range has a prerelease', '>=1.0.0-0', ['0.1.0-rc.1']],
])('prereleases are not proposed where %s', (_, text, known) => {
  expect(found(text, known)).toEqual([])
})

test('the first trap that is found is reported, and only that', () => {
  const trap =
    (words: string): FindTrap =>
    () => ({ words })
  expect(said('>=1.0.0', [], { traps: [() => undefined, trap('is first'), trap('is second')] })).toEqual([
    ['constraint-suspect', '">=1.0.0" is first', undefined],
  ])
  expect(found('~0.0.0', [], { traps: [matchesNothing] })).toEqual([])
})

test('each dialect has its own words', () => {
  const carvel = rangeReader(DIALECTS.k14s)
  expect(said('no range', [], { reader: carvel })[0]?.[1]).toMatch(
    /^"no range" is no version constraint of kapp-controller: .*; a range is ">=1\.0\.0 <2\.0\.0", one version "1\.0\.0"$/,
  )
})

test('a written requirement has its fields, and its place is that of its field', () => {
  const field = fieldAt(FIELD.object, ['metadata', 'name'])
  const pkg = { key: 'D', id: 'D', name: 'D', versions: [], known: [], installs: [], requirementsAt: () => undefined }
  const made = new WrittenRequirement({
    package: pkg,
    range: undefined,
    digest: 'sha256:a',
    optional: true,
    validateOnly: false,
    alias: 'x',
    field,
  })
  expect([made.type, made.package, made.range, made.digest, made.optional, made.validateOnly, made.alias]).toEqual([
    'package',
    pkg,
    undefined,
    'sha256:a',
    true,
    false,
    'x',
  ])
  expect([made.place.path, made.place.currentValue]).toEqual([['metadata', 'name'], 'holder'])
})
