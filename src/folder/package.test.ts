import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { FunctionError, findingsOf } from '../result.ts'
import { type FileChange, fileChanges } from './file-changes.ts'
import { diskTree } from './file-tree.ts'
import type { FolderPackage } from './package.ts'
import { readPackage, readTree } from './read-package.ts'
import { writeFiles } from './write-files.ts'

let dir = ''
beforeEach(() => {
  dir = testFolder()
})

function write(changed: FolderPackage): readonly FileChange[] {
  const changes = fileChanges(changed)
  writeFiles(dir, changes)
  return changes
}

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
}

const map = (name: string, more = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`
const find = (from: ReturnType<typeof readPackage>, name: string) => {
  const object = from.list.items.find((item) => item.name === name)
  if (object === undefined) throw new Error(`no object ${name}`)
  return object
}

test('reads every resource with its path and index', () => {
  put({
    'a.yaml': `# lic\n---\n${map('one')}---\n- a list\n---\n${map('two')}`,
    'sub/Kptfile': map('sub'),
    'notes.yaml': 'just text\n',
    'kustomization.yaml': 'resources: [a.yaml]\n',
  })
  expect(readPackage(dir).list.items.map(({ name, file }) => ({ name, ...file }))).toEqual([
    { name: 'one', path: 'a.yaml', index: 0 },
    { name: 'two', path: 'a.yaml', index: 2 },
    { name: undefined, path: 'kustomization.yaml', index: 0 },
    { name: 'sub', path: 'sub/Kptfile', index: 0 },
  ])
})

test('positions are those in the file', () => {
  put({ 'a.yaml': `# lic\n---\n${map('one')}---\n# two\n${map('two')}` })
  expect(find(readPackage(dir), 'two').positionOf(['metadata', 'name'])).toEqual({ line: 12, column: 9 })
})

test('names every file that cannot be read, with the place', () => {
  put({ 'a.yaml': 'a: 1\n---\nb: [1\n', 'b.yaml': 'a: 1\n---b\n' })
  writeFileSync(join(dir, 'c.yaml'), Buffer.from([0x61, 0xff]))
  const error = catchError(() => readPackage(dir))
  expect(error.results.map(({ file, position, tags }) => [file?.path, position?.line, tags.rule])).toEqual([
    ['a.yaml', 4, 'unreadable-file'],
    ['b.yaml', 2, 'unreadable-file'],
    ['c.yaml', 1, 'unreadable-file'],
  ])
})

function catchError(act: () => unknown): FunctionError {
  try {
    act()
  } catch (error) {
    if (error instanceof FunctionError) return error
  }
  throw new Error('expected a FunctionError')
}

test('leaves a template alone, with a warning', () => {
  put({ 'chart/a.yaml': 'kind: {{ .Values.kind }}\n  x\n', 'b.yaml': map('b') })
  const { list, results } = readPackage(dir)
  expect([list.items.length, results.map(({ severity, tags }) => `${severity} ${tags.rule}`)]).toEqual([1, ['warning template-file']])
})

test.each(['PackageVariant', 'PackageVariantSet', 'PackageVariantMatrix'])('a template with a %s is an error, wherever it lies', (kind) => {
  put({ 'chart/a.yaml': `kind: ${kind}\nmetadata: {{ .Values.metadata }}\n  x\n` })
  expect(catchError(() => readPackage(dir)).results.map(({ severity, tags }) => `${severity} ${tags.rule}`)).toEqual([
    'error unreadable-file',
  ])
})

/** Returns the findings of reading the folder as a fleet. */
function readAsFleet(): readonly string[] {
  return findingsOf(() => readTree(diskTree(dir), undefined, { isFleet: true }).results).map(
    ({ severity, file, tags }) => `${file?.path} ${severity} ${tags.rule}`,
  )
}

test('a template of a fleet is left alone in a chart of a package only', () => {
  const template = 'kind: {{ .Values.kind }}\n  x\n'
  put({ 'nyc.yaml': `${map('nyc')}# {{ docs }}\nspec\n`, 'loose/Chart.yaml': 'name: c\n', 'loose/a.yaml': template })
  put({ 'web/Kptfile': map('web'), 'web/a.yaml': template, 'web/chart/Chart.yaml': 'name: c\n', 'web/chart/templates/a.yaml': template })
  expect(readAsFleet()).toEqual([
    'loose/a.yaml error unreadable-file',
    'nyc.yaml error unreadable-file',
    'web/a.yaml error unreadable-file',
    'web/chart/templates/a.yaml warning template-file',
  ])
})

