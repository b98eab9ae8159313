import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { readVendorObjects, type VendorObject } from '../../src/intake/vendor-objects.ts'
import { identityOfObject } from '../../src/resource-list/identity.ts'
import { FunctionError } from '../../src/result.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { fleetObjects, withDocument, withFleetObjects, withObjects } from './fleet-objects.ts'

const FILE = 'values.yaml'

let work = ''
beforeEach(() => {
  work = testFolder()
})

const write = (text: string) => writeFileSync(join(work, FILE), text)

const config = (name: string, value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  a: ${value}\n`
const objectsOf = (text: string) => readVendorObjects([{ name: FILE, bytes: Buffer.from(text) }]).objects

/** Sets the value of an object. */
function change(objects: readonly VendorObject[], name: string, value: string): void {
  objects.find(({ object }) => object.name === name)?.object.set(['data', 'a'], value)
}

test('a file that is not there has no objects, and a document becomes its text', () => {
  expect(fleetObjects(work, FILE)).toEqual([])
  expect(withDocument(work, FILE, config('a', 'x'))).toBe(config('a', 'x'))
})

test('a document comes at the end of a file, also of one whose last line does not end', () => {
  write('# ours\na: 1')
  expect(withDocument(work, FILE, 'b: 1\n')).toBe('# ours\na: 1\n---\nb: 1\n')
})

test('of a file the changed documents are written anew, new ones come at the end, and every other byte stays', () => {
  const quoted = config('a', '"x"   # by hand')
  write(`# head\n${quoted}---\n# of b\n${config('b', 'x')}# end of b\n---\n# a comment alone\n`)
  const objects = [...fleetObjects(work, FILE), ...objectsOf(config('c', 'x'))]
  expect(withFleetObjects(work, FILE, objects.slice(0, 2))).toBe(
    `# head\n${quoted}---\n# of b\n${config('b', 'x')}# end of b\n---\n# a comment alone\n`,
  )
  change(objects, 'b', 'next')
  expect(withFleetObjects(work, FILE, objects)).toBe(
    `# head\n${quoted}---\n# of b\n${config('b', 'next')}# end of b\n---\n# a comment alone\n---\n${config('c', 'x')}`,
  )
})

/** Returns the text of a file in which objects have another value, or are removed. */
function changed(text: string, wanted: Readonly<Record<string, string | undefined>>): string {
  const objects = objectsOf(text).filter(({ object }) => Object.hasOwn(wanted, object.name ?? ''))
  const entries = objects.map((each) => {
    const value = wanted[each.object.name ?? '']
    if (value !== undefined) each.object.set(['data', 'a'], value)
    return [identityOfObject(each.object), value === undefined ? undefined : each] as const
  })
  return withObjects(FILE, text, new Map(entries))
}

const LIST = `apiVersion: v1\nkind: List\nitems:\n${['a', 'b'].map((name) => `  - {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: {a: x}}\n`).join('')}`

test.each([
  ['an object that is removed', `${config('a', 'x')}---\n${config('b', 'x')}`, { a: undefined }, config('b', 'x')],
  ['the last object, beside a comment', `${config('a', 'x')}---\n# kept\n`, { a: undefined }, '# kept\n'],
  [
    'an object with the value that it has',
    `${config('a', '"x"')}---\n${config('b', 'x')}`,
    { a: 'x' },
    `${config('a', '"x"')}---\n${config('b', 'x')}`,
  ],
  ['a List whose objects stay', LIST, { a: 'x' }, LIST],
  ['a List whose objects are all removed', `${LIST}---\n${config('c', 'x')}`, { a: undefined, b: undefined }, config('c', 'x')],
])('%s changes only its own document', (_, text, wanted, expected) => {
  expect(changed(text, wanted)).toBe(expected)
})

test('a List of which one object is removed becomes the documents of the others', () => {
  const rest = objectsOf(changed(LIST, { a: undefined }))
  expect(rest.map(({ object }) => [object.kind, object.name])).toEqual([['ConfigMap', 'b']])
})

test('a document that begins on the line of its dashes gets a line of its own when it changes', () => {
  const text = `--- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {a: x}}\n---\n${config('a', 'x')}`
  expect(changed(text, { a: 'next' })).toBe(text.replace('a: x\n', 'a: next\n'))
  expect(changed(text, { b: 'next' })).toMatch(/^---\n[^-]*name: b[^-]*a: next[^-]*---\n/)
})

test('a file that is no YAML is an error, and not written anew', () => {
  expect(() => withObjects(FILE, 'a: [\n', new Map())).toThrow(FunctionError)
})
