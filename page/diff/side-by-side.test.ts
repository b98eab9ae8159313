import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SideLine, type SideRow, sideBySide } from './side-by-side.ts'

const textOf = ({ parts }: SideLine) => parts.map(({ text }) => text).join('')

/** Returns the lines of one side as rows show them, with their numbers. */
function linesOf(rows: readonly SideRow[], side: 'before' | 'after'): readonly string[] {
  return rows.flatMap((row) => {
    const line = side === 'before' ? 'before' in row && row.before : 'after' in row && row.after
    return line ? [`${line.number} ${textOf(line)}`] : []
  })
}

test('a changed line stands beside its successor, and the words that differ are marked', () => {
  const [equal, changed] = sideBySide('a: 1\nimage: web:1.0\n', 'a: 1\nimage: web:2.0\n')
  expect(equal?.type).toBe('equal')
  expect(changed).toMatchObject({ type: 'changed', before: { number: 2 }, after: { number: 2 } })
  const marked = (line: SideLine | undefined) => line?.parts.filter(({ isChanged }) => isChanged).map(({ text }) => text)
  expect(changed?.type === 'changed' && [marked(changed.before), marked(changed.after)]).toEqual([['1'], ['2']])
})

test('equal lines far from a change are counted', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `k${index}: v`)
  const rows = sideBySide(lines.join('\n'), [...lines.slice(0, 19), 'k19: w'].join('\n'))
  expect(rows[0]).toEqual({ type: 'gap', lines: 16 })
  expect(linesOf(rows, 'after')).toEqual(['17 k16: v', '18 k17: v', '19 k18: v', '20 k19: w'])
})

test('an object that is created or deleted has one side', () => {
  expect(sideBySide('', 'a: 1\n').map(({ type }) => type)).toEqual(['added'])
  expect(sideBySide('a: 1\n', '').map(({ type }) => type)).toEqual(['removed'])
})

test('the lines of each side are lines of its text, numbered as there', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c d', 'c e', '- x'), { maxLength: 12 }).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const rows = sideBySide(before, after)
      for (const [side, whole] of [
        ['before', before],
        ['after', after],
      ] as const)
        for (const line of linesOf(rows, side)) {
          const at = line.indexOf(' ')
          expect(whole.split('\n')[Number(line.slice(0, at)) - 1]).toBe(line.slice(at + 1))
        }
    }),
  )
})
