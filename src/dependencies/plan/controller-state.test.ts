import { describe, expect, test } from 'vitest'
import { planOn } from '../../../testdata/conformance-runner/dependencies/plans.ts'
import { digest, packageObject, read } from '../crossplane/testing/objects.ts'
import type { PackageIndex } from '../package-index.ts'
import {
  ControllerState,
  type InstalledPackage,
  nameOf,
  packageRequirements,
  passAfter,
  reportViolations,
  requirementsOn,
} from './controller-state.ts'
import type { PlanPolicy } from './plan.ts'
import { install, needs, packageOfCarvel, packageWith, REQUIRES } from './testing/carvel-plans.ts'

const POLICY: PlanPolicy = { upgrades: 'none', downgrades: false, prune: false }

function indexOf(...objects: readonly object[]): PackageIndex {
  const found = planOn(objects).readings.all.find(({ ecosystem }) => ecosystem === 'carvel')?.index
  if (found === undefined) throw new Error('there is an index')
  return found
}

const stateOf = (objects: readonly object[], policy: Partial<PlanPolicy> = {}) =>
  new ControllerState(indexOf(...objects), { ...POLICY, ...policy })

/** Returns the installed package whose object has a name. */
function named(state: ControllerState, name: string): InstalledPackage {
  const found = state.all().find((each) => nameOf(each) === name)
  if (found === undefined) throw new Error(`${name} is not installed`)
  return found
}

const short = (text: string) => text.replaceAll('.example.com', '').replaceAll(/ \(object[^()]*\)/g, '')
const linesOf = (state: ControllerState) => state.all().map((each) => short(`${each.package.id} ${each.text} as ${nameOf(each)}`))
const version = (state: ControllerState, name: string, text: string) =>
  named(state, name).package.versions.find((each) => each.text === text)

const B = ['1.0.0', '2.0.0', '3.0.0'].map((each) => packageOfCarvel('b', each, 'c >=1.0.0'))
/** a requires b and c; z requires b. Three versions of b are known, of which none is installed. */
const OBJECTS = [
  packageOfCarvel('a', '1.0.0', 'b >=1.0.0', 'c >=1.0.0'),
  packageOfCarvel('z', '1.0.0', 'b >=1.0.0'),
  ...B,
  packageOfCarvel('c', '1.0.0'),
  install('z', '1.0.0'),
  install('a', '1.0.0'),
]

describe('the installed packages', () => {
  test('are sorted by the key of the package, then by the name of the object', () => {
    const two = [install('b', '1.0.0', undefined, 'two'), install('b', '2.0.0', undefined, 'one')]
    const state = stateOf([...OBJECTS, ...two])
    expect(linesOf(state)).toEqual(['a 1.0.0 as a', 'b 2.0.0 as one', 'b 1.0.0 as two', 'z 1.0.0 as z'])
    expect(state.of(named(state, 'one').package).map(nameOf).toSorted()).toEqual(['one', 'two'])
  })

  test('have the requirements of their object, without those on packages that the cluster is given', () => {
    const index = indexOf(...OBJECTS)
    const requiredBy = (state: ControllerState) => packageRequirements(named(state, 'a')).map(({ package: { id } }) => short(id))
    expect(requiredBy(new ControllerState(index, POLICY))).toEqual(['b', 'c'])
    const given = { ...index, isProvided: ({ id }: { readonly id: string }) => id === 'b.example.com' }
    expect(requiredBy(new ControllerState(given, POLICY))).toEqual(['c'])
  })

  test('of alternatives, one that the cluster is given is enough', () => {
    const either = packageWith('a', '1.0.0', { dependencies: [{ or: [needs('c'), needs('b')] }, needs('c')] })
    const index = indexOf(either, install('a', '1.0.0'))
    const given = { ...index, isProvided: ({ id }: { readonly id: string }) => id === 'b.example.com' }
    expect(named(new ControllerState(index, POLICY), 'a').requirements.map(({ type }) => type)).toEqual(['alternatives', 'package'])
    expect(named(new ControllerState(given, POLICY), 'a').requirements.map(({ type }) => type)).toEqual(['package'])
  })

  test('that require a package are found with their requirement, in their order', () => {
    const state = stateOf(OBJECTS)
    const [b] = packageRequirements(named(state, 'z'))
    if (b === undefined) throw new Error('z requires b')
    const found = (among: readonly InstalledPackage[]) =>
      requirementsOn(b.package, among).map(({ by, requirement }) => [nameOf(by), short(requirement.package.id)])
    expect(found(state.all())).toEqual([
      ['a', 'b'],
      ['z', 'b'],
    ])
    expect(found(state.all().toReversed()).map(([by]) => by)).toEqual(['z', 'a'])
  })
})

