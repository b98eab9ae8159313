import type { JsonRecord } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { differInAnyOrder } from '../difference.ts'
import { resolve, textIn, unmet, type WireResult } from './commands.ts'
import { clusterPackage, glasskubeCatalog, packageInfo } from './glasskube-objects.ts'
import { differ, record, records, text, texts } from './vectors.ts'

/**
 * One question to the graph of packages, put to check-dependencies or resolve-dependencies: who requires a package shows when the package
 * is taken out of the list, what a package requires when all others are. The order of lists means nothing.
 */
export function judgeGraph(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const op = text(vector, 'op')
  const judge = Object.hasOwn(JUDGES, op) ? JUDGES[op] : undefined
  return judge === undefined ? judgeLookup(vector, expected) : judge(vector, expected)
}

const JUDGES: Readonly<Record<string, (vector: JsonRecord, expected: JsonRecord) => readonly Difference[]>> = {
  validate: judgeValidate,
  dependants: (vector, expected) =>
    differInAnyOrder('refs', unique(onTarget(vector).map(({ tags }) => tags.package)), texts(expected, 'refs')),
  constraints: (vector, expected) =>
    differInAnyOrder('constraints', unique(onTarget(vector).map(({ tags }) => tags.required)), texts(expected, 'constraints')),
  dependencies: judgeDependencies,
  max: (vector, expected) => differ('version', highest(vector), expected.version),
  prune: judgeRemoved,
  deleteAndPrune: judgeRemoved,
}

function judgeValidate(vector: JsonRecord, expected: JsonRecord): readonly Difference[] {
  const found = unmet(records(vector, 'add').flatMap(objectsOf))
  const pairs = found.map(({ tags }) => [withoutNamespace(tags.package ?? ''), tags.dependency].join(' '))
  const wanted = expected.unmet
  const named = Array.isArray(wanted)
    ? differInAnyOrder(
        'unmet',
        pairs,
        wanted.map((pair) => (Array.isArray(pair) ? pair.join(' ').replace(/^\S*\//, '') : '')),
      )
    : []
  return [...differ('valid', found.length === 0, expected.valid), ...named]
}

/** The requirements on the target, which is not installed: each is reported. */
function onTarget(vector: JsonRecord, others: readonly object[] = []): readonly WireResult[] {
  const rest = records(vector, 'add').filter((each) => keyOf(each) !== targetKey(vector))
  return unmet([...rest.flatMap(objectsOf), ...others]).filter(({ tags }) => tags.dependency === targetKey(vector))
}

// Names are those of instances, without their namespace; refs have it.
function judgeDependencies(vector: JsonRecord, expected: JsonRecord): readonly Difference[] {
  const alone = records(vector, 'add').filter((each) => keyOf(each) === targetKey(vector))
  const keys = unique(unmet(alone.flatMap(objectsOf)).map(({ tags }) => tags.dependency))
  if (expected.names === undefined) return differInAnyOrder('refs', keys, texts(expected, 'refs'))
  return differInAnyOrder('names', keys.map(withoutNamespace), texts(expected, 'names'))
}

/** The version that would be installed for a package that requires any version of the target. */
function highest(vector: JsonRecord): string | null {
  const catalog = glasskubeCatalog({ [text(vector, 'target')]: texts(vector, 'available') })
  const probe = clusterPackage('probe', '1.0.0', { dependencies: [{ name: text(vector, 'target') }] })
  const found = onTarget(vector, [...probe, catalog]).find(({ tags }) => tags.package === 'probe')
  return found?.tags.candidate ?? null
}

/**
 * Returns the differences of what is removed with a package, or without one. A package that a person installed shows that the list is
 * whole.
 */
function judgeRemoved(vector: JsonRecord, expected: JsonRecord): readonly Difference[] {
  const all = records(vector, 'add')
  const kept = all.filter((each) => keyOf(each) !== targetKey(vector))
  const deleted = kept.length < all.length ? [targetKey(vector)] : []
  return differInAnyOrder('removed', [...prunedKeys(kept), ...deleted], texts(expected, 'removed'))
}

// A requirement on a package that is missing keeps nothing, and nothing is changed while it cannot be met.
function prunedKeys(all: readonly JsonRecord[]): readonly string[] {
  const present = new Set(all.map(keyOf))
  const packages = all.map((each) => withPresent(each, present))
  const { items } = resolve([...packages.flatMap(objectsOf), ...clusterPackage('kept', '1.0.0')], { strategy: 'native', prune: true })
  const left = new Set(items.map((item) => `${item.kind} ${textIn(item, 'metadata', 'namespace')}/${textIn(item, 'metadata', 'name')}`))
  return packages.flatMap((each) => {
    const namespace = text(each, 'namespace')
    return left.has(`${namespace === '' ? 'ClusterPackage' : 'Package'} ${namespace}/${text(each, 'name')}`) ? [] : [keyOf(each)]
  })
}

function withPresent(each: JsonRecord, present: ReadonlySet<string>): JsonRecord {
  const namespace = text(each, 'namespace') || text(each, 'defaultNamespace')
  const componentKey = (one: JsonRecord) => `${namespace}/${text(each, 'name')}-${text(one, 'installedName') || text(one, 'name')}`
  return {
    ...each,
    dependencies: records(each, 'dependencies').filter((one) => present.has(text(one, 'name'))),
    components: records(each, 'components').filter((one) => present.has(componentKey(one))),
  }
}

/** The version of one package, as a requirement that no version meets reports it; installed by a person, if prune alone leaves it. */
function judgeLookup(vector: JsonRecord, expected: JsonRecord): readonly Difference[] {
  const target = records(vector, 'add').filter((each) => keyOf(each) === targetKey(vector))
  const probe = clusterPackage('probe', '1.0.0', { dependencies: [{ name: text(vector, 'target'), version: '>999999.0.0' }] })
  const found = unmet([...target.flatMap(objectsOf), ...probe]).find(({ tags }) => tags.package === 'probe')
  const isManual = target.length > 0 && prunedKeys(target).length === 0
  const answers: Readonly<Record<string, unknown>> = { version: found?.tags.installed ?? null, manual: isManual }
  return Object.entries(expected).flatMap(([key, value]) => differ(key, answers[key], value))
}

function objectsOf(each: JsonRecord): object[] {
  const [name, version, namespace] = [text(each, 'name'), text(each, 'version'), text(each, 'namespace')]
  const manifest = {
    dependencies: records(each, 'dependencies'),
    components: records(each, 'components'),
    defaultNamespace: text(each, 'defaultNamespace'),
  }
  const annotations = each.manual === false ? { 'packages.glasskube.dev/installed-as-dependency': 'true' } : {}
  if (namespace === '') return clusterPackage(name, version, manifest, annotations)
  const manifestName = text(each, 'package') || `${name}-in-${namespace}`
  const spec = { packageInfo: { name: manifestName, version } }
  return [
    { apiVersion: 'packages.glasskube.dev/v1alpha1', kind: 'Package', metadata: { name, namespace, annotations }, spec },
    packageInfo(manifestName, version, { ...manifest, scope: 'Namespaced' }),
  ]
}

function keyOf(each: JsonRecord): string {
  const namespace = text(each, 'namespace')
  return namespace === '' ? text(each, 'name') : `${namespace}/${text(each, 'name')}`
}

function targetKey(vector: JsonRecord): string {
  const namespace = text(vector, 'namespace')
  return namespace === '' ? text(vector, 'target') : `${namespace}/${text(vector, 'target')}`
}

function withoutNamespace(key: string): string {
  return key.replace(/^.*\//, '')
}

function unique(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values.flatMap((value) => value ?? []))]
}
