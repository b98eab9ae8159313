import { expect, test } from 'vitest'
import { configMapText } from '../../testdata/written-objects.ts'
import { folderTree } from '../folder/file-tree.ts'
import { finish } from '../progress.ts'
import { type PackageRun, readPackages, runPackages } from './run-packages.ts'

// Rules of `kpt fn render` about odd outputs and configs. Each answer is that of kpt v1.0.0-beta.56 to the same package.

function kptfile(pipeline: string): string {
  return `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: pkg\npipeline: ${pipeline}\n`
}

const MUTATOR = kptfile('{mutators: [{exec: change}]}')
const VALIDATOR = kptfile('{validators: [{exec: check}]}')

/** Runs a package whose only function answers with a text that is made from its input. */
function run(files: Readonly<Record<string, string>>, answer: (input: string) => string, end = { stderr: '', exitCode: 0 }): PackageRun {
  const tree = folderTree(Object.keys(files), (path) => Buffer.from(files[path] ?? ''))
  const program = () => (input: string) => ({ stdout: answer(input), ...end })
  const runners = { builtins: [], programs: new Map(), allowExec: true, imagePrefix: undefined, program }
  const [first] = finish(runPackages(readPackages([{ tree, place: '/fleet/pkg', name: (path) => path }]), runners))
  if (first === undefined) throw new Error('one package was asked for')
  return first
}

function messagesOf({ results }: PackageRun): readonly string[] {
  return results.map(({ message }) => message)
}

/** Moves a resource. */
function moves(from: string, to: string): (input: string) => string {
  return (input) => input.replaceAll(new RegExp(`(config.kubernetes.io/path:) ['"]?${from}['"]?$`, 'gm'), `$1 '${to}'`)
}

const ITEM = '- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: new\n'

/** Adds a resource before the others. */
function addsFirst(path: string, index?: number): (input: string) => string {
  const place = [
    `      internal.config.kubernetes.io/path: ${path}\n`,
    ...(index === undefined ? [] : [`      internal.config.kubernetes.io/index: '${index}'\n`]),
  ]
  return (input) => input.replace('items:\n', `items:\n${ITEM}    annotations:\n${place.join('')}`)
}

test.each([
  ['d/../b.yaml', 'b.yaml'],
  ['d/e/../../b.yaml', 'b.yaml'],
  ['d/..//b.yaml', 'b.yaml'],
  ['/b.yaml', 'b.yaml'],
  ['./d//b.yaml', 'd/b.yaml'],
  ['d/./b.yaml', 'd/b.yaml'],
])('a resource that is moved to %s is written to %s', (written, path) => {
  const { changes } = run({ Kptfile: MUTATOR, 'a.yaml': configMapText('a') }, moves('a.yaml', written))
  expect(changes.map(({ op, path: changed }) => `${op} ${changed}`)).toEqual(['delete a.yaml', `create ${path}`])
})

test.each(['../b.yaml', 'd/../../b.yaml', './../b.yaml', 'a..b.yaml'])('a resource cannot be moved to %s', (written) => {
  const result = run({ Kptfile: MUTATOR, 'a.yaml': configMapText('a') }, moves('a.yaml', written))
  expect(result.changes).toEqual([])
  expect(messagesOf(result)).toEqual([expect.stringContaining(`puts a resource to '${written}', which must not contain '..'`)])
})

test('a new resource without an index has the highest index of its file, at its place in the output', () => {
  const two = `${configMapText('a')}---\n${configMapText('b')}`
  const [change] = run({ Kptfile: MUTATOR, 'two.yaml': two }, addsFirst('two.yaml')).changes
  expect(change?.text.match(/name: .*/g)).toEqual(['name: a', 'name: new', 'name: b'])
  const [made] = run({ Kptfile: MUTATOR, 'one.yaml': configMapText('a') }, addsFirst('one.yaml')).changes
  expect(made?.text.match(/name: .*/g)).toEqual(['name: new', 'name: a'])
})

test('a new resource with an index is placed by it', () => {
  const two = `${configMapText('a')}---\n${configMapText('b')}`
  const [change] = run({ Kptfile: MUTATOR, 'two.yaml': two }, addsFirst('two.yaml', 7)).changes
  expect(change?.text.match(/name: .*/g)).toEqual(['name: a', 'name: b', 'name: new'])
})

