import { expect, test } from 'vitest'
import { plainScalars } from './yaml-library.ts'

test('plain scalars are found in maps, lists and flow collections, keys too, with their lines', () => {
  const text = 'name: prod-01\nlist:\n  - on # note\n  - \'no\'\nflow: {a: yes, b: [off, "y"]}\n'
  const found = plainScalars(text).map((scalar) => `${scalar.line} ${scalar.text}`)
  expect(found).toEqual(['1 name', '1 prod-01', '2 list', '3 on', '5 flow', '5 a', '5 yes', '5 b', '5 off'])
})

test('the text of a block scalar is none, also at the end of a text without a line break', () => {
  expect(plainScalars('a: |\n  yes').map(({ text }) => text)).toEqual(['a'])
  expect(plainScalars('a: >-\n  no\nb: no\n').map(({ text }) => text)).toEqual(['a', 'b', 'no'])
})
