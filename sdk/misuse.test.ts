import { expect, test } from 'vitest'
import { FunctionError } from '../src/result.ts'
import { decodeConfig } from './decode.ts'
import { evaluate, evaluateAsync } from './evaluate.ts'

const LIST = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: a}\n'

test.each(['set', 'get', 'delete'] as const)('plain JavaScript that gives `%s` a path as one text gets the form of a path', (name) => {
  const { stderr, exitCode } = evaluate(({ items: [item] }) => item && Reflect.apply(item[name], item, ['spec.replicas', 3]), LIST)
  expect({ stderr, exitCode }).toEqual({
    stderr: 'Pod a: error: the path must be a list of keys and indexes, such as ["spec","replicas"], got "spec.replicas" [field-path]\n',
    exitCode: 1,
  })
})

test('what is no function is refused without a trace', async () => {
  const refused = { stdout: '', stderr: 'the first argument must be a function that changes the list, got undefined\n', exitCode: 1 }
  expect(Reflect.apply(evaluate, undefined, [undefined, LIST])).toEqual(refused)
  expect(await Reflect.apply(evaluateAsync, undefined, [undefined, LIST])).toEqual(refused)
})

test('what is no text of a list is refused without a trace', () => {
  const outcome: unknown = Reflect.apply(evaluate, undefined, [() => undefined, { items: [] }])
  expect(outcome).toEqual({ stdout: '', stderr: 'the second argument must be the text of a ResourceList, got object\n', exitCode: 1 })
})

const MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }

test.each([
  [
    'upsert',
    [MAP],
    "error: the second argument must be the file of the object, such as 'configmap.yaml', got undefined [function-misuse]\n",
  ],
  ['remove', ['a'], 'error: the first argument must be an item of the list, got "a" [function-misuse]\n'],
] as const)('plain JavaScript that misuses `%s` gets the rule of the argument', (name, args, said) => {
  const { stderr, exitCode } = evaluate((list) => Reflect.apply(list[name], list, [...args]), LIST)
  expect({ stderr, exitCode }).toEqual({ stderr: said, exitCode: 1 })
})

const ADDS_OR_REMOVES = "error: `items` must not be changed itself: `list.upsert(object, 'file.yaml')` adds or updates an object, "

test.each([
  ['pushed to', (items: object) => Reflect.apply(Array.prototype.push, items, [MAP])],
  ['sorted', (items: object) => Reflect.apply(Array.prototype.reverse, items, [])],
  ['spliced', (items: object) => Reflect.apply(Array.prototype.splice, items, [0, 1])],
  ['assigned to', (items: object) => Reflect.set(items, 0, MAP)],
  ['emptied', (items: object) => Reflect.set(items, 'length', 0)],
])('items that are %s are no silent loss, and no trace', async (_, change) => {
  const two = `${LIST}- apiVersion: v1\n  kind: Pod\n  metadata: {name: b}\n`
  const outcome = evaluate(({ items }) => void change(items), two)
  expect(outcome).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(ADDS_OR_REMOVES) })
  expect(outcome.stdout.startsWith(two)).toBe(true)
  expect(await evaluateAsync(async ({ items }) => void change(items), two)).toEqual(outcome)
})

test.each([
  ['kind', 'x', 'error: `kind` must not be assigned to: `item.set(["kind"], value)` writes the field [function-misuse]\n'],
  ['name', 'x', 'error: `name` must not be assigned to: `item.set(["metadata","name"], value)` writes the field [function-misuse]\n'],
  [
    'spec',
    {},
    'error: `spec` is no member of an item: `item.get(["spec","KEY"])` reads a field of it, `item.set(["spec","KEY"], value)` writes one [function-misuse]\n',
  ],
])('the error of an assignment to `%s` of an item says how a field is written', (name, value, said) => {
  const { stderr, exitCode } = evaluate(({ items: [item] }) => void (item && Reflect.set(item, name, value)), LIST)
  expect({ stderr, exitCode }).toEqual({ stderr: said, exitCode: 1 })
})

test('a field below `spec` that is taken for a member is an error that says how a field is written, without a trace', () => {
  const { stderr, exitCode } = evaluate(
    ({ items: [item] }) => void Reflect.set(Object(Reflect.get(Object(item), 'spec')), 'replicas', 3),
    LIST,
  )
  expect({ stderr, exitCode }).toEqual({ stderr: expect.stringContaining('`item.set(["spec","KEY"], value)` writes one'), exitCode: 1 })
})

test.each([
  [{}, 'an object without apiVersion and kind'],
  [{ kind: 'Secret', stringData: { password: 'k9-Tz181x' } }, 'an object without apiVersion'],
  [{ apiVersion: 'v1', replicas: 1n }, 'an object without kind'],
  [undefined, 'undefined'],
  ['a', 'string'],
])('upsert of what is no object names what is missing, and no value', (value, found) => {
  const { stderr } = evaluate((list) => Reflect.apply(list.upsert, list, [value, 'a.yaml']), LIST)
  expect(stderr).toBe(`error: the first argument must be an object with apiVersion and kind, got ${found} [function-misuse]\n`)
})

test('an object without a name is added: a Job may have generateName', () => {
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { generateName: 'once-' } }
  const { stdout, stderr, exitCode } = evaluate((list) => void list.upsert(job, 'job.yaml'), LIST)
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  expect(stdout).toContain('generateName: once-')
})

test('items that are replaced are no silent loss, and no trace', () => {
  const { stderr } = evaluate((list) => void Reflect.set(list, 'items', []), LIST)
  expect(stderr).toBe(`${ADDS_OR_REMOVES}\`list.remove(item)\` removes one [function-misuse]\n`)
})

test.each([
  ['no team', "'no team'"],
  [undefined, 'undefined'],
  [null, 'null'],
  [{ message: 'no team' }, 'object'],
])('a function that throws %j gets the advice to throw an error', async (thrown, found) => {
  const outcome = {
    exitCode: 1,
    stderr: `error: a function must throw a FunctionError with its results, or an Error, got ${found} [function-misuse]\n`,
  }
  const fn = () => {
    throw thrown
  }
  expect(evaluate(fn, LIST)).toMatchObject(outcome)
  expect(await evaluateAsync(() => Promise.reject(thrown), LIST)).toMatchObject(outcome)
})

test('a position of a path as one text gets the form of a path', () => {
  const { stderr } = evaluate(({ items: [item] }) => item && Reflect.apply(item.positionOf, item, ['spec.replicas']), LIST)
  expect(stderr).toContain('such as ["spec","replicas"]')
})

test.each(['bad', { severity: 'error', message: 'x' }])('FunctionError of %j says what it must have', (results) => {
  expect(() => Reflect.construct(FunctionError, [results])).toThrow('a FunctionError must have a list of results')
})

test('a misspelt type of a schema is named', () => {
  expect(() =>
    evaluate((list) => Reflect.apply(decodeConfig, undefined, [list, { type: 'objekt' }]), `${LIST}functionConfig: {a: 1}\n`),
  ).toThrow('the type in a schema must be one of string, integer, number, boolean, object, array, got objekt')
})
