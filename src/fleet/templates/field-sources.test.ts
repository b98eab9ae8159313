import { expect, test } from 'vitest'
import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import { type JsonRecord, type JsonValue, memberOf } from '../../json.ts'
import { list, planOf, repository, revision, setOf, type Written } from '../testing/fleet-of-objects.ts'
import { explainForTarget, type FieldSource, sourceFinder } from './field-sources.ts'

/** Returns the source of a field of the set's first variant. */
function sourceOf(field: FieldPath, target: JsonRecord, objects: readonly Written[] = []): FieldSource {
  const plan = planOf([setOf([target]), ...objects])
  const [only] = plan.sets
  const [change] = only?.changes ?? []
  if (only?.set === undefined || only.draft === undefined || change?.why === undefined) throw new Error(JSON.stringify(plan.results))
  const value = field.slice(1).reduce<JsonValue | undefined>(memberOf, change.after)
  return sourceFinder(only.set, change.why, only.draft.context)(field, value ?? null)
}

/** Returns the source of a field in a line: its type, object and path. */
function told(field: FieldPath, target: JsonRecord, objects: readonly Written[] = []): string {
  const { type, object, path } = sourceOf(field, target, objects)
  return `${type} ${object.kind} ${formatFieldPath(path)}`
}

const TEMPLATE = {
  ...list('a'),
  template: {
    labels: { fixed: 'x', both: 'fixed' },
    labelExprs: [
      { key: 'computed', valueExpr: 'packageDefault' },
      { keyExpr: "'from-' + repoDefault", value: 'v' },
      { key: 'both', value: 'computed' },
    ],
    annotations: { note: 'x' },
    packageContext: { removeKeys: ['z', 'b'], removeKeyExprs: ["'m'"] },
    injectors: [{ kind: 'ConfigMap', name: 'site' }, { nameExpr: 'repoDefault' }],
    deletionPolicy: 'orphan',
    pipeline: { mutators: [{ name: 'one', image: 'set-labels:v1', configMap: { a: 'b' } }] },
  },
}

test.each<[FieldPath, string]>([
  [['spec', 'upstream', 'revision'], 'static PackageVariantSet spec.upstream.revision'],
  [['spec', 'labels', 'fixed'], 'static PackageVariantSet spec.targets[0].template.labels.fixed'],
  [['spec', 'labels', 'both'], 'static PackageVariantSet spec.targets[0].template.labelExprs[2].value'],
  [['spec', 'labels', 'computed'], 'expression PackageVariantSet spec.targets[0].template.labelExprs[0].valueExpr'],
  [['spec', 'labels', 'from-a'], 'expression PackageVariantSet spec.targets[0].template.labelExprs[1].value'],
  [['spec', 'annotations', 'note'], 'static PackageVariantSet spec.targets[0].template.annotations.note'],
  [['spec', 'deletionPolicy'], 'static PackageVariantSet spec.targets[0].template.deletionPolicy'],
  [['spec', 'pipeline', 'mutators', 0, 'image'], 'static PackageVariantSet spec.targets[0].template.pipeline.mutators[0].image'],
  [['spec', 'injectors', 0, 'kind'], 'static PackageVariantSet spec.targets[0].template.injectors[0].kind'],
  [['spec', 'injectors', 0, 'name'], 'static PackageVariantSet spec.targets[0].template.injectors[0].name'],
  [['spec', 'injectors', 1, 'name'], 'expression PackageVariantSet spec.targets[0].template.injectors[1].nameExpr'],
])('%j comes from where the set has it', (field, source) => {
  expect(told(field, TEMPLATE)).toBe(source)
})

test('removed keys are sorted, and each is where it is written', () => {
  const written = [0, 1, 2].map((at) => told(['spec', 'packageContext', 'removeKeys', at], TEMPLATE))
  expect(written).toEqual([
    'static PackageVariantSet spec.targets[0].template.packageContext.removeKeys[1]',
    'expression PackageVariantSet spec.targets[0].template.packageContext.removeKeyExprs[0]',
    'static PackageVariantSet spec.targets[0].template.packageContext.removeKeys[0]',
  ])
})

