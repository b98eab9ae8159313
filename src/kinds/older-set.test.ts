import { expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { conversionOf, convertOlderSet } from './older-set.ts'

const HEAD = 'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariantSet\nmetadata: {name: a}\n'
const PACKAGE = '{package: {repo: r, name: p}, revision: 1}'

function older(spec: string): KrmObject {
  return KrmObject.fromDocument(`${HEAD}${spec}`)
}

/** A set whose only old part is one target. */
function ofTarget(target: string): KrmObject {
  return older(`spec: {upstream: {repo: r, package: p}, targets: [${target}]}\n`)
}

/** Returns the spec of a set after its conversion, or 'unchanged'. */
function converted(object: KrmObject): JsonValue | undefined {
  const before = object.toText()
  if (convertOlderSet(object)) return object.apiVersion === 'config.porch.kpt.dev/v1alpha2' ? object.get(['spec']) : 'of an older version'
  expect(object.toText()).toBe(before)
  return 'unchanged'
}

const SIMPLE = { upstream: { repo: 'r', package: 'p' } }

test.each([
  {
    reason: 'a set in the form of v1alpha2 gets another apiVersion only',
    object: older(
      'spec: {upstream: {repo: r, package: p}, targets: [{repositories: [{name: a}], template: {labels: {b: c}}}], other: d}\n',
    ),
    moves: [],
    spec: { ...SIMPLE, targets: [{ repositories: [{ name: 'a' }], template: { labels: { b: 'c' } } }], other: 'd' },
  },
  {
    reason: 'the package of the upstream, beside which the other fields stay',
    object: older(
      'spec: {upstream: {package: {repo: r, name: p}, revision: 3, workspaceName: w}, targets: [{repositories: [{name: a}]}]}\n',
    ),
    moves: ['spec.upstream.package.repo → spec.upstream.repo', 'spec.upstream.package.name → spec.upstream.package'],
    spec: { upstream: { repo: 'r', package: 'p', revision: 3, workspaceName: 'w' }, targets: [{ repositories: [{ name: 'a' }] }] },
  },
  {
    reason: 'one old target beside a new one',
    object: ofTarget('{repositories: [{name: a}]}, {package: {repo: b, name: c}}'),
    moves: ['spec.targets[1].package → spec.targets[1].repositories[0]'],
    spec: { ...SIMPLE, targets: [{ repositories: [{ name: 'a' }] }, { repositories: [{ name: 'b', packageNames: ['c'] }] }] },
  },
  {
    reason: 'the package of a target without a name takes the name of the upstream',
    object: ofTarget('{package: {repo: b}}, {package: {repo: c, name: ""}}'),
    moves: [0, 1].map((index) => `spec.targets[${index}].package → spec.targets[${index}].repositories[0]`),
    spec: { ...SIMPLE, targets: [{ repositories: [{ name: 'b' }] }, { repositories: [{ name: 'c' }] }] },
  },
  {
    reason: 'a selector of repositories gets another name',
    object: ofTarget('{repositories: {matchLabels: {a: b}}}'),
    moves: ['spec.targets[0].repositories → spec.targets[0].repositorySelector'],
    spec: { ...SIMPLE, targets: [{ repositorySelector: { matchLabels: { a: 'b' } } }] },
  },
  {
    reason: 'a selector of objects, with its labels beside the kind',
    object: ofTarget('{objects: {selectors: [{apiVersion: v1, kind: Pod, labelSelector: {matchLabels: {a: b}}}]}}'),
    moves: ['spec.targets[0].objects.selectors[0] → spec.targets[0].objectSelector'],
    spec: { ...SIMPLE, targets: [{ objectSelector: { apiVersion: 'v1', kind: 'Pod', matchLabels: { a: 'b' } } }] },
  },
  {
    reason: 'a selector of objects without a kind is left for the rules of v1alpha2',
    object: ofTarget('{objects: {selectors: [{}]}}'),
    moves: ['spec.targets[0].objects.selectors[0] → spec.targets[0].objectSelector'],
    spec: { ...SIMPLE, targets: [{ objectSelector: { apiVersion: '', kind: '' } }] },
  },
  {
    reason: 'the repository of an object by its name',
    object: ofTarget('{objects: {selectors: [{apiVersion: v1, kind: Pod}], repoName: {fromField: metadata.name}}}'),
    moves: [
      'spec.targets[0].objects.selectors[0] → spec.targets[0].objectSelector',
      'spec.targets[0].objects.repoName.fromField → spec.targets[0].template.downstream.repoExpr',
    ],
    spec: {
      ...SIMPLE,
      targets: [{ objectSelector: { apiVersion: 'v1', kind: 'Pod' }, template: { downstream: { repoExpr: 'target.name' } } }],
    },
  },
  {
    reason: 'the repository of an object as a text',
    object: ofTarget('{objects: {selectors: [{apiVersion: v1, kind: Pod}], repoName: {value: x}}}'),
    moves: [
      'spec.targets[0].objects.selectors[0] → spec.targets[0].objectSelector',
      'spec.targets[0].objects.repoName.value → spec.targets[0].template.downstream.repo',
    ],
    spec: { ...SIMPLE, targets: [{ objectSelector: { apiVersion: 'v1', kind: 'Pod' }, template: { downstream: { repo: 'x' } } }] },
  },
  {
    reason: 'the name of the package as a text',
    object: ofTarget('{repositories: {}, packageName: {baseName: {value: x}}}'),
    moves: [
      'spec.targets[0].repositories → spec.targets[0].repositorySelector',
      'spec.targets[0].packageName.baseName.value → spec.targets[0].template.downstream.package',
    ],
    spec: { ...SIMPLE, targets: [{ repositorySelector: {}, template: { downstream: { package: 'x' } } }] },
  },
  {
    reason: 'the name of the package by the name of the target',
    object: ofTarget('{repositories: [{name: a}], packageName: {baseName: {fromField: metadata.name}}}'),
    moves: ['spec.targets[0].packageName.baseName.fromField → spec.targets[0].template.downstream.packageExpr'],
    spec: { ...SIMPLE, targets: [{ repositories: [{ name: 'a' }], template: { downstream: { packageExpr: 'target.name' } } }] },
  },
  {
    reason: 'the fields of the set go into the template of each target',
    object: older(
      'spec: {adoptionPolicy: adoptExisting, deletionPolicy: orphan, labels: {a: b}, annotations: {c: d}, upstream: {repo: r, package: p}, targets: [{repositories: [{name: a}]}, {repositories: [{name: b}]}]}\n',
    ),
    moves: ['adoptionPolicy', 'deletionPolicy', 'labels', 'annotations'].map((key) => `spec.${key} → template.${key} of each target`),
    spec: {
      ...SIMPLE,
      targets: ['a', 'b'].map((name) => ({
        repositories: [{ name }],
        template: { adoptionPolicy: 'adoptExisting', deletionPolicy: 'orphan', labels: { a: 'b' }, annotations: { c: 'd' } },
      })),
    },
  },
])('converted: $reason', ({ object, moves, spec }) => {
  const conversion = conversionOf(object)
  expect(conversion.moves).toEqual(moves)
  expect(conversion.unclear).toEqual([])
  expect(converted(object)).toEqual(spec)
})

const OF_TARGET = 'for which v1alpha2 has expressions that read name, namespace, labels and annotations of `target`'

test.each([
  {
    reason: 'a git reference, even beside a package',
    object: older(`spec: {upstream: {package: {repo: r, name: p}, ref: main}, targets: []}\n`),
    unclear: ['spec.upstream.ref, a git reference, for which v1alpha2 has the workspaceName of a PackageRevision'],
  },
  {
    reason: 'a package of the upstream without a name',
    object: older('spec: {upstream: {package: {repo: r}}, targets: []}\n'),
    unclear: ['spec.upstream.package, which must have repo and name'],
  },
  {
    reason: 'a package of the upstream without a repository',
    object: older('spec: {upstream: {package: {name: p}}, targets: []}\n'),
    unclear: ['spec.upstream.package, which must have repo and name'],
  },
  {
    reason: 'a field that v1alpha1 does not have',
    object: older(`spec: {upstream: ${PACKAGE}, targets: [], extra: 1}\n`),
    unclear: ['spec.extra, no field of v1alpha1'],
  },
  {
    reason: 'labels of the set beside a template of one target',
    object: older(`spec: {upstream: ${PACKAGE}, targets: [{repositories: [{name: a}]}, {template: {}}], labels: {a: b}}\n`),
    unclear: ['spec.labels, beside templates of targets'],
  },
  {
    reason: 'a package of a target without a repository',
    object: ofTarget('{package: {name: c}}, {package: {repo: "", name: c}}'),
    unclear: ['spec.targets[0].package.repo, which must be set', 'spec.targets[1].package.repo, which must be set'],
  },
  {
    reason: 'a packageName beside a package',
    object: ofTarget('{package: {repo: b, name: c}, packageName: {baseName: {value: x}}}'),
    unclear: ['spec.targets[0].packageName, which a target with a package does not read'],
  },
  {
    reason: 'objects without a selector, with two, and with one that is no map',
    object: ofTarget('{objects: {}}, {objects: {selectors: [{kind: A}, {kind: B}]}}, {objects: {selectors: [a]}}'),
    unclear: [0, 1, 2].map((index) => `spec.targets[${index}].objects.selectors, of which v1alpha2 has one for each target`),
  },
  {
    reason: 'other fields of a selector of objects',
    object: ofTarget('{objects: {selectors: [{apiVersion: v1, kind: Pod, name: a, namespace: b}]}}'),
    unclear: ['name', 'namespace'].map((key) => `spec.targets[0].objects.selectors[0].${key}, by which v1alpha2 does not select`),
  },
  {
    reason: 'a prefix and a suffix of the name',
    object: ofTarget('{repositories: [{name: a}], packageName: {nameSuffix: {value: x}, namePrefix: {value: y}}}'),
    unclear: ['nameSuffix', 'namePrefix'].map(
      (key) => `spec.targets[0].packageName.${key}, for which v1alpha2 has an expression in template.downstream.packageExpr`,
    ),
  },
  ...['{fromField: metadata.namespace}', '{value: a, fromField: metadata.name}', '{value: 1}', '{}'].map((value) => ({
    reason: `the value ${value}`,
    object: ofTarget(`{repositories: [{name: a}], packageName: {baseName: ${value}}}`),
    unclear: [`spec.targets[0].packageName.baseName, ${OF_TARGET}`],
  })),
  {
    reason: 'the repository of an object by another field',
    object: ofTarget('{objects: {selectors: [{apiVersion: v1, kind: Pod}], repoName: {fromField: spec.nodeName}}}'),
    unclear: [`spec.targets[0].objects.repoName, ${OF_TARGET}`],
  },
])('left to a person: $reason', ({ object, unclear }) => {
  expect(conversionOf(object).unclear).toEqual(unclear)
  expect(converted(object)).toBe('unchanged')
})

const COMMENTED = `${HEAD}spec: # of the year 2023
  upstream:
    package:
      repo: r # the blueprints
      name: p#1
    revision: 1
  targets:
  # one package
  - package: {repo: b, name: c}
`

test('the comments of fields that move come above the spec, and the others stay where they are', () => {
  const object = KrmObject.fromDocument(COMMENTED)
  expect(convertOlderSet(object)).toBe(true)
  const text = object.toText()
  expect(text).toContain('metadata: {name: a}\n# the blueprints\nspec: # of the year 2023\n')
  expect(text.match(/# [a-z ]+/g)).toEqual(['# the blueprints', '# of the year ', '# one package'])
  expect(object.get(['spec', 'upstream', 'package'])).toBe('p#1')
})

test('a set whose comment would be lost is not converted', () => {
  expect(converted(KrmObject.fromDocument(COMMENTED.replace('spec:', '"spec":')))).toBe('unchanged')
})

test('a set that cannot be edited is not converted', () => {
  expect(converted(older('spec: {upstream: {package: {repo: r, name: p}, revision: 1, revision: 2}, targets: []}\n'))).toBe('unchanged')
})

test.each([
  { reason: 'no spec', text: '' },
  { reason: 'a spec that is a list', text: 'spec: []\n' },
  { reason: 'targets that are a map', text: `spec: {targets: {package: {}}}\n` },
  { reason: 'targets that are texts', text: `spec: {targets: [package]}\n` },
])('a set of another form has no moves: $reason', ({ text }) => {
  const { moves, unclear } = conversionOf(older(text))
  expect([moves, unclear]).toEqual([[], []])
})
