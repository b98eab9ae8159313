import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { UPSTREAM_IDENTIFIER } from '../well-known.ts'
import {
  annotatedIdentity,
  BLUEPRINT,
  identitiesAsAnnotated,
  identityIn,
  mergeComment,
  ownText,
  readMergeComment,
  withCloneMarksOf,
  withoutCloneMarks,
  withPackage,
} from './clone-marks.ts'
import { config, mergeTexts } from './testing/merge-of-texts.ts'

const annotated = (...annotations: string[]) => config('a', 'one', `  annotations:\n${annotations.map((each) => `    ${each}\n`).join('')}`)

const crlf = (text: string) => text.replaceAll('\n', '\r\n')

test.each<[string, string, string]>([
  ['a merge comment', config('a'), config('a').replace('metadata:', 'metadata: # kpt-merge: /a')],
  ['a merge comment without a space', config('a'), config('a').replace('metadata:', 'metadata: #kpt-merge: /a')],
  ['a merge comment with several spaces', config('a'), config('a').replace('metadata:', 'metadata: \t#  kpt-merge: /a')],
  ['a merge comment in a file with CRLF', crlf(config('a')), crlf(config('a').replace('metadata:', 'metadata: # kpt-merge: /a'))],
  ['an identifier', config('a'), annotated("internal.kpt.dev/upstream-identifier: '|ConfigMap|default|a'")],
  ['an identifier with quotes', config('a'), annotated(`'internal.kpt.dev/upstream-identifier': "|ConfigMap|default|a"`)],
  ['an identifier with double quotes', config('a'), annotated(`"internal.kpt.dev/upstream-identifier":   x`)],
  ['several annotations', config('a'), annotated('internal.kpt.dev/upstream-identifier: x', "config.kubernetes.io/index: '0'")],
  ['one before an annotation of the package', annotated('a.b/c: d'), annotated('internal.kpt.dev/upstream-identifier: x', 'a.b/c: d')],
  ['one behind an annotation of the package', annotated('a.b/c: d'), annotated('a.b/c: d', 'internal.kpt.dev/upstream-identifier: x')],
  [
    'a package beside another maker',
    annotated('cnrm.cloud.google.com/blueprint: cnrm/x'),
    annotated('cnrm.cloud.google.com/blueprint: cnrm/x,krm-pkg'),
  ],
  [
    'a package in quotes',
    annotated(`cnrm.cloud.google.com/blueprint: 'kpt-fn'`),
    annotated(`cnrm.cloud.google.com/blueprint: 'kpt-pkg-fn'`),
  ],
  ['a package alone', config('a'), annotated('cnrm.cloud.google.com/blueprint: "krm-pkg"')],
  ['blank lines at the end', config('a'), `${config('a')}\n\n`],
  ['spaces at the ends of lines', config('a'), config('a').replace('metadata:', 'metadata:  ')],
])('a resource with %s of a clone is no edit', (_, base, ours) => {
  expect(mergeTexts({ base: { 'a.yaml': base }, theirs: {}, ours: { 'a.yaml': ours } })).toMatchObject({ files: {}, messages: [] })
})

test.each<[string, string, string]>([
  ['an annotation without a value', config('a'), annotated("example.com/empty: ''")],
  ['an annotation beside one of the clone', config('a'), annotated('internal.kpt.dev/upstream-identifier: x', 'mine: x')],
  ['an annotation named like one of the clone', config('a'), annotated('internal.kpt.dev/upstream-identifier-of: x')],
  ['another maker', config('a'), annotated('cnrm.cloud.google.com/blueprint: cnrm/x,krm-pkg')],
  [
    'a merge comment behind a field metadata further in',
    config('a').replace('data:\n', 'data:\n  metadata:\n'),
    config('a').replace('data:\n', 'data:\n  metadata: # kpt-merge: /a\n'),
  ],
  ['another comment behind metadata', config('a'), config('a').replace('metadata:', 'metadata: # kpt-merged: /a')],
  ['a merge comment elsewhere', config('a'), config('a').replace('data:\n  a', 'data: # kpt-merge: /a\n  a')],
  ['annotations without any', config('a'), config('a').replace('data:\n  a', '  annotations:\ndata:\n  a')],
  ['fewer annotations', annotated('a.b/c: d'), annotated('internal.kpt.dev/upstream-identifier: x')],
])('a resource with %s is edited', (_, base, ours) => {
  const result = mergeTexts({ base: { 'a.yaml': base }, theirs: {}, ours: { 'a.yaml': ours } })
  expect(result).toMatchObject({ files: { 'a.yaml': ours }, outcomes: [{ result: 'kept', contested: true }] })
})

