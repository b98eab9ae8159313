import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { conditionFaults, pipelinePaths, stepCondition } from './condition.ts'
import { nearestOlder, resolveImage, versionFor } from './image.ts'
import type { Selector } from './pipeline-steps.ts'
import { isSelected, type SelectableItem } from './select.ts'

const objectOf = (value: JsonRecord) => KrmObject.fromDocument(JSON.stringify(value), { path: 'a.yaml', index: 0, line: 1 })
const WEB = objectOf({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', labels: { app: 'web', tier: 'front' } },
})

function selector(
  fields: Partial<Omit<Selector, 'labels' | 'annotations'>> & { labels?: Record<string, string>; annotations?: Record<string, string> },
): Selector {
  const { labels = {}, annotations = {}, ...texts } = fields
  return {
    ...{ apiVersion: '', kind: '', name: '', namespace: '', ...texts },
    labels: new Map(Object.entries(labels)),
    annotations: new Map(Object.entries(annotations)),
  }
}

const CANDIDATE: SelectableItem = { item: { object: WEB } as SelectableItem['item'], annotations: new Map([['note', 'x']]) }

test.each([
  ['the kind', { kind: 'Deployment' }, true],
  ['another kind', { kind: 'Service' }, false],
  ['the version', { apiVersion: 'apps/v1' }, true],
  ['another version', { apiVersion: 'apps/v2' }, false],
  ['the name', { name: 'web' }, true],
  ['a part of the name', { name: 'we' }, false],
  ['the namespace', { namespace: 'shop' }, true],
  ['another namespace', { namespace: 'x' }, false],
  ['a label', { labels: { app: 'web' } }, true],
  ['one label of two', { labels: { app: 'web', tier: 'back' } }, false],
  ['an annotation', { annotations: { note: 'x' } }, true],
  ['another annotation', { annotations: { note: 'y' } }, false],
  ['the kind and another name', { kind: 'Deployment', name: 'x' }, false],
  ['nothing', {}, true],
])('a selector of %s selects the item: %s', (_what, fields, expected) => {
  expect(isSelected(CANDIDATE, [selector(fields)], [])).toBe(expected)
})

test('one of several selectors is enough, and without selectors every item is selected', () => {
  expect(isSelected(CANDIDATE, [selector({ kind: 'Service' }), selector({ name: 'web' })], [])).toBe(true)
  expect(isSelected(CANDIDATE, [], [])).toBe(true)
})

test('an entry of exclude takes the item away, but for an empty one', () => {
  expect(isSelected(CANDIDATE, [], [selector({ kind: 'Deployment' })])).toBe(false)
  expect(isSelected(CANDIDATE, [selector({ name: 'web' })], [selector({ labels: { app: 'web' } })])).toBe(false)
  expect(isSelected(CANDIDATE, [], [selector({ annotations: { note: 'x' } })])).toBe(false)
  expect(isSelected(CANDIDATE, [], [selector({})])).toBe(true)
  expect(isSelected(CANDIDATE, [], [selector({ kind: 'Service' })])).toBe(true)
})

test('a condition sees the resources, with an empty name for one without metadata', () => {
  expect(stepCondition('')).toBeUndefined()
  expect(stepCondition('resources.size() > 0')?.holds([])).toBe(false)
  expect(stepCondition("resources.exists(r, r.metadata.name == '')")?.holds([{ kind: 'A' }])).toBe(true)
  expect(stepCondition("resources.exists(r, r.metadata.name == 'a')")?.holds([{ metadata: { name: 'a' } }])).toBe(true)
})

test.each([
  ['no text', undefined, []],
  ['an empty text', '', []],
  ['a test', 'resources.size() > 0', []],
  ['a number', 'resources.size()', ['must give true or false']],
  ['an unknown name', 'nope', ['must compile: 1:1: undeclared reference']],
])('the condition of %s has its fault', (_what, when, messages) => {
  const faults = conditionFaults(when === undefined ? {} : { when }, ['pipeline'])
  expect(faults.map(({ message }) => message)).toEqual(messages.map((message) => expect.stringContaining(message)))
})

test('the pipelines of an object are where its kind has them', () => {
  const paths = (kind: string, spec: JsonRecord = {}) =>
    pipelinePaths(objectOf({ apiVersion: 'v1', kind, metadata: { name: 'a' }, spec })).map((path) => path.join('.'))
  expect(paths('Kptfile')).toEqual(['pipeline'])
  expect(paths('PackageVariant')).toEqual(['spec.pipeline'])
  expect(paths('PackageVariantSet', { targets: [{}, {}] })).toEqual([
    'spec.targets.0.template.pipeline',
    'spec.targets.1.template.pipeline',
  ])
  expect(paths('PackageVariantMatrix', { overrides: [{}] })).toEqual(['spec.template.pipeline', 'spec.overrides.0.template.pipeline'])
  expect(paths('ConfigMap')).toEqual([])
})

const VERSIONS = ['v0.4.5', 'v0.4.1', 'v0.3.2']
const image = (tag: string, digest = '') => ({ repository: 'a/b', tag, digest })

test('a digest is no built-in version, and a function without versions has any', () => {
  expect(versionFor(VERSIONS, image('v0.4.5', 'sha256:1'))).toBeUndefined()
  expect(versionFor([], image('v9'))).toBe('')
  expect(versionFor(VERSIONS, image('>=0.3.0 <0.4.0'))).toBe('v0.3.2')
})

test.each([
  ['v0.4.3', '', 'v0.4.1'],
  ['v0.4.1', '', 'v0.4.1'],
  ['v9.0.0', '', 'v0.4.5'],
  ['v0.1.0', '', undefined],
  ['main', '', undefined],
  ['', 'sha256:1', 'v0.4.5'],
  ['', '', undefined],
])('the built-in version for the tag %j and the digest %j is %s', (tag, digest, version) => {
  expect(nearestOlder(VERSIONS, image(tag, digest))).toBe(version)
})

test('a tag field replaces the tag and the digest of an image', () => {
  const digest = `sha256:${'0'.repeat(64)}`
  expect(resolveImage(`a/b@${digest}`, 'v2', 'p')).toEqual({ repository: 'a/b', tag: 'v2', digest: '' })
  expect(resolveImage(`a/b:v1@${digest}`, '', 'p')).toEqual({ repository: 'a/b', tag: 'v1', digest })
})
