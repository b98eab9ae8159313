import { expect, test } from 'vitest'
import { objectText, run, valuesAfter } from '../testing/run-function.ts'

const SOURCE = objectText(
  'ConfigMap',
  'data:\n  origin: a.example:80/path\n  number: "5"\n  empty: ""\n  none: ~\n  list: [1, 2]\n  map: {k: v}\n',
)

const TARGET = `spec:
  host: old
  port: 1
  flag: true
  image: nginx:1
  list:
  - name: a
    value: one
  - name: b
    value: two
  plain: [x, y]
  none: ~
  a.b: dotted
`

const config = (source: object, ...targets: readonly object[]) => ({
  apiVersion: 'fn.kpt.dev/v1alpha1',
  kind: 'ApplyReplacements',
  metadata: { name: 'r' },
  replacements: [{ source: { kind: 'ConfigMap', ...source }, targets }],
})

const till = (rest = TARGET, name = 'till') => objectText('Till', rest, 'example.com/v1', name)

/** Returns the changed lines of a Till whose field at a path gets the value at another path. */
function replaced(
  from: string,
  to: string,
  { options = {}, source = {}, version = '' }: { options?: object; source?: object; version?: string } = {},
) {
  const name = `apply-replacements${version === '' ? '' : ` ${version}`}`
  return run(name, config({ fieldPath: from, options: source }, { select: { kind: 'Till' }, fieldPaths: [to], options }), SOURCE, till())
}

const ERROR = (text: string) => [expect.stringContaining(text)]

