import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomRuns } from '../../testdata/random-runs.ts'
import type { FieldPath } from '../field-path.ts'
import { equalJson, type JsonValue } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { FunctionError } from '../result.ts'
import { layOutFile } from './assemble-file.ts'
import { fileChanges } from './file-changes.ts'
import { withJsonKept } from './json-file.ts'
import { readPackageFile } from './read-package-file.ts'

/** Returns a JSON file after an edit of its object. */
function edited(path: string, text: string, edit: (object: KrmObject) => void): string | undefined {
  const { file } = readPackageFile(path, Buffer.from(text))
  const objects = file?.documents.flatMap(({ object }) => object ?? []) ?? []
  for (const object of objects) edit(object)
  return file && fileChanges({ files: [file], list: ResourceList.of(objects), results: [] })[0]?.text
}

test('a new field of a JSON file is JSON, and the other bytes stay', () => {
  const text = '{"metadata": {"name": "a"},\n "list": ["x"],  "n": 1.50}\n'
  const after = edited('a.json', text, (object) => {
    object.set(['metadata', 'labels'], { team: 'x', 'a/b': '1' })
    object.set(['list', 1], 'yes')
    object.set(['n'], 12345678901234567890n)
    object.set(['text'], 'one\n\ttwo \u0085\u2028')
  })
  expect(after).toBe(
    '{"metadata": {"name": "a", "labels": {"team": "x", "a/b": "1"}},\n "list": ["x", "yes"],  "n": 12345678901234567890, "text": "one\\n\\ttwo \\u0085\\u2028"}\n',
  )
})

test('a value that replaces another one of a JSON file is JSON', () => {
  const text = '{"a": "b", "c": 1, "d": {"e": 1}}'
  const after = edited('a.json', text, (object) => {
    object.set(['a'], '\u0007')
    object.set(['c'], 'word')
    object.set(['d'], [{ f: null }])
  })
  expect(after).toBe('{"a": "\\u0007", "c": "word", "d": [{"f": null}]}')
})

test('a copied value is written as JSON, and a number keeps its digits', () => {
  const source = KrmObject.fromDocument("spec: {mode: yes, n: 1.50, m: 0x1F, q: 'it''s'}\n")
  expect(edited('a.json', '{"a": 1}', (object) => object.copy(['spec'], source))).toBe(
    '{"a": 1, "spec": {"mode": "yes", "n": 1.50, "m": 31, "q": "it\'s"}}',
  )
})

test('a YAML text that a function returns for a JSON file is written as JSON', () => {
  const { file } = readPackageFile('a.json', Buffer.from('{"a": 1}\n'))
  const source = file?.documents[0]?.object
  const lay = (path: string, before = file) => source && layOutFile([{ source, text: 'a: 1\nb: [x]\n' }], { path, before })
  expect(lay('a.json')).toBe('{\n  "a": 1,\n  "b": [\n    "x"\n  ]\n}\n')
  expect(source && layOutFile([{ source, text: 'a: 1\n' }], { path: 'new.json', before: undefined })).toBe('{\n  "a": 1\n}\n')
  expect(lay('a.yaml')).toBe('a: 1\nb: [x]\n')
})

test.each(['a: 1\n', '{a: 1}\n', '# no JSON\n{"a": 1}\n'])('a file a.json that holds %j stays YAML', (text) => {
  expect(edited('a.json', text, (object) => object.set(['c'], 'd'))).toMatch(/\bc: d/)
})

const KEY = fc.constantFrom('a', 'b', 'yes', '1', '', ' x', 'a: b', '__proto__', 'é', '"', '\u0085')
const VALUE = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(
      null,
      true,
      1,
      -0.5,
      1e21,
      2n ** 60n,
      'word',
      'yes',
      '',
      '1',
      'a\nb',
      '\u2028',
      '# no',
      '\u0001',
      '\ud83d\ude00',
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(KEY, tie('value'), { maxKeys: 3 }),
  ),
})).value
const MAP = fc.dictionary(KEY, VALUE, { maxKeys: 4 })

test('a JSON file stays JSON after any edits, and has the value that they ask for', () => {
  const indents = fc.constantFrom(undefined, 2, '\t')
  const withoutLarge = MAP.filter((map) => !holdsLarge(map))
  fc.assert(
    fc.property(
      withoutLarge,
      indents,
      fc.array(fc.tuple(fc.array(KEY, { minLength: 1, maxLength: 3 }), fc.option(VALUE))),
      (map, indent, edits) => {
        const text = `${JSON.stringify(map, undefined, indent)}\n`
        fc.pre(readPackageFile('a.json', Buffer.from(text)).file !== undefined)
        let wanted: JsonValue = {}
        const after = edited('a.json', text, (object) => {
          for (const [path, value] of edits) tryEdit(object, path, value)
          wanted = object.toJson()
        })
        if (after === undefined || after === '') return
        JSON.parse(after)
        const read = readPackageFile('a.json', Buffer.from(after)).file?.documents[0]?.object?.toJson()
        expect(equalJson(read, wanted)).toBe(true)
      },
    ),
    { numRuns: randomRuns(100) },
  )
})

/** Makes an edit, if the object does not refuse it. */
function tryEdit(object: KrmObject, path: FieldPath, value: JsonValue): void {
  try {
    if (value === null) object.delete(path)
    else object.set(path, value)
    object.settle()
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
  }
}

function holdsLarge(value: JsonValue): boolean {
  return typeof value === 'bigint' || (typeof value === 'object' && value !== null && Object.values(value).some(holdsLarge))
}

const FLOW = '{"a": "b", c: 12345678901234567890}\n'
const AS_JSON = '{\n  "a": "b",\n  "c": 12345678901234567890\n}\n'

test.each<[string, string, string | undefined, readonly string[], string]>([
  ['a file that was JSON', 'x/a.json', '{"a": "b"}\n', [FLOW], AS_JSON],
  ['a new file that ends in .json', 'a.json', undefined, [FLOW], AS_JSON],
  ['a file that was YAML', 'a.json', 'a: b\n', [FLOW], FLOW],
  ['a new file with another ending', 'a.yaml', undefined, [FLOW], FLOW],
  ['a file of two objects', 'a.json', undefined, [FLOW, FLOW], FLOW],
  ['a file without an object', 'a.json', '{"a": "b"}\n', [], FLOW],
])('%s is written as JSON where it must be', (_what, path, before, texts, written) => {
  const file = before === undefined ? undefined : readPackageFile(path, Buffer.from(before)).file
  expect(withJsonKept({ path, before: file }, texts, FLOW)).toBe(written)
})

test('a text that is JSON already keeps its bytes, and maps and lists without members are short', () => {
  const json = '{"a":   "b"}\n'
  expect(withJsonKept({ path: 'a.json', before: undefined }, [json], json)).toBe(json)
  const yaml = 'a: []\nb: {}\nc: [1, {d: ~}]\n'
  expect(withJsonKept({ path: 'a.json', before: undefined }, [yaml], yaml)).toBe(
    '{\n  "a": [],\n  "b": {},\n  "c": [\n    1,\n    {\n      "d": null\n    }\n  ]\n}\n',
  )
})
