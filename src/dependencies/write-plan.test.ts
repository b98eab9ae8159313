import { expect, test } from 'vitest'
import { readInput } from '../../testdata/conformance-runner/dependencies/plans.ts'
import type { Step } from './plan/plan.ts'
import { CHAIN, install, packageOfCarvel, REQUIRES } from './plan/testing/carvel-plans.ts'
import type { ObjectEdit } from './reading/ecosystem.ts'
import { planObjects, type ResolveOptions } from './resolve-objects.ts'
import { refOf, rootObject, type WrittenPlan, writePlan } from './write-plan.ts'

const OPTIONS: ResolveOptions = { strategy: 'satisfy', upgrades: 'none', downgrades: false, prune: false, maxSteps: 10_000 }

/** Returns what the plan for some objects is written as; `change` changes the steps of the plan first. */
function written(
  objects: readonly object[],
  {
    change = (steps) => steps,
    ...options
  }: Partial<ResolveOptions> & { readonly change?: (steps: readonly Step[]) => readonly Step[] } = {},
): WrittenPlan {
  const input = readInput(objects)
  const { plan, readings } = planObjects(input, { ...OPTIONS, ...options })
  return writePlan({ ...plan, steps: change(plan.steps) }, readings, input.objects)
}

/** Returns an edit as a line: the object that is made or changed, and beside which object a new one is written. */
function lineOf(edit: ObjectEdit): string {
  if (edit.type === 'add') return `add ${refOf(edit.object).name} near ${edit.near?.name}`
  if (edit.type === 'remove') return `remove ${edit.object.name}`
  const fields = edit.fields.map(({ path, value }) => `${String(path.at(-1)).replace(/^.*\//, '')} ${String(value)}`)
  return `set ${edit.object.name}: ${fields.filter((each) => !each.startsWith('last-generated')).join(', ')}`
}

const linesOf = ({ edits }: WrittenPlan) => edits.map(lineOf)
const messagesOf = ({ findings }: WrittenPlan) => findings.map(({ rule, message }) => `${rule}: ${message.replaceAll('.example.com', '')}`)

test('a new object is written near the object that it is made for, also through other new objects', () => {
  expect(linesOf(written([...CHAIN, install('z', '1.0.0'), install('a', '1.0.0')]))).toEqual([
    'add b.example.com.1.0.0 near a',
    'add c.example.com.1.0.0 near a',
    'add d.example.com.1.0.0 near a',
  ])
})

test('an object is moved by its version field, and a generated one with its mark', () => {
  const move = (owner?: string) => linesOf(written([...REQUIRES('>=2.0.0'), install('b', '1.0.0', owner)], { upgrades: 'all' }))
  expect(move()).toEqual(['set b: constraints 3.0.0'])
  expect(move('a')).toEqual(['set b-made: resolved 3.0.0, constraints 3.0.0'])
})

test('a generated object that nothing requires is removed with prune', () => {
  const objects = [packageOfCarvel('a', '1.0.0'), packageOfCarvel('b', '1.0.0'), install('a', '1.0.0'), install('b', '1.0.0', 'a')]
  expect(linesOf(written(objects, { prune: true }))).toEqual(['remove b-made'])
  expect(written(objects)).toEqual({ edits: [], findings: [] })
})

test('what cannot be written keeps the whole plan from being written, and says what requires it and where', () => {
  const unwritable = {
    ...install('y', '1.0.0'),
    spec: { packageRef: { refName: 'y.example.com', versionSelection: { constraints: '1.0.0' } } },
  }
  const objects = [...REQUIRES('>=1.0.0'), packageOfCarvel('y', '1.0.0', 'x >=1.0.0'), packageOfCarvel('x', '1.0.0'), unwritable]
  const plan = written(objects, { change: (steps) => steps.map((step) => (step.package.id.startsWith('x') ? withoutParent(step) : step)) })
  expect([plan.edits, messagesOf(plan)]).toEqual([
    [],
    [
      'unresolvable: x 1.0.0, which y 1.0.0 requires (object-5.yaml spec.dependencies[0].package.version), cannot be installed: no PackageInstall requires it whose service account could install it',
    ],
  ])
  const [found] = plan.findings
  expect([found?.place.ref.name, found?.tags]).toEqual([
    'y.example.com.1.0.0',
    { ecosystem: 'carvel', package: 'y.example.com 1.0.0', dependency: 'x.example.com' },
  ])
})

