import { describe, expect, test } from 'vitest'
import { planOn } from '../../../testdata/conformance-runner/dependencies/plans.ts'
import type { RootRequirement } from '../resolve/problem.ts'
import { numbersIn } from '../resolve/version-set.ts'
import { PackageProblem } from './package-problem.ts'
import type { PlanPolicy } from './plan.ts'
import { closureOf } from './planned-packages.ts'
import { install, packageOfCarvel, packageWith, REQUIRES } from './testing/carvel-plans.ts'

const POLICY: PlanPolicy = { upgrades: 'none', downgrades: false, prune: false }

/** Returns the problem of some objects, read with the closure of all requirements or without one. */
function problemOf(objects: readonly object[], policy: Partial<PlanPolicy> = {}, withClosure = true) {
  const { indexes, kinds } = planOn(objects).readings
  return new PackageProblem({ indexes, kinds, policy: { ...POLICY, ...policy } }, withClosure ? closureOf(indexes, kinds) : undefined)
}

const short = (text: string) => text.replaceAll('.example.com', '').replaceAll(/ \(object-[^()]*\)/g, '')

/** Returns a root requirement as a line: its sentence, the versions it allows, and its marks. */
function lineOf({ text, anyOf, optional, isLast }: RootRequirement, problem: PackageProblem): string {
  const choices = anyOf.map(
    ({ package: id, versions }) => `${id} ${numbersIn(versions).map((number) => problem.packageOf(id).versions[number])}`,
  )
  return short(`${text}: ${choices.join(' or ')}${optional ? ', optional' : ''}${isLast ? ', last' : ''}`)
}

/** Returns the root requirements on b. */
const rootsOnB = (objects: readonly object[], policy: Partial<PlanPolicy> = {}) => {
  const problem = problemOf(objects, policy)
  return problem.roots.filter(({ id }) => id.startsWith('b')).map((root) => lineOf(root, problem))
}

describe('an installed package', () => {
  const given = [...REQUIRES('>=1.0.0')]
  const person = [...given, install('b', '2.0.0')]
  const made = [...given, install('b', '2.0.0', 'a')]

  test.each<[string, readonly object[], Partial<PlanPolicy>, string]>([
    ['of a person keeps its version', person, {}, 'b 2.0.0 is installed: b 2.0.0'],
    ['of a person may rise', person, { upgrades: 'all' }, 'b may not go below the installed 2.0.0: b 3.0.0,2.0.0'],
    ['of a person may go anywhere', person, { upgrades: 'all', downgrades: true }, 'b is installed: b 3.0.0,2.0.0,1.0.0'],
    ['that was generated may rise', made, {}, 'b may not go below the installed 2.0.0: b 3.0.0,2.0.0'],
    [
      'that was generated and is to rise is asked last',
      made,
      { upgrades: 'generated' },
      'b may not go below the installed 2.0.0: b 3.0.0,2.0.0, last',
    ],
    [
      'that may be removed and is bound to some versions is optional',
      made,
      { prune: true },
      'b may not go below the installed 2.0.0: b 3.0.0,2.0.0, optional',
    ],
  ])('%s', (_, objects, policy, line) => {
    expect(rootsOnB(objects, policy)).toEqual([line])
  })

  test('that may be removed and may have any version is no root', () => {
    expect(rootsOnB(made, { prune: true, downgrades: true })).toEqual([])
    expect(rootsOnB(made, { downgrades: true })).toEqual(['b is installed: b 3.0.0,2.0.0,1.0.0'])
    expect(rootsOnB(person, { prune: true, upgrades: 'all', downgrades: true })).toEqual(['b is installed: b 3.0.0,2.0.0,1.0.0'])
  })

  test('that `prune` must keep stays a root', () => {
    const kept = { ...install('b', '2.0.0', 'a'), spec: { ...Reflect.get(install('b', '2.0.0', 'a'), 'spec'), paused: true } }
    expect(rootsOnB([...given, kept], { prune: true, downgrades: true })).toEqual(['b is installed: b 3.0.0,2.0.0,1.0.0'])
  })

  test('that an update names moves to the versions of the update, and is not asked last', () => {
    const { indexes, kinds } = planOn(made).readings
    const own = indexes.flatMap(({ installs }) => installs).find(({ name }) => name === 'b-made')
    if (own === undefined) throw new Error('b is installed')
    const policy: PlanPolicy = { ...POLICY, upgrades: 'generated', targets: new Map([[own, new Set(['3.0.0', '1.0.0'])]]) }
    const problem = new PackageProblem({ indexes, kinds, policy }, closureOf(indexes, kinds))
    const [root] = problem.roots.filter(({ id }) => id.startsWith('b'))
    expect(root && lineOf(root, problem)).toBe('`update` asks for b 3.0.0 and 1.0.0: b 3.0.0,1.0.0')
  })

  test('is the origin of its root requirement, with its place', () => {
    const problem = problemOf(person)
    const [root] = problem.roots.filter(({ id }) => id.startsWith('b'))
    const origin = root && problem.originOf(root)
    expect([origin?.index.ecosystem, origin?.place.ref.name, origin?.dependent?.id]).toEqual(['carvel', 'b', 'b.example.com'])
  })
})

