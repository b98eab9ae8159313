import { expect, test } from 'vitest'
import { plainScalars } from './yaml-library.ts'

test('plain scalars are found in maps, lists and flow collections, keys too, with their places', () => {
  const text = 'name: prod-01\nlist:\n  - on # note\n  - \'no\'\nflow: {a: yes, b: [off, "y"]}\n'
  const found = plainScalars(text).map((scalar) => `${scalar.line}:${scalar.column} ${scalar.text}`)
  expect(found).toEqual(['1:1 name', '1:7 prod-01', '2:1 list', '3:5 on', '5:1 flow', '5:8 a', '5:11 yes', '5:16 b', '5:20 off'])
})

test('the text of a block scalar is none, also at the end of a text without a line break', () => {
  expect(plainScalars('a: |\n  yes').map(({ text }) => text)).toEqual(['a'])
  expect(plainScalars('a: >-\n  no\nb: no\n').map(({ text }) => text)).toEqual(['a', 'b', 'no'])
})
