import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonRecord, JsonValue } from '../json.ts'
import { NAME_HOLE, ObjectPattern, OWN_HOLES, placeholder } from './object-pattern.ts'
import { ResourceList } from './resource-list.ts'

const LIST = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n'

const TEXTS = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'- ?:,#|>\'"yn0x1._\n\t', 'yes', '\r', '😀'), maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const KEYS = fc.string({ unit: fc.constantFrom(...'ab.-/: #'), minLength: 1, maxLength: 4 })
const LEAVES = fc.oneof(
  fc.nat(3).map((hole) => placeholder(OWN_HOLES + hole)),
  TEXTS,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
)
const { value: VALUES } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    LEAVES,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(KEYS, tie('value'), { maxKeys: 3 }),
  ),
}))

function variant(name: string, spec: JsonValue): JsonRecord {
  return { apiVersion: 'v1', kind: 'B', metadata: { name, annotations: { 'a.b/c': 'x' } }, spec }
}

test('the text of a pattern is that of the object with the texts filled in, for any object and texts, in a list and in a file', () => {
  fc.assert(
    fc.property(VALUES, fc.array(fc.tuple(TEXTS, fc.array(TEXTS, { minLength: 4, maxLength: 4 })), { maxLength: 3 }), (spec, objects) => {
      const pattern = new ObjectPattern(variant(placeholder(NAME_HOLE), spec))
      for (const make of [() => ResourceList.parse(LIST), () => ResourceList.of([])]) {
        const [byPattern, byObject] = [make(), make()]
        for (const [text, own] of objects) {
          const name = `b${text}`
          const texts = ['', '', name, ...own]
          byPattern.upsertFrom(pattern, texts, `${name}.yaml`)
          byObject.upsert(pattern.objectOf(texts), `${name}.yaml`)
        }
        expect(byPattern.items.map((item) => item.toText())).toEqual(byObject.items.map((item) => item.toText()))
      }
    }),
    { numRuns: 500 },
  )
})

test('an object with the identity is written over, as by its value', () => {
  const list = ResourceList.parse(LIST)
  const pattern = new ObjectPattern({
    apiVersion: 'v1',
    kind: 'A',
    metadata: { name: placeholder(NAME_HOLE) },
    data: placeholder(OWN_HOLES),
  })
  list.upsertFrom(pattern, ['', '', 'b', 'one'], 'b.yaml')
  list.upsertFrom(pattern, ['', '', 'b', 'two'], 'c.yaml')
  expect(list.items.map((item) => [item.name, item.get(['data'])])).toEqual([
    ['a', undefined],
    ['b', 'two'],
  ])
})
