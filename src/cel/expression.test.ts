import { expect, test } from 'vitest'
import { childrenOf, type Expression } from './expression.ts'

const leaf = (name: string): Expression => ({ kind: 'identifier', name, offset: 0 })
const [A, B, C, D, E] = ['a', 'b', 'c', 'd', 'e'].map(leaf)
if (A === undefined || B === undefined || C === undefined || D === undefined || E === undefined) throw new Error('five names')

test.each<[string, Expression, readonly Expression[]]>([
  ['a constant', { kind: 'constant', value: 1n, offset: 0 }, []],
  ['a name', A, []],
  ['a field', { kind: 'select', operand: A, field: 'x', test: false, offset: 0 }, [A]],
  ['a function', { kind: 'call', name: 'f', target: undefined, args: [A, B], offset: 0 }, [A, B]],
  ['a method, its target first', { kind: 'call', name: 'f', target: A, args: [B], offset: 0 }, [A, B]],
  ['a list', { kind: 'list', elements: [A, B], offset: 0 }, [A, B]],
  [
    'a map, each key before its value',
    {
      kind: 'map',
      entries: [
        { key: A, value: B },
        { key: C, value: D },
      ],
      offset: 0,
    },
    [A, B, C, D],
  ],
  ['a message', { kind: 'message', name: 'm', values: [A], offset: 0 }, [A]],
  ['a loop', { kind: 'comprehension', range: A, variable: 'x', initial: B, condition: C, step: D, result: E, offset: 0 }, [B, A, C, D, E]],
  ['an optional map', { kind: 'optionalMap', target: A, variable: 'x', body: B, isFlat: false, offset: 0 }, [A, B]],
])('the nodes right below %s', (_, node, expected) => {
  expect(childrenOf(node)).toEqual(expected)
})
