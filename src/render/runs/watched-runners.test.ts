import { expect, test } from 'vitest'
import type { Texts } from '../../../testdata/package-of-texts.ts'
import { configMapText, kptfileText } from '../../../testdata/written-objects.ts'
import { folderTree } from '../../folder/file-tree.ts'
import { answered } from '../../pipeline/calls.ts'
import type { BuiltinFunction, FunctionAnswer, Runner } from '../../pipeline/match.ts'
import { type ReadPackage, readOnePackage, runPackage } from '../../pipeline/run-packages.ts'
import { evaluate, evaluateDocuments, type KrmFunction } from '../../run.ts'
import { pipelineKptfile, runnersOf } from '../testing/functions-of.ts'
import { lastWriters, watchedRunners } from './watched-runners.ts'

function readTexts(texts: Texts): ReadPackage {
  const tree = folderTree(Object.keys(texts), (path) => Buffer.from(texts[path] ?? ''))
  return readOnePackage({ tree, place: '/package', name: (path) => `edge/shop/${path}` })
}

const configMap = (name: string, mode = 'day') => configMapText(name, `data:\n  mode: ${mode}\n`)
const modesOf = (items: Parameters<Parameters<typeof watchedRunners>[2]>[0]) =>
  items.filter(({ kind }) => kind === 'ConfigMap').map((item) => String(item.get(['data', 'mode'])))

/** Returns a function that sets the mode of the ConfigMaps with a name. */
const setMode =
  (mode: string, ...names: readonly string[]): KrmFunction =>
  ({ items }) => {
    for (const item of items) if (names.includes(item.name ?? '')) item.set(['data', 'mode'], mode)
  }

/** The three forms in which a runner may come. */
const FORMS: Readonly<Record<string, (fn: KrmFunction) => Runner>> = {
  'gets the text of its list': (fn) => (input) => evaluate(fn, input),
  'edits the documents': (fn) =>
    Object.assign((input: string) => evaluate(fn, input), { edit: (list: Parameters<KrmFunction>[0]) => evaluateDocuments(fn, list) }),
  'runs in another process': (fn) =>
    Object.assign((input: string) => evaluate(fn, input), { later: (input: string) => Promise.resolve(evaluate(fn, input)) }),
}

function builtin(name: string, runner: Runner): BuiltinFunction {
  return { name, repositories: ['test.io'], versions: [], run: () => runner }
}

test.each(Object.entries(FORMS))('of a mutator that %s, the items that it gets and returns are noted', (_, form) => {
  const read = readTexts({ Kptfile: pipelineKptfile('image: test.io/a', 'image: test.io/b'), 'a.yaml': configMap('a') })
  const noted: unknown[] = []
  const builtins = [builtin('a', form(setMode('dusk', 'a'))), builtin('b', form(setMode('night', 'a')))]
  const watched = watchedRunners(read, runnersOf({}, { builtins }), modesOf, (step, before, after) =>
    noted.push([step.image, before, after]),
  )
  const { changes } = answered(runPackage(read, watched))
  expect(noted).toEqual([
    ['test.io/a', ['day'], ['dusk']],
    ['test.io/b', ['dusk'], ['night']],
  ])
  expect(changes.map(({ text }) => text)).toEqual([configMap('a', 'night')])
})

