import { dependencyGraph } from '../../../src/dependencies/check-graph.ts'
import { checkRequirements } from '../../../src/dependencies/check-requirements.ts'
import { readGlasskube } from '../../../src/dependencies/glasskube/glasskube.ts'
import { dependentsOf } from '../../../src/dependencies/graph.ts'
import type { PackageIndex } from '../../../src/dependencies/package-index.ts'
import { isCatalog, readCatalogEntries } from '../../../src/dependencies/reading/catalog.ts'
import { fieldAt, itemFields } from '../../../src/dependencies/reading/field.ts'
import { NO_KINDS } from '../../../src/dependencies/reading/served-kinds.ts'
import { requirementsByPackage } from '../../../src/dependencies/requirements.ts'
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
  const index = packageIndexOf(vector)
  const expected = record(vector, 'expect')
  const ask: Readonly<Record<string, () => readonly Difference[]>> = {
    validate: () => judgeValidate(index, expected),
    dependants: () => differInAnyOrder('refs', dependentsOf(dependencyGraph(index), targetKey(vector)), texts(expected, 'refs')),
    dependencies: () => judgeDependencies(index, vector, expected),
    constraints: () =>
      differInAnyOrder(
        'constraints',
        ranges(index, vector).map(({ text: written }) => written),
        texts(expected, 'constraints'),
      ),
    max: () => differ('version', highest(index, vector) ?? null, expected.version),
  }
  const answer = Object.hasOwn(ask, op) ? ask[op] : undefined
  return answer === undefined ? judgeLookup(index, vector, expected) : answer()
}

// What is removed with a package, or without one.
function judgeRemoved(vector: JsonRecord): readonly Difference[] {
  const pkg = targetKey(vector)
  const kept = records(vector, 'add').filter((each) => keyOf(each) !== pkg)
  const { plan } = planOn(kept.flatMap(objectsOf), { upgrades: 'none', prune: true })
  const pruned = plan.steps.filter(({ op }) => op === 'remove').map((step) => step.package.key)
  const deleted = kept.length < records(vector, 'add').length ? [pkg] : []
  return differInAnyOrder('removed', [...pruned, ...deleted], texts(record(vector, 'expect'), 'removed'))
}

function keyOf(each: JsonRecord): string {
  const namespace = text(each, 'namespace')
  return namespace === '' ? text(each, 'name') : `${namespace}/${text(each, 'name')}`
}

// Version and manual of one package.
function judgeLookup(index: PackageIndex, vector: JsonRecord, expected: JsonRecord): readonly Difference[] {
  const install = index.installs.find(({ package: pkg }) => pkg.key === targetKey(vector))
  const answers: Readonly<Record<string, unknown>> = { version: install?.text ?? null, manual: install !== undefined && !install.generated }
  return Object.entries(expected).flatMap(([key, value]) => differ(key, answers[key], value))
}

function packageIndexOf(vector: JsonRecord): PackageIndex {
  const objects = records(vector, 'add').flatMap(objectsOf)
  const catalog = glasskubeCatalog({ [text(vector, 'target') || 'none']: texts(vector, 'available') })
  const { items } = ResourceList.parse(
    printResourceList([...objects, catalog].map((object, index) => ({ object, path: 'packages.yaml', index }))),
  )
  const options = {
    closed: true,
  } as const
  const listed = items.filter(isCatalog).flatMap((item) => itemFields(fieldAt(item, ['spec', 'packages'])))
  return readGlasskube(items, readCatalogEntries(listed).packages, options).index
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

function judgeValidate(index: PackageIndex, expected: JsonRecord): readonly Difference[] {
  const findings = checkRequirements(index, NO_KINDS, { downgrades: false })
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

function ranges(index: PackageIndex, vector: JsonRecord) {
  const pkg = [...requirementsByPackage(index)].find(([{ key }]) => key === targetKey(vector))
  return pkg?.[1].ranges ?? []
}

function highest(index: PackageIndex, vector: JsonRecord): string | undefined {
  const found = [...requirementsByPackage(index)].find(([{ key }]) => key === targetKey(vector))
  const [pkg, demands] = found ?? [index.installs.find((install) => install.package.key === targetKey(vector))?.package, undefined]
  return pkg?.versions.find((version) => demands?.allSelect(version) !== false)?.text
}

// Names are those of instances, without their namespace; refs have it.
function judgeDependencies(index: PackageIndex, vector: JsonRecord, expected: JsonRecord): readonly Difference[] {
  const keys = dependencyGraph(index).get(targetKey(vector)) ?? []
  if (expected.names === undefined) return differInAnyOrder('refs', keys, texts(expected, 'refs'))
  return differInAnyOrder(
    'names',
    keys.map((key) => key.replace(/^.*\//, '')),
    texts(expected, 'names'),
  )
}
