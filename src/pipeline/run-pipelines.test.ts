import { expect, test } from 'vitest'
import { configMapWith, kptfileWith, runOfTexts, type TestProgram } from './testing/run-of-texts.ts'

// The order of functions, and what is saved after a failure, are those of kpt's newest release (docs/kpt-render R10 to R15, R26, R40 to
// R42).

type Texts = Readonly<Record<string, string>>

/** Returns the Kptfile of a package whose functions note their names. */
function packageWith(names: readonly string[], ...lines: readonly string[]): string {
  const functions = names.map((name) => `{name: ${name}, exec: ${name.replace(/-.*/, '')}}`)
  return kptfileWith(...lines, `pipeline: {mutators: [${functions.join(', ')}]}`)
}

/** Returns the names of the functions in the order in which they ran. */
function order(files: Texts): readonly string[] {
  return runOfTexts(files).steps.map(({ step }) => step.name)
}

const BFS = '  annotations: {kpt.dev/bfs-rendering: "true"}'
const TREE = {
  'a/Kptfile': packageWith(['a']),
  'a/x/Kptfile': packageWith(['ax']),
  'b/Kptfile': packageWith(['b']),
  'plain/c/Kptfile': packageWith(['c']),
}

test('subpackages run before their parent, in the order of their folders', () => {
  expect(order({ Kptfile: packageWith(['root1', 'root2']), ...TREE })).toEqual(['ax', 'a', 'b', 'c', 'root1', 'root2'])
})

test('with the annotation on the root package parents run first, level by level', () => {
  expect(order({ Kptfile: packageWith(['root1', 'root2'], BFS), ...TREE })).toEqual(['root1', 'root2', 'a', 'b', 'c', 'ax'])
})

test.each([
  ['"true"', true],
  ['"TRUE"', true],
  ['"false"', false],
  ['"yes"', false],
])('the annotation with the value %s means level by level: %s', (value, isTopDown) => {
  const files = { Kptfile: packageWith(['root'], `  annotations: {kpt.dev/bfs-rendering: ${value}}`), 'a/Kptfile': packageWith(['a']) }
  expect(order(files)).toEqual(isTopDown ? ['root', 'a'] : ['a', 'root'])
})

test('the annotation on a subpackage changes nothing', () => {
  expect(order({ Kptfile: packageWith(['root']), 'a/Kptfile': packageWith(['a'], BFS), 'a/x/Kptfile': packageWith(['ax']) })).toEqual([
    'ax',
    'a',
    'root',
  ])
})

/** Returns the names of the ConfigMaps that a program gets, in order. */
function namesIn(input: string): readonly string[] {
  return Array.from(input.matchAll(/^ {2}kind: ConfigMap\n {2}metadata:\n {4}name: (\w+)$/gm), ([, name = '']) => name)
}

test.each(['', BFS])('a function gets its own resources, then those of each subpackage; with %j too', (annotation) => {
  const seen = new Map<string, readonly string[]>()
  const note =
    (name: string): TestProgram =>
    (input) => {
      seen.set(name, namesIn(input))
      return {}
    }
  const files = {
    Kptfile: packageWith(['root'], ...(annotation === '' ? [] : [annotation])),
    'r.yaml': configMapWith('r'),
    'a/Kptfile': packageWith(['a']),
    'a/a.yaml': configMapWith('a'),
    'a/x/Kptfile': packageWith(['ax']),
    'a/x/x.yaml': configMapWith('x'),
    'b/Kptfile': packageWith(['b']),
    'b/b.yaml': configMapWith('b'),
  }
  runOfTexts(files, Object.fromEntries(['root', 'a', 'ax', 'b'].map((name) => [name, note(name)])))
  expect(Object.fromEntries(seen)).toEqual({ root: ['r', 'a', 'x', 'b'], a: ['a', 'x'], ax: ['x'], b: ['b'] })
})

