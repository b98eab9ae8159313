import { expect, test } from 'vitest'
import { PACKAGE_REVISION_SCHEMA } from './package-revision-schema.ts'
import { misfits, UNSET_PARTS } from './testing/misfits.ts'

const HEAD = 'apiVersion: porch.kpt.dev/v1alpha2\nkind: PackageRevision\nmetadata: {name: a}\n'
const WHERE = 'repository: a, packageName: b, lifecycle: Draft'

test('the parts of a PackageRevision must be set', () => {
  expect(misfits(PACKAGE_REVISION_SCHEMA, '{}')).toEqual(UNSET_PARTS)
})

test.each([
  { api: 'porch.kpt.dev/v1alpha1', expected: [] },
  { api: 'porch.kpt.dev/v1alpha2', expected: [] },
  { api: 'config.porch.kpt.dev/v1alpha1', expected: ['apiVersion enum'] },
])('a PackageRevision of $api', ({ api, expected }) => {
  const text = `apiVersion: ${api}\nkind: PackageRevision\nmetadata: {name: a}\nspec: {${WHERE}}\n`
  expect(misfits(PACKAGE_REVISION_SCHEMA, text)).toEqual(expected)
})

test('a PackageRevision has its kind, maps, and no other field', () => {
  const text = 'apiVersion: porch.kpt.dev/v1alpha2\nkind: PackageRevisions\nmetadata: {}\nspec: []\nstatus: []\ndata: {}\n'
  expect(misfits(PACKAGE_REVISION_SCHEMA, text)).toEqual([
    'kind const',
    'metadata.name required',
    'spec type',
    'status type',
    'data additionalProperties',
  ])
})