test('a file of a fleet that holds a text, or a pointer of Git LFS, or has another ending is an error outside of packages', () => {
  put({ 'a.yaml': 'spec\n', 'b.yaml': 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n', 'list.yaml': '- op: add\n' })
  put({ 'comment.yaml': '# nothing\n', 'web/Kptfile': map('web'), 'web/a.yaml': 'text\n', 'web/b.YAML': 'text\n' })
  expect(readAsFleet()).toEqual(['a.yaml error unreadable-file', 'b.yaml error unreadable-file'])
  rmSync(join(dir, 'a.yaml'))
  put({ 'b.yaml': '', 'c.YAML': map('c') })
  expect(readAsFleet()).toEqual(['c.YAML error file-ending', 'web/b.YAML warning file-ending'])
})

test('a link to a file is read, as kpt does; one to a folder or to nothing is not', () => {
  put({ 'real/a.yaml': map('a') })
  symlinkSync('real/a.yaml', join(dir, 'link.yaml'))
  symlinkSync('real', join(dir, 'folder'))
  symlinkSync('nowhere', join(dir, '.#lock.yaml'))
  expect(readPackage(dir).list.items.map(({ file }) => file?.path)).toEqual(['link.yaml', 'real/a.yaml'])
})

test('writes nothing when nothing changed', () => {
  put({ 'a.yaml': `${map('one')}---\n${map('two')}`, 'b.yaml': map('b') })
  const before = statSync(join(dir, 'a.yaml')).mtimeMs
  expect(write(readPackage(dir))).toEqual([])
  expect(statSync(join(dir, 'a.yaml')).mtimeMs).toBe(before)
})

test('an edit changes its line and nothing else', () => {
  const text = `# lic\n\n---\n${map('one', 'data: {a: "1"} # kept\n')}--- # second\n${map('two')}...\nignored\n`
  put({ 'a.yaml': text, 'b.yaml': map('b') })
  const read = readPackage(dir)
  find(read, 'one').set(['data', 'a'], '2')
  expect(write(read)).toMatchObject([{ path: 'a.yaml', op: 'update', text: text.replace('"1"', '"2"') }])
  expect(readFileSync(join(dir, 'a.yaml'), 'utf8')).toBe(text.replace('"1"', '"2"'))
})

test.each([
  {
    reason: 'a removed document goes with its separator',
    file: `${map('one')}---\n${map('gone')}---\n${map('two')}`,
    expected: `${map('one')}---\n${map('two')}`,
  },
  {
    reason: 'comments between documents stay',
    file: `${map('one')}---\n# about two\n---\n${map('gone')}`,
    expected: `${map('one')}---\n# about two\n`,
  },
  { reason: 'a licence header stays for the next', file: `# lic\n\n${map('gone')}---\n${map('two')}`, expected: `# lic\n\n${map('two')}` },
  { reason: 'a comment of its own goes', file: `# mine\n${map('gone')}---\n# two\n${map('two')}`, expected: `# two\n${map('two')}` },
  { reason: 'YAML that is no resource stays', file: `${map('gone')}---\n- a\n`, expected: '- a\n' },
  { reason: 'a byte order mark stays', file: `\uFEFF${map('gone')}---\n${map('two')}`, expected: `\uFEFF${map('two')}` },
])('removing: $reason', ({ file, expected }) => {
  put({ 'a.yaml': file })
  const read = readPackage(dir)
  read.list.remove(find(read, 'gone'))
  expect(fileChanges(read)).toMatchObject([{ path: 'a.yaml', op: 'update', text: expected }])
})

test('a file goes with its last document, and folders that it leaves empty', () => {
  put({ 'in/a.yaml': `# lic\n---\n${map('gone')}`, 'b.yaml': map('b') })
  const read = readPackage(dir)
  read.list.remove(find(read, 'gone'))
  write(read)
  expect(readdirSync(dir)).toEqual(['b.yaml'])
})

test('new objects make their file, or are appended to it', () => {
  put({ 'a.yaml': map('one').trimEnd() })
  const read = readPackage(dir)
  const object = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
  read.list.upsert(object('two'), 'a.yaml')
  read.list.upsert(object('three'), 'new/b.yaml')
  read.list.upsert(object('four'), 'new/b.yaml')
  expect(fileChanges(read)).toMatchObject([
    { path: 'a.yaml', op: 'update', text: `${map('one')}---\n${map('two')}` },
    { path: 'new/b.yaml', op: 'create', text: `${map('three')}---\n${map('four')}` },
  ])
})

test('an edit of a file with CRLF writes CRLF', () => {
  const text = map('one', 'data:\n  a: x\n').replaceAll('\n', '\r\n')
  put({ 'a.yaml': text })
  const read = readPackage(dir)
  find(read, 'one').set(['data', 'b'], 'z')
  expect(fileChanges(read).map((change) => change.text)).toEqual([`${text}  b: z\r\n`])
})

test('an edit of one document leaves every other byte of any file', () => {
  const part = fc.constantFrom('---\n', '--- # c\n', '# comment\n', '\n', '- a list\n', '...\n')
  const glue = fc.array(part, { maxLength: 3 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(glue, fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\uFEFF'), (between, lineEnd, mark) => {
      const text = mark + `${map('one', 'data:\n  a: x # c\n')}---\n${between}---\n${map('two')}`.replaceAll('\n', lineEnd)
      put({ 'a.yaml': text })
      const read = readPackage(dir)
      find(read, 'one').set(['data', 'a'], 'longer')
      expect(fileChanges(read).map((change) => change.text)).toEqual([text.replace('a: x', 'a: longer')])
    }),
    { numRuns: 50 },
  )
})

/** Of each edge of the ranges that go-yaml's reader takes, both sides; recorded from `kpt fn source` of kpt beta.67. */
test.each([
  ...[0x00, 0x01, 0x08, 0x0b, 0x1f, 0x7f, 0x80, 0x84, 0x86, 0x9f, 0xfffe, 0xffff].map((code) => ({ code, isRefused: true })),
  ...[0x09, 0x7e, 0xa0, 0xd7ff, 0xe000, 0xfffd, 0x10000, 0x1fffe].map((code) => ({ code, isRefused: false })),
])('a file with the character $code is refused: $isRefused', ({ code, isRefused }) => {
  put({ 'a.yaml': map('one', `data:\n  x: "a${String.fromCodePoint(code)}b"\n`) })
  const results = () => findingsOf(() => readPackage(dir).results)
  expect(results()).toMatchObject(isRefused ? [{ tags: { rule: 'unreadable-file' }, position: { line: 6, column: 8 } }] : [])
})

test.each([
  { name: 'no anchor', data: 'x: *foo', isRefused: true },
  { name: 'the anchor below', data: 'x: *foo\n  y: &foo a', isRefused: true },
  { name: 'the anchor above', data: 'y: &foo a\n  x: *foo', isRefused: false },
  { name: 'the anchor of a key', data: '&foo y: a\n  x: *foo', isRefused: false },
  { name: 'a text with an asterisk', data: 'x: "*foo"', isRefused: false },
])('an alias is refused without an anchor above it: $name', ({ data, isRefused }) => {
  put({ 'a.yaml': map('one', `data:\n  ${data}\n`) })
  const results = findingsOf(() => readPackage(dir).results)
  expect(results).toMatchObject(isRefused ? [{ tags: { rule: 'unreadable-file' }, position: { line: 6, column: 6 } }] : [])
})

test.each([
  { name: 'the conflict of a merge', text: `${map('one')}<<<<<<< HEAD\n`, isAdvised: false },
  { name: 'a Repository', text: 'kind: Repository\nspec: [\n', isAdvised: false },
  { name: 'a policy in flow style', text: '{"kind": "FleetPolicy", spec: [}\n', isAdvised: false },
  { name: 'anything else', text: 'kind: Repositories\nspec: [\n', isAdvised: true },
])('the advice to name a file in .krmignore is not given for $name', ({ text, isAdvised }) => {
  put({ 'a.yaml': text })
  const [result] = findingsOf(() => readPackage(dir).results)
  expect(result?.message.includes('.krmignore')).toBe(isAdvised)
})