describe('a new object', () => {
  const created = () => {
    const state = stateOf(OBJECTS)
    const [requirement] = packageRequirements(named(state, 'a'))
    if (requirement === undefined) throw new Error('a requires b')
    const parent = state.parentOf(named(state, 'a'), requirement)
    state.create(requirement.package, '2.0.0', [parent], 1)
    return { state, parent, requirement }
  }

  test('is a step with its name, owner, pass and parents, and is installed', () => {
    const { state, parent, requirement } = created()
    expect(state.steps).toEqual([
      {
        op: 'create',
        ecosystem: 'carvel',
        version: '2.0.0',
        package: requirement.package,
        name: 'b.example.com.2.0.0',
        owner: 'a',
        pass: 1,
        parents: [parent],
      },
    ])
    expect(linesOf(state)).toEqual(['a 1.0.0 as a', 'b 2.0.0 as b.2.0.0', 'z 1.0.0 as z'])
    const made = named(state, 'b.example.com.2.0.0')
    expect([made.version?.text, made.digest, made.install, made.step]).toEqual(['2.0.0', undefined, undefined, state.steps[0]])
    expect(packageRequirements(made).map(({ package: { id } }) => short(id))).toEqual(['c'])
  })

  test('is installed in the pass behind the package that requires it', () => {
    const { state } = created()
    expect([passAfter(named(state, 'a')), passAfter(named(state, 'b.example.com.2.0.0'))]).toEqual([1, 2])
    state.move(named(state, 'b.example.com.2.0.0'), '3.0.0', [], 2)
    expect(passAfter(named(state, 'b.example.com.2.0.0'))).toBe(1)
  })

  test('is the parent of what it requires by its step, an existing object by its dependent', () => {
    const { state, parent } = created()
    expect([parent.name, parent.dependent?.install?.name, parent.step]).toEqual(['a.example.com 1.0.0', 'a', undefined])
    const made = named(state, 'b.example.com.2.0.0')
    const [required] = packageRequirements(made)
    const below = required && state.parentOf(made, required)
    expect([below?.name, below?.dependent, below?.step]).toEqual(['b.example.com 2.0.0', undefined, state.steps[0]])
  })

  test('of a digest has no version', () => {
    const helm = 'xpkg.example.org/acme/helm'
    const { index } = read([packageObject('helm', `${helm}:v1.0.0`)])
    const state = new ControllerState(index, POLICY)
    const [own] = state.all()
    if (own === undefined) throw new Error('helm is installed')
    state.create(own.package, digest('a'), [], 1)
    state.move(own, digest('b'), [], 1)
    expect(state.all().map((each) => [nameOf(each), each.version, each.digest])).toEqual([
      ['acme-helm', undefined, digest('a')],
      ['helm', undefined, digest('b')],
    ])
  })
})

