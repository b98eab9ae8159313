import { expect, test } from 'vitest'
import { planOn } from '../../testdata/conformance-runner/dependencies/plans.ts'
import { DIALECTS } from '../versions/dialects.ts'
import type { Version } from '../versions/version.ts'
import type { FieldPlace } from './finding.ts'
import type { Package, Range } from './package-index.ts'
import { install, packageOfCarvel } from './plan/testing/carvel-plans.ts'
import { jointUpdateFinder, proposeFix } from './proposed-fix.ts'
import { rangeReader } from './range.ts'
import { type DependentRequirement, RequirementsOn, requirementsByPackage } from './requirements.ts'

const reader = rangeReader(DIALECTS.m350)

function range(text: string): Range {
  const read = reader.range(text)
  if (read === undefined) throw new Error(`${text} is no range`)
  return read
}

function versions(...texts: readonly string[]): Version[] {
  return texts.flatMap((text) => reader.version(text) ?? []).sort((a, b) => reader.dialect.compare(b, a))
}

const PLACE: FieldPlace = { ref: { apiVersion: 'v1', kind: 'P', name: 'p' }, path: [], isOwnReading: false }

function packageWith(known: readonly Version[]): Package {
  return { key: 'D', id: 'D', name: 'D', versions: known, known: [], installs: [], requirementsAt: () => undefined }
}

function requirementBy(by: string, pkg: Package, wanted: Range): DependentRequirement {
  const requirement = { type: 'package', package: pkg, range: wanted, optional: false, validateOnly: false, place: PLACE } as const
  return { dependent: { id: by, name: by, place: PLACE, requirements: [requirement] }, requirement }
}

test.each([
  {
    reason: 'row 1: DV above every literal, nothing else known',
    pdv: '^1.2.3',
    dv: '2.0.0',
    known: [],
    text: 'not resolvable because P does not support using D in 2.0.0 yet',
  },
  {
    reason: 'row 1: below, and no other package ranges D',
    pdv: '^1.2.3',
    dv: '1.0.0',
    known: ['1.0.0'],
    text: 'might be resolvable by updating D to a version in "^1.2.3"',
  },
  {
    reason: 'row 1: below, and others range D',
    pdv: '^1.2.3',
    dv: '1.0.0',
    others: ['<2.0.0'],
    known: [],
    text: 'might be resolvable if "^1.2.3" and "<2.0.0" overlap',
  },
  { reason: 'row 1: in a hole', pdv: '<1.0.0 || >=2.0.0', dv: '1.5.0', known: [], text: 'cannot tell: no versions of D known' },
  {
    reason: 'row 2: the highest that satisfies all',
    pdv: '^1.2.3',
    dv: '1.0.0',
    others: ['<1.9.0'],
    known: ['1.0.0', '1.5.0', '1.8.0', '1.9.0'],
    text: 'resolvable by updating D to 1.8.0',
    to: '1.8.0',
    direction: 'up',
  },
  {
    reason: 'row 3: only a lower one',
    pdv: '^1.2.3',
    dv: '2.0.0',
    known: ['1.5.0', '2.0.0'],
    text: 'not resolvable because P does not support using D in 2.0.0 yet; downgrading D to 1.5.0 satisfies all',
    to: '1.5.0',
    direction: 'down',
  },
  {
    reason: 'row 4: a higher one breaks X',
    pdv: '^1.2.3',
    dv: '1.0.0',
    others: ['<1.2.0'],
    known: ['1.0.0', '1.5.0'],
    text: 'not resolvable by this update alone because updating D to 1.5.0 breaks X1, which requires "<1.2.0" (P p .)',
  },
  {
    reason: 'row 4: and X has a version that goes with it',
    pdv: '^1.2.3',
    dv: '1.0.0',
    others: ['<1.2.0'],
    known: ['1.0.0', '1.5.0'],
    mends: { d: '1.5.0', x: '2.0.0' },
    text: 'not resolvable by this update alone because updating D to 1.5.0 breaks X1, which requires "<1.2.0" (P p .); D 1.5.0 together with X1 2.0.0 satisfies all',
  },
  {
    reason: 'row 5: and another version of P supports it',
    pdv: '^1.2.3',
    dv: '2.0.0',
    others: ['>=2.0.0'],
    known: ['1.5.0', '2.0.0'],
    mends: { x: '3.0.0' },
    text: 'not resolvable because P does not support using D in 2.0.0 yet; updating X1 to 3.0.0 satisfies all',
  },
  {
    reason: 'row 5: all in PDV are below DV, and refused',
    pdv: '^1.2.3',
    dv: '2.0.0',
    others: ['>=2.0.0'],
    known: ['1.5.0', '2.0.0'],
    text: 'not resolvable because P does not support using D in 2.0.0 yet',
  },
  {
    reason: 'row 6: none in PDV',
    pdv: '^3.0.0',
    dv: '2.0.0',
    known: ['1.5.0', '2.0.0'],
    text: 'not resolvable because no known version of D is in "^3.0.0"; there are 2.0.0 and 1.5.0',
  },
])('$reason', ({ pdv, dv, others = [], known, mends, text, to, direction }) => {
  const [installed] = versions(dv)
  if (installed === undefined) throw new Error(`${dv} is no version`)
  const pkg = packageWith(versions(...known))
  const required = [pdv, ...others].map((text, i) => requirementBy(i === 0 ? 'P' : `X${i}`, pkg, range(text)))
  const [own] = required
  if (own === undefined) throw new Error('no package requires D')
  const all = new RequirementsOn()
  for (const each of required) all.add(each)
  const [moved] = versions(mends?.d ?? '')
  const [other] = versions(mends?.x ?? '')
  const together = () => other && { ...(moved && { to: moved }), other: { id: 'X1', to: other } }
  const outcome = proposeFix({ own, range: range(pdv), all, installed, compare: reader.dialect.compare, together })
  expect(outcome.text).toBe(text)
  expect([outcome.move?.to.text, outcome.move?.direction]).toEqual([to, direction])
})