test.each([
  ['a List', 'apiVersion: v1\nkind: List\n'],
  ['a List with metadata', 'apiVersion: v1\nkind: List\nmetadata:\n  name: all\n'],
  ['a ResourceList of an unknown version', 'apiVersion: example.com/v9\nkind: ResourceList\n'],
])('%s is read as the list of its items', (_, head) => {
  const files = { Kptfile: kptfile('{mutators: [{exec: change, selectors: [{name: a}]}]}'), 'a.yaml': configMapText('a') }
  const { changes } = run(files, () => `${head}items:\n${ITEM}`)
  expect(changes).toMatchObject([
    { op: 'delete', path: 'a.yaml', text: '' },
    { op: 'create', path: 'configmap_new.yaml', text: configMapText('new') },
  ])
})

test('a validator may print nothing, or an empty list', () => {
  const files = { Kptfile: VALIDATOR, 'a.yaml': configMapText('a') }
  for (const stdout of ['', '\n', 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n'])
    expect(run(files, () => stdout)).toMatchObject({ failed: false, changes: [], results: [] })
})

test('what a validator prints must be well-formed, also its places', () => {
  const files = { Kptfile: VALIDATOR, 'a.yaml': configMapText('a'), 'b.yaml': configMapText('b') }
  expect(messagesOf(run(files, () => 'hello'))).toEqual([expect.stringContaining('printed what is no ResourceList')])
  expect(messagesOf(run(files, moves('a.yaml', 'b.yaml')))).toEqual([
    expect.stringContaining("puts two resources at path 'b.yaml' and index '0'"),
  ])
  expect(run(files, moves('a.yaml', 'c.yaml'))).toMatchObject({ failed: false, changes: [] })
})

test.each([
  ['two paths', ['path: new.yaml\n      config.kubernetes.io/path: ../other.yaml'], 'gives one resource two places'],
  ['an index that is no number', ['path: new.yaml', 'index: x'], "the index 'x', which must be a whole number"],
  ['a package that is not there', ['package-path: /nowhere'], 'which is no package below the one that runs'],
  ['the place of one that it did not get', ['path: b.yaml', "index: '0'"], 'puts two resources at path'],
])('a validator may give a resource %s, a mutator may not', (_, places, message) => {
  const annotations = places.map((place) => `      internal.config.kubernetes.io/${place}\n`).join('')
  const answer = (stage: string) =>
    run(
      {
        Kptfile: kptfile(`{${stage}: [{exec: check, selectors: [{name: a}]}]}`),
        'a.yaml': configMapText('a'),
        'b.yaml': configMapText('b'),
      },
      (input) => input.replace('items:\n', `items:\n${ITEM}    annotations:\n${annotations}`),
    )
  expect(answer('validators')).toMatchObject({ failed: false, changes: [], results: [] })
  expect(messagesOf(answer('mutators'))).toEqual([expect.stringContaining(message)])
})

test('a configPath to a file with several resources is refused before any function runs', () => {
  const files = {
    Kptfile: kptfile('{mutators: [{exec: change}, {exec: change, configPath: ./two.yaml}]}'),
    'two.yaml': `${configMapText('a')}---\n${configMapText('b')}`,
  }
  const result = run(files, () => {
    throw new Error('a function was called')
  })
  expect(messagesOf(result)).toEqual([expect.stringContaining("configPath` must be a file with one resource, './two.yaml' has 2")])
})

/** Marks every ConfigMap that it gets. */
function marks(input: string): string {
  return input.replaceAll(/^ {2}kind: ConfigMap\n/gm, '$&  marked: here\n')
}

function markedIn({ changes }: PackageRun): readonly string[] {
  return changes.flatMap(({ path, text }) => (text.includes('marked: here') ? [path] : []))
}

test.each(['name: 7', 'labels: {tier: 1.50}', 'labels: {tier: 1.50, empty: null}'])(
  'a number in a selector is the text in the file: %s',
  (selector) => {
    const labels = "  labels:\n    tier: '1.50'\n    empty: ''\n"
    const files = {
      Kptfile: kptfile(`{mutators: [{name: 3, exec: change, selectors: [{${selector}}]}]}`),
      'a.yaml': configMapText('a'),
      'b.yaml': configMapText('7') + labels,
    }
    expect(markedIn(run(files, marks))).toEqual(['b.yaml'])
  },
)

test.each(['d/../fn.yaml', './fn.yaml', 'd//../fn.yaml'])('configPath %s is the file fn.yaml', (path) => {
  const files = { Kptfile: kptfile(`{mutators: [{exec: change, configPath: ${path}}]}`), 'fn.yaml': configMapText('config') }
  let config: string | undefined
  run(files, (input) => {
    config = /^functionConfig:\n[\s\S]*?name: (\w+)$/m.exec(input)?.[1]
    return input
  })
  expect(config).toBe('config')
})

test('a function with selectors adds its resources at the end, also if it got every resource', () => {
  const kept = kptfile('{mutators: [{exec: change, exclude: [{kind: Secret}]}]}')
  const [change] = run({ Kptfile: kept, 'one.yaml': configMapText('a') }, addsFirst('one.yaml')).changes
  expect(change?.text.match(/name: .*/g)).toEqual(['name: a', 'name: new'])
})

test.each([
  ['{mutators: [{exec: change, selectors: [{kind: ConfigMap}]}]}', []],
  ['{validators: [{exec: change, exclude: [{name: values}, {kind: Values}]}]}', ['must have `apiVersion`']],
  ['{mutators: [{exec: change, selectors: [{kind: ConfigMap}]}, {exec: change}]}', ['must have `apiVersion`']],
  ['{}', ['must have `apiVersion`']],
])('a file of values may be in a package whose selectors leave it out: %s', (pipeline, messages) => {
  const { failed, results } = run({ Kptfile: kptfile(pipeline), 'a.yaml': configMapText('a'), 'values.yaml': 'replicas: 2\n' }, marks)
  expect(failed).toBe(messages.length > 0)
  expect(results.map(({ message }) => message)).toEqual(messages.map((text) => expect.stringContaining(text)))
})

test('a block of text at the end of a file without a last line break gets no line break from a change of another field', () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n    l: x\ndata:\n  k: |\n    one\n    two'
  const { changes } = run({ Kptfile: MUTATOR, 'a.yaml': text }, (input) => input.replace('l: x', 'l: x\n      m: "y"'))
  expect(changes).toMatchObject([
    { op: 'update', path: 'a.yaml', text: `${text.replace('l: x', 'l: x\n    m: "y"').replace('k: |', 'k: |-')}\n` },
  ])
})

test.each([
  ['text', '`results` must be a list'],
  ['{foo: bar}', '`results` must be a list'],
  ['{items: null}', '`results` must be a list'],
  ['[text]', '`results[0]` must be a map'],
  ['[{message: a}, null]', '`results[1]` must be a map'],
  ['[{message: {a: b}}]', '`results[0].message` must be a text'],
  ['[{message: a, severity: [error]}]', '`results[0].severity` must be a text'],
  ['[{message: a, field: metadata.name}]', '`results[0].field` must be a map'],
  ["[{message: a, file: {path: a.yaml, index: '1'}}]", '`results[0].file.index` must be a whole number'],
  ['[{message: a, resourceRef: a}]', '`results[0].resourceRef` must be a map'],
  ['[{message: a, tags: {a: [b]}}]', '`results[0].tags` must be a map of texts'],
])('results: %s fails the function', (results, message) => {
  for (const Kptfile of [MUTATOR, VALIDATOR]) {
    const ran = run({ Kptfile, 'a.yaml': configMapText('a') }, (input) => `${input}results: ${results}\n`)
    expect(ran.failed).toBe(true)
    expect(messagesOf(ran).at(-1)).toContain(`printed results that cannot be read: ${message}`)
  }
})

test.each([
  'null',
  '{}',
  '[]',
  '{name: f, items: []}',
  '[{message: 5, severity: 6, tags: {a: 1}, field: {path: a, currentValue: {b: c}}}]',
])('results: %s fails nothing', (results) => {
  const ran = run({ Kptfile: MUTATOR, 'a.yaml': configMapText('a') }, (input) => `${input}results: ${results}\n`)
  expect(ran.failed).toBe(false)
})

test('what a program repeats of Secrets on stderr, in results and in faults of its output is not shown', () => {
  const files = { Kptfile: MUTATOR, 's.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: hunter22}\n' }
  const failed = run(files, () => '{', { exitCode: 1, stderr: 'cannot use hunter22, aHVudGVyMjI=\n' })
  expect(messagesOf(failed)).toEqual([expect.stringMatching(/cannot use not-shown, not-shown$/)])
  const result = "results: [{message: 'hunter22 and hunter33', severity: info, field: {path: data.a, currentValue: hunter22}}]\n"
  const reported = run(files, (input) => `${input.replace('{a: hunter22}', '{a: hunter33}').trimEnd()}\n${result}`)
  expect(messagesOf(reported)).toEqual([expect.stringMatching(/: not-shown and not-shown$/)])
  const broken = run(files, (input) => `${input}x: [hunter22\n`)
  expect(messagesOf(broken).join()).not.toContain('hunter')
})
