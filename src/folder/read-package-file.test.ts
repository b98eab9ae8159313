import { expect, test } from 'vitest'
import { configMapText as map } from '../../testdata/written-objects.ts'
import { formatResult } from '../result.ts'
import { copyOfFile, firstLine, noDirective, readPackageFile } from './read-package-file.ts'

const OR_IGNORED = '; a file that is no resource can be named in .krmignore'
const TEMPLATE = 'kind: {{ .Values.kind }}\n  x\n'

/** Returns the findings about one file, a line each. */
const ofFile = (text: string | Uint8Array, mayBeTemplate?: () => boolean) =>
  readPackageFile('a.yaml', Buffer.from(text), mayBeTemplate).results.map(formatResult)

/** Of each edge of the ranges that go-yaml's reader takes, both sides; recorded from `kpt fn source` of kpt beta.67. */
test.each([
  ...[0x00, 0x01, 0x08, 0x0b, 0x1f, 0x7f, 0x80, 0x84, 0x86, 0x9f, 0xfffe, 0xffff].map((code) => ({ code, isRefused: true })),
  ...[0x09, 0x7e, 0xa0, 0xd7ff, 0xe000, 0xfffd, 0x10000, 0x1fffe].map((code) => ({ code, isRefused: false })),
])('a file with the character $code is refused: $isRefused', ({ code, isRefused }) => {
  const found = ofFile(map('one', `data:\n  x: "a${String.fromCodePoint(code)}b"\n`))
  expect(found).toEqual(isRefused ? [expect.stringMatching(/^a\.yaml:6:8: error: .*\[unreadable-file\]$/)] : [])
})

test('of a control character the code is named, and the escape that YAML has', () => {
  expect(ofFile('a: x\u009fy\nb: \u0007\n')).toEqual([
    `a.yaml:1:5: error: must not hold the control character U+009F; YAML has it as an escape in double quotes, "\\u009f"${OR_IGNORED} [unreadable-file]`,
  ])
})

test('a line that looks like a separator is refused with its text', () => {
  expect(ofFile('a: 1\n---b: 2\n---c\n').map((line) => line.replace(OR_IGNORED, ''))).toEqual([
    "a.yaml:2:1: error: '---' must be alone on its line, or before a comment, got '---b: 2' [unreadable-file]",
    "a.yaml:3:1: error: '---' must be alone on its line, or before a comment, got '---c' [unreadable-file]",
  ])
})

test.each([
  { name: 'no anchor', data: 'x: *foo', isRefused: true },
  { name: 'the anchor below', data: 'x: *foo\n  y: &foo a', isRefused: true },
  { name: 'the anchor above', data: 'y: &foo a\n  x: *foo', isRefused: false },
  { name: 'the anchor of a key', data: '&foo y: a\n  x: *foo', isRefused: false },
  { name: 'a text with an asterisk', data: 'x: "*foo"', isRefused: false },
])('an alias is refused without an anchor above it: $name', ({ data, isRefused }) => {
  const message = "'*foo' must have its anchor '&foo' above it in the same document, found none; a text that begins with '*' needs quotes"
  expect(ofFile(map('one', `data:\n  ${data}\n`))).toEqual(
    isRefused ? [`a.yaml:6:6: error: ${message}${OR_IGNORED} [unreadable-file]`] : [],
  )
})

test('a document that is no YAML is refused at its place in the file, and the message does not repeat the place', () => {
  const [found, ...others] = ofFile('# a\n---\na: 1\n---\nb: [1\n')
  expect(found).toMatch(/^a\.yaml:\d+:\d+: error: /)
  expect(found?.slice('a.yaml:1:1: '.length)).not.toMatch(/a\.yaml|\(line /)
  expect(Number(found?.split(':')[1])).toBeGreaterThan(4)
  expect(others).toEqual([])
})

test('each document that cannot be read is a finding, and a file with one has no documents', () => {
  expect(ofFile('a: [1\n---\nb: 1\n---\nc: {1\n')).toHaveLength(2)
  expect(readPackageFile('a.yaml', Buffer.from('a: [1\n---\nb: 1\n')).file).toBeUndefined()
})

test('what a refused document of a Secret has is not printed', () => {
  const [found] = ofFile('kind: Secret\nstringData:\n  password: *hunter2\n')
  expect(found).toContain('error: ')
  expect(found).not.toContain('hunter2')
})

test.each([
  ['...\nmore: 1\n', 'a.yaml:5:1'],
  ['...\n\n  more\n', 'a.yaml:5:1'],
  ['...\n# a comment\n\n', undefined],
  ['...\n', undefined],
  ['... # end\n', undefined],
])('what follows the end of a document is warned of at that end: %j, %s', (after, place) => {
  expect(ofFile(`${map('a')}${after}`)).toEqual(
    place === undefined
      ? []
      : [`${place}: warning: what follows the line '...' is not read; begin the next document with '---' [unreadable-file]`],
  )
  expect(readPackageFile('a.yaml', Buffer.from(`${map('a')}${after}`)).file?.documents).toHaveLength(1)
})

test.each([
  ['a byte that is no UTF-8', Buffer.from([0x61, 0x0a, 0xff]), `a.yaml:1:1: error: must be UTF-8${OR_IGNORED}`],
  ['the byte 0', Buffer.from('a: b\nc: \0d\n'), `a.yaml:2:4: error: must be UTF-8, is binary${OR_IGNORED}`],
  ['UTF-16', Buffer.from('kind: ConfigMap\n', 'utf16le'), `a.yaml:1:1: error: must be UTF-8, is UTF-16${OR_IGNORED}`],
  ['a Repository in UTF-16', Buffer.from('kind: Repository\n', 'utf16le'), 'a.yaml:1:1: error: must be UTF-8, is UTF-16'],
])('a file with %s is refused', (_what, bytes, expected) => {
  expect(ofFile(bytes)).toEqual([`${expected} [unreadable-file]`])
})

test('a pointer of Git LFS is known by its first line', () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\n'
  expect(ofFile(pointer)[0]).toContain('git lfs pull')
  expect(ofFile(`# a\n${pointer}`)).toEqual([])
})

