import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { carrySetters, quoteValue, readSetterPlace, type SetterPlace, writeSetters } from './setter-places.ts'
import { readVendorObjects, type VendorObject } from './vendor-objects.ts'

test.each([
  {
    written: 'replicas=spec.replicas@Deployment/web',
    expected: { name: 'replicas', steps: ['spec', 'replicas'], kind: 'Deployment', object: 'web' },
  },
  {
    written: 'tag=spec.containers[app].image@Deployment/shop/web',
    expected: { name: 'tag', steps: ['spec', 'containers', { entry: 'app' }, 'image'], kind: 'Deployment', object: 'shop/web' },
  },
  {
    written: 'a.b-c=data["x.y"]@ConfigMap/a',
    expected: { name: 'a.b-c', steps: ['data', { entry: 'x.y' }], kind: 'ConfigMap', object: 'a' },
  },
  { written: 'a=spec.list[0]@A/b', expected: { name: 'a', steps: ['spec', 'list', { entry: '0' }], kind: 'A', object: 'b' } },
])('the place $written', ({ written, expected }) => {
  expect(readSetterPlace(written)).toEqual({ written, ...expected })
})

test.each(['', 'a', 'a=b', 'a=b@A', 'a=b@A/', '=b@A/c', 'a=@A/c', 'a=.@A/c', 'a b=c@A/d'])('no place: %j', (written) => {
  expect(readSetterPlace(written)).toBeUndefined()
})

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 3
  flow: {a: {b: 1}}
  containers:
  - name: app
    image: web:1
  - name: '1'
    image: side:1
  ports:
  - 80
  - 90
`

function read(...texts: readonly string[]): readonly VendorObject[] {
  return readVendorObjects([{ name: 'release.yaml', bytes: Buffer.from(texts.join('---\n')) }]).objects
}

function places(...written: readonly string[]): readonly SetterPlace[] {
  return written.flatMap((each) => readSetterPlace(each) ?? [])
}

test.each([
  { reason: 'a field', written: 'r=spec.replicas@Deployment/web', line: '  replicas: 3 # kpt-set: ${r}' },
  { reason: 'an object with its namespace', written: 'r=spec.replicas@Deployment/shop/web', line: '  replicas: 3 # kpt-set: ${r}' },
  { reason: 'an entry by its name', written: 'i=spec.containers[app].image@Deployment/web', line: '    image: web:1 # kpt-set: ${i}' },
  {
    reason: 'a name comes before a position',
    written: 'i=spec.containers[1].image@Deployment/web',
    line: '    image: side:1 # kpt-set: ${i}',
  },
  { reason: 'an entry by its position', written: 'i=spec.containers[0].image@Deployment/web', line: '    image: web:1 # kpt-set: ${i}' },
  { reason: 'an entry as a step', written: 'i=spec.containers.app.image@Deployment/web', line: '    image: web:1 # kpt-set: ${i}' },
  { reason: 'an entry of a list of values', written: 'p=spec.ports[1]@Deployment/web', line: '  - 90 # kpt-set: ${p}' },
  { reason: 'a whole list', written: 'p=spec.ports@Deployment/web', line: '  ports: # kpt-set: ${p}' },
])('the comment of a setter is written behind $reason', ({ written, line }) => {
  const objects = read(WEB)
  expect(writeSetters(objects, places(written))).toEqual([])
  const text = objects[0]?.object.toText() ?? ''
  expect(text.split('\n').filter((each) => !WEB.split('\n').includes(each))).toEqual([line])
})

test('objects of two namespaces both get the comment, or the one that the namespace names', () => {
  const other = WEB.replace('namespace: shop', 'namespace: other')
  const both = read(WEB, other)
  expect(writeSetters(both, places('r=spec.replicas@Deployment/web'))).toEqual([])
  expect(both.map(({ object }) => object.toText().includes('# kpt-set'))).toEqual([true, true])
  const one = read(WEB, other)
  expect(writeSetters(one, places('r=spec.replicas@Deployment/other/web'))).toEqual([])
  expect(one.map(({ object }) => object.toText().includes('# kpt-set'))).toEqual([false, true])
})

test.each([
  { written: 'r=spec.replica@Deployment/web', why: "`spec` has no 'replica'; did you mean 'replicas'?", at: 6 },
  { written: 'r=sped@Deployment/web', why: "the object has no 'sped'; did you mean 'spec'?", at: 1 },
  { written: 'r=spec.containers[xyz].image@Deployment/web', why: "`spec.containers` has no 'xyz'", at: 9 },
  { written: 'r=spec.containers[appp].image@Deployment/web', why: "`spec.containers` has no 'appp'; did you mean 'app'?", at: 9 },
  { written: 'r=spec.ports[2]@Deployment/web', why: "`spec.ports` has no '2'", at: 14 },
  { written: 'r=spec.replicas.a@Deployment/web', why: "`spec.replicas` has no 'a'", at: 7 },
  { written: 'r=spec@Deployment/web', why: 'it is a map: a setter is behind a value or a list', at: 6 },
  { written: 'r=spec.flow.a.b@Deployment/web', why: 'its value must be on a line of its own to get a comment', at: 8 },
])('a field that gets no comment: $written', ({ written, why, at }) => {
  const results = writeSetters(read(WEB), places(written))
  expect(results.map(({ severity, message, position, tags }) => [severity, message, position?.line, tags.rule])).toEqual([
    ['error', `\`--setters\` '${written}' must name a field of \`Deployment shop/web\`: ${why}`, at, 'import-setter'],
  ])
})

