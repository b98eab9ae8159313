import { expect, test } from 'vitest'
import { planOn } from '../../../testdata/conformance-runner/dependencies/plans.ts'
import type { Requirement } from '../package-index.ts'
import { clauseOf, firstOwner, installs, ownerName, type Parent, type PlanFailure, removalOf, type Step, stepOn } from './plan.ts'
import { install, packageOfCarvel } from './testing/carvel-plans.ts'

/** Returns the index of an install of a, which requires b, and the parts of the index. */
function given() {
  const { readings } = planOn([packageOfCarvel('a', '1.0.0', 'b >=1.0.0'), install('a', '1.0.0')])
  const index = readings.all.find(({ ecosystem }) => ecosystem === 'carvel')?.index
  const [dependent] = index?.dependents ?? []
  const [own] = index?.installs ?? []
  const [requirement] = dependent?.requirements ?? []
  if (index === undefined || dependent === undefined || own === undefined || requirement === undefined) throw new Error('a is installed')
  return { index, dependent, own, requirement }
}

const { index, dependent, own, requirement } = given()
const parent = (more: Partial<Parent> = {}): Parent => ({ name: 'p', requirement, ...more })
const step: Step = { ...stepOn(own.package, '2.0.0', index), op: 'create', name: 'made', pass: 2, parents: [] }

test.each([
  [['A cannot be. B neither.'], 'a cannot be. B neither'],
  [['Because a.', 'Thus, b.'], 'because a. Thus, b'],
  [['no period'], 'no period'],
  [[], ''],
])('the sentences %j are the clause "%s"', (sentences, clause) => {
  const failure: PlanFailure = { ecosystem: 'carvel', packages: [], reason: 'unresolvable', sentences, place: own.place }
  expect(clauseOf(failure)).toBe(clause)
})

test('the object of a parent is that of the step that makes it, else its install; a package being written has none', () => {
  expect(ownerName(parent({ step, dependent }))).toBe('made')
  expect(ownerName(parent({ dependent }))).toBe('a')
  expect(ownerName(parent({ dependent: { ...dependent, install: undefined } }))).toBeUndefined()
  expect(ownerName(parent())).toBeUndefined()
})

test('the first parent with an object is the owner', () => {
  expect(firstOwner([parent(), parent({ dependent }), parent({ step })])).toBe('a')
  expect(firstOwner([parent({ step }), parent({ dependent })])).toBe('made')
  expect([firstOwner([parent()]), firstOwner([])]).toEqual([undefined, undefined])
})

test('a step has the ecosystem of its index, its package and its version', () => {
  expect(stepOn(own.package, '2.0.0', index)).toEqual({ ecosystem: 'carvel', version: '2.0.0', package: own.package })
})

test('a removal has the version before it, the object, and no parents', () => {
  expect(removalOf(own, index, 3)).toEqual({
    ecosystem: 'carvel',
    version: '1.0.0',
    package: own.package,
    op: 'remove',
    name: 'a',
    pass: 3,
    install: own,
    parents: [],
  })
})

test('a package is installed for a parent, unless its requirement says `install: false`', () => {
  if (requirement.type !== 'package') throw new Error('a requires a package')
  const validating: Requirement = { ...requirement, package: requirement.package, validateOnly: true, place: own.place }
  const kind: Requirement = { type: 'gvk', wanted: { definition: 'a.x.io' }, optional: false, place: own.place }
  expect([requirement, validating, kind].map((each) => installs(parent({ requirement: each })))).toEqual([true, false, true])
})
