import { expect, test } from 'vitest'
import { configMapText as map } from '../../testdata/written-objects.ts'
import { findingsOf, formatResult } from '../result.ts'
import { type FileTree, folderTree, type TreeEntry, UnreadableError } from './file-tree.ts'
import { readTree, readTreeInSteps, type TreeReading } from './read-package.ts'

type Files = Readonly<Record<string, string | Uint8Array>>

function treeOf(files: Files): FileTree {
  return folderTree(Object.keys(files), (path) => Buffer.from(files[path] ?? ''))
}

/** Returns the findings of reading a folder, a line each; also those that refuse the folder. */
function findings(files: Files, reading?: TreeReading): readonly string[] {
  return findingsOf(() => readTree(treeOf(files), undefined, reading).results).map(formatResult)
}

/** Returns the findings of reading a folder as a fleet, without their messages. */
const inFleet = (files: Files) =>
  findings(files, { isFleet: true }).map((line) => line.replace(/: (error|warning): .*(\[.*\])$/s, ' $1 $2'))

const OR_IGNORED = '; a file that is no resource can be named in .krmignore'
const TEMPLATE = 'kind: {{ .Values.kind }}\n  x\n'

test('reads every resource with its path and index', () => {
  const read = readTree(
    treeOf({
      'a.yaml': `# lic\n---\n${map('one')}---\n- a list\n---\n${map('two')}`,
      'sub/Kptfile': map('sub'),
      'notes.yaml': 'just text\n',
      'kustomization.yaml': 'resources: [a.yaml]\n',
    }),
  )
  expect(read.list.items.map(({ name, file }) => ({ name, ...file }))).toEqual([
    { name: 'one', path: 'a.yaml', index: 0 },
    { name: 'two', path: 'a.yaml', index: 2 },
    { name: undefined, path: 'kustomization.yaml', index: 0 },
    { name: 'sub', path: 'sub/Kptfile', index: 0 },
  ])
  expect(read.files.map(({ path, documents }) => [path, documents.length])).toEqual([
    ['a.yaml', 4],
    ['kustomization.yaml', 1],
    ['notes.yaml', 1],
    ['sub/Kptfile', 1],
  ])
})

test('positions are those in the file', () => {
  const { list } = readTree(treeOf({ 'a.yaml': `# lic\n---\n${map('one')}---\n# two\n${map('two')}` }))
  expect(list.items[1]?.positionOf(['metadata', 'name'])).toEqual({ line: 12, column: 9 })
})

test('names every file that cannot be read, with the place, under the name that the caller gives', () => {
  const tree = treeOf({ 'a.yaml': 'a: 1\n---\nb: [1\n', 'b.yaml': 'a: 1\n---b\n', 'c.yaml': Buffer.from([0x61, 0xff]), 'd.yaml': map('d') })
  const results = findingsOf(() => readTree(tree, (path) => `fleet/${path}`).results)
  expect(results.map(({ file, position, tags }) => [file?.path, position?.line, tags.rule])).toEqual([
    ['fleet/a.yaml', 4, 'unreadable-file'],
    ['fleet/b.yaml', 2, 'unreadable-file'],
    ['fleet/c.yaml', 1, 'unreadable-file'],
  ])
})

test('each file is a step, and the steps say how many there are', () => {
  const steps = readTreeInSteps(treeOf({ 'a.yaml': map('a'), 'notes.txt': '', 'b.YAML': '', 'sub/b.yaml': map('b') }), (path) => path)
  expect([...steps]).toEqual([
    { done: 1, total: 2 },
    { done: 2, total: 2 },
  ])
})

test('leaves a template alone, with a warning', () => {
  const { list, results } = readTree(treeOf({ 'chart/a.yaml': TEMPLATE, 'b.yaml': map('b') }))
  expect(list.items.map(({ name }) => name)).toEqual(['b'])
  expect(results.map(formatResult)).toEqual([
    'chart/a.yaml: warning: left alone: a template, not YAML; name it in .krmignore to say so [template-file]',
  ])
})

test.each([
  ['kind: PackageVariant\n', true],
  ['kind: PackageVariantSet # prod\n', true],
  ['- kind: "PackageVariantMatrix"\n', true],
  ["'kind': 'PackageVariant'\r\n", true],
  ['kind: PackageVariants\n', false],
  ['kind: Repository\n', false],
  ['# kind: PackageVariant\n', false],
])('a template with %j is an error, wherever it lies: %s', (line, isError) => {
  const found = findings({ 'chart/a.yaml': `${line}metadata: {{ .Values.metadata }}\n  x\n` })
  expect(found).toEqual([expect.stringMatching(isError ? / error: .*\[unreadable-file\]$/ : / warning: .*\[template-file\]$/)])
})

