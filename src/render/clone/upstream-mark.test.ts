import { expect, test } from 'vitest'
import { packageOfTexts, textsOf } from '../../../testdata/package-of-texts.ts'
import { kptfileText } from '../../../testdata/written-objects.ts'
import { asRecord } from '../../json.ts'
import { isBytes, type MergedObject } from '../../merge/package-files.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { finishClone, prepareClone } from './clone-package.ts'

const KPTFILE = kptfileText('web')
const ORIGIN = { repo: 'catalog', directory: '/web', ref: 'v1', resolvedRef: 'v1' }

/** The text of a resource in a clone of a package that has it. */
function cloned(text: string): string | undefined {
  const upstream = packageOfTexts({ Kptfile: KPTFILE, 'a.yaml': text })
  const downstream = { name: 'web', packagePath: 'web', origin: ORIGIN, updateStrategy: 'resource-merge' } as const
  const files = finishClone(prepareClone(upstream, 'kpt'), downstream)
  const content = files.get('a.yaml')
  if (content === undefined || isBytes(content)) throw new Error('a.yaml holds a resource')
  const objects = content.map(({ source, object }): MergedObject => ({ from: 'theirs', source, object }))
  return textsOf(new Map([['a.yaml', objects]]))['a.yaml']
}

test.each([
  {
    reason: 'annotations behind an alias stay there, and the comment by which updates go is written',
    text: 'kind: A\nmetadata:\n  name: a\n  labels: &l\n    x: y\n  annotations: *l\n',
    expected: 'kind: A\nmetadata: # kpt-merge: /a\n  name: a\n  labels: &l\n    x: y\n  annotations: *l\n',
  },
  {
    reason: 'annotations that an alias stands for stay as they are',
    text: 'kind: A\nmetadata:\n  name: a\n  annotations: &l\n    x: y\nspec: *l\n',
    expected: 'kind: A\nmetadata: # kpt-merge: /a\n  name: a\n  annotations: &l\n    x: y\nspec: *l\n',
  },
  {
    reason: 'nor is the mark of Config Connector written there',
    text: 'apiVersion: iam.cnrm.cloud.google.com/v1beta1\nkind: A\nmetadata:\n  name: a\n  labels: &l\n    x: y\n  annotations: *l\n',
    expected:
      'apiVersion: iam.cnrm.cloud.google.com/v1beta1\nkind: A\nmetadata: # kpt-merge: /a\n  name: a\n  labels: &l\n    x: y\n  annotations: *l\n',
  },
  {
    reason: 'beside an alias elsewhere the annotation is written',
    text: 'kind: A\nmetadata:\n  name: a\n  labels: &l\n    x: y\nspec: *l\n',
    expected:
      "kind: A\nmetadata: # kpt-merge: /a\n  name: a\n  labels: &l\n    x: y\n  annotations:\n    internal.kpt.dev/upstream-identifier: '|A|default|a'\nspec: *l\n",
  },
  {
    reason: 'metadata behind an alias have no line for the comment',
    text: 'x: &m\n  name: a\nkind: A\nmetadata: *m\n',
    expected: 'x: &m\n  name: a\nkind: A\nmetadata: *m\n',
  },
  {
    reason: 'nor have metadata that an alias stands for an annotation more',
    text: 'kind: A\nmetadata: &m\n  name: a\nspec: *m\n',
    expected: 'kind: A\nmetadata: &m # kpt-merge: /a\n  name: a\nspec: *m\n',
  },
])('a clone of a resource with aliases: $reason', ({ text, expected }) => {
  expect(cloned(text)).toBe(expected)
})

test.each(['"a\\u0001"', '"a\\n  labels: {x: y}\\n  #"', '"a\\r"', '"a\\u2028b"', '"a\\u202eb"', '"a "'])(
  'a clone of a resource with the name %s has no merge comment, and all else as upstream has it',
  (name) => {
    const text = `kind: A\nmetadata:\n  name: ${name}\n`
    const clone = KrmObject.fromDocument(cloned(text) ?? '')
    expect(clone.toText()).toContain('\nmetadata:\n')
    for (const character of ['\u0001', '\r', '\u2028']) expect(clone.toText()).not.toContain(character)
    const { annotations: _, ...metadata } = asRecord(clone.get(['metadata']))
    expect(metadata).toEqual(KrmObject.fromDocument(text).get(['metadata']))
  },
)
