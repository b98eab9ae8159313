import fc from 'fast-check'
import { expect, test } from 'vitest'
import { positionAt } from './lines.ts'
import { LineIndex } from './text-reading.ts'

test('every place is where counting from the start finds it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'ä', '😀', '\n', '\r\n')), fc.nat(), (parts, number) => {
      const text = parts.join('')
      const offset = parts.slice(0, number % (parts.length + 1)).join('').length
      expect(new LineIndex(text).positionAt(offset)).toEqual(positionAt(text, offset))
    }),
  )
})