test('a template is left alone only where it may be one', () => {
  expect(ofFile(TEMPLATE)).toEqual([expect.stringMatching(/\[template-file\]$/)])
  expect(ofFile(TEMPLATE, () => false)).toEqual([expect.stringMatching(/error: .*\.krmignore \[unreadable-file\]$/)])
  expect(ofFile('a: { b\n')).toEqual([expect.stringMatching(/error: /)])
})

const BROKEN = 'spec: [\n'

test.each([
  ...[
    ...['Kptfile', 'PackageVariant', 'PackageVariantSet', 'PackageVariantMatrix', 'PackageRevision', 'PackageRevisionSet', 'Repository'],
    ...['FleetPolicy', 'FunctionConfig', 'FanOut', 'RenderVariants', 'GenerateSync', 'CheckDependencies', 'ResolveDependencies', 'Catalog'],
  ].map((kind) => ({ name: kind, text: `kind: ${kind}\n${BROKEN}`, isAdvised: false })),
  { name: 'the conflict of a merge', text: `${map('one')}<<<<<<< HEAD\n`, isAdvised: false },
  { name: 'the end of a conflict', text: `${map('one')}>>>>>>>\n`, isAdvised: false },
  { name: 'fewer signs than those of a conflict', text: `${map('one')}<<<<<< HEAD\n`, isAdvised: true },
  { name: 'more signs than those of a conflict', text: `${map('one')}>>>>>>>> HEAD\n`, isAdvised: true },
  { name: 'a policy in flow style', text: '{"kind": "FleetPolicy", spec: [}\n', isAdvised: false },
  { name: 'a kind behind a comma', text: `a: {b: c,kind: 'Catalog', d: [}\n`, isAdvised: false },
  { name: 'a field that ends in kind', text: `mykind: Repository\n${BROKEN}`, isAdvised: true },
  { name: 'another kind', text: `kind: Repositories\n${BROKEN}`, isAdvised: true },
])('the advice to name a file in .krmignore is not given for $name', ({ text, isAdvised }) => {
  const [found] = ofFile(text)
  expect(found).toContain(' error: ')
  expect(found?.includes('.krmignore')).toBe(isAdvised)
})

test.each([
  ['a: 1\n', 1, 'a: 1', 1],
  ['# c\n\n  \t b: 2 \nc\n', 4, 'b: 2', 6],
  [`${'x'.repeat(41)}\n`, 1, 'x'.repeat(40), 1],
  ['# c\n', 3, '', 3],
])('the first line of the document %j that is no comment is known', (text, line, first, at) => {
  expect(firstLine({ text, line })).toEqual({ text: first, line: at })
})

test('a directive of YAML is named, as kpt refuses each', () => {
  expect(noDirective({ text: '# c\n%YAML 1.1\n', line: 1 })).toBe(
    "must not have the directive '%YAML 1.1', which kpt refuses too; take the line away",
  )
  expect(noDirective({ text: 'a%: 1\n', line: 1 })).toBeUndefined()
})

test('a copy of a file has another path, and edits of its own', () => {
  const { file } = readPackageFile('a.yaml', Buffer.from(`# head\n---\n${map('one')}`))
  const copy = file && copyOfFile(file, 'b/c.yaml')
  const [object, original] = [copy?.documents.at(-1)?.object, file?.documents.at(-1)?.object]
  expect([copy?.path, object?.file, object?.positionOf(['kind'])]).toEqual([
    'b/c.yaml',
    { path: 'b/c.yaml', index: 0 },
    { line: 4, column: 7 },
  ])
  object?.set(['metadata', 'name'], 'two')
  expect([object?.name, original?.name, original?.mayBeEdited]).toEqual(['two', 'one', false])
})

test('a file with an edit, or in an unusual layout, is read again', () => {
  const { file: edited } = readPackageFile('a.yaml', Buffer.from(map('one')))
  const { file: unusual } = readPackageFile('a.yaml', Buffer.from(map('one', 'data: {x: &a b}\n')))
  edited?.documents[0]?.object?.set(['metadata', 'name'], 'two')
  expect([edited, unusual].map((file) => file && copyOfFile(file, 'b.yaml'))).toEqual([undefined, undefined])
  expect([edited, unusual].map((file) => file?.documents.length)).toEqual([1, 1])
})