test('ten thousand parents are asked once for each range and version, not once for each other', () => {
  const parents = 10_000
  let asked = 0
  const wanted = ['^2.0.0', '^2.1.0', '^2.2.0'].map(range).map((each) => ({
    ...each,
    selects: (version: Version) => {
      asked++
      return each.selects(version)
    },
  }))
  const pkg = packageWith(versions('1.0.0', '2.0.0', '2.2.0'))
  const all = new RequirementsOn()
  const required = Array.from({ length: parents }, (_, i) => requirementBy(`X${i}`, pkg, wanted[i % 3] ?? range('*')))
  for (const each of required) all.add(each)
  const [installed] = versions('1.0.0')
  if (installed === undefined) throw new Error('1.0.0 is no version')
  for (const own of required) {
    proposeFix({
      own,
      range: own.requirement.range ?? range('*'),
      all,
      installed,
      compare: reader.dialect.compare,
      together: () => undefined,
    })
  }
  expect(asked).toBeLessThan(parents * 20)
})

/** How the search for two updates is asked: what other requirements hold, and the downgrades. */
interface Search {
  readonly downgrades?: boolean
  readonly isMet?: boolean
}

/** Returns the updates, of d and of another package, that meet the requirements of Carvel packages on d together. */
function updatesFor(objects: readonly object[], { downgrades = false, isMet = true }: Search = {}): string | undefined {
  const [index] = planOn(objects).readings.indexes
  const found = index?.installs.find(({ package: { id } }) => id === 'd.example.com')
  if (index === undefined || found === undefined) throw new Error('d is installed')
  const finder = jointUpdateFinder({ index, byPackage: requirementsByPackage(index), downgrades, isMet: () => isMet })
  const update = finder(found.package, found)
  expect(finder(found.package, found)).toBe(update)
  return update && [...(update.to ? [`d ${update.to.text}`] : []), `${update.other.id.charAt(0)} ${update.other.to.text}`].join(', ')
}