/** Returns a step whose parent names no object. */
function withoutParent(step: Step): Step {
  return { ...step, parents: step.parents.map((parent) => ({ ...parent, dependent: undefined })) }
}

test('a step for which nothing is a parent cannot be written, and has no place to report', () => {
  const plan = written([...REQUIRES('>=1.0.0')], { change: (steps) => steps.map((step) => ({ ...step, parents: [] })) })
  expect(plan).toEqual({ edits: [], findings: [] })
})

test('a step on an install without an object, and a step of another ecosystem, are no edits', () => {
  const objects = [...REQUIRES('>=2.0.0'), install('b', '1.0.0')]
  const changed = (change: (step: Step) => Step) => written(objects, { upgrades: 'all', change: (steps) => steps.map(change) })
  expect(changed((step) => ({ ...step, ecosystem: 'unknown' }))).toEqual({ edits: [], findings: [] })
  const noObject = (step: Step): Step => ({ ...step, install: step.install && { ...step.install, object: undefined } })
  expect(changed(noObject)).toEqual({ edits: [], findings: [] })
})

test('a new object must not have the name of an object that is there', () => {
  const taken = install('other', '1.0.0', undefined, 'b.example.com.3.0.0')
  const plan = written([...REQUIRES('>=1.0.0'), packageOfCarvel('other', '1.0.0'), taken])
  expect([plan.edits, messagesOf(plan)]).toEqual([
    [],
    [
      'generated-name-collision: b 3.0.0, which a 1.0.0 requires (object-0.yaml spec.dependencies[0].package.version), would be installed as PackageInstall default/b.3.0.0, and that is there already (object-6.yaml metadata.name)',
    ],
  ])
})

test('an object of another kind, namespace or name takes no name, nor one that the plan removes', () => {
  const named = (object: object, change: object) => ({ ...object, metadata: { ...Reflect.get(object, 'metadata'), ...change } })
  const name = 'b.example.com.3.0.0'
  const others = [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } },
    { apiVersion: 'example.org/v1', kind: 'PackageInstall', metadata: { name, namespace: 'default' } },
    named(install('other', '1.0.0'), { name, namespace: 'elsewhere' }),
  ]
  expect(linesOf(written([...REQUIRES('>=1.0.0'), packageOfCarvel('other', '1.0.0'), ...others]))).toEqual([`add ${name} near a`])
  const unneeded = named(install('other', '1.0.0', 'a'), { name })
  const replaced = written([...REQUIRES('>=1.0.0'), packageOfCarvel('other', '1.0.0'), unneeded], { prune: true })
  expect(linesOf(replaced).toSorted()).toEqual([`add ${name} near a`, `remove ${name}`])
})

test('two new objects must not have one name', () => {
  const objects = [
    packageOfCarvel('a', '1.0.0', 'x-y >=1.0.0', 'x_y >=1.0.0'),
    packageOfCarvel('x-y', '1.0.0'),
    packageOfCarvel('x_y', '1.0.0'),
    install('a', '1.0.0'),
  ]
  expect(messagesOf(written(objects))).toEqual([
    expect.stringMatching(
      /^generated-name-collision: x_y 1\.0\.0, which a 1\.0\.0 requires \(.*\), would be installed as PackageInstall default\/x-y\.1\.0\.0, and that is the name of what installs x-y$/,
    ),
  ])
})

