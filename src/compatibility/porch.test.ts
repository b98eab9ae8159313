import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { formatResult } from '../result.ts'
import { findingsFor, type SystemName } from './compatibility.ts'

/** Returns the findings, each with the number of its object, those of some rules if any are given. */
function findings(system: SystemName, objects: readonly JsonRecord[], ...rules: readonly string[]): readonly string[] {
  const items = objects.map((value, index) => KrmObject.fromDocument(JSON.stringify(value), { path: 'f.yaml', index, line: index + 1 }))
  return findingsFor(system, [], items)
    .filter(({ tags }) => rules.length === 0 || rules.includes(tags.rule))
    .map((result) => formatResult(result).replace(/^f\.yaml:(\d+):\d+: /, '$1 '))
}

const UPSTREAM = { repo: 'r', package: 'p', workspaceName: 'w' }
const META = { name: 'a' }
const PORCH = 'config.porch.kpt.dev/v1alpha1'

const variant = (spec: JsonRecord, metadata: JsonRecord = META): JsonRecord => ({
  apiVersion: PORCH,
  kind: 'PackageVariant',
  metadata,
  spec: { upstream: UPSTREAM, ...spec },
})
const setOf = (targets: readonly JsonRecord[], metadata: JsonRecord = { name: 's', uid: 'u' }): JsonRecord => ({
  apiVersion: 'config.porch.kpt.dev/v1alpha2',
  kind: 'PackageVariantSet',
  metadata,
  spec: { upstream: UPSTREAM, targets },
})
const KPTFILE = { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: META }

const FN = { image: 'a/b:v1', tag: 'v2', configRef: { kind: 'A' }, when: 'true' }
const REFUSES = 'whose API server refuses the object, or drops the field for a client that asks for no validation, '

test('each field that an API server does not have is an error with what its loss would do', () => {
  const dropped = (system: SystemName) => findings(system, [variant({ pipeline: { validators: [FN] } })], 'porch-drops-field')
  const line = (name: string, field: string, so: string) =>
    `1 error: \`spec.pipeline.validators[0].${field}\` must not be set for ${name}, ${REFUSES}${so} [porch-drops-field]`
  const of = (name: string) => [
    line(name, 'configRef', 'so the function would run without its config; name the file in `configPath`'),
    line(name, 'when', 'so the function would always run'),
  ]
  expect(dropped('porch@1.6')).toEqual(of('Porch 1.6'))
  expect(dropped('porch@1.5')).toEqual(of('Porch 1.5'))
  expect(dropped('porch@1.5.3')).toEqual([
    line('Porch 1.5.3', 'tag', 'so the function would run with the tag of `image`, or with `latest`'),
    ...of('Porch 1.5.3'),
  ])
  expect(dropped('porch@main')).toEqual([])
})

test.each([
  ['porch@1.5.3', 'the kpt 1.0.0-beta.48 in Porch 1.5.3', ['tag', 'configRef', 'when']],
  ['porch@1.5', 'the kpt 1.0.0-beta.62 in Porch 1.5', ['configRef', 'when']],
  ['porch@1.6', 'the kpt in Porch 1.6', ['configRef', 'when']],
  ['porch@main', '', []],
] as const)('a Kptfile with fields that the kpt in %s does not know is refused', (system, name, fields) => {
  const found = findings(system, [{ ...KPTFILE, pipeline: { mutators: [FN] } }], 'porch-refuses-kptfile', 'porch-drops-field')
  expect(found.map((line) => line.replace(/;.*$/, ''))).toEqual(
    fields.map((field) => `1 error: \`pipeline.mutators[0].${field}\` must not be set for ${name}, which refuses the Kptfile`),
  )
})

test('an injection point is dropped from a variant, from each target of a set and each template of a matrix', () => {
  const template = { injectors: [{ name: 'x' }, { name: 'y', point: 'z' }] }
  const matrix = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: META,
    spec: { template, upstreams: [{ ...UPSTREAM, template }], targets: [{ template }], overrides: [{}, { template }] },
  }
  const objects = [variant(template), setOf([{}, { template }]), matrix, { ...KPTFILE, spec: template }]
  const lines = findings('porch', objects, 'porch-drops-field')
  expect(lines.map((line) => line.replace(/ must .*$/, ''))).toEqual([
    '1 error: `spec.injectors[1].point`',
    '2 error: `spec.targets[1].template.injectors[1].point`',
    '3 error: `spec.template.injectors[1].point`',
    '3 error: `spec.upstreams[0].template.injectors[1].point`',
    '3 error: `spec.targets[0].template.injectors[1].point`',
    '3 error: `spec.overrides[1].template.injectors[1].point`',
  ])
  expect(lines[0]).toContain(`${REFUSES}so one source would go to every injection point of its kind`)
})