test.each([
  ['', 'krm-pkg'],
  ['cnrm/x', 'cnrm/x,krm-pkg'],
  [',cnrm/x,', 'cnrm/x,krm-pkg'],
  ['kpt-fn', 'kpt-pkg-fn'],
  ['kpt-pkg-fn', 'kpt-pkg-fn'],
  ['krm-pkg', 'krm-pkg'],
  ['cnrm/terraform,kpt-fn', 'cnrm/terraform,kpt-pkg-fn'],
  ['cnrm/kpt-fn', 'cnrm/kpt-fn,krm-pkg'],
  ['my-maker,kpt-fn', 'my-maker,kpt-pkg-fn'],
  ['kpt-fn,krm-fn', 'kpt-pkg-fn,krm-pkg-fn'],
])('the makers %j are with a package %j', (makers, after) => {
  expect(withPackage(makers)).toBe(after)
  expect(withPackage(after)).toBe(after)
})

/** Returns a ConfigMap whose `metadata` is in braces, and so has no place for a merge comment. */
function inBraces(metadata: string, identifier: string | undefined, x: string): string {
  const annotation = identifier === undefined ? '' : `, annotations: {internal.kpt.dev/upstream-identifier: "${identifier}"}`
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {${metadata}${annotation}}\ndata: {${x}}\n`
}

const ONE = '|ConfigMap|default|one'

test.each<[string, string, string, string, string]>([
  [
    'a namespace of their own',
    inBraces('name: one', undefined, 'x: one'),
    inBraces('name: one', undefined, 'x: two'),
    inBraces('name: one, namespace: mine', ONE, 'x: one'),
    inBraces('name: one, namespace: mine', ONE, 'x: two'),
  ],
  [
    "a function's namespace, which upstream changes",
    inBraces('name: one, namespace: team', ONE, 'x: one'),
    inBraces('name: one, namespace: crew', ONE, 'x: two'),
    inBraces('name: one, namespace: team', ONE, 'x: one, y: mine'),
    inBraces('name: one, namespace: crew', ONE, 'x: two, y: mine'),
  ],
  [
    'a copy with another name',
    inBraces('name: one', undefined, 'x: one'),
    inBraces('name: one', undefined, 'x: two'),
    `${inBraces('name: copy', ONE, 'x: one')}---\n${inBraces('name: one', ONE, 'x: one')}`,
    `${inBraces('name: copy', ONE, 'x: one')}---\n${inBraces('name: one', ONE, 'x: two')}`,
  ],
  [
    'an identifier of an earlier upstream',
    inBraces('name: one', '|ConfigMap|default|elder', 'x: one'),
    inBraces('name: one', '|ConfigMap|default|elder', 'x: two'),
    inBraces('name: mine', ONE, 'x: one'),
    inBraces('name: mine', ONE, 'x: two'),
  ],
])('a resource with metadata in braces and %s is found by its identifier', (_, base, theirs, ours, merged) => {
  const result = mergeTexts({ base: { 'a.yaml': base }, theirs: { 'a.yaml': theirs }, ours: { 'a.yaml': ours } })
  expect(result).toMatchObject({ files: { 'a.yaml': merged }, messages: [] })
})

const withAnnotations = (annotations: JsonRecord): JsonRecord => ({ kind: 'A', metadata: { name: 'a', annotations } })
const BARE: JsonRecord = { kind: 'A', metadata: { name: 'a' } }

test.each([
  ['an identifier', { [UPSTREAM_IDENTIFIER]: 'x' }, undefined],
  ['an identifier beside another annotation', { [UPSTREAM_IDENTIFIER]: 'x', b: 'c' }, { b: 'c' }],
  ['a package', { [BLUEPRINT]: 'krm-pkg' }, undefined],
  ['a package beside another maker', { b: 'c', [BLUEPRINT]: 'cnrm/x,krm-pkg' }, { b: 'c', [BLUEPRINT]: 'cnrm/x' }],
  ['an identifier and another maker', { [UPSTREAM_IDENTIFIER]: 'x', [BLUEPRINT]: 'cnrm/x' }, { [BLUEPRINT]: 'cnrm/x' }],
  ['an identifier and makers that are no text', { [UPSTREAM_IDENTIFIER]: 'x', [BLUEPRINT]: 5 }, { [BLUEPRINT]: 5 }],
])('an object with %s loses the marks of the clone', (_what, annotations, left) => {
  expect(withoutCloneMarks(withAnnotations(annotations))).toEqual(left === undefined ? BARE : withAnnotations(left))
})

test('an object without marks of a clone is returned as it is', () => {
  for (const object of [BARE, withAnnotations({}), withAnnotations({ [BLUEPRINT]: 'cnrm/x' }), withAnnotations({ [BLUEPRINT]: 5 })])
    expect(withoutCloneMarks(object)).toBe(object)
})

const IDENTIFIED = (value: string) => withAnnotations({ [UPSTREAM_IDENTIFIER]: value })
const MADE_BY = (makers: string) => withAnnotations({ [BLUEPRINT]: makers })

test.each([
  ['the identifier of the downstream', BARE, IDENTIFIED('mine'), IDENTIFIED('up'), IDENTIFIED('mine')],
  ['no identifier of upstream', BARE, BARE, IDENTIFIED('up'), BARE],
  ['the package of the downstream', BARE, MADE_BY('krm-pkg'), BARE, MADE_BY('krm-pkg')],
  ['the package of upstream', MADE_BY('cnrm/x'), MADE_BY('cnrm/x'), MADE_BY('cnrm/x,krm-pkg'), MADE_BY('cnrm/x,krm-pkg')],
  ['no package where no side has one', MADE_BY('cnrm/x'), MADE_BY('cnrm/x'), MADE_BY('cnrm/x'), MADE_BY('cnrm/x')],
  ['the identifier where upstream has no such resource', BARE, IDENTIFIED('mine'), undefined, IDENTIFIED('mine')],
  [
    'both beside its own annotations',
    withAnnotations({ b: 'c' }),
    withAnnotations({ [UPSTREAM_IDENTIFIER]: 'mine', [BLUEPRINT]: 'kpt-pkg-fn' }),
    BARE,
    withAnnotations({ b: 'c', [UPSTREAM_IDENTIFIER]: 'mine', [BLUEPRINT]: 'krm-pkg' }),
  ],
])('the object that a merge makes has %s', (_what, merged, ours, theirs, after) => {
  expect(withCloneMarksOf(merged, ours, theirs)).toEqual(after)
})

test.each([
  ['# kpt-merge: ns/a', { namespace: 'ns', name: 'a' }],
  ['#kpt-merge:/a  ', { namespace: '', name: 'a' }],
  ['# kpt-merge: ns/a/b', { namespace: 'ns', name: 'a/b' }],
  ['# kpt-merge: ns/', { namespace: 'ns', name: '' }],
  ['# kpt-merge: a', undefined],
  ['# kpt-merged: ns/a', undefined],
  ['# see kpt-merge: ns/a', undefined],
])('the comment %s behind metadata names %j in upstream', (comment, name) => {
  expect(readMergeComment(comment)).toEqual(name)
  expect(mergeComment(KrmObject.fromDocument(`kind: A\nmetadata: ${comment}\n  name: b\n`))).toEqual(name)
})

test('a merge comment behind another field names nothing', () => {
  expect(mergeComment(KrmObject.fromDocument('kind: A\nmetadata:\n  name: b # kpt-merge: ns/a\n'))).toBeUndefined()
})

test('resources are paired by group, kind, namespace and name, the last two as the merge comment has them', () => {
  const of = (apiVersion: string, metadata: string, kind = 'A') =>
    identityIn(KrmObject.fromDocument(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:${metadata}\n`))
  const one = of('apps/v1', '\n  name: a\n  namespace: n')
  expect(of('apps/v2', '\n  name: a\n  namespace: n')).toBe(one)
  expect(of('apps/v1', ' # kpt-merge: n/a\n  name: b\n  namespace: m')).toBe(one)
  const others = [of('batch/v1', '\n  name: a\n  namespace: n'), of('apps/v1', '\n  name: a\n  namespace: n', 'B')]
  for (const other of [...others, of('apps/v1', '\n  name: a'), of('apps/v1', '\n  name: b\n  namespace: n')]) expect(other).not.toBe(one)
})

