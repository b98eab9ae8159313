import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { formatResult } from '../result.ts'
import { typedTexts } from './text-values.ts'

function found(kind: string, data: string, apiVersion = 'v1'): readonly string[] {
  return typedTexts(KrmObject.fromDocument(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n${data}\n`)).map(formatResult)
}

test.each([
  ['ConfigMap', 'data: {port: 8080, tls: true, name: "1"}', ['data.port', 'data.tls']],
  ['ConfigMap', 'data: {account: 12345678901234567890}', ['data.account']],
  ['Secret', 'stringData: {pin: 4711}\ndata: {pin: 1}', ['data.pin', 'stringData.pin']],
])('a number or boolean in the texts of a %s is a warning without the value', (kind, data, fields) => {
  const all = found(kind, data)
  expect(all.map((line) => /`(.*?)`/.exec(line)?.[1])).toEqual(fields)
  expect(all.join()).not.toMatch(/8080|4711|1234/)
  expect(all[0]).toMatch(/must be a text in quotes, is a number; the API server refuses the object \[wrong-type\]$/)
})

test('texts, missing values, lists and objects of other groups have no warning', () => {
  expect(found('ConfigMap', 'data: {a: "1", b: x, c: , d: [1]}')).toEqual([])
  expect(found('ConfigMap', 'data:')).toEqual([])
  expect(found('Secret', 'data: {a: 1}', 'example.com/v1')).toEqual([])
})