test('a runner keeps its form, and its answer in another process is noted when it comes', async () => {
  const read = readTexts({ Kptfile: pipelineKptfile('image: test.io/a'), 'a.yaml': configMap('a') })
  const noted: unknown[] = []
  const formOf = (form: (fn: KrmFunction) => Runner) => {
    const runners = runnersOf({}, { builtins: [builtin('a', form(setMode('night', 'a')))] })
    const [runner] = watchedRunners(read, runners, modesOf, (_, before, after) => noted.push([before, after])).values()
    return runner
  }
  const runners = Object.values(FORMS).map(formOf)
  expect(runners.map((runner) => [runner?.edit !== undefined, runner?.later !== undefined])).toEqual([
    [false, false],
    [true, false],
    [false, true],
  ])
  const item = `${configMap('a')}  annotations: {config.kubernetes.io/path: a.yaml}\n`.replace(
    /data:\n {2}mode: day\n(.*\n)/s,
    '$1data: {mode: day}\n',
  )
  const input = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${item.trimEnd().replaceAll('\n', '\n  ')}\n`
  const answer = await runners[2]?.later?.(input)
  expect(answer?.stdout).toContain('night')
  expect(noted).toEqual([[['day'], ['night']]])
})

test('a validator is not noted, and an output that is no list has no items', () => {
  const text = kptfileText('shop', 'pipeline:\n  mutators: [{image: test.io/broken}]\n  validators: [{image: test.io/check}]\n')
  const read = readTexts({ Kptfile: text, 'a.yaml': configMap('a') })
  const noted: unknown[] = []
  const runners = runnersOf({ broken: () => 'no list', check: (input) => input })
  const watched = watchedRunners(read, runners, modesOf, (step, before, after) => noted.push([step.image, before, after]))
  const [broken, check] = watched.values()
  broken?.('kind: ResourceList\n')
  check?.('kind: ResourceList\n')
  expect(noted).toEqual([['test.io/broken', [], []]])
})

/** Returns the images that wrote the mode of the first object of each path last, with runners of each form. */
function writersOf(
  texts: Texts,
  functions: Readonly<Record<string, KrmFunction>>,
  fields: readonly (readonly [path: string, index: number])[],
) {
  const asked = fields.map(([path, index]) => ({ path, index, field: ['data', 'mode'] }))
  return Object.values(FORMS).map((form) => {
    const builtins = Object.entries(functions).map(([name, fn]) => builtin(name, form(fn)))
    const calls = lastWriters(readTexts(texts), runnersOf({}, { builtins }), asked)
    return answered(calls).map((step) => step?.image)
  })
}

test('the last function that changed a value wrote it, not one after it that left the value, and an object has its own position in a file', () => {
  const texts = {
    Kptfile: pipelineKptfile('image: test.io/one', 'image: test.io/two', 'image: test.io/same'),
    'a.yaml': `${configMap('a')}---\n${configMap('b')}`,
  }
  const functions = { one: setMode('dusk', 'a', 'b'), two: setMode('night', 'b'), same: setMode('night', 'b') }
  const expected = ['test.io/one', 'test.io/two', undefined]
  expect(
    writersOf(texts, functions, [
      ['a.yaml', 0],
      ['a.yaml', 1],
      ['a.yaml', 2],
    ]),
  ).toEqual([expected, expected, expected])
})

test('a removed value was written by the function that removed it', () => {
  const texts = { Kptfile: pipelineKptfile('image: test.io/remove'), 'a.yaml': configMap('a') }
  const remove: KrmFunction = ({ items }) => items.find(({ name }) => name === 'a')?.delete(['data', 'mode'])
  expect(new Set(writersOf(texts, { remove }, [['a.yaml', 0]]).flat())).toEqual(new Set(['test.io/remove']))
})

test('files of one name in a package and its subpackage are distinguished, and a path that only ends like another one too', () => {
  const texts = {
    Kptfile: pipelineKptfile('image: test.io/root', 'image: test.io/nested', 'image: test.io/other'),
    'a.yaml': configMap('a'),
    'ba.yaml': configMap('ba'),
    'sub/Kptfile': kptfileText('sub'),
    'sub/a.yaml': configMap('sub-a'),
  }
  const functions = { root: setMode('night', 'a'), nested: setMode('dusk', 'sub-a'), other: setMode('dawn', 'ba') }
  const expected = ['test.io/nested', 'test.io/root', 'test.io/other']
  expect(
    writersOf(texts, functions, [
      ['sub/a.yaml', 0],
      ['a.yaml', 0],
      ['ba.yaml', 0],
    ]),
  ).toEqual([expected, expected, expected])
})

test('the answer of a function is passed on as it is', () => {
  const read = readTexts({ Kptfile: pipelineKptfile('image: test.io/fail') })
  const answer: FunctionAnswer = { stdout: 'x', stderr: 'no', exitCode: 3 }
  const [runner] = watchedRunners(read, runnersOf({ fail: () => answer }), modesOf, () => {}).values()
  expect(runner?.('kind: ResourceList\n')).toEqual(answer)
})
