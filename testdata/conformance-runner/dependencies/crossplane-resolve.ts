import type { JsonRecord, JsonValue } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { check, type Printed, resolve, textIn, unmet } from './commands.ts'
import {
  catalog,
  entry,
  packageObject,
  packagesAmong,
  parents,
  partsOf,
  referenceTo,
  withoutRegistry,
  withRegistry,
} from './crossplane-objects.ts'
import { differ, lacksText, list, record, records, text, texts } from './vectors.ts'

/** The dependency of the parents that a vector describes, installed or missing, and how it is resolved. */
interface Dependency {
  readonly source: string
  readonly kind: string
  /** The form in which the parents require it, without its range. */
  readonly form: JsonRecord
  readonly constraints: readonly string[]
  readonly available: readonly string[]
  readonly installed?: { readonly name: string; readonly version: string }
  readonly spec: JsonRecord
}

/** Returns what resolve-dependencies makes of a dependency that some Configurations require, each in a range of its own. */
function resolveDependency({ source, kind, form, constraints, available, installed, spec }: Dependency): Printed {
  const { objects, entries } = parents(constraints.map((version) => [{ ...form, version }]))
  const there = installed === undefined ? [] : [packageObject(kind, installed.name, referenceTo(source, installed.version))]
  const known = catalog([...entries, entry(source, kind, available)])
  return resolve([...objects, ...there, known], { strategy: 'native', ...spec })
}

function installedDependency(vector: JsonRecord, source: string, name: string, version: string): Printed {
  return resolveDependency({
    source: withRegistry(source),
    kind: 'Provider',
    form: { provider: withRegistry(source) },
    constraints: texts(vector, 'parentConstraints'),
    available: texts(vector, 'available'),
    installed: { name, version },
    spec: { upgrades: 'all', downgrades: vector.downgradesEnabled === true },
  })
}

/** `spec.package` of the Provider after a run; after a failure the one that it would get if everything could be resolved. */
function referenceAfter({ items, results }: Printed): string {
  const provider = packagesAmong(items).find(({ kind }) => kind === 'Provider')
  const reference = provider === undefined ? '' : textIn(provider, 'spec', 'package')
  const move = results.find(({ message, tags }) => tags.rule === 'resolution' && message.includes(' would be moved as '))
  return withoutRegistry(move === undefined ? reference : referenceTo(partsOf(reference).source, move.tags.candidate ?? ''))
}

/** The version that an installed dependency moves to, or what the refusal says. */
export function judgeVersionToUpdate(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const printed = installedDependency(vector, text(vector, 'package'), 'installed', text(vector, 'installed'))
  if (expected.error !== undefined) return refusedWith(text(expected, 'error'), printed)
  return differ('version', partsOf(referenceAfter(printed)).version, expected.version)
}

function refusedWith(error: string, { exitCode, results }: Printed): readonly Difference[] {
  const said = results.map(({ message }) => withoutRegistry(message.replaceAll('registry.example.org/', ''))).join('\n')
  return [...differ('exit code', exitCode, 1), ...lacksText([error], said)]
}

/** spec.package of an installed dependency after the update; the object is found by its source, whatever its name. */
export function judgeUpdate(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const object = record(vector, 'installedObject')
  const { source, version } = partsOf(text(object, 'package'))
  const printed = installedDependency(vector, source, text(object, 'name'), version)
  if (expected.error !== undefined) return differ('exit code', printed.exitCode, 1)
  return differ('package', referenceAfter(printed), expected.package)
}

/** A digest that all parents want: an installed version moves to it. Two digests, or a digest beside a version, are refused. */
export function judgeDigest(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const printed = installedDependency(vector, 'example.org/acme/dependency', 'dependency', 'v0.0.0')
  const digest = /@(.*)/.exec(referenceAfter(printed))?.[1] ?? ''
  if (expected.error === undefined) return differ('digest', digest, expected.digest)
  return refusedWith(text(expected, 'error'), printed)
}