const D = (...known: readonly string[]) => known.map((text) => packageOfCarvel('d', text))
const A = (...known: readonly (readonly string[])[]) => known.map(([text = '', ...wanted]) => packageOfCarvel('a', text, ...wanted))
const OLD = ['1.0.0', 'd <2.0.0']
const X = [packageOfCarvel('x', '1.0.0', 'd >=2.0.0'), install('x', '1.0.0')]

test.each<[string, string | undefined, readonly object[], Search?]>([
  [
    'the one package that does not allow the installed version moves alone, to the highest version that does',
    'a 3.0.0',
    [...D('2.0.0', '3.0.0'), ...A(OLD, ['2.0.0', 'd >=2.0.0'], ['3.0.0', 'd >=2.0.0'], ['4.0.0', 'd >=3.0.0']), install('d', '2.0.0')],
  ],
  [
    'both move where the installed version is not allowed by another package',
    'd 2.0.0, a 2.0.0',
    [...D('1.0.0', '2.0.0'), ...A(OLD, ['2.0.0', 'd >=2.0.0']), install('d', '1.0.0'), ...X],
  ],
  [
    'the version that the package moves to may restrict the other one',
    'd 2.0.0, a 2.0.0',
    [
      ...D('1.0.0'),
      packageOfCarvel('d', '2.0.0', 'a <3.0.0'),
      ...A(OLD, ['2.0.0', 'd >=2.0.0'], ['3.0.0', 'd >=2.0.0']),
      install('d', '1.0.0'),
      ...X,
    ],
  ],
  [
    'an update of the package alone is none of two',
    undefined,
    [...D('1.0.0', '2.0.0'), ...A(['1.0.0', 'd >=2.0.0'], ['2.0.0', 'd >=2.0.0']), install('d', '1.0.0')],
  ],
  [
    'two packages do not allow the version',
    undefined,
    [
      ...D('2.0.0'),
      ...A(OLD, ['2.0.0', 'd >=2.0.0']),
      packageOfCarvel('y', '1.0.0', 'd <2.0.0'),
      install('y', '1.0.0'),
      install('d', '2.0.0'),
    ],
  ],
  [
    'a requirement on the other package does not allow its new version',
    undefined,
    [
      ...D('2.0.0'),
      ...A(OLD, ['2.0.0', 'd >=2.0.0']),
      packageOfCarvel('z', '1.0.0', 'a <2.0.0'),
      install('z', '1.0.0'),
      install('d', '2.0.0'),
    ],
  ],
  [
    'what else the new version requires is there',
    'a 2.0.0',
    [...D('2.0.0'), ...A(OLD, ['2.0.0', 'd >=2.0.0', 'c >=1.0.0']), install('d', '2.0.0')],
  ],
  [
    'what else the new version requires is not there',
    undefined,
    [...D('2.0.0'), ...A(OLD, ['2.0.0', 'd >=2.0.0', 'c >=1.0.0']), install('d', '2.0.0')],
    { isMet: false },
  ],
  ['the other package would move down', undefined, [...D('2.0.0'), ...A(['0.5.0', 'd >=2.0.0'], OLD), install('d', '2.0.0')]],
  [
    'the other package moves down where that is allowed',
    'a 0.5.0',
    [...D('2.0.0'), ...A(['0.5.0', 'd >=2.0.0'], OLD), install('d', '2.0.0')],
    { downgrades: true },
  ],
  [
    'the package is installed twice',
    undefined,
    [...D('2.0.0'), ...A(OLD, ['2.0.0', 'd >=2.0.0']), install('d', '2.0.0'), install('d', '2.0.0', undefined, 'd-again')],
  ],
  [
    'the other package is installed twice',
    undefined,
    [...D('2.0.0'), ...A(OLD, ['2.0.0', 'd >=2.0.0']), install('d', '2.0.0'), install('a', '2.0.0', undefined, 'a-again')],
  ],
])('two updates: %s', (_case, expected, objects, search) => {
  expect(updatesFor([...objects, install('a', '1.0.0')], search)).toBe(expected)
})
