import { parseReference, referenceTo } from '../../../src/dependencies/crossplane/reference.ts'
import { findVersionToInstall, findVersionToUpdate, withoutOutdated } from '../../../src/dependencies/crossplane/resolver.ts'
import { dependencyObject } from '../../../src/dependencies/crossplane/write-crossplane.ts'
import type { Step } from '../../../src/dependencies/plan/plan.ts'
import { rangeReader } from '../../../src/dependencies/range.ts'
import type { JsonRecord, JsonValue } from '../../../src/json.ts'
import { DIALECTS } from '../../../src/versions/dialects.ts'
import type { Difference } from '../adapter.ts'
import { planOn } from './plans.ts'
import { differ, list, record, records, text, texts } from './vectors.ts'

const READER = rangeReader(DIALECTS.m350)

/** The version that an installed dependency moves to. */
export function judgeVersionToUpdate(vector: JsonRecord): readonly Difference[] {
  return differ('version', versionToUpdate(vector, text(vector, 'package'), text(vector, 'installed')), vector.expect)
}

function versionToUpdate(vector: JsonRecord, source: string, installed: string) {
  const constraints = texts(vector, 'parentConstraints')
  const downgrades = vector.downgradesEnabled === true
  return findVersionToUpdate({ source, installed, constraints, available: texts(vector, 'available'), downgrades }, READER)
}

/** The object of a missing dependency; null where nothing can be made. */
export function judgeInstall(vector: JsonRecord): readonly Difference[] {
  const dependency = record(vector, 'dependency')
  const source = text(dependency, 'package')
  const version = findVersionToInstall(text(dependency, 'constraints'), texts(vector, 'available'), READER)
  const apiVersion = text(dependency, 'apiVersion') || 'pkg.crossplane.io/v1'
  const kind = text(dependency, 'kind') || text(dependency, 'type')
  const made = version === undefined ? null : dependencyObject(source, version, { apiVersion, kind })
  return differ('create', made, record(vector, 'expect').create)
}

/** spec.package of an installed dependency after the update; the object is found by its source, whatever its name. */
export function judgeUpdate(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const { source, tag, digest } = parseReference(text(record(vector, 'installedObject'), 'package'))
  const found = versionToUpdate(vector, source, tag || digest)
  if (expected.error !== undefined) return differ('error', 'error' in found, true)
  return differ('package', 'version' in found ? referenceTo(source, found.version) : found, expected.package)
}

/** Names of the packages of the Lock that take part in a resolution with upgrades. */
export function judgePrune(vector: JsonRecord): readonly Difference[] {
  const packages = records(vector, 'packages').map((each) => ({
    name: text(each, 'name'),
    source: text(each, 'source'),
    version: text(each, 'version'),
    dependencies: records(each, 'dependencies').map((one) => ({ source: text(one, 'package'), constraint: text(one, 'constraints') })),
  }))
  return differ(
    'kept',
    withoutOutdated(packages, READER).map(({ name }) => name),
    list(record(vector, 'expect'), 'kept'),
  )
}

/** A scenario of the end-to-end tests: what is created and updated, and whether the Lock says that all went well. */
export function judgeScenario(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const objects = records(vector, 'objects')
  const upgrades = vector.upgrades === true ? 'all' : 'none'
  const { plan, objectOf } = planOn([...objects, catalogOf(vector)], { upgrades, downgrades: vector.downgrades === true })
  const kinds = new Map<string, string>()
  const described = plan.steps.map((step) => {
    const kind = step.op === 'create' ? text(objectOf(step), 'kind') : (step.install?.place.ref.kind ?? kinds.get(step.id) ?? '')
    kinds.set(step.id, kind)
    return { op: step.op, object: { kind, name: step.name, package: referenceTo(step.id, step.version) } }
  })
  const of = (op: Step['op']) => described.filter((each) => each.op === op).map(({ object }) => object)
  const failed = plan.failures.length > 0
  return [
    ...differ('creates', sorted(of('create')), sorted(list(expected, 'creates'))),
    ...differ('updates', sorted(of('update')), sorted(list(expected, 'updates'))),
    ...(expected.lock === undefined ? [] : differ('lock', failed ? 'ResolutionFailed' : 'ResolutionSucceeded', expected.lock)),
  ]
}

function sorted(values: readonly unknown[]): unknown[] {
  return [...values].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** Tags are `available`, else those of the catalog and of the objects. */
function catalogOf(vector: JsonRecord): object {
  const versions = new Map<string, Map<string, JsonValue | undefined>>()
  const add = (reference: string, dependencies: JsonValue | undefined): void => {
    const { source, tag, digest } = parseReference(reference)
    const own = versions.get(source) ?? new Map<string, JsonValue | undefined>()
    versions.set(source, own.set(tag || digest, own.get(tag || digest) ?? dependencies))
  }
  for (const [reference, dependencies] of Object.entries(record(vector, 'catalog'))) add(reference, dependencies)
  for (const object of records(vector, 'objects')) add(text(record(object, 'spec'), 'package'), undefined)
  for (const [source, tags] of Object.entries(record(vector, 'available'))) {
    for (const tag of Array.isArray(tags) ? tags : []) add(`${source}:${String(tag)}`, undefined)
  }
  const kinds = kindsIn(vector)
  const packages = [...versions].map(([id, own]) => ({
    ecosystem: 'crossplane',
    id,
    ...(kinds.has(id) && { kind: kinds.get(id) }),
    versions: [...own].map(([version, dependencies]) => (dependencies === undefined ? version : { version, dependencies })),
  }))
  return { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'known' }, spec: { packages } }
}

function kindsIn(vector: JsonRecord): ReadonlyMap<string, string> {
  return new Map(
    records(vector, 'objects').map((object) => [parseReference(text(record(object, 'spec'), 'package')).source, text(object, 'kind')]),
  )
}