describe('a move', () => {
  test('is a step of the object, which keeps its name and owner, and replaces the installed version alone', () => {
    const state = stateOf([...OBJECTS, install('b', '1.0.0', 'a', 'one'), install('b', '1.0.0', undefined, 'two')])
    state.move(named(state, 'one'), '3.0.0', [], 2)
    expect(state.steps.map(({ op, version: to, name, owner, pass, install: own }) => [op, to, name, owner, pass, own?.name])).toEqual([
      ['update', '3.0.0', 'one', 'a', 2, 'one'],
    ])
    expect(linesOf(state)).toEqual(['a 1.0.0 as a', 'b 3.0.0 as one', 'b 1.0.0 as two', 'z 1.0.0 as z'])
    expect([named(state, 'one').step, named(state, 'one').install?.name]).toEqual([state.steps[0], 'one'])
  })

  test('has the requirements of the new version', () => {
    const packages = [packageOfCarvel('b', '1.0.0', 'c >=1.0.0'), packageOfCarvel('b', '2.0.0', 'd >=1.0.0')]
    const state = stateOf([...packages, install('b', '1.0.0')])
    state.move(named(state, 'b'), '2.0.0', [], 1)
    expect(packageRequirements(named(state, 'b')).map(({ package: { id } }) => short(id))).toEqual(['d'])
  })

  test.each<[string, string | undefined, Partial<PlanPolicy>, string, boolean]>([
    ['of a person, up', undefined, {}, '3.0.0', false],
    ['of a person, up', undefined, { upgrades: 'generated' }, '3.0.0', false],
    ['of a person, up', undefined, { upgrades: 'all' }, '3.0.0', true],
    ['of a person, to the same', undefined, { upgrades: 'all' }, '2.0.0', true],
    ['of a person, down', undefined, { upgrades: 'all' }, '1.0.0', false],
    ['of a person, down', undefined, { upgrades: 'all', downgrades: true }, '1.0.0', true],
    ['of a person, down', undefined, { downgrades: true }, '1.0.0', false],
    ['that was generated, up', 'a', {}, '3.0.0', false],
    ['that was generated, up', 'a', { upgrades: 'generated' }, '3.0.0', true],
    ['that was generated, up', 'a', { upgrades: 'all' }, '3.0.0', true],
    ['that was generated, down', 'a', { upgrades: 'generated' }, '1.0.0', false],
    ['that was generated, down', 'a', { upgrades: 'generated', downgrades: true }, '1.0.0', true],
  ])('of an object %s (owner %s) with %j to %s is allowed: %s', (_, owner, policy, to, expected) => {
    const state = stateOf([...OBJECTS, install('b', '2.0.0', owner, 'b')], policy)
    expect(state.mayMove(named(state, 'b'), version(state, 'b', to))).toBe(expected)
  })

  test('to a digest or an unknown version is no downgrade', () => {
    const state = stateOf([...OBJECTS, install('b', '2.0.0')], { upgrades: 'all' })
    expect(state.mayMove(named(state, 'b'), undefined)).toBe(true)
  })

  test('of an object that cannot be moved is not allowed', () => {
    const index = indexOf(...OBJECTS, install('b', '2.0.0'))
    const fixed = index.installs.map((each) => ({ ...each, movable: false }))
    const state = new ControllerState({ ...index, installs: fixed }, { ...POLICY, upgrades: 'all', downgrades: true })
    expect(state.mayMove(named(state, 'b'), version(state, 'b', '3.0.0'))).toBe(false)
  })

  test('of an object that a step made is allowed, whatever the policy', () => {
    const state = stateOf(OBJECTS)
    const [requirement] = packageRequirements(named(state, 'a'))
    if (requirement === undefined) throw new Error('a requires b')
    state.create(requirement.package, '2.0.0', [], 1)
    const made = named(state, 'b.example.com.2.0.0')
    expect(state.mayMove(made, version(state, 'b.example.com.2.0.0', '1.0.0'))).toBe(true)
    expect(state.mayMove({ ...made, step: undefined }, undefined)).toBe(false)
  })

  test('of one package is allowed ten times', () => {
    const state = stateOf([...OBJECTS, install('b', '1.0.0')], { upgrades: 'all', downgrades: true })
    const allowed = Array.from({ length: 11 }, (_, i) => {
      const may = state.mayMove(named(state, 'b'), undefined)
      state.move(named(state, 'b'), i % 2 === 0 ? '2.0.0' : '1.0.0', [], 1)
      return may
    })
    expect(allowed).toEqual([...Array(10).fill(true), false])
    expect(state.mayMove(named(state, 'a'), undefined)).toBe(true)
  })
})

