import { expect, test } from 'vitest'
import { kptfileText, configMapText as map } from '../../testdata/written-objects.ts'
import { formatResult } from '../result.ts'
import { linksLeftOut, mayHoldResources, objectsOf, readResources, readWholePackage, resourcesOfBytes } from './read-whole-package.ts'
import { EMPTY_FOLDER, fileInMemory } from './whole-folder.ts'

/** Reads a package: the names of its resources by file, or the text of a file without, and the findings. */
function read(files: Readonly<Record<string, string>>, { krmignore = false, place = '' } = {}) {
  const inMemory = new Map(Object.entries(files).map(([path, text]) => [path, fileInMemory(Buffer.from(text), 0o644)]))
  const { contents, layouts, results } = readWholePackage({ ...EMPTY_FOLDER, files: inMemory }, { krmignore, place })
  const shown = [...contents].map(([path, content]) => [
    path,
    content instanceof Uint8Array ? Buffer.from(content).toString() : content.map(({ name }) => name),
  ])
  return { contents: Object.fromEntries(shown), layouts: [...layouts.keys()], results: results.map(formatResult) }
}

const TEMPLATE = 'kind: {{ .Values.kind }}\n  x\n'

test('a file of resources is read, and every other file is carried as it is', () => {
  const files = {
    Kptfile: kptfileText('web'),
    'a.yml': `# licence\n---\n${map('one')}---\n${map('two')}`,
    'list.yaml': `${map('three')}---\n- a list\n`,
    'empty.yaml': '# nothing\n',
    'b.json': '{"kind": "ConfigMap"}',
    'notes.md': 'text',
  }
  const { contents, layouts, results } = read(files)
  expect(contents).toEqual({
    Kptfile: ['web'],
    'a.yml': ['one', 'two'],
    'list.yaml': files['list.yaml'],
    'empty.yaml': files['empty.yaml'],
    'b.json': files['b.json'],
    'notes.md': 'text',
  })
  expect(layouts).toEqual(['Kptfile', 'a.yml'])
  expect(results).toEqual([])
})

test('a file that .krmignore names is carried as it is, if that file counts', () => {
  const files = { '.krmignore': 'a.yaml\n', 'a.yaml': map('one'), 'b.yaml': map('two') }
  expect(read(files, { krmignore: true }).contents).toMatchObject({ 'a.yaml': files['a.yaml'], 'b.yaml': ['two'] })
  expect(read(files).contents).toMatchObject({ 'a.yaml': ['one'], 'b.yaml': ['two'] })
  const broken = { '.krmignore': 'a.yaml\n', 'a.yaml': 'a: [\n' }
  expect(read(broken, { krmignore: true }).results).toEqual([])
  expect(read(broken).results).toHaveLength(1)
})

test('a file that cannot be read is a finding with the folder of the package, and is carried as it is', () => {
  const { contents, layouts, results } = read({ 'a.yaml': 'a: [\n' }, { place: 'fleet/web' })
  expect(results).toEqual([expect.stringMatching(/^fleet\/web\/a\.yaml:\d+:\d+: error: /)])
  expect(contents).toEqual({ 'a.yaml': 'a: [\n' })
  expect(layouts).toEqual([])
  expect(read({ 'a.yaml': 'a: [\n' }).results).toEqual([expect.stringMatching(/^a\.yaml:/)])
})

test('a template is no fault in a chart of the package, and elsewhere an error', () => {
  const { results } = read({ 'chart/Chart.yaml': 'name: c\n', 'chart/templates/a.yaml': TEMPLATE, 'b.yaml': TEMPLATE })
  expect(results.map((line) => line.replace(/: (error|warning): .*(\[.*\])$/s, ' $1 $2'))).toEqual([
    'chart/templates/a.yaml warning [template-file]',
    'b.yaml:2:1 error [unreadable-file]',
  ])
})

test('a key that occurs twice is an error in the Kptfile of the package alone', () => {
  const twice = 'info: {}\ninfo: {}\n'
  const { results } = read({ Kptfile: kptfileText('web', twice), 'sub/Kptfile': kptfileText('sub', twice), 'a.yaml': map('a', twice) })
  expect(results).toEqual([expect.stringMatching(/^Kptfile:6:1: error: `info` must occur once in its map.*\[duplicate-key\]$/)])
  expect(read({ Kptfile: '- a list\n' }).results).toEqual([])
})

test('each symbolic link is warned of', () => {
  expect(linksLeftOut({ ...EMPTY_FOLDER, links: ['a', 'b/c'] }, 'web').map(formatResult)).toEqual([
    'web/a: warning: is a symbolic link and not carried [link-left-out]',
    'web/b/c: warning: is a symbolic link and not carried [link-left-out]',
  ])
  expect(linksLeftOut(EMPTY_FOLDER, 'web')).toEqual([])
})

test.each([
  ['Kptfile', true],
  ['sub/Kptfile', true],
  ['a.yaml', true],
  ['sub/a.yml', true],
  ['a.json', false],
  ['a.yaml.bak', false],
  ['MyKptfile', false],
  ['a.YAML', false],
])('a file named %s is updated by its resources: %s', (path, may) => {
  expect(mayHoldResources(path)).toBe(may)
})

test('the resources of bytes are those of a file that has nothing else', () => {
  const namesIn = (text: string) => resourcesOfBytes('a.yaml', Buffer.from(text)).map(({ name }) => name)
  expect(namesIn(`${map('one')}---\n---\n${map('two')}`)).toEqual(['one', 'two'])
  expect(namesIn(`${map('one')}---\ntext\n`)).toEqual([])
  expect(namesIn('a: [\n')).toEqual([])
  expect(namesIn('')).toEqual([])
})

test('the documents of a layout that are no resources have no objects', () => {
  const { layout } = readResources('a.yaml', Buffer.from(`# c\n---\n${map('one')}`))
  expect(layout?.documents).toHaveLength(2)
  expect(layout && objectsOf(layout).map(({ name }) => name)).toEqual(['one'])
})

test('without a rule for charts a template is left alone', () => {
  const severities = (isChart?: () => boolean) =>
    readResources('a.yaml', Buffer.from(TEMPLATE), isChart).results.map(({ severity }) => severity)
  expect(severities()).toEqual(['warning'])
  expect(severities(() => false)).toEqual(['error'])
})
