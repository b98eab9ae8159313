import { expect, test } from 'vitest'
import { KrmObject } from './resource-list/krm-object.ts'
import { ResourceList } from './resource-list/resource-list.ts'
import { FunctionError, type Result } from './result.ts'
import { answerArguments, errorText, evaluate, evaluateAsync, evaluateDocuments, type KrmFunction, resultsOf } from './run.ts'

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n'
const LIST = `${HEAD}items:\n- kind: A\n  metadata: {name: a}\n`
const INFO: Result = { severity: 'info', message: 'said', tags: { rule: 'fan-out' } }
const ERROR: Result = { ...INFO, severity: 'error' }
const WRITTEN = (severity: string) => `results:\n- message: said\n  severity: ${severity}\n  tags:\n    rule: fan-out\n`

const change: KrmFunction = (list) => list.items[0]?.set(['metadata', 'name'], 'b')
const fail: KrmFunction = (list) => {
  change(list)
  throw new FunctionError([ERROR])
}

test('a function that reports no error changes the list', () => {
  const say: KrmFunction = (list) => {
    change(list)
    list.results.push(INFO)
  }
  expect(evaluate(say, LIST)).toEqual({ stdout: `${LIST.replace('name: a', 'name: b')}${WRITTEN('info')}`, stderr: '', exitCode: 0 })
})

test('after an error the output has the items of the input, and stderr the errors', () => {
  const expected = { stdout: `${LIST}${WRITTEN('error')}`, stderr: 'error: said [fan-out]\n', exitCode: 1 }
  expect(evaluate(fail, LIST)).toEqual(expected)
  const report: KrmFunction = (list) => {
    change(list)
    list.results.push(ERROR)
  }
  expect(evaluate(report, LIST)).toEqual(expected)
})

test('results before the error of a function are kept', () => {
  const both: KrmFunction = (list) => {
    list.results.push(INFO)
    throw new FunctionError([ERROR])
  }
  expect(resultsOf(both, ResourceList.parse(LIST))).toEqual([INFO, ERROR])
})

test('an input that is no list has no output, so that an orchestrator deletes nothing', () => {
  expect(evaluate(change, 'a: 1\n')).toEqual({
    stdout: '',
    stderr: 'expected `kind: ResourceList`, found no `kind` (line 1, column 1)\n',
    exitCode: 1,
  })
})

test('an error that is no fault of the user is thrown, and a value that is no error is a result', async () => {
  const bug: KrmFunction = () => {
    throw new RangeError('bug')
  }
  expect(() => evaluate(bug, LIST)).toThrow(RangeError)
  const { stderr } = await evaluateAsync(() => Promise.reject('text'), LIST)
  expect(stderr).toContain("a function must throw a FunctionError with its results, or an Error, got 'text'")
})

test('a list must not become empty by a function; one that was empty may be', () => {
  const removeAll: KrmFunction = (list) => {
    for (const item of [...list.items]) list.remove(item)
  }
  const { stdout, stderr, exitCode } = evaluate(removeAll, LIST)
  expect([stdout.startsWith(LIST), exitCode]).toEqual([true, 1])
  expect(stderr).toContain('`items` must not become empty: the orchestrator would delete the whole package [empty-package]')
  expect(evaluate(removeAll, `${HEAD}items: []\n`)).toEqual({ stdout: `${HEAD}items: []\n`, stderr: '', exitCode: 0 })
  const removeOne: KrmFunction = (list) => {
    const [first] = list.items
    if (first !== undefined) list.remove(first)
  }
  expect(evaluate(removeOne, `${LIST}- kind: B\n`)).toEqual({ stdout: `${HEAD}items:\n- kind: B\n`, stderr: '', exitCode: 0 })
})

const OUTSIDE = 'metadata: {name: a, annotations: {config.kubernetes.io/path: ../a.yaml}}'

test('an item outside of the folder of the list is an error before the function runs', async () => {
  const input = LIST.replace('metadata: {name: a}', OUTSIDE)
  let runs = 0
  const count: KrmFunction = () => {
    runs++
  }
  expect(evaluate(count, input).exitCode).toBe(1)
  expect((await evaluateAsync(count, input)).exitCode).toBe(1)
  expect(runs).toBe(0)
})

test('an item that a function puts outside of the folder is an error', () => {
  const leave: KrmFunction = (list) => {
    list.upsert({ apiVersion: 'v1', kind: 'B', metadata: { name: 'b' } }, '../b.yaml')
  }
  expect(evaluate(leave, LIST)).toMatchObject({ exitCode: 1 })
})

test('unknown fields of the wrapper are an error, unless they are allowed', () => {
  const input = `${LIST}extra: 1\n`
  expect(evaluate(() => {}, input).exitCode).toBe(1)
  expect(evaluate(() => {}, input, 'extended')).toEqual({ stdout: input, stderr: '', exitCode: 0 })
})

test('an async function is awaited, with the outcome of any other', async () => {
  expect(
    await evaluateAsync(async (list) => {
      await Promise.resolve()
      change(list)
    }, LIST),
  ).toEqual(evaluate(change, LIST))
  expect(await evaluateAsync(async (list) => fail(list), LIST)).toEqual(evaluate(fail, LIST))
  expect(await evaluateAsync(change, 'a: 1\n')).toEqual(evaluate(change, 'a: 1\n'))
  await expect(
    evaluateAsync(async () => {
      throw new RangeError('bug')
    }, LIST),
  ).rejects.toThrow(RangeError)
})

test('an async function must not run where nothing awaits it', () => {
  expect(() => evaluate(async () => {}, LIST)).toThrow('an async function must be run by main or evaluateAsync, which await it')
})

test('documents keep their texts after an error, and get the edits otherwise', () => {
  const document = () => KrmObject.fromDocument('kind: A\nmetadata: {name: a}\n', { path: 'a.yaml', index: 0, line: 1 })
  const [failed, changed] = [document(), document()]
  expect(evaluateDocuments(fail, ResourceList.of([failed]))).toMatchObject([ERROR])
  expect(failed.toText()).toBe('kind: A\nmetadata: {name: a}\n')
  expect(evaluateDocuments(change, ResourceList.of([changed]))).toEqual([])
  expect(changed.toText()).toBe('kind: A\nmetadata: {name: b}\n')
})

test('results as text have a line each', () => {
  expect(errorText([ERROR, INFO])).toBe('error: said [fan-out]\ninfo: said [fan-out]\n')
  expect(errorText([])).toBe('')
})

test('an answer to an option is the text to write', () => {
  const before = process.argv
  process.argv = ['node', 'program', '--version']
  try {
    expect(answerArguments({ version: '1.2.3' })).toContain('1.2.3')
    expect(answerArguments({})).toContain('unknown version')
  } finally {
    process.argv = before
  }
})