/** The object of a missing dependency; null where nothing can be made. */
export function judgeInstall(vector: JsonRecord): readonly Difference[] {
  const dependency = record(vector, 'dependency')
  const [kind, type, apiVersion] = [text(dependency, 'kind'), text(dependency, 'type'), text(dependency, 'apiVersion')]
  const source = withRegistry(text(dependency, 'package'))
  const form = kind === '' ? { [type.toLowerCase()]: source } : { apiVersion: apiVersion || 'pkg.crossplane.io/v1', kind, package: source }
  const { items } = resolveDependency({
    source,
    kind: kind || type,
    form,
    constraints: [text(dependency, 'constraints')],
    available: texts(vector, 'available'),
    spec: { upgrades: 'none' },
  })
  const made = packagesAmong(items).find((item) => partsOf(textIn(item, 'spec', 'package')).source === source)
  return differ('create', made === undefined ? null : plainPackage(made), record(vector, 'expect').create)
}

/** A package without annotations, as Crossplane makes it. */
function plainPackage(item: JsonRecord): JsonRecord {
  const { apiVersion = '', kind = '' } = item
  return {
    apiVersion,
    kind,
    metadata: { name: textIn(item, 'metadata', 'name') },
    spec: { package: withoutRegistry(textIn(item, 'spec', 'package')) },
  }
}

/**
 * Names of the packages of the Lock that take part in a resolution with upgrades: those of which check-dependencies does not report every
 * requirement as violated. A requirement without a range is met by every version.
 */
export function judgePrune(vector: JsonRecord): readonly Difference[] {
  const packages = records(vector, 'packages')
  const objects = packages.map((each) =>
    packageObject('Configuration', text(each, 'name'), referenceTo(text(each, 'source'), text(each, 'version'))),
  )
  const entries = packages.map((each) => {
    const dependencies = rangedDependencies(each).map((one) => ({ configuration: text(one, 'package'), version: text(one, 'constraints') }))
    return entry(text(each, 'source'), 'Configuration', [{ version: text(each, 'version'), dependencies }])
  })
  const installed = [...objects, catalog(entries)]
  const violated = [...unmet(installed), ...check(installed).filter(({ tags }) => tags.rule === 'constraint-invalid')]
  const required = packages.flatMap((each) => records(each, 'dependencies').map((one) => text(one, 'package')))
  const kept = packages.filter((each) => {
    const source = text(each, 'source')
    const wanted = required.filter((one) => one === source).length
    return wanted === 0 || violated.filter(({ tags }) => tags.dependency === source).length < wanted
  })
  return differ(
    'kept',
    kept.map((each) => text(each, 'name')),
    list(record(vector, 'expect'), 'kept'),
  )
}

function rangedDependencies(each: JsonRecord): readonly JsonRecord[] {
  return records(each, 'dependencies').filter((one) => text(one, 'constraints') !== '')
}

/** A scenario of the end-to-end tests: what is created and updated in the end, and whether the Lock says that all went well. */
export function judgeScenario(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const objects = records(vector, 'objects')
  const spec = { strategy: 'native', upgrades: vector.upgrades === true ? 'all' : 'none', downgrades: vector.downgrades === true }
  const printed = resolve([...objects, catalogOf(vector)], spec)
  const failed = printed.exitCode !== 0
  return [
    ...(failed ? judgeSteps(printed, expected) : judgeEnd(objects, printed, expected)),
    ...(expected.lock === undefined ? [] : differ('lock', failed ? 'ResolutionFailed' : 'ResolutionSucceeded', expected.lock)),
  ]
}

