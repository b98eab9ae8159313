import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonRecord, JsonValue } from '../json.ts'
import { DYN } from './check/types.ts'
import { jsonOf } from './json-of.ts'
import { LazyMap, lazyRecord, lazyValue } from './lazy-map.ts'
import { compileTyped } from './program.ts'
import type { CelValue } from './value.ts'
import { celValue } from './variables.ts'

const RECORDS = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })) as fc.Arbitrary<JsonRecord>

describe('a lazy map', () => {
  test('is equal to the map of celValue, whatever was read of it before', () => {
    const same = compileTyped(
      'a == b && size(a) == size(b)',
      new Map([
        ['a', DYN],
        ['b', DYN],
      ]),
    )
    fc.assert(
      fc.property(RECORDS, fc.array(fc.string()), (record, read) => {
        const lazy = lazyValue(record)
        if (!(lazy instanceof Map)) throw new Error('a record is a map')
        for (const key of [...read, ...Object.keys(record).slice(0, 2)]) lazy.get(key)
        const variables = new Map<string, CelValue>([
          ['a', lazy],
          ['b', celValue(record)],
        ])
        expect(same.value(variables)).toBe(true)
        expect(jsonOf(lazy)).toEqual(jsonOf(celValue(record)))
        expect([...lazy.keys()]).toEqual(Object.keys(record).toSorted())
      }),
    )
  })

  test('makes each value once, when the value is read', () => {
    const made: string[] = []
    const fields: Readonly<Record<string, JsonValue>> = { a: 1, b: 2 }
    const map = new LazyMap(
      () => Object.keys(fields),
      (key) => {
        if (fields[key] === undefined) return undefined
        made.push(key)
        return celValue(fields[key])
      },
    )
    expect([map.get('b'), map.get('b'), map.get('c'), map.has('c')]).toEqual([2n, 2n, undefined, false])
    expect(made).toEqual(['b'])
    expect([...map]).toEqual([
      ['a', 1n],
      ['b', 2n],
    ])
    expect(made).toEqual(['b', 'a'])
  })
})

test('a lazy record converts each field with its key when the field is read, and has its keys in order', () => {
  const converted: string[] = []
  const map = lazyRecord({ b: 1, a: null }, (value, key) => {
    converted.push(key)
    return value === null ? null : `${key} ${value}`
  })
  expect([map.get('b'), map.get('a'), map.get('toString'), map.get(1n), map.has('a')]).toEqual(['b 1', null, undefined, undefined, true])
  expect(converted).toEqual(['b', 'a'])
  expect([[...map.keys()], [...map.values()], [...map.entries()], map.size]).toEqual([
    ['a', 'b'],
    [null, 'b 1'],
    [
      ['a', null],
      ['b', 'b 1'],
    ],
    2,
  ])
  expect(converted).toEqual(['b', 'a'])
})
