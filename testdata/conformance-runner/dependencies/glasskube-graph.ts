import { checkRequirements } from '../../../src/dependencies/check-requirements.ts'
import { demandsByTarget } from '../../../src/dependencies/demands.ts'
import { readGlasskube } from '../../../src/dependencies/glasskube/glasskube.ts'
import { dependentsOf } from '../../../src/dependencies/graph.ts'
import { isCatalog, readCatalogEntries } from '../../../src/dependencies/reading/catalog.ts'
import { fieldAt, itemFields } from '../../../src/dependencies/reading/field.ts'
import { NO_KINDS } from '../../../src/dependencies/reading/served-kinds.ts'
import { dependencyGraph } from '../../../src/dependencies/shape.ts'
import type { Universe } from '../../../src/dependencies/universe.ts'
import type { JsonRecord } from '../../../src/json.ts'
import { ResourceList } from '../../../src/resource-list/resource-list.ts'
import type { Difference } from '../adapter.ts'
import { differInAnyOrder } from '../difference.ts'
import { printResourceList } from '../wire.ts'
import { clusterPackage, glasskubeCatalog, packageInfo } from './glasskube-objects.ts'
import { planOn } from './plans.ts'
import { differ, record, records, text, texts } from './vectors.ts'

/** One question to the graph of packages; the order of lists means nothing. */
export function judgeGraph(vector: JsonRecord): readonly Difference[] {
  const op = text(vector, 'op')
  if (op === 'prune' || op === 'deleteAndPrune') return judgeRemoved(vector)
  const universe = universeOf(vector)
  const expected = record(vector, 'expect')
  const ask: Readonly<Record<string, () => readonly Difference[]>> = {
    validate: () => judgeValidate(universe, expected),
    dependants: () => differInAnyOrder('refs', dependentsOf(dependencyGraph(universe), targetKey(vector)), texts(expected, 'refs')),
    dependencies: () => judgeDependencies(universe, vector, expected),
    constraints: () =>
      differInAnyOrder(
        'constraints',
        ranges(universe, vector).map(({ text: written }) => written),
        texts(expected, 'constraints'),
      ),
    max: () => differ('version', highest(universe, vector) ?? null, expected.version),
  }
  const answer = Object.hasOwn(ask, op) ? ask[op] : undefined
  return answer === undefined ? judgeLookup(universe, vector, expected) : answer()
}

// What is removed with a package, or without one.
function judgeRemoved(vector: JsonRecord): readonly Difference[] {
  const target = targetKey(vector)
  const kept = records(vector, 'add').filter((each) => keyOf(each) !== target)
  const { plan } = planOn(kept.flatMap(objectsOf), { upgrades: 'none', prune: true })
  const pruned = plan.steps.filter(({ op }) => op === 'remove').map((step) => step.target.key)
  const deleted = kept.length < records(vector, 'add').length ? [target] : []
  return differInAnyOrder('removed', [...pruned, ...deleted], texts(record(vector, 'expect'), 'removed'))
}

function keyOf(each: JsonRecord): string {
  const namespace = text(each, 'namespace')
  return namespace === '' ? text(each, 'name') : `${namespace}/${text(each, 'name')}`
}

// Version and manual of one package.
function judgeLookup(universe: Universe, vector: JsonRecord, expected: JsonRecord): readonly Difference[] {
  const install = universe.installs.find(({ target }) => target.key === targetKey(vector))
  const answers: Readonly<Record<string, unknown>> = { version: install?.text ?? null, manual: install !== undefined && !install.generated }
  return Object.entries(expected).flatMap(([key, value]) => differ(key, answers[key], value))
}

function universeOf(vector: JsonRecord): Universe {
  const objects = records(vector, 'add').flatMap(objectsOf)
  const catalog = glasskubeCatalog({ [text(vector, 'target') || 'none']: texts(vector, 'available') })
  const { items } = ResourceList.parse(
    printResourceList([...objects, catalog].map((object, index) => ({ object, path: 'packages.yaml', index }))),
  )
  const options = {
    closed: true,
  } as const
  const listed = items.filter(isCatalog).flatMap((item) => itemFields(fieldAt(item, ['spec', 'packages'])))
  return readGlasskube(items, readCatalogEntries(listed).packages, options).universe
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

function targetKey(vector: JsonRecord): string {
  const namespace = text(vector, 'namespace')
  return namespace === '' ? text(vector, 'target') : `${namespace}/${text(vector, 'target')}`
}

function judgeValidate(universe: Universe, expected: JsonRecord): readonly Difference[] {
  const findings = checkRequirements(universe, NO_KINDS, { downgrades: false })
  const unmet = findings.map(({ tags }) => [String(tags.package).replace(/^.*\//, ''), tags.dependency].join(' '))
  const wanted = expected.unmet
  const named = Array.isArray(wanted)
    ? differInAnyOrder(
        'unmet',
        unmet,
        wanted.map((pair) => (Array.isArray(pair) ? pair.join(' ').replace(/^\S*\//, '') : '')),
      )
    : []
  return [...differ('valid', findings.length === 0, expected.valid), ...named]
}

function ranges(universe: Universe, vector: JsonRecord) {
  const target = [...demandsByTarget(universe)].find(([{ key }]) => key === targetKey(vector))
  return target?.[1].ranges ?? []
}

function highest(universe: Universe, vector: JsonRecord): string | undefined {
  const found = [...demandsByTarget(universe)].find(([{ key }]) => key === targetKey(vector))
  const [target, demands] = found ?? [universe.installs.find((install) => install.target.key === targetKey(vector))?.target, undefined]
  return target?.versions.find((version) => demands?.allSelect(version) !== false)?.text
}

// Names are those of instances, without their namespace; refs have it.
function judgeDependencies(universe: Universe, vector: JsonRecord, expected: JsonRecord): readonly Difference[] {
  const keys = dependencyGraph(universe).get(targetKey(vector)) ?? []
  if (expected.names === undefined) return differInAnyOrder('refs', keys, texts(expected, 'refs'))
  return differInAnyOrder(
    'names',
    keys.map((key) => key.replace(/^.*\//, '')),
    texts(expected, 'names'),
  )
}