test('a template of a fleet is left alone in a chart of a package only', () => {
  const files = {
    'nyc.yaml': `${map('nyc')}# {{ docs }}\nspec\n`,
    'loose/Chart.yaml': 'name: c\n',
    'loose/a.yaml': TEMPLATE,
    'web/Kptfile': map('web'),
    'web/a.yaml': TEMPLATE,
    'web/chart/Chart.yaml': 'name: c\n',
    'web/chart/templates/a.yaml': TEMPLATE,
  }
  expect(inFleet(files)).toEqual([
    'nyc.yaml:6:1 error [unreadable-file]',
    'web/a.yaml:2:1 error [unreadable-file]',
    'web/chart/templates/a.yaml warning [template-file]',
    'loose/Chart.yaml error [unreadable-file]',
  ])
})

test('a chart of a fleet outside of packages is one error, with the line that leaves the chart out, beside a set in it that is broken', () => {
  const files = {
    'web/Chart.yaml': 'name: web\n',
    'web/values.yaml': 'replicas: 1\n',
    'web/templates/a.yaml': TEMPLATE,
    'web/charts/db/Chart.yaml': 'name: db\n',
    'web/charts/db/templates/b.yaml': TEMPLATE,
    'one/Chart.yaml': 'name: one\n',
    'one/templates/a.yaml': TEMPLATE,
    'one/templates/set.yaml': `kind: PackageVariantSet\n${TEMPLATE}`,
  }
  const chart = (templates: string, name: string) =>
    `${name}/Chart.yaml: error: expected resources, found a Helm chart with ${templates} no YAML; add the line '/${name}/' to .krmignore [unreadable-file]`
  expect(findings(files, { isFleet: true })).toEqual([
    expect.stringMatching(/^one\/templates\/set\.yaml:.*\[unreadable-file\]$/),
    chart('a template, which is', 'one'),
    chart('2 templates, which are', 'web'),
  ])
})

test('a template of a package is left alone in its charts only, also where the package is the top folder', () => {
  const files = { Kptfile: map('web'), 'a.yaml': TEMPLATE, 'chart/Chart.yaml': 'name: c\n', 'chart/a.yaml': TEMPLATE }
  expect(findings(files, { isPackage: true })).toEqual([
    expect.stringMatching(/^a\.yaml:2:1: error: /),
    expect.stringMatching(/^chart\/a\.yaml: warning: /),
  ])
  expect(findings(files)).toEqual([expect.stringMatching(/^a\.yaml: warning: /), expect.stringMatching(/^chart\/a\.yaml: warning: /)])
})

test('a file of a fleet that holds a text, or a pointer of Git LFS, or has another ending is an error outside of packages', () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n'
  const files = {
    'a.yaml': 'spec\n',
    'b.yaml': pointer,
    'list.yaml': '- op: add\n',
    'flow.yaml': '[1]\n',
    'comment.yaml': '# nothing\n',
    'web/Kptfile': map('web'),
    'web/a.yaml': 'text\n',
    'web/b.YAML': 'text\n',
  }
  expect(findings(files, { isFleet: true })).toEqual([
    `a.yaml:1:1: error: must hold resources, got the text 'spec'${OR_IGNORED} [unreadable-file]`,
    `b.yaml:1:1: error: must be the file itself, got the pointer that Git LFS puts in its place; \`git lfs pull\` brings the file [unreadable-file]`,
  ])
  const other = { ...files, 'a.yaml': '# \n', 'b.yaml': '', 'c.YAML': map('c') }
  expect(inFleet(other)).toEqual(['c.YAML error [file-ending]', 'web/b.YAML warning [file-ending]'])
  expect(findings(other)).toEqual([
    'c.YAML: warning: not read: kpt reads files with the endings .yaml, .yml and .json in lower case, and Kptfile; rename the file, or name it in .krmignore [file-ending]',
    expect.stringMatching(/^web\/b\.YAML: warning: /),
  ])
})

test('a text of a fleet in a chart of a package at the top is no error', () => {
  const files = { Kptfile: map('web'), 'Chart.yaml': 'name: c\n', 'a.yaml': 'text\n' }
  expect(findings(files, { isFleet: true })).toEqual([])
  expect(findings({ Kptfile: map('web'), 'a.yaml': 'text\n' }, { isFleet: true })).toHaveLength(1)
})

test('a warning about a file of a fleet is an error outside of packages', () => {
  const ended = `${map('a')}...\n${map('b')}`
  expect(inFleet({ 'a.yaml': ended, 'web/Kptfile': map('web'), 'web/a.yaml': ended })).toEqual([
    'a.yaml:5:1 error [unreadable-file]',
    'web/a.yaml:5:1 warning [unreadable-file]',
  ])
})