/** Compares the packages that are made or changed with the last state of each that is recorded. */
function judgeEnd(objects: readonly JsonRecord[], { items }: Printed, expected: JsonRecord): readonly Difference[] {
  const before = new Set(packagesAmong(objects).map(identity))
  const after = packagesAmong(items)
  const made = after.filter((item) => !objects.some((object) => keyOf(object) === keyOf(item))).map(shown)
  const changed = after.filter((item) => objects.some((object) => keyOf(object) === keyOf(item)) && !before.has(identity(item))).map(shown)
  const updates = records(expected, 'updates')
  const created = records(expected, 'creates').map((each) => updates.findLast((one) => one.name === each.name) ?? each)
  const moved = updates.filter((each) => !created.some((one) => one.name === each.name))
  return [...differ('created', sorted(made), sorted(created)), ...differ('updated', sorted(changed), sorted(moved))]
}

/** After a failure nothing is changed: the results list the steps that would be taken if everything could be resolved. */
function judgeSteps({ results }: Printed, expected: JsonRecord): readonly Difference[] {
  const steps = results.flatMap(({ message, tags }) => {
    const [, verb = '', name = ''] = /would be (installed|moved) as (\S+?)(?:,| |$)/.exec(message) ?? []
    if (tags.rule !== 'resolution' || verb === '') return []
    return [{ verb, name, package: referenceTo(tags.dependency ?? '', tags.candidate ?? '') }]
  })
  const of = (verb: string) =>
    steps.filter((step) => step.verb === verb).map(({ name, package: reference }) => ({ name, package: reference }))
  const wanted = (key: string) => records(expected, key).map(({ name = '', package: reference = '' }) => ({ name, package: reference }))
  return [
    ...differ('creates', sorted(of('installed')), sorted(wanted('creates'))),
    ...differ('updates', sorted(of('moved')), sorted(wanted('updates'))),
  ]
}

function keyOf(item: JsonRecord): string {
  return `${String(item.kind)} ${textIn(item, 'metadata', 'name')}`
}

function identity(item: JsonRecord): string {
  return `${keyOf(item)} ${textIn(item, 'spec', 'package')}`
}

function shown(item: JsonRecord): JsonRecord {
  return { kind: item.kind ?? '', name: textIn(item, 'metadata', 'name'), package: textIn(item, 'spec', 'package') }
}

function sorted(values: readonly unknown[]): unknown[] {
  return [...values].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** Tags are `available`, else those of the catalog and of the objects. */
function catalogOf(vector: JsonRecord): JsonRecord {
  const versions = new Map<string, Map<string, JsonValue | undefined>>()
  const add = (reference: string, dependencies: JsonValue | undefined): void => {
    const { source, version } = partsOf(reference)
    const own = versions.get(source) ?? new Map<string, JsonValue | undefined>()
    versions.set(source, own.set(version, own.get(version) ?? dependencies))
  }
  for (const [reference, dependencies] of Object.entries(record(vector, 'catalog'))) add(reference, dependencies)
  for (const object of records(vector, 'objects')) add(textIn(object, 'spec', 'package'), undefined)
  for (const [source, tags] of Object.entries(record(vector, 'available'))) {
    for (const tag of Array.isArray(tags) ? tags : []) add(`${source}:${String(tag)}`, undefined)
  }
  const kinds = new Map(
    records(vector, 'objects').map((object) => [partsOf(textIn(object, 'spec', 'package')).source, text(object, 'kind')]),
  )
  const packages = [...versions].map(([id, own]) => ({
    ecosystem: 'crossplane',
    id,
    ...(kinds.has(id) && { kind: kinds.get(id) ?? '' }),
    versions: [...own].map(([version, dependencies]): JsonValue => (dependencies === undefined ? version : { version, dependencies })),
  }))
  return catalog(packages)
}

/**
 * The source of an installed package, as check-dependencies names it. Of a tag beside a digest it says what Crossplane takes for the
 * source.
 */
export function sourceOf(reference: string): string {
  const results = check([packageObject('Provider', 'installed', reference)])
  const both = results.find(({ tags }) => tags.rule === 'tag-and-digest')
  const [, source] = /takes (\S+) for its source/.exec(both?.message ?? '') ?? []
  return source ?? results.find(({ tags }) => tags.rule === 'dependency-unverified')?.tags.package ?? ''
}
