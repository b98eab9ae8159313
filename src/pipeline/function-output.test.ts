import { expect, test } from 'vitest'
import { OutputError, readOutput } from './function-output.ts'

const PLACE = { folder: '', root: '/a', folders: new Set(['']) }
const PRINTED = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nresults:\n- {message: no input resources, severity: info}\n'

test('a function that got no items may print a list without items, as functions of the Go SDK do', () => {
  expect(readOutput(PRINTED, { text: 'items: []', sent: [] }, PLACE)).toEqual([])
})

test('a list without items is refused from a function that got some', () => {
  const sent = [{ id: '1', text: '', item: { folder: '', path: 'a.yaml', index: '0' } }] as never
  expect(() => readOutput(PRINTED, { text: 'items:', sent }, PLACE)).toThrow(OutputError)
})
