import { expect, test } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import { EditedObject } from './edited-object.ts'
import { describeField, type Field } from './field-tree.ts'
import { type FoundField, findField, findFields } from './find-fields.ts'

const TEXT = `kind: Till
spec:
  replicas: 2
  none: ~
  plain: [x, yx, z]
  containers:
  - name: web
    image: nginx
  - name: web-log
    image: log
  - {}
`

function searched(create?: Field['type']) {
  const units: number[] = []
  const object = new EditedObject(writtenObject(TEXT))
  return { search: { object, create, spend: (each: number) => void units.push(each) }, units, object }
}

const written = (found: readonly FoundField[]) =>
  found.map(({ path, field, isNew }) => `${path.join('.')} is ${describeField(field)}${isNew ? ', made' : ''}`)

/** Returns the one field of a source, or what is wrong. */
function one(...steps: readonly string[]): string | undefined {
  const found = outcome(() => findField(searched().search, steps))
  return typeof found === 'string' ? found : found && written([found])[0]
}

/** Returns the fields of a target, or what is wrong; with `create` those that are made. */
function all(steps: readonly string[], create?: Field['type']): readonly string[] | string {
  const found = outcome(() => findFields(searched(create).search, steps))
  return typeof found === 'string' ? found : written(found)
}

function outcome<T>(find: () => T): T | string {
  try {
    return find()
  } catch (error) {
    if (error instanceof Error) return error.message
    throw error
  }
}

// As kustomize's PathGetter.
test.each([
  [['spec', 'replicas'], "spec.replicas is '2'"],
  [[' spec ', '', 'replicas'], "spec.replicas is '2'"],
  [['spec', 'nope'], undefined],
  [['spec', 'nope', 'deeper'], undefined],
  [['spec', 'none', 'deeper'], undefined],
  [['spec', 'plain', '0'], "spec.plain.0 is 'x'"],
  [['spec', 'plain', '+1'], "spec.plain.1 is 'yx'"],
  [['spec', 'plain', '3'], undefined],
  [['spec', 'plain', '-'], "spec.plain.2 is 'z'"],
  [['spec', 'plain', '[=x]'], "spec.plain.0 is 'x'"],
  [['spec', 'plain', '[=y]'], undefined],
  [['spec', 'containers', '[name=web-log]', 'image'], "spec.containers.1.image is 'log'"],
  [['spec', 'containers', '[name=web]'], 'spec.containers.0 is a map'],
  [['spec', 'containers', '[name=log]'], undefined],
  [['spec', 'containers', '[=web]'], undefined],
  [['spec', 'plain', '-1'], "must not have an index below 0, got '-1'"],
  [['spec', 'replicas', 'a'], "must lead through a map, but `spec.replicas` is '2'"],
  [['spec', 'plain', 'a'], 'must lead through a map, but `spec.plain` is a list'],
  [['spec', 'replicas', '0'], "must lead to a list before '0', but `spec.replicas` is '2'"],
  [['spec', '[name=a]'], "must lead to a list before '[name=a]', but `spec` is a map"],
  [['spec', 'plain', '[name]'], "must have a key and a value in brackets, such as `[name=web]`, got '[name]'"],
])('the source %j', (steps, answer) => {
  expect(one(...steps)).toBe(answer)
})

// As kustomize's PathMatcher.
test.each([
  [['spec', 'replicas'], ["spec.replicas is '2'"]],
  [['spec', 'nope'], []],
  [
    ['spec', 'containers', '*', 'name'],
    ["spec.containers.0.name is 'web'", "spec.containers.1.name is 'web-log'"],
  ],
  [
    ['spec', 'containers', '[name=web]', 'image'],
    ["spec.containers.0.image is 'nginx'", "spec.containers.1.image is 'log'"],
  ],
  [['spec', 'containers', '[name=^web$]', 'image'], ["spec.containers.0.image is 'nginx'"]],
  [['spec', 'containers', '[name=nope]', 'image'], []],
  [
    ['spec', 'plain', '[=x]'],
    ["spec.plain.0 is 'x'", "spec.plain.1 is 'yx'"],
  ],
  [['spec', 'plain', '1'], ["spec.plain.1 is 'yx'"]],
  [['spec', 'plain', '3'], "must name an item of `spec.plain`, which has 3, got '3'"],
  [['spec', 'plain', '*', 'a'], "must lead through a map, but `spec.plain[0]` is 'x'"],
  [['spec', '*'], "must lead to a list before '*', but `spec` is a map"],
  [['spec', '', 'a'], 'must not have an empty step'],
  [
    ['spec', 'plain', '[=(]'],
    "must be a regular expression of Go (RE2): error parsing regexp: missing closing ): `(`, behind the `=` of '('",
  ],
])('the target %j', (steps, answer) => {
  expect(all(steps)).toEqual(answer)
})

test.each([
  ['a member', ['spec', 'a', 'b'], 'scalar', ['spec.a.b is null, made']],
  ['a list for an index', ['spec', 'a', '0', 'b'], 'scalar', ['spec.a.0.b is null, made']],
  ['a list for the last item, which a target cannot name', ['spec', 'a', '-'], 'map', 'must lead through a map, but `spec.a` is a list'],
  ['a list for a named item', ['spec', 'a', '[name=b]', 'c'], 'scalar', ['spec.a.0.c is null, made']],
  ['a leaf of the type of the value', ['spec', 'a'], 'list', ['spec.a is a list, made']],
  ['a member below null', ['spec', 'none', 'a'], 'scalar', ['spec.none.a is null, made']],
  ['an item behind the last', ['spec', 'plain', '3'], 'scalar', ['spec.plain.3 is null, made']],
  ['no item behind that', ['spec', 'plain', '4'], 'scalar', "must name an item of `spec.plain`, which has 3, got '4'"],
  ['a named item', ['spec', 'containers', '[name=new]'], 'scalar', ['spec.containers.3 is a map, made']],
  ['an item that is the value', ['spec', 'plain', '[=new]'], 'scalar', ["spec.plain.3 is 'new', made"]],
  [
    'no item that its own pattern refuses',
    ['spec', 'plain', '[=^a$]'],
    'scalar',
    "must have a value that the regular expression of '[=^a$]' matches, to make an item with the value",
  ],
  ['nothing where items are found', ['spec', 'containers', '[name=web-log]', 'image'], 'scalar', ["spec.containers.1.image is 'log'"]],
] as const)('with create a target makes %s', (_, steps, leaf, answer) => {
  expect(all(steps, leaf)).toEqual(answer)
})

test('a made item of a list is written with its key', () => {
  const { search, object } = searched('scalar')
  findFields(search, ['spec', 'containers', '[name=new]', 'port'])
  expect(object.item.toText()).toContain('  - {}\n  - name: new\n    port: null\n')
})

test('a source makes nothing', () => {
  const { search, object } = searched()
  findField(search, ['spec', 'a', 'b'])
  findField(search, ['spec', 'containers', '[name=new]'])
  expect(object.item.toText()).toBe(TEXT)
})

test('items and characters that are read are paid for', () => {
  const { search, units } = searched()
  findField(search, ['spec', 'containers', '[name=web]'])
  findFields(search, ['spec', 'containers', '*'])
  findFields(search, ['spec', 'plain', '[=x]'])
  expect(units).toEqual([3, 3, 2, 3, 2])
})
