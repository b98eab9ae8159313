import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { formatResult } from '../result.ts'
import { findingsFor, type SystemName } from './compatibility.ts'

function findings(system: SystemName, ...objects: readonly JsonRecord[]): readonly string[] {
  const items = objects.map((value, index) => KrmObject.fromDocument(JSON.stringify(value), { path: 'f.yaml', index, line: index + 1 }))
  return findingsFor(system, [], items).map((result) => formatResult(result).replace(/^f\.yaml:(\d+):\d+: /, '$1 '))
}

const kptfile = (more: JsonRecord): JsonRecord => ({ apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'a' }, ...more })

test('a program, in a mutator or a validator, runs only where kpt may run programs', () => {
  const pipeline = { mutators: [{ exec: 'sed' }, { image: 'a/b:v1' }], validators: [{ exec: '' }] }
  const message = 'runs with kpt only where `kpt fn render --allow-exec` is called on a machine that has the program [kpt-needs-allow-exec]'
  expect(findings('kpt', kptfile({ pipeline }))).toEqual([
    `1 warning: \`pipeline.mutators[0].exec\` ${message}`,
    `1 warning: \`pipeline.validators[0].exec\` ${message}`,
  ])
})

test('an image that is no reference is an error in a Kptfile, and not in a template, which another check judges', () => {
  const functions = { mutators: [{ image: 'A B' }, { image: '' }, { image: 'a/b:v1' }] }
  expect(findings('kpt', kptfile({ pipeline: functions }))).toEqual([
    "1 error: `pipeline.mutators[0].image` must be an image reference such as gcr.io/kpt-fn/set-labels:v0.2.0, got 'A B' [function-image]",
  ])
  const variant = {
    apiVersion: 'config.porch.kpt.dev/v1alpha1',
    kind: 'PackageVariant',
    metadata: { name: 'a' },
    spec: { pipeline: functions },
  }
  expect(findings('kpt', variant)).toEqual([])
})

test('beta.56 alone refuses a Kptfile with a renderStatus, an empty one too', () => {
  const items = [
    kptfile({ status: { renderStatus: {} } }),
    kptfile({ status: { conditions: [] } }),
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, status: { renderStatus: {} } },
  ]
  expect(findings('kpt@beta.56', ...items)).toEqual([
    '1 error: `status.renderStatus` must not be set for kpt 1.0.0-beta.56, which refuses the Kptfile; newer versions write the field [kpt-unknown-field]',
  ])
  for (const system of ['kpt', 'kpt@1.0', 'kpt@beta.67', 'krm-variants'] as const) expect(findings(system, ...items)).toEqual([])
})

test.each([
  [{ kind: 'ConfigMapList', items: [] }, true],
  [{ kind: 'List', items: [{ kind: 'A' }], metadata: {} }, true],
  [{ kind: 'List', items: [], metadata: { name: '' } }, true],
  [{ kind: 'List', items: [], metadata: { name: 'all' } }, false],
  [{ kind: 'List', items: {} }, false],
  [{ kind: 'Listing', items: [] }, false],
  [{ items: [] }, false],
])('kpt refuses the list %j without a name: %s', (object: JsonRecord, isRefused) => {
  expect(findings('kpt@beta.67', { apiVersion: 'v1', ...object })).toEqual(
    isRefused
      ? [
          expect.stringMatching(
            /^1 error: `metadata(\.name)?` must be set for kpt 1\.0\.0-beta\.67, which refuses a list without a name \[not-a-resource\]$/,
          ),
        ]
      : [],
  )
})

test.each([
  [
    'fleet.krm-variants.dev/v1alpha1',
    'PackageVariantMatrix',
    'which refuses it without our CustomResourceDefinition; there no controller makes its variants: apply those that fan-out makes',
  ],
  [
    'fleet.krm-variants.dev/v1alpha1',
    'PackageRevisionSet',
    'which refuses it without our CustomResourceDefinition; there nothing reads it',
  ],
  ['fleet.krm-variants.dev/v1alpha1', 'FleetPolicy', 'which refuses it without our CustomResourceDefinition; there nothing judges by it'],
  ['fleet.krm-variants.dev/v1alpha1', 'Other', 'which has no such kind'],
  ['fn.krm-variants.dev/v1alpha1', 'FleetPolicy', 'which has no such kind'],
  ['example.com/v1', 'FleetPolicy', undefined],
])('of %s %s kpt and Config Sync must be kept away', (apiVersion, kind, where) => {
  const object = (annotations: JsonRecord) => ({ apiVersion, kind, metadata: { name: 'a', annotations } })
  const local = 'config.kubernetes.io/local-config'
  expect(findings('kpt', object({ [local]: 'true' }))).toEqual([])
  for (const annotations of [{}, { [local]: 'false' }])
    expect(findings('kpt', object(annotations)).map((line) => line.replace(/^1 warning: `metadata\.annotations\S*` /, ''))).toEqual(
      where === undefined
        ? []
        : [`must be 'true', so that kpt and Config Sync do not send ${kind} to the API server, ${where} [kpt-unknown-kind]`],
    )
})