test('a program is an error in a Kptfile and a variant; that of a set is found in the variants', () => {
  const pipeline = { mutators: [{ exec: 'sed' }] }
  const objects = [{ ...KPTFILE, pipeline }, variant({ pipeline }), setOf([{ template: { pipeline } }])]
  const message = 'must be an image for Porch, which runs no programs: every render of the package fails [porch-runs-no-programs]'
  expect(findings('porch', objects)).toEqual([
    `1 error: \`pipeline.mutators[0].exec\` ${message}`,
    `2 error: \`spec.pipeline.mutators[0].exec\` ${message}`,
  ])
})

test.each([
  [{ mutators: [{ image: 'a/b:v1' }], validators: [{ image: 'a/b:v1' }] }, '2 functions'],
  [{ validators: [{ image: 'a/b:v1' }] }, '1 function'],
  [{ mutators: [] }, undefined],
])('a variant with a dot in its name and the pipeline %j gets functions again and again', (pipeline, count) => {
  const lines = (object: JsonRecord) => findings('porch', [object], 'porch-dotted-name')
  expect(lines(variant({ pipeline }, { name: 'a.b' }))).toEqual(
    count === undefined
      ? []
      : [
          `1 error: \`metadata.name\` must be without a dot for Porch, which else adds ${count} of \`spec.pipeline\` to the Kptfile once more with every reconcile [porch-dotted-name]`,
        ],
  )
  expect(lines(variant({ pipeline }, { name: 'ab' }))).toEqual([])
  expect(lines({ ...variant({ pipeline }, { name: 'a.b' }), kind: 'PackageVariantSet' })).toEqual([])
})

test('a FunctionConfig is refused by a version without the kind', () => {
  const config = { apiVersion: PORCH, kind: 'FunctionConfig', metadata: META, spec: { image: 'starlark' } }
  expect(findings('porch@1.5', [config])).toEqual([
    "1 warning: `kind` must not be 'FunctionConfig' for Porch 1.5, which has no such kind: the API server refuses the object, and 'starlark' runs as without it [porch-no-function-config]",
  ])
  expect(findings('porch@main', [config])).toEqual([])
})

test('a set without a uid stalls at its own variants, unless they or the set say otherwise', () => {
  const owned = (name: string, more: JsonRecord = {}, owner = 'default/s') =>
    variant({}, { name, annotations: { 'krm-variants.dev/package-variant-set': owner }, ...more })
  const blocked = (metadata: JsonRecord, ...variants: readonly JsonRecord[]) =>
    findings('porch', [setOf([], metadata), ...variants], 'porch-blocked-set')
  const bare = { name: 's' }
  expect(blocked(bare, owned('a'), owned('b'))).toEqual([
    "1 warning: `metadata.uid` must be that of the set in the cluster: without it, Porch's controller takes 2 PackageVariants of the set in these files for those of others, and stalls; apply the set only, or the variants only, or write the uid into the variants (krm-variants adopt) [porch-blocked-set]",
  ])
  expect(blocked(bare, owned('a'), owned('b', { labels: { 'config.porch.kpt.dev/packagevariantset': 'uid-1' } }))).toEqual([
    expect.stringContaining(' takes 1 PackageVariant of the set '),
  ])
  expect(blocked(bare, owned('a', {}, 'other/s'), owned('b', {}, 'default/t'))).toEqual([])
  expect(blocked({ name: 's', namespace: 'other' }, owned('a', {}, 'other/s'))).toHaveLength(1)
  expect(blocked({ name: 's', uid: 'u' }, owned('a'))).toEqual([])
  expect(blocked({ name: 's', annotations: { 'config.kubernetes.io/local-config': 'true' } }, owned('a'))).toEqual([])
})

test.each(['string-revision', 'not-in-api', 'single-entry', 'ignored-by-porch', 'upstream-revision', 'function-program'] as const)(
  'the warning %s is an error for Porch alone',
  (rule) => {
    const result = { severity: 'warning', message: 'm', tags: { rule } } as const
    expect(findingsFor('porch', [result], [])).toEqual([{ ...result, severity: 'error' }])
    expect(findingsFor('kpt', [result], [])).toEqual([result])
    expect(findingsFor('porch', [{ ...result, severity: 'info' }], [])).toEqual([{ ...result, severity: 'info' }])
  },
)