const marks: TestProgram = (input) => ({ stdout: input.replaceAll(/^ {2}kind: ConfigMap\n/gm, '$&  marked: here\n') })
const fails: TestProgram = () => ({ stdout: '', stderr: 'boom', exitCode: 3 })
const SAVE = 'kpt.dev/save-on-render-failure: "true"'

/** Returns the files with a mark after a run in which the function `fails` fails. */
function saved(annotations: string, folders: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const files = Object.fromEntries(
    Object.entries(folders).flatMap(([folder, names]) => {
      const at = folder === '' ? '' : `${folder}/`
      const lines = folder === '' ? [`  annotations: {${annotations}}`] : []
      return [
        [`${at}Kptfile`, packageWith(names, ...lines)],
        [`${at}m.yaml`, configMapWith('m')],
      ]
    }),
  )
  const run = runOfTexts(files, { marks, fails })
  expect(run.failed).toBe(true)
  expect(run.isSaved).toBe(run.changes.length > 0)
  return run.changes.map(({ path, text }) => (text.includes('marked: here') ? path : `${path}?`))
}

test('after a failure nothing is saved unless the root package asks for it', () => {
  expect(saved('a: b', { '': ['marks', 'fails'] })).toEqual([])
  expect(saved('kpt.dev/save-on-render-failure: "no"', { '': ['marks', 'fails'] })).toEqual([])
  expect(saved(SAVE, { '': ['marks', 'fails'] })).toEqual(['m.yaml'])
})

test.each([
  // [annotations, the functions of the packages, the files that are saved]
  ['the root after its subpackages', SAVE, { '': ['fails'], a: ['marks'], b: ['marks'] }, ['a/m.yaml', 'b/m.yaml']],
  ['a subpackage after its sibling', SAVE, { '': ['marks'], a: ['marks'], b: ['fails'] }, ['a/m.yaml']],
  ['a subpackage in the middle of its work', SAVE, { '': ['marks'], a: ['marks', 'fails'] }, ['a/m.yaml']],
  ['a package below a subpackage', SAVE, { '': ['marks'], a: ['marks'], 'b/c': ['marks'], b: ['marks'], 'b/d': ['fails'] }, []],
  ['a subpackage after the package below it', SAVE, { '': ['marks'], b: ['fails'], 'b/c': ['marks'] }, ['b/c/m.yaml']],
  [
    'a subpackage with parents first',
    `${SAVE}, kpt.dev/bfs-rendering: "true"`,
    { '': ['marks'], a: [], b: ['fails'], 'b/c': [] },
    ['a/m.yaml', 'b/c/m.yaml', 'b/m.yaml', 'm.yaml'],
  ],
  [
    'a deep package with parents first',
    `${SAVE}, kpt.dev/bfs-rendering: "true"`,
    { '': [], a: ['marks'], 'a/b': ['fails'] },
    ['a/b/m.yaml', 'a/m.yaml'],
  ],
] as const)('what is saved after a failure in %s', (_what, annotations, folders: Readonly<Record<string, readonly string[]>>, paths) => {
  expect([...saved(annotations, folders)].sort()).toEqual(paths)
})

const SELECTED = kptfileWith('pipeline: {mutators: [{exec: change, selectors: [{kind: ConfigMap}]}]}')

