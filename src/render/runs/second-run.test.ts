import { expect, test } from 'vitest'
import type { Texts } from '../../../testdata/package-of-texts.ts'
import { configMapText } from '../../../testdata/written-objects.ts'
import { folderTree } from '../../folder/file-tree.ts'
import { answered } from '../../pipeline/calls.ts'
import { readOnePackage } from '../../pipeline/run-packages.ts'
import { evaluate, type KrmFunction } from '../../run.ts'
import { pipelineKptfile, runnersOf, type TestFunctions } from '../testing/functions-of.ts'
import { secondRunWarnings } from './second-run.ts'

const edit = (fn: KrmFunction) => (input: string) => evaluate(fn, input)
const A = configMapText('a', 'data:\n  list: [x, {mode: day}]\n')

/** Returns the warnings of a second run of the functions `one` and `two` on some files. */
function warningsOf(functions: TestFunctions, files: Texts = { 'a.yaml': A }) {
  const texts: Texts = { Kptfile: pipelineKptfile(...Object.keys(functions).map((name) => `image: test.io/${name}`)), ...files }
  const bytes = (path: string) => Buffer.from(texts[path] ?? '')
  const read = readOnePackage({ tree: folderTree(Object.keys(texts), bytes), place: '/package', name: (path) => `edge/shop/${path}` })
  return answered(secondRunWarnings(read, runnersOf(functions), bytes))
}

/** Returns the places that the messages name, each with the function. */
const placesOf = (functions: TestFunctions, files?: Texts) =>
  warningsOf(functions, files).map(({ message }) => /^`(.+?)` must .*?, changes (.+) again: /.exec(message)?.slice(1))

const onA = (act: (item: Parameters<KrmFunction>[0]['items'][number]) => void) =>
  edit(({ items }) => {
    for (const item of items) if (item.name === 'a') act(item)
  })
const same = (input: string) => input

test('functions that change nothing in a second run have no warning, and those that fail have none either', () => {
  expect(warningsOf({ same })).toEqual([])
  expect(warningsOf({ change: onA((item) => item.set(['data', 'more'], 'x')), fail: () => ({ exitCode: 1 }) })).toEqual([])
})

test('a function that changes its own output is a warning at the function in the Kptfile', () => {
  const [warning, ...others] = warningsOf({ same, change: onA((item) => item.set(['data', 'list', 1, 'mode'], 'night')) })
  expect(others).toEqual([])
  expect(warning).toMatchObject({
    severity: 'warning',
    message:
      "`pipeline.mutators[1]` must change nothing in a second run on its own output, changes `data.list[1].mode` of 'a.yaml' again: every render will change the package",
    resourceRef: { kind: 'Kptfile', name: 'shop' },
    field: { path: ['pipeline', 'mutators', 1] },
    file: { path: 'edge/shop/Kptfile' },
    position: { line: 8 },
    tags: { rule: 'pipeline-not-idempotent' },
  })
})

test.each<[string, TestFunctions, readonly string[]]>([
  [
    'the last function that changed something',
    { one: onA((item) => item.set(['data', 'x'], 'y')), two: onA((item) => item.set(['data', 'z'], 'y')), same },
    ['pipeline.mutators[1]', "`data.x` of 'a.yaml'"],
  ],
  ['the field that is new', { one: onA((item) => item.set(['data', 'x'], 'y')) }, ['pipeline.mutators[0]', "`data.x` of 'a.yaml'"]],
  ['the field that is gone', { one: onA((item) => item.delete(['data', 'list'])) }, ['pipeline.mutators[0]', "`data.list` of 'a.yaml'"]],
  [
    'a list that has another length as a whole',
    { one: onA((item) => item.set(['data', 'list'], ['x'])) },
    ['pipeline.mutators[0]', "`data.list` of 'a.yaml'"],
  ],
  [
    'a list in the place of a map as a whole',
    { one: onA((item) => item.set(['data'], ['x'])) },
    ['pipeline.mutators[0]', "`data` of 'a.yaml'"],
  ],
  [
    'the first of several entries',
    { one: onA((item) => item.set(['data', 'list'], ['y', 'z'])) },
    ['pipeline.mutators[0]', "`data.list[0]` of 'a.yaml'"],
  ],
])('the warning names %s', (_, functions, expected) => {
  expect(placesOf(functions)).toEqual([expected])
})

test('of a file that comes or goes, or that has more objects, the warning names the file alone', () => {
  const add = (path: string) => edit((list) => void list.add({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } }, path))
  const remove = edit((list) => {
    for (const item of list.items) if (item.name === 'a') list.remove(item)
  })
  expect(placesOf({ one: add('new.yaml') })).toEqual([['pipeline.mutators[0]', "'new.yaml'"]])
  expect(placesOf({ one: remove })).toEqual([['pipeline.mutators[0]', "'a.yaml'"]])
  expect(placesOf({ one: add('a.yaml') })).toEqual([['pipeline.mutators[0]', "'a.yaml'"]])
})

test('in a file of several objects, the warning names the field of the object that changed', () => {
  const files = { 'a.yaml': `${configMapText('b')}---\n${A}` }
  expect(placesOf({ one: onA((item) => item.set(['data', 'x'], 'y')) }, files)).toEqual([['pipeline.mutators[0]', "`data.x` of 'a.yaml'"]])
})
