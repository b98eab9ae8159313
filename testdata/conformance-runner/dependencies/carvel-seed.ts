import type { Step } from '../../../src/dependencies/plan/plan.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { carvelPackage } from './carvel-objects.ts'
import { check, resolve } from './commands.ts'
import { planOn } from './plans.ts'
import { differ, lacksText, list, record, records, text, texts } from './vectors.ts'

const FEWEST_SEGMENTS = 3

/** An example of seed 002: the steps of kapp-controller's plan, and the objects that the function makes of them. */
export function judgeSeedExample(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const objects = objectsOf(vector)
  const apis = records(vector, 'clusterGVKs').map((each) => ({ apiVersion: text(each, 'apiVersion'), kind: text(each, 'kind') }))
  const { plan } = planOn(objects, {}, apis)
  const steps = (op: Step['op']) => plan.steps.filter((step) => step.op === op)
  const spec = { strategy: 'native', upgrades: 'all', cluster: { apis } }
  const { items, stderr } = resolve(objects, spec)
  const selected = (wanted: JsonValue) => selectionsOf(items).filter((each) => differ('', each, wanted).length === 0)
  return [
    ...judgeSteps('creates', steps('create'), expected),
    ...judgeSteps('updates', steps('update'), expected),
    ...judgePasses(plan.steps, expected),
    ...judgeError(stderr, plan.failures.length, expected),
    ...[...records(expected, 'creates'), ...records(expected, 'updates')].flatMap((each) =>
      selected(renamed(selectionOf(each))).length === 1 ? [] : [{ what: 'PackageInstall', expected: each, actual: selectionsOf(items) }],
    ),
    ...judgeChecked(objects, apis, expected),
  ]
}

function judgeSteps(key: string, steps: readonly Step[], expected: JsonRecord): readonly Difference[] {
  if (expected[key] === undefined && (expected.firstPassCreates !== undefined || expected.error !== undefined)) return []
  const wanted = records(expected, key).map((each) => [withSegments(text(each, 'refName')), text(each, 'constraints')])
  return differ(
    key,
    steps.map(({ package: { id }, version }) => [id, version]),
    wanted,
  )
}

function judgePasses(steps: readonly Step[], expected: JsonRecord): readonly Difference[] {
  const first = steps.filter(({ pass, op }) => pass === 1 && op === 'create').map(({ package: { id } }) => id)
  const owners = new Map(steps.map(({ package: { id }, parents: [parent] }) => [id, parent?.step?.package.id ?? parent?.dependent?.id]))
  return [
    ...(expected.firstPassCreates === undefined
      ? []
      : differ('first pass', first.sort(), texts(expected, 'firstPassCreates').map(withSegments).sort())),
    ...Object.entries(record(expected, 'ownerOf')).flatMap(([id, owner]) =>
      differ(`owner of ${id}`, owners.get(withSegments(id)), withSegments(String(owner))),
    ),
  ]
}

/** `missing pkg.b`: each word is said, by the plan and by the function. */
function judgeError(stderr: string, failures: number, expected: JsonRecord): readonly Difference[] {
  const error = text(expected, 'error')
  if (error === '') return differ('failures', stderr, '')
  return [...differ('failures', failures > 0, true), ...lacksText(error.split(' '), stderr)]
}

/** Returns the differences where check-dependencies must find nothing left to do, or nothing to be installed. */
function judgeChecked(objects: readonly object[], apis: readonly object[], expected: JsonRecord): readonly Difference[] {
  const fulfilled = list(expected, 'creates').length === 0 && expected.updates === undefined && text(expected, 'error') === ''
  const missing = text(expected, 'error').startsWith('missing ')
  if (!(fulfilled && expected.satisfied !== undefined) && !missing) return []
  const errors = check(objects, { cluster: { apis } }).filter(({ severity }) => severity === 'error')
  const said = errors.map(({ tags }) => `${tags.rule === 'dependency-missing' ? 'missing ' : ''}${tags.dependency}`)
  return differ('errors of check', said, missing ? [`missing ${withSegments(text(expected, 'error').slice('missing '.length))}`] : [])
}

/** refName, constraints and annotations of every PackageInstall. */
function selectionsOf(items: readonly JsonRecord[]): JsonValue[] {
  return items.flatMap((item) => {
    if (item.kind !== 'PackageInstall') return []
    const ref = record(record(item, 'spec'), 'packageRef')
    const owner = record(record(item, 'metadata'), 'annotations')[OWNER]
    const selection = { refName: text(ref, 'refName'), constraints: text(record(ref, 'versionSelection'), 'constraints') }
    return [selection, ...(owner === undefined ? [] : [{ ...selection, annotations: { [OWNER]: owner } }])]
  })
}

const OWNER = 'kapp-controller.carvel.dev/owner'

function selectionOf(each: JsonRecord): JsonRecord {
  const { refName = '', constraints = '', annotations } = each
  return { refName, constraints, ...(annotations !== undefined && { annotations }) }
}

function objectsOf(vector: JsonRecord): object[] {
  const several = records(vector, 'installs')
  const installs = several.length > 0 ? several : [record(vector, 'install')]
  const dependencies = new Map(
    [
      ...installs.map((each) => [text(each, 'refName'), list(each, 'dependencies')] as const),
      ...Object.entries(record(vector, 'transitive')),
    ].map(([refName, wanted]) => [withSegments(refName), renamed(Array.isArray(wanted) ? [...wanted] : [])]),
  )
  const packages = texts(vector, 'packages').map((name) => {
    const [, id = '', version = ''] = /^(.*?)\.(\d+\.\d+\.\d+.*)$/.exec(name) ?? []
    return { id: withSegments(id), version }
  })
  const absent = [...dependencies.keys()].filter((id) => !packages.some((each) => each.id === id)).map((id) => ({ id, version: '1.0.0' }))
  const installed = Object.entries(record(vector, 'installed')).map(([id, version]) =>
    packageInstall(withSegments(id), withSegments(id), String(version)),
  )
  return [
    ...[...packages, ...absent].map(({ id, version }) => carvelPackage(id, version, { dependencies: dependencies.get(id) ?? [] })),
    ...installed,
    ...installs.map((each) => {
      const refName = withSegments(text(each, 'refName'))
      return packageInstall(text(each, 'name') || refName, refName, '1.0.0', { dependencies: record(each, 'options') })
    }),
  ]
}

function packageInstall(name: string, refName: string, constraints: string, spec: object = {}): object {
  return {
    apiVersion: 'packaging.carvel.dev/v1alpha1',
    kind: 'PackageInstall',
    metadata: { name },
    spec: { packageRef: { refName, versionSelection: { constraints } }, ...spec },
  }
}

// Names of fewer than three segments are no legal refNames.
function withSegments(name: string): string {
  return name.split('.').length < FEWEST_SEGMENTS ? `${name}.test.carvel.dev` : name
}

function renamed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(renamed)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, key === 'refName' ? withSegments(String(child)) : renamed(child)]),
  )
}