const IDENTITY = '["","ConfigMap","default","one"]'

test('a resource is named by its annotation where its metadata is in braces, and nowhere else', () => {
  const of = (text: string) => annotatedIdentity(KrmObject.fromDocument(text))
  expect(of(inBraces('name: mine, namespace: team', ONE, 'x: one'))).toBe(IDENTITY)
  expect(of(inBraces('name: one', undefined, 'x: one'))).toBeUndefined()
  expect(of(inBraces('name: one', '|ConfigMap|default', 'x: one'))).toBeUndefined()
  expect(of(annotated(`${UPSTREAM_IDENTIFIER}: '${ONE}'`))).toBeUndefined()
})

test('a resource of upstream has the identity of an annotation by its name, or by an annotation of its own', () => {
  const is = (text: string) => identitiesAsAnnotated(KrmObject.fromDocument(text)).includes(IDENTITY)
  expect(is(config('one'))).toBe(true)
  expect(is(inBraces('name: one, namespace: default', undefined, 'x: one'))).toBe(true)
  expect(is(inBraces('name: elder', ONE, 'x: one'))).toBe(true)
  expect(is(config('two'))).toBe(false)
  expect(is(inBraces('name: one, namespace: team', undefined, 'x: one'))).toBe(false)
})

test('the own text of a resource is without the indentation of an item, and follows an edit', () => {
  const text = 'apiVersion: v1\nkind: A\nmetadata:\n  name: a\n'
  const item = `- ${text.trimEnd().replaceAll('\n', '\n  ')}\n`
  const [object] = ResourceList.parse(`apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${item}`).items
  if (object === undefined) throw new Error('one item')
  expect(ownText(object)).toBe(text.trimEnd())
  object.set(['metadata', 'name'], 'b')
  expect(ownText(object)).toBe(text.trimEnd().replace('name: a', 'name: b'))
})
