import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
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

const CANDIDATE: SelectableItem = { item: { object: WEB }, annotations: new Map([['note', 'x']]) }

test.each([
  ['the kind', { kind: 'Deployment' }, true],
  ['another kind', { kind: 'Service' }, false],
  ['the version', { apiVersion: 'apps/v1' }, true],
  ['another version', { apiVersion: 'apps/v2' }, false],
  ['the name', { name: 'web' }, true],
  ['a part of the name', { name: 'we' }, false],
  ['the name and another label', { name: 'web', labels: { app: 'x' } }, false],
  ['a label of the annotations', { labels: { note: 'x' } }, false],
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
  expect(isSelected(CANDIDATE, [], [selector({ kind: 'Service' }), selector({ namespace: 'shop' })])).toBe(false)
})

test('an item without a name and a namespace is selected by a kind, and not by a name or a namespace', () => {
  const bare = { item: { object: objectOf({ kind: 'Deployment' }) }, annotations: new Map<string, string>() }
  expect(isSelected(bare, [selector({ kind: 'Deployment' })], [])).toBe(true)
  for (const fields of [{ name: 'web' }, { namespace: 'shop' }, { apiVersion: 'v1' }])
    expect(isSelected(bare, [selector(fields)], [])).toBe(false)
})