describe('the requirements of a version', () => {
  const objects = [packageOfCarvel('b', '1.0.0', 'c >=1.0.0'), packageOfCarvel('b', '2.0.0', 'c >=2.0.0'), packageOfCarvel('c', '1.0.0')]
  const problem = problemOf([...objects, packageOfCarvel('c', '2.0.0'), install('b', '1.0.0')], { upgrades: 'all' })
  const required = (version: number, id = 'b.example.com') => problem.requirementsOf(id, version)

  test('name the place of an installed version alone, and are of its object', () => {
    const [own] = required(1)
    const [other] = required(0)
    expect([own?.wants, other?.wants]).toEqual([
      'c.example.com ">=1.0.0" (object-0.yaml spec.dependencies[0].package.version)',
      'c.example.com ">=2.0.0"',
    ])
    const origin = own && problem.originOf(own)
    expect([origin?.place.ref.name, origin?.dependent?.id]).toEqual(['b.example.com.1.0.0', 'b.example.com'])
    expect(other && problem.originOf(other)).toBeUndefined()
  })

  test('are none for a version or a package that is not known', () => {
    expect([required(7), required(0, 'unknown')]).toEqual([[], []])
    expect(problem.packageOf('unknown')).toEqual({ id: 'unknown', versions: [] })
    expect(problem.find('unknown')).toBeUndefined()
  })

  test('are without those that are met whatever is chosen', () => {
    const site = { gvk: { group: 'apps', version: 'v1', kind: 'Deployment' } }
    const builtIn = problemOf([packageWith('b', '1.0.0', { dependencies: [site] }), install('b', '1.0.0')])
    expect(builtIn.requirementsOf('b.example.com', 0)).toEqual([])
  })
})

describe('a package that is being written', () => {
  const configuration = (name: string, ...sources: readonly string[]) => ({
    apiVersion: 'meta.pkg.crossplane.io/v1',
    kind: 'Configuration',
    metadata: { name },
    spec: { dependsOn: sources.map((text) => ({ provider: `r.io/${text.split(' ')[0]}`, version: text.split(' ')[1] })) },
  })

  test('is a root for each of its requirements, in their order, packages by name', () => {
    const problem = problemOf([configuration('z', 'b >=v1'), configuration('a', 'b >=v1', 'c >=v2')])
    expect(problem.written().map(({ dependent }) => dependent.id)).toEqual(['a', 'z'])
    expect(problem.roots.map(({ id, text }) => [id, short(text)])).toEqual([
      ['a 000000', 'a requires r.io/b ">=v1", of which no version is known'],
      ['a 000001', 'a requires r.io/c ">=v2", of which no version is known'],
      ['z 000000', 'z requires r.io/b ">=v1", of which no version is known'],
    ])
    const [first] = problem.roots
    const origin = first && problem.originOf(first)
    expect([origin?.dependent?.id, origin?.place.path]).toEqual(['a', ['spec', 'dependsOn', 0, 'version']])
  })

  test('is no root for a requirement on what the cluster is given', () => {
    const { indexes, kinds } = planOn([configuration('a', 'b >=v1')]).readings
    const given = indexes.map((index) => ({ ...index, isProvided: () => true }))
    expect(new PackageProblem({ indexes: given, kinds, policy: POLICY }).roots).toEqual([])
  })

  test('is none of the installed packages', () => {
    expect(problemOf([...REQUIRES('>=1.0.0')]).written()).toEqual([])
  })
})

describe('a package that is installed once in a cluster', () => {
  const inSpace = (namespace: string, object: object) => ({ ...object, metadata: { ...Reflect.get(object, 'metadata'), namespace } })
  const single = (namespace: string, version: string) =>
    inSpace(namespace, packageWith('b', version, { installationType: 'onePerCluster' }))
  const objects = [
    single('default', '1.0.0'),
    packageOfCarvel('b', '2.0.0'),
    single('other', '1.0.0'),
    inSpace('other', packageOfCarvel('b', '2.0.0')),
    packageOfCarvel('c', '1.0.0'),
    install('c', '1.0.0'),
    install('b', '2.0.0'),
    inSpace('other', install('b', '2.0.0', 'x')),
  ]

  test('excludes the package in another namespace at its versions that do, and no other package', () => {
    const { exclusions } = problemOf(objects, { downgrades: true })
    expect(
      exclusions.map(({ id, text, together }) => [id, text, together.map(({ package: name, versions }) => [name, numbersIn(versions)])]),
    ).toEqual([
      [
        'b.example.com b.example.com in other',
        'b.example.com is onePerCluster in 1.0.0, so that b.example.com and b.example.com in other exclude each other',
        [
          ['b.example.com', [1]],
          ['b.example.com in other', [0, 1]],
        ],
      ],
      [
        'b.example.com in other b.example.com',
        'b.example.com is onePerCluster in 1.0.0, so that b.example.com in other and b.example.com exclude each other',
        [
          ['b.example.com in other', [1]],
          ['b.example.com', [0, 1]],
        ],
      ],
    ])
  })

  test('excludes none where both objects stay as they are', () => {
    const fixed = objects.map((each) =>
      Reflect.get(each, 'kind') === 'PackageInstall' ? { ...each, metadata: { ...Reflect.get(each, 'metadata'), annotations: {} } } : each,
    )
    expect(problemOf(fixed).exclusions).toEqual([])
  })

  test('makes a first look doubtful', () => {
    expect([problemOf(objects, {}, false).exclusions, problemOf(objects, {}, false).isDoubtful]).toEqual([[], true])
    expect(problemOf([...REQUIRES('>=1.0.0')], {}, false).isDoubtful).toBe(false)
  })
})

test('an answer that only the closure has makes a first look doubtful', () => {
  const made = install('a', '1.0.0')
  const checking = { ...made, spec: { ...Reflect.get(made, 'spec'), dependencies: { install: false } } }
  const problem = problemOf([packageOfCarvel('a', '1.0.0', 'b >=1.0.0'), packageOfCarvel('b', '1.0.0'), checking], {}, false)
  expect(problem.isDoubtful).toBe(false)
  problem.requirementsOf('a.example.com', 0)
  expect(problem.isDoubtful).toBe(true)
})
