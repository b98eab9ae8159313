import { expect, test } from 'vitest'
import { withPackage } from './clone-marks.ts'
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