test('a computed value is named with its expressions, and each expression with what it reads', () => {
  const target = { repositorySelector: {}, template: { labelExprs: [{ keyExpr: "'k'", valueExpr: 'target.labels.env + upstream.name' }] } }
  const objects = [repository('a', { env: 'prod' }), revision('catalog', 'app', 2)]
  const { expressions } = sourceOf(['spec', 'labels', 'k'], target, objects)
  expect(expressions.map(({ expression, value }) => [expression.text, value])).toEqual([
    ['target.labels.env + upstream.name', 'prodcatalog-app-2'],
    ["'k'", 'k'],
  ])
  const reads = expressions.flatMap((each) =>
    each.reads.map(({ path, source }) => [path.join('.'), source?.object.kind, source?.path.join('.')]),
  )
  expect(reads).toEqual([
    ['target.labels.env', 'Repository', 'metadata.labels.env'],
    ['upstream.name', 'PackageRevision', 'metadata.name'],
  ])
})

test.each<[string, string | undefined, string | undefined]>([
  ['repository.labels.env', 'Repository', 'metadata.labels.env'],
  ['repoDefault', 'Repository', 'metadata.name'],
  ['packageDefault', undefined, undefined],
])('%s was read from its object, if it has one', (text, kind, path) => {
  const target = { repositorySelector: {}, template: { labelExprs: [{ key: 'k', valueExpr: text }] } }
  const { expressions } = sourceOf(['spec', 'labels', 'k'], target, [repository('a', { env: 'prod' })])
  const [read] = expressions[0]?.reads ?? []
  expect([read?.source?.object.kind, read?.source?.path.join('.')]).toEqual([kind, path])
})

const REPO: FieldPath = ['spec', 'downstream', 'repo']
const PACKAGE: FieldPath = ['spec', 'downstream', 'package']

test.each<[string, JsonRecord, string, string]>([
  [
    'an entry of a list',
    list('a'),
    'default PackageVariantSet spec.targets[0].repositories[0].name',
    'default PackageVariantSet spec.upstream.package',
  ],
  [
    'a package of an entry',
    { repositories: [{ name: 'a', packageNames: ['one'] }] },
    'default PackageVariantSet spec.targets[0].repositories[0].name',
    'default PackageVariantSet spec.targets[0].repositories[0].packageNames[0]',
  ],
  ['a selector', { repositorySelector: {} }, 'default Repository metadata.name', 'default PackageVariantSet spec.upstream.package'],
  [
    'a package of a selector',
    { repositorySelector: { matchLabels: { env: 'prod' }, packageNames: ['one'] } },
    'default Repository metadata.name',
    'default PackageVariantSet spec.targets[0].repositorySelector.packageNames[0]',
  ],
  [
    'a package beside a selector',
    { repositorySelector: { matchLabels: { env: 'prod' } }, packageNames: ['app'] },
    'default Repository metadata.name',
    'default PackageVariantSet spec.targets[0].packageNames[0]',
  ],
  [
    'fixed names of a template',
    { ...list('a'), template: { downstream: { repo: 'b', package: 'p' } } },
    'static PackageVariantSet spec.targets[0].template.downstream.repo',
    'static PackageVariantSet spec.targets[0].template.downstream.package',
  ],
  [
    'names that a template computes',
    { ...list('a'), template: { downstream: { repoExpr: 'repoDefault', packageExpr: 'packageDefault' } } },
    'expression PackageVariantSet spec.targets[0].template.downstream.repoExpr',
    'expression PackageVariantSet spec.targets[0].template.downstream.packageExpr',
  ],
])('the downstream of %s says where its repository and package come from', (_, target, repo, packageName) => {
  const objects = [repository('a', { env: 'prod' }), repository('b')]
  expect([told(REPO, target, objects), told(PACKAGE, target, objects)]).toEqual([repo, packageName])
})

test.each<[text: string, value: string, reads: readonly string[]]>([
  ['target.labels.env + packageDefault', 'prodapp', ['target.labels.env', 'packageDefault']],
  ["'fixed'", 'fixed', []],
  ['target.labels.none', '', ['target.labels.none']],
  ['target.labels.env == 1', '', ['target.labels.env']],
])('%s gives a variant "%s"', (text, value, reads) => {
  const [only] = planOf([setOf([{ repositorySelector: {} }]), repository('a', { env: 'prod' })]).sets
  const [why, context] = [only?.changes[0]?.why, only?.draft?.context]
  const explained = why && context && explainForTarget(text, why, context)
  expect([explained?.expression.text, explained?.value, explained?.reads.map(({ path }) => path.join('.'))]).toEqual([text, value, reads])
})