/** Returns the names of a file with three resources after a function with selectors. */
function namesAfter(change: (input: string) => string): readonly string[] {
  const files = {
    Kptfile: SELECTED,
    'all.yaml': [configMapWith('a'), 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n', configMapWith('b')].join('---\n'),
  }
  const [written] = runOfTexts(files, { change: (input) => ({ stdout: change(input) }) }).changes
  return (written?.text ?? files['all.yaml']).match(/name: \w+/g) ?? []
}

test('a function with selectors leaves the place of what it did not get, and of what it returns', () => {
  const items = (input: string) => /^items:\n((?:- [\s\S]*?)(?=^- |(?![\s\S])))((?:- [\s\S]*))/m.exec(input) ?? []
  expect(namesAfter((input) => input)).toEqual(['name: a', 'name: s', 'name: b'])
  // What returns in another order keeps its place.
  expect(
    namesAfter((input) => {
      const [whole = '', first = '', second = ''] = items(input)
      return input.replace(whole, `items:\n${second}${first}`).replace('name: a', 'name: A')
    }),
  ).toEqual(['name: A', 'name: s', 'name: b'])
  // What does not return is removed.
  expect(namesAfter((input) => input.replace(items(input)[1] ?? '', ''))).toEqual(['name: s', 'name: b'])
})

test('a function that got every resource must not remove all; one with selectors, and a validator, may print an empty list', () => {
  const empty: TestProgram = () => ({ stdout: 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n' })
  const messages = (pipeline: string) => {
    const { results, failed } = runOfTexts({ Kptfile: kptfileWith(`pipeline: ${pipeline}`), 'a.yaml': configMapWith('a') }, { empty })
    return [failed, ...results.map(({ message }) => message)]
  }
  expect(messages('{mutators: [{exec: empty}]}')).toEqual([
    true,
    "`pipeline.mutators[0]` 'empty' printed an empty list: the whole package would be deleted",
  ])
  expect(messages('{mutators: [{exec: empty, selectors: [{kind: ConfigMap}]}]}')).toEqual([false])
  expect(messages('{mutators: [{exec: empty, selectors: [{kind: None}]}]}')).toEqual([false])
  expect(messages('{validators: [{exec: empty}]}')).toEqual([false])
})

test('a function whose condition is false is skipped, is not counted, and sees nothing', () => {
  const files = {
    Kptfile: kptfileWith(
      'pipeline: {mutators: [{exec: marks}, {exec: fails, selectors: [{name: a}], when: "resources.size() > 1"}, {exec: marks}]}',
    ),
    'a.yaml': configMapWith('a'),
  }
  const { failed, functionsRun, steps } = runOfTexts(files, { marks, fails })
  expect({ failed, functionsRun }).toEqual({ failed: false, functionsRun: 2 })
  expect(steps.map(({ isSkipped, received }) => [isSkipped, received])).toEqual([
    [false, 2],
    [true, 1],
    [false, 2],
  ])
})

test('a failure ends the run, and its results come after those of the functions before it', () => {
  const files = { Kptfile: kptfileWith('pipeline: {mutators: [{exec: says}, {exec: fails}, {exec: never}]}') }
  const never: TestProgram = () => {
    throw new Error('a function was called after a failure')
  }
  const says: TestProgram = (input) => ({ stdout: `${input}results: [{message: hello}]\n` })
  const { results, functionsRun, steps } = runOfTexts(files, { says, fails, never })
  expect(results.map(({ message }) => message)).toEqual(["'says': hello", "`pipeline.mutators[1]` 'fails' failed with exit code 3: boom"])
  expect([functionsRun, steps.length]).toEqual([2, 2])
})

test('what a validator changes is dropped, also for the functions of the parent', () => {
  const seen: string[] = []
  const files = {
    Kptfile: packageWith(['notes']),
    'a/Kptfile': kptfileWith('pipeline: {validators: [{exec: marks}]}'),
    'a/a.yaml': configMapWith('a'),
  }
  const notes: TestProgram = (input) => {
    seen.push(input.includes('marked') ? 'marked' : 'as it was')
    return {}
  }
  expect(runOfTexts(files, { marks, notes })).toMatchObject({ failed: false, changes: [] })
  expect(seen).toEqual(['as it was'])
})

test('what a program repeats of a Secret is shown neither in a failure nor in a result', () => {
  const files = {
    Kptfile: packageWith(['says']),
    's.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: hunter22}\n',
  }
  const end = (says: TestProgram) => runOfTexts(files, { says }).results.map(({ message }) => message)
  expect(end(() => ({ stderr: 'cannot use hunter22', exitCode: 1 }))).toEqual([expect.stringMatching(/: cannot use not-shown$/)])
  expect(end((input) => ({ stdout: `${input}results: [{message: has hunter22}]\n` }))).toEqual(["'says': has not-shown"])
})
