import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { type FileChange, fileChanges } from './file-changes.ts'
import type { FolderPackage } from './package.ts'
import { readPackage } from './read-package.ts'
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