test('of the steps on one package that is installed and moved, one object at the last version is left, with the name of that version', () => {
  expect(linesOf(written([...CHAIN, install('a', '1.0.0')], { strategy: 'native' }))).toEqual([
    'add b.example.com.1.0.0 near a',
    'add c.example.com.1.0.0 near a',
    'add d.example.com.1.0.0 near a',
  ])
})

test('of two moves of one object the last counts, and a move back to the installed version and owner is none', () => {
  const objects = [...REQUIRES('>=2.0.0'), install('b', '1.0.0', 'a')]
  const moved = (...versions: readonly string[]) =>
    linesOf(
      written(objects, { upgrades: 'all', change: (steps) => steps.flatMap((step) => versions.map((version) => ({ ...step, version }))) }),
    )
  expect(moved('3.0.0', '2.0.0')).toEqual(['set b-made: resolved 2.0.0, constraints 2.0.0'])
  expect(moved('3.0.0', '1.0.0')).toEqual([])
  const handed = written(objects, { change: (steps) => steps.map((step) => ({ ...step, version: '1.0.0', owner: 'z' })) })
  expect(handed.edits.map(({ type }) => type)).toEqual(['set'])
})

test('an object that is moved and then removed is removed, and one that is made and then removed is not made', () => {
  const made = written(REQUIRES('>=2.0.0'), { change: (steps) => steps.flatMap((step) => [step, { ...step, op: 'remove' }]) })
  expect(made).toEqual({ edits: [], findings: [] })

  const objects = [...REQUIRES('>=2.0.0'), install('b', '1.0.0', 'a')]
  const plan = written(objects, { change: (steps) => steps.flatMap((step) => [step, { ...step, op: 'remove' }]) })
  expect(linesOf(plan)).toEqual(['remove b-made'])
})

test('an object of a person is removed at its own version, too', () => {
  const removal = (steps: readonly Step[]) => steps.map((step): Step => ({ ...step, op: 'remove', version: '1.0.0', owner: undefined }))
  expect(linesOf(written([...REQUIRES('>=2.0.0'), install('b', '1.0.0')], { upgrades: 'all', change: removal }))).toEqual(['remove b'])
})

test('an object that is only changed keeps its name from new ones', () => {
  const moved = install('c', '1.0.0', undefined, 'b.example.com.3.0.0')
  const packages = [packageOfCarvel('z', '1.0.0', 'c >=2.0.0'), packageOfCarvel('c', '1.0.0'), packageOfCarvel('c', '2.0.0')]
  const plan = written([...REQUIRES('>=1.0.0'), ...packages, install('z', '1.0.0'), moved], { upgrades: 'all' })
  expect([plan.edits, plan.findings.map(({ rule }) => rule)]).toEqual([[], ['generated-name-collision']])
})

test('an object of another ecosystem is no place for a new object', () => {
  const { plan, readings } = planObjects(readInput([...REQUIRES('>=1.0.0')]), OPTIONS)
  const [step] = plan.steps
  const index = readings.all.find(({ ecosystem }) => ecosystem === 'carvel')?.index
  if (step === undefined || index === undefined) throw new Error('there is a step')
  expect(rootObject(step, index)?.name).toBe('a')
  expect(rootObject(step, { ...index, owns: () => false })).toBeUndefined()
  expect(rootObject({ ...step, parents: [] }, index)).toBeUndefined()
  expect(rootObject(withoutParent(step), index)).toBeUndefined()
})

test('an object is named with its namespace, if it has one', () => {
  const metadata = { name: 'b', namespace: 'team' }
  expect(refOf({ apiVersion: 'v1', kind: 'A', metadata })).toEqual({ apiVersion: 'v1', kind: 'A', name: 'b', namespace: 'team' })
  expect(refOf({ apiVersion: 'v1', kind: 'A', metadata: { name: 'b' } })).toEqual({ apiVersion: 'v1', kind: 'A', name: 'b' })
})
