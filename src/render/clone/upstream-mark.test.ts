import { expect, test } from 'vitest'
import { packageOfTexts, textsOf } from '../../../testdata/package-of-texts.ts'
import { kptfileText } from '../../../testdata/written-objects.ts'
import { asRecord } from '../../json.ts'
import { isBytes, type MergedObject } from '../../merge/package-files.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { UPSTREAM_IDENTIFIER } from '../../well-known.ts'
import { finishClone, prepareClone } from './clone-package.ts'
import { dropMergeComment, hasSharedAnnotations, markUpstream } from './upstream-mark.ts'

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

const marked = (comment: string, metadata: string, identifier: string) =>
  `metadata: # kpt-merge: ${comment}\n${metadata}  annotations:\n    internal.kpt.dev/upstream-identifier: '${identifier}'\n`

test.each([
  ['a namespace', 'kind: A\n', 'metadata:\n  name: a\n  namespace: n\n', 'n/a', '|A|n|a'],
  ['labels alone', 'kind: A\n', 'metadata:\n  labels: {b: c}\n', '/', '|A|default|'],
  ['a namespace alone', 'kind: A\n', 'metadata:\n  namespace: n\n', 'n/', '|A|n|'],
  ['a merge comment of another name', 'kind: A\n', 'metadata: # kpt-merge: up/one\n  name: a\n', 'up/one', '|A|up|one'],
])('a resource with %s is marked with its name in upstream', (_what, head, metadata, comment, identifier) => {
  const object = KrmObject.fromDocument(`${head}${metadata}`)
  markUpstream(object)
  expect(object.toText()).toBe(head + marked(comment, metadata.replace(/^.*\n/, ''), identifier))
})

test('the identifier of a resource has its group, without the version', () => {
  const object = KrmObject.fromDocument('apiVersion: apps/v1\nkind: A\nmetadata:\n  name: a\n')
  markUpstream(object)
  expect(object.annotations.get(UPSTREAM_IDENTIFIER)).toBe('apps|A|default|a')
})

test('a resource is marked with the name that is given, unless its comment has one', () => {
  const object = KrmObject.fromDocument('kind: A\nmetadata:\n  name: a\n  namespace: n\n')
  markUpstream(object, { namespace: '', name: 'one' })
  expect(object.toText()).toBe(`kind: A\n${marked('/one', '  name: a\n  namespace: n\n', '|A|default|one')}`)
  markUpstream(object, { namespace: '', name: 'two' })
  expect(object.toText()).toBe(`kind: A\n${marked('/one', '  name: a\n  namespace: n\n', '|A|default|one')}`)
})

test.each([
  ['in flow style', '{kind: A, metadata: {name: a}}\n'],
  ['in flow style below a comment', '# one\n\n{kind: A, metadata: {name: a}}\n'],
  ['that is a List', 'kind: List\nmetadata:\n  name: a\n'],
  ['without name, namespace and labels', 'kind: A\nmetadata:\n  annotations: {b: c}\n'],
  ['with a merge comment that has no slash', 'kind: A\nmetadata: # kpt-merge: a\n  name: a\n'],
])('a resource %s is not marked', (_what, text) => {
  const object = KrmObject.fromDocument(text)
  markUpstream(object, { namespace: 'n', name: 'one' })
  expect(object.toText()).toBe(text)
})

test.each([
  ['# kpt-merge: up/one', 'metadata:\n'],
  ['# kpt-merge: one', 'metadata: # kpt-merge: one\n'],
  ['# mine', 'metadata: # mine\n'],
])('of a resource with the comment %s the line stays %j', (comment, line) => {
  const object = KrmObject.fromDocument(`kind: A\nmetadata: ${comment}\n  name: a\n`)
  dropMergeComment(object)
  expect(object.toText()).toBe(`kind: A\n${line}  name: a\n`)
})

test.each([
  ['that are an alias', 'metadata:\n  name: a\n  labels: &l {x: y}\n  annotations: *l\n', true],
  ['that an alias stands for', 'metadata:\n  name: a\n  annotations: &l {x: y}\nspec: *l\n', true],
  ['in metadata that an alias stands for', 'metadata: &m\n  name: a\nspec: *m\n', true],
  ['beside an alias', 'metadata:\n  name: a\n  labels: &l {x: y}\n  annotations: {b: c}\nspec: *l\n', false],
  ['beside a star', 'metadata:\n  name: a\n  annotations: {b: "*"}\n', false],
])('a resource with annotations %s shares them: see %s', (_what, text, expected) => {
  const object = KrmObject.fromDocument(`kind: A\n${text}`)
  expect(hasSharedAnnotations(object)).toBe(expected)
  expect(object.toText()).toBe(`kind: A\n${text}`)
})