test('a removal takes the object away, and no other of the package', () => {
  const state = stateOf([...OBJECTS, install('b', '1.0.0', undefined, 'one'), install('b', '1.0.0', undefined, 'two')])
  const { install: own } = named(state, 'one')
  if (own === undefined) throw new Error('one is an object')
  state.remove(own, 4)
  expect(linesOf(state)).toEqual(['a 1.0.0 as a', 'b 1.0.0 as two', 'z 1.0.0 as z'])
  expect(state.steps.map(({ op, name, version: from, pass }) => [op, name, from, pass])).toEqual([['remove', 'one', '1.0.0', 4]])
})

describe('the violations that a controller leaves', () => {
  /** Returns the failures as sentences, where the controller reports nothing itself. */
  const violations = (objects: readonly object[], act: (state: ControllerState) => void = () => {}) => {
    const state = stateOf(objects)
    act(state)
    reportViolations(state, new Set())
    return state.failures.map(({ ecosystem, packages, reason, sentences, place }) => [
      `${ecosystem} ${reason} ${packages.join()} ${place.ref.name}`,
      ...sentences.map(short),
    ])
  }

  test('are requirements that the installed version does not meet', () => {
    expect(violations([...REQUIRES('>=2.0.0'), install('b', '1.0.0')])).toEqual([
      ['carvel unresolvable a.example.com a.example.com.1.0.0', 'a 1.0.0 requires b ">=2.0.0", installed is 1.0.0.'],
    ])
    expect(violations([...REQUIRES('>=2.0.0'), install('b', '2.0.0')])).toEqual([])
  })

  test('are named with the version that a step would install', () => {
    const moved = violations([...REQUIRES('>=2.0.0'), install('b', '2.0.0')], (state) => state.move(named(state, 'b'), '1.0.0', [], 1))
    expect(moved.map(([, sentence]) => sentence)).toEqual(['a 1.0.0 requires b ">=2.0.0", and 1.0.0 would be installed.'])
  })

  test('are no missing packages, and none where one of several installs meets the requirement', () => {
    expect(violations(REQUIRES('>=2.0.0'))).toEqual([])
    const two = [install('b', '1.0.0', undefined, 'one'), install('b', '3.0.0', undefined, 'two')]
    expect(violations([...REQUIRES('>=2.0.0'), ...two])).toEqual([])
  })

  test('are not reported twice: the controller says some itself', () => {
    const state = stateOf([...REQUIRES('>=2.0.0'), install('b', '1.0.0')])
    reportViolations(state, new Set(named(state, 'a').requirements))
    expect(state.failures).toEqual([])
  })

  test('are platforms that the package does not run on; alternatives and kinds are not judged', () => {
    const index = indexOf(...REQUIRES('>=1.0.0'), install('b', '1.0.0'))
    const place = index.dependents[0]?.place
    if (place === undefined) throw new Error('a is a dependent')
    const sentencesWith = (met: boolean) => {
      const platform = { type: 'platform', wants: 'Crossplane ">=v9"', met, optional: false, place } as const
      const others = [
        { type: 'gvk', wanted: { definition: 'a.x.io' }, optional: false, place },
        { type: 'alternatives', alternatives: [], optional: false, place },
      ] as const
      const dependents = index.dependents.map((each) => ({
        ...each,
        requirements: each.id === 'a.example.com' ? [platform, ...others] : [],
      }))
      const state = new ControllerState({ ...index, dependents }, POLICY)
      reportViolations(state, new Set())
      return state.failures.flatMap(({ sentences }) => sentences.map(short))
    }
    expect([sentencesWith(false), sentencesWith(true)]).toEqual([['a 1.0.0 requires Crossplane ">=v9".'], []])
  })
})

test('a failure names the package without its version', () => {
  const state = stateOf(OBJECTS)
  const [requirement] = named(state, 'a').requirements
  if (requirement === undefined) throw new Error('a requires b')
  state.fail(state.parentOf(named(state, 'a'), requirement), 'b, which is missing')
  state.fail({ name: 'a', requirement }, 'c')
  expect(state.failures.map(({ packages, sentences }) => [packages, sentences])).toEqual([
    [['a.example.com'], ['a.example.com 1.0.0 requires b, which is missing.']],
    [['a'], ['a requires c.']],
  ])
})
