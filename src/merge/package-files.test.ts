import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { isBytes, keptContent, objectsIn } from './package-files.ts'

const object = writtenObject('kind: A\n')
const bytes = new TextEncoder().encode('text')

test('bytes and missing files have no resources', () => {
  expect([isBytes(bytes), isBytes([object]), isBytes(undefined)]).toEqual([true, false, false])
  expect([objectsIn(bytes), objectsIn(undefined), objectsIn([object])]).toEqual([[], [], [object]])
})

test('a file that is kept has its bytes, or its resources unchanged, with the side that they are from', () => {
  expect(keptContent(bytes, 'ours')).toBe(bytes)
  expect(keptContent([object], 'theirs')).toEqual([{ from: 'theirs', source: object, object }])
})