test('the errors of a spared file refuse no folder', () => {
  const files = { 'a.yaml': 'a: [\n', 'b.yaml': map('b') }
  const { list, results } = readTree(treeOf(files), undefined, { isSpared: (path) => path === 'a.yaml' })
  expect(list.items.map(({ name }) => name)).toEqual(['b'])
  expect(results.map(({ severity, file }) => [severity, file?.path])).toEqual([['error', 'a.yaml']])
  expect(() => readTree(treeOf(files), undefined, { isSpared: (path) => path === 'b.yaml' })).toThrow('a.yaml')
})

test.each([
  ['- metadata: {name: a}\n', true],
  ['[{"metadata": {"name": "a"}}]\n', true],
  ['- apiVersion: v1\n  kind: Repository\n', true],
  ['- kind: Repository\n', false],
  ['- apiVersion: v1\n', false],
  ['- op: add\n  path: /metadata/labels\n', false],
  ['# metadata: below\n', false],
  [map('one'), false],
])('a list of objects is passed over in a fleet: %j, %s', (text, isPassedOver) => {
  const passedOver = (files: Files, reading: TreeReading) => readTree(treeOf(files), undefined, reading).list.passedOver.map(formatResult)
  const message = 'must hold objects one by one, has a list of them, which is passed over'
  expect(passedOver({ 'a.yaml': text }, { isFleet: true })).toEqual(isPassedOver ? [`a.yaml: error: ${message} [deletion-guard]`] : [])
  expect(passedOver({ 'a.yaml': text }, {})).toEqual([])
  expect(passedOver({ 'web/Kptfile': map('web'), 'web/a.yaml': text }, { isFleet: true })).toEqual([])
})

test('a link that may stand for a folder with objects is passed over in a fleet, and not in a package', () => {
  const broken = { severity: 'warning', reason: 'it leads to nothing' } as const
  const linked = (folder: string, more: Partial<TreeEntry> = {}): FileTree => {
    const files = treeOf({ 'a.yaml': map('a'), 'web/Kptfile': map('web') })
    const link: TreeEntry = { name: 'link', type: 'file', isLink: true, broken, isHidden: true, ...more }
    return { ...files, list: (path) => (path === folder ? [...files.list(path), link] : files.list(path)) }
  }
  const passedOver = (tree: FileTree, reading: TreeReading) =>
    readTree(tree, (path) => `fleet/${path}`, reading).list.passedOver.map(formatResult)
  expect(passedOver(linked(''), { isFleet: true })).toEqual(['fleet/link: error: is passed over: it leads to nothing [unreadable-file]'])
  const outside = { broken: { ...broken, rule: 'link-outside' } } as const
  expect(passedOver(linked('', outside), { isFleet: true })).toEqual([
    'fleet/link: error: is passed over: it leads to nothing [link-outside]',
  ])
  expect(passedOver(linked('', { isHidden: false }), { isFleet: true })).toEqual([])
  expect(passedOver(linked('web'), { isFleet: true })).toEqual([])
  expect(passedOver(linked(''), {})).toEqual([])
})

test('a key that occurs twice is an error of a resource, and not of a file without a kind', () => {
  expect(findings({ 'a.yaml': map('a', 'data: {a: "1", a: "2"}\n'), 'values.yaml': 'a: 1\na: 2\n' })).toEqual([
    expect.stringMatching(/^a\.yaml:5:16: error: `data\.a` must occur once in its map, .*\[duplicate-key\]$/),
  ])
})

test('a file that its tree cannot read has the severity and the rule of the tree, and any other error is thrown', () => {
  const tree = (error: Error): FileTree => ({
    ...treeOf({ 'a.yaml': '' }),
    read: () => {
      throw error
    },
  })
  const read = (error: Error) => findingsOf(() => readTree(tree(error)).results).map(formatResult)
  expect(read(new UnreadableError('no such file', { severity: 'warning', rule: 'link-left-out' }))).toEqual([
    'a.yaml: warning: cannot be read: no such file [link-left-out]',
  ])
  expect(read(new UnreadableError('a circle', { severity: 'error' }))).toEqual([
    'a.yaml: error: cannot be read: a circle [unreadable-file]',
  ])
  expect(() => read(new RangeError('a bug'))).toThrow(RangeError)
})

test('a directive of YAML is an error of a fleet', () => {
  expect(findings({ 'a.yaml': `%YAML 1.1\n---\n${map('a')}` }, { isFleet: true })).toEqual([
    `a.yaml:1:1: error: must not have the directive '%YAML 1.1', which kpt refuses too; take the line away${OR_IGNORED} [unreadable-file]`,
  ])
})