test.each([
  {
    reason: 'the fields of v1alpha1',
    spec: `{${WHERE}, workspaceName: c, revision: 1, parent: {name: d}, tasks: [{type: init}], readinessGates: [{conditionType: e}]}`,
    expected: [],
  },
  {
    reason: 'the fields of v1alpha2',
    spec: `{${WHERE}, packageMetadata: {labels: {a: b}, annotations: {c: d}}, subpackageOperation: {}, source: {init: {description: e, keywords: [f], site: g}}}`,
    expected: [],
  },
  { reason: 'a revision as a text', spec: `{${WHERE}, revision: v1}`, expected: [] },
  {
    reason: 'a clone of a folder in git',
    spec: `{${WHERE}, source: {cloneFrom: {type: git, git: {repo: c, directory: d, ref: e, secretRef: {name: f}}}}}`,
    expected: [],
  },
  {
    reason: 'an upgrade',
    spec: `{${WHERE}, source: {upgrade: {currentPackage: {name: c}, oldUpstream: {name: d}, newUpstream: {name: e}, strategy: copy-merge}, copyFrom: {name: f}}}`,
    expected: [],
  },
  {
    reason: 'repository, package and lifecycle must be set',
    spec: '{}',
    expected: ['repository', 'packageName', 'lifecycle'].map((field) => `spec.${field} required`),
  },
  {
    reason: 'names must not be empty',
    spec: '{repository: "", packageName: "", workspaceName: "", lifecycle: Draft}',
    expected: ['repository', 'packageName', 'workspaceName'].map((field) => `spec.${field} minLength`),
  },
  ...['Draft', 'Proposed', 'Published', 'DeletionProposed'].map((lifecycle) => ({
    reason: `the lifecycle ${lifecycle}`,
    spec: `{repository: a, packageName: b, lifecycle: ${lifecycle}}`,
    expected: [],
  })),
  { reason: 'no other lifecycle', spec: '{repository: a, packageName: b, lifecycle: Final}', expected: ['spec.lifecycle enum'] },
  ...['resource-merge', 'fast-forward', 'force-delete-replace', 'copy-merge'].map((strategy) => ({
    reason: `the strategy ${strategy}`,
    spec: `{${WHERE}, source: {upgrade: {strategy: ${strategy}}}}`,
    expected: [],
  })),
  {
    reason: 'no other strategy, and no other type of a clone',
    spec: `{${WHERE}, source: {upgrade: {strategy: merge}, cloneFrom: {type: oci}}}`,
    expected: ['spec.source.upgrade.strategy enum', 'spec.source.cloneFrom.type enum'],
  },
  {
    reason: 'the type of each field',
    spec: '{repository: 1, packageName: 2, workspaceName: 3, revision: 1.5, lifecycle: Draft, source: [], packageMetadata: [], parent: [], tasks: {}, readinessGates: {}, subpackageOperation: []}',
    expected: [
      'repository',
      'packageName',
      'workspaceName',
      'revision',
      'source',
      'packageMetadata',
      'parent',
      'tasks',
      'readinessGates',
      'subpackageOperation',
    ].map((field) => `spec.${field} type`),
  },
  {
    reason: 'the type of each field below',
    spec: `{${WHERE}, packageMetadata: {labels: {a: 1}, annotations: {b: 2}}, tasks: [c], readinessGates: [{conditionType: 3}, d]}`,
    expected: [
      'packageMetadata.labels.a',
      'packageMetadata.annotations.b',
      'tasks[0]',
      'readinessGates[0].conditionType',
      'readinessGates[1]',
    ].map((field) => `spec.${field} type`),
  },
  {
    reason: 'the type of each source',
    spec: `{${WHERE}, source: {init: [], cloneFrom: [], copyFrom: [], upgrade: []}}`,
    expected: ['init', 'cloneFrom', 'copyFrom', 'upgrade'].map((field) => `spec.source.${field} type`),
  },
  {
    reason: 'the type of each field of a source',
    spec: `{${WHERE}, source: {init: {description: 1, keywords: [2], site: 3}, cloneFrom: {upstreamRef: a, git: []}, upgrade: {currentPackage: a, oldUpstream: b, newUpstream: c}}}`,
    expected: [
      'init.description',
      'init.keywords[0]',
      'init.site',
      'cloneFrom.upstreamRef',
      'cloneFrom.git',
      'upgrade.currentPackage',
      'upgrade.oldUpstream',
      'upgrade.newUpstream',
    ].map((field) => `spec.source.${field} type`),
  },
  {
    reason: 'a reference must have a name',
    spec: `{${WHERE}, source: {copyFrom: {}, cloneFrom: {upstreamRef: {namespace: a}}}}`,
    expected: [
      'spec.source.copyFrom.name required',
      'spec.source.cloneFrom.upstreamRef.name required',
      'spec.source.cloneFrom.upstreamRef.namespace additionalProperties',
    ],
  },
  {
    reason: 'the name of a reference is a text and not empty',
    spec: `{${WHERE}, source: {copyFrom: {name: ""}, cloneFrom: {upstreamRef: {name: 1}}}}`,
    expected: ['spec.source.copyFrom.name minLength', 'spec.source.cloneFrom.upstreamRef.name type'],
  },
  {
    reason: 'a folder in git must have an address, a folder and a ref',
    spec: `{${WHERE}, source: {cloneFrom: {git: {secretRef: {}}}}}`,
    expected: ['repo required', 'directory required', 'ref required', 'secretRef.name required'].map(
      (fault) => `spec.source.cloneFrom.git.${fault}`,
    ),
  },
  {
    reason: 'the type of each field of a folder in git, and no other field',
    spec: `{${WHERE}, source: {cloneFrom: {git: {repo: 1, directory: 2, ref: 3, secretRef: a, commit: b}}}}`,
    expected: ['repo type', 'directory type', 'ref type', 'secretRef type', 'commit additionalProperties'].map(
      (fault) => `spec.source.cloneFrom.git.${fault}`,
    ),
  },
  {
    reason: 'no other field',
    spec: `{${WHERE}, upstream: {}, packageMetadata: {name: a}, source: {edit: {}, init: {name: a}, cloneFrom: {name: a}, upgrade: {name: a}}}`,
    expected: ['upstream', 'packageMetadata.name', 'source.edit', 'source.init.name', 'source.cloneFrom.name', 'source.upgrade.name'].map(
      (field) => `spec.${field} additionalProperties`,
    ),
  },
])('the spec of a PackageRevision: $reason', ({ spec, expected }) => {
  expect(misfits(PACKAGE_REVISION_SCHEMA, `${HEAD}spec: ${spec}\n`)).toEqual(expected)
})

test.each([
  {
    reason: 'the locks, and fields of later versions',
    status: '{revision: 3, publishedBy: a, upstreamLock: {type: git, git: {repo: a, directory: b, ref: c, commit: d}}, selfLock: {}}',
    expected: [],
  },
  {
    reason: 'the type of each field',
    status: '{revision: v3, upstreamLock: [], selfLock: []}',
    expected: ['revision', 'upstreamLock', 'selfLock'].map((field) => `status.${field} type`),
  },
  ...['upstreamLock', 'selfLock'].flatMap((lock) => [
    {
      reason: `the type of each field of ${lock}`,
      status: `{${lock}: {type: 1, git: []}}`,
      expected: [`status.${lock}.type type`, `status.${lock}.git type`],
    },
    {
      reason: `the type of each field of git in ${lock}`,
      status: `{${lock}: {git: {repo: 1, directory: 2, ref: 3, commit: 4}}}`,
      expected: ['repo', 'directory', 'ref', 'commit'].map((field) => `status.${lock}.git.${field} type`),
    },
  ]),
])('the status of a PackageRevision: $reason', ({ status, expected }) => {
  expect(misfits(PACKAGE_REVISION_SCHEMA, `${HEAD}spec: {${WHERE}}\nstatus: ${status}\n`)).toEqual(expected)
})