test.each([
  // [path, lines in v0.1.2, lines in v0.1.1]
  ['spec.host', ['host: 5'], ['host: "5"']],
  ['spec.port', ['port: 5'], ['port: "5"']],
  ['spec.[a.b]', ['a.b: 5'], ['a.b: "5"']],
  ['spec.a\\.b', ['a.b: 5'], ['a.b: "5"']],
  ['spec.list.0.value', ['value: 5'], ['value: "5"']],
  ['spec.list.[name=b].value', ['value: 5'], ['value: "5"']],
  ['spec.plain.1', ['plain: [x, 5]'], ['plain: [x, "5"]']],
])('the value 5 at %s', (path, strict, lenient) => {
  const unquoted = (lines: readonly string[]) => lines.map((line) => line.replaceAll(/["']/g, ''))
  expect(unquoted(replaced('data.number', path))).toEqual(strict)
  expect(unquoted(replaced('data.number', path, { version: 'v0.1.1' }))).toEqual(unquoted(lenient))
})

test.each([
  ['spec.flag', ERROR("must not lead to the boolean true, since '5' is none"), 1],
  ['spec.new', ERROR('must lead to an existing field, unless `create` is true'), 0],
  ['spec.list.7.value', ERROR('must name an item of `spec.list`, which has 2'), 0],
  ['spec.host.deep', ERROR("must lead through a map, but `spec.host` is 'old'"), 1],
  ['spec.host.0', ERROR("must lead to a list before '0', but `spec.host` is 'old'"), 1],
  ['spec.list.[name]', ERROR('must have a key and a value in brackets'), 1],
  ['spec.list.[name=zzz].value', ERROR('must lead to an existing field'), 0],
  ['spec.none.deep', ERROR('must lead to an existing field'), 0],
])('the path %s is an error, which v0.1.1 may pass over', (path, strict, lenient) => {
  expect(replaced('data.number', path)).toEqual(strict)
  expect(replaced('data.number', path, { version: 'v0.1.1' })).toHaveLength(lenient)
})

test('a star is every item of a list, and the items that a regular expression matches are all written', () => {
  expect(replaced('data.number', 'spec.list.*.value')).toHaveLength(2)
  expect(replaced('data.number', 'spec.list.[name=a|b].value')).toHaveLength(2)
  expect(replaced('data.number', 'spec.list.[name=^a$].value')).toHaveLength(1)
  expect(replaced('data.number', 'spec.plain.[=x]')).toHaveLength(1)
  expect(replaced('data.number', 'spec.list.[name=a(].value')).toEqual(ERROR('error: '))
})

test('fields are made with `create`, each of the type that the rest of the path needs', () => {
  const made = (path: string) =>
    valuesAfter(
      'apply-replacements',
      config({ fieldPath: 'data.number' }, { select: { kind: 'Till' }, fieldPaths: [path], options: { create: true } }),
      SOURCE,
      till('spec:\n  none: ~\n  l: []\n'),
    )[1]
  expect(made('spec.new.deep')).toMatchObject({ spec: { new: { deep: 5 } } })
  expect(made('spec.none.deep')).toMatchObject({ spec: { none: { deep: 5 } } })
  expect(made('spec.new.0')).toMatchObject({ spec: { new: [5] } })
  expect(made('spec.l.0')).toMatchObject({ spec: { l: [5] } })
  expect(made('spec.l.[name=a].value')).toMatchObject({ spec: { l: [{ name: 'a', value: 5 }] } })
})

test('a part of a text is taken, and replaces a part of another', () => {
  const part = (source: object, options: object) => replaced('data.origin', 'spec.image', { source, options })
  expect(part({ delimiter: ':', index: 0 }, {})).toEqual(['image: a.example'])
  expect(part({ delimiter: ':', index: 0 }, { delimiter: ':', index: 0 })).toEqual(['image: a.example:1'])
  expect(part({ delimiter: ':', index: 0 }, { delimiter: ':', index: 1 })).toEqual(['image: nginx:a.example'])
  expect(part({ delimiter: ':', index: 0 }, { delimiter: ':', index: 9 })).toEqual(['image: nginx:1:a.example'])
  expect(part({ delimiter: ':', index: 0 }, { delimiter: ':', index: -1 })).toEqual(['image: a.example:nginx:1'])
  expect(part({ delimiter: ':', index: 2 }, {})).toEqual(ERROR('must lead to a text with a part 2'))
  expect(replaced('data.map', 'spec.image', { source: { delimiter: ':' } })).toEqual(
    ERROR("must lead to a text to be divided at ':', got a map"),
  )
  expect(replaced('data.number', 'spec.list', { options: { delimiter: ':' } })).toEqual(
    ERROR("must lead to a text to be divided at ':', got a list"),
  )
})

test('a map or list replaces another whole', () => {
  const after = (from: string, to: string) =>
    valuesAfter('apply-replacements', config({ fieldPath: from }, { select: { kind: 'Till' }, fieldPaths: [to] }), SOURCE, till())[1]
  expect(after('data.map', 'spec.list')).toMatchObject({ spec: { list: { k: 'v' } } })
  expect(after('data.list', 'spec.list')).toMatchObject({ spec: { list: [1, 2] } })
})

test.each([
  ['data.nope', 'must lead to a value of ConfigMap web'],
  ['data.none', 'must lead to a value of ConfigMap web'],
  ['data.origin.deep', 'must lead through a map'],
])('a source without a value at %s is an error', (path, message) => {
  expect(replaced(path, 'spec.host')).toEqual(ERROR(message))
})

test('the source is one object', () => {
  const target = { select: { kind: 'Till' }, fieldPaths: ['spec.host'] }
  const texts = [SOURCE, objectText('ConfigMap', 'data: {origin: b}\n', 'v1', 'other'), till()]
  expect(run('apply-replacements', config({ fieldPath: 'data.origin' }, target), ...texts)).toEqual(
    ERROR('must select one object, and selects 2'),
  )
  expect(run('apply-replacements', config({ fieldPath: 'data.origin', name: 'none' }, target), ...texts)).toEqual(ERROR('selects none'))
  expect(run('apply-replacements', config({ fieldPath: 'data.origin', name: 'other' }, target), ...texts)).toEqual(['host: b'])
})

const LABELLED = `  namespace: eu\n  labels: {app: a}\n  annotations: {team: t}\n${TARGET}`

test.each<[object, readonly object[] | undefined, boolean]>([
  [{ kind: 'Till' }, undefined, true],
  [{ kind: 'Shop' }, undefined, false],
  [{ name: 'till' }, undefined, true],
  [{ name: 'shop' }, undefined, false],
  [{ group: 'example.com' }, undefined, true],
  [{ group: 'example.org' }, undefined, false],
  [{ kind: 'Till', version: 'v1' }, undefined, true],
  [{ kind: 'Till', version: 'v2' }, undefined, false],
  [{ namespace: 'eu' }, undefined, true],
  [{ namespace: 'us' }, undefined, false],
  [{ kind: 'Till', labelSelector: 'app=a' }, undefined, true],
  [{ kind: 'Till', labelSelector: 'app=b' }, undefined, false],
  [{ kind: 'Till', annotationSelector: 'team=t' }, undefined, true],
  [{ kind: 'Till', annotationSelector: 'team=u' }, undefined, false],
  [{ kind: 'Till' }, [{ name: 'till' }], false],
  [{ kind: 'Till' }, [{ name: 'shop' }], true],
  [{ kind: 'Till' }, [{ name: 'shop' }, { namespace: 'eu' }], false],
  [{ kind: 'Till' }, [{ labelSelector: 'app=a' }], false],
  [{ kind: 'Till' }, [{ labelSelector: 'app=b' }], true],
  [{ kind: 'Till' }, [{ annotationSelector: 'team=t' }], false],
  // Either part of a rejection is enough.
  [{ kind: 'Till' }, [{ name: 'shop', labelSelector: 'app=a' }], false],
  [{ kind: 'Till' }, [{}], true],
])('a Till is selected by %j without %j: %s', (select, reject, isSelected) => {
  const target = { select, ...(reject && { reject }), fieldPaths: ['spec.host'] }
  const lines = run('apply-replacements', config({ fieldPath: 'data.number', name: 'web' }, target), SOURCE, till(LABELLED))
  expect(lines).toHaveLength(isSelected ? 1 : 0)
})

test('an object without a namespace is in `default`, and a target without a field gets a name', () => {
  const target = (select: object) => ({ select, fieldPaths: ['spec.host'] })
  const lines = (select: object) => run('apply-replacements', config({ fieldPath: 'data.number' }, target(select)), SOURCE, till())
  expect(lines({ kind: 'Till', namespace: 'default' })).toHaveLength(1)
  const [, named] = valuesAfter('apply-replacements', config({}, { select: { kind: 'Till' } }), SOURCE, till())
  expect(named).toMatchObject({ metadata: { name: 'web' } })
})