test.each([
  { written: 'r=spec.replicas@Deployment/wep', hint: "no Deployment/wep is among the objects; did you mean 'Deployment/web'?" },
  { written: 'r=spec.replicas@StatefulSet/database', hint: 'no StatefulSet/database is among the objects' },
  { written: 'r=spec.replicas@Deployment/none/web', hint: 'no Deployment/none/web is among the objects' },
])('an object that is not there: $written', ({ written, hint }) => {
  const [result, ...others] = writeSetters(read(WEB), places(written))
  expect(others).toEqual([])
  expect(result?.message.startsWith(`\`--setters\` '${written}' must name an object, ${hint}`)).toBe(true)
})

test.each(
  [
    { text: 'a: 4.1.0 # c\n', isQuoted: true, expected: 'a: "4.1.0" # c\n' },
    { text: 'a: b: c\n', isQuoted: false, expected: undefined },
    { text: 'a: "4.10"\n', isQuoted: false, expected: 'a: "4.10"\n' },
    { text: 'a: 4.10\n', isQuoted: false, expected: 'a: 4.10\n' },
    { text: 'a: b\n  c\n', isQuoted: false, expected: 'a: b\n  c\n' },
    { text: 'a: {}\n', isQuoted: false, expected: 'a: {}\n' },
    { text: 'b: 1\n', isQuoted: false, expected: 'b: 1\n' },
  ].filter(({ expected }) => expected !== undefined),
)('a plain text of one line is put in quotes: $text is $isQuoted', ({ text, isQuoted, expected }) => {
  const object = KrmObject.fromDocument(text)
  expect(quoteValue(object, ['a'])).toBe(isQuoted)
  expect(object.toText()).toBe(expected)
})

/** Returns the lines with setters of the next revision, and the fields of those that are lost. */
function carried(next: string, last: string) {
  const objects = read(next)
  const results = carrySetters(
    objects,
    read(last).map(({ object }) => object),
  )
  return {
    lines: objects.flatMap(({ object }) =>
      object
        .toText()
        .split('\n')
        .filter((line) => line.includes('kpt-set')),
    ),
    lost: results.map(({ severity, message }) => `${severity} ${message.split(' in the last')[0]}`),
  }
}

const SET = WEB.replace('replicas: 3', 'replicas: 2 # kpt-set: ${r}').replace('image: side:1', 'image: side:0 # kpt-set: ${i}')

test('the comments of the last revision are written into the next one, also where an entry moved', () => {
  const moved = WEB.replace(
    "  - name: app\n    image: web:1\n  - name: '1'\n    image: side:1\n",
    "  - name: '1'\n    image: side:2\n  - name: app\n    image: web:2\n",
  )
  expect(carried(moved, SET)).toEqual({ lines: ['  replicas: 3 # kpt-set: ${r}', '    image: side:2 # kpt-set: ${i}'], lost: [] })
})

test('a comment whose field or entry is gone is a warning', () => {
  const gone = WEB.replace("  - name: '1'\n    image: side:1\n", '')
  expect(carried(gone, SET)).toEqual({
    lines: ['  replicas: 3 # kpt-set: ${r}'],
    lost: ["warning `spec.containers[1].image` had the comment 'kpt-set: ${i}'"],
  })
})

test('an object that the last revision does not have gets no comments', () => {
  expect(carried(WEB, SET.replace('name: web', 'name: other'))).toEqual({ lines: [], lost: [] })
})
