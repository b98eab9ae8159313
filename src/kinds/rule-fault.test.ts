import { expect, test } from 'vitest'
import { notInApi, refusedField, singleEntryFault, tolerated } from './rule-fault.ts'

test('a field that the controller refuses is an error with the reason of its condition', () => {
  const fault = { severity: 'error', rule: 'required', path: ['a'], message: 'm', reason: 'ValidationError' }
  expect(refusedField('required', ['a'], 'm')).toEqual(fault)
  expect(refusedField('required', ['a'], 'm', ['a', 'b'])).toEqual({ ...fault, place: ['a', 'b'], atKey: true })
})

test('a tolerated value is a warning without a reason, and proposes a value if there is one', () => {
  const fault = { severity: 'warning', rule: 'required', path: ['a'], message: 'm' }
  expect(tolerated('required', ['a'], 'm')).toEqual(fault)
  expect(tolerated('required', ['a'], 'm', 0)).toEqual({ ...fault, proposedValue: 0 })
})

test('a field that the API does not have is a warning that says how the field is read here', () => {
  expect(notInApi(['a'], 'it is taken')).toEqual({
    severity: 'warning',
    rule: 'not-in-api',
    path: ['a'],
    message: "is not in Porch's API, which refuses or drops it; here it is taken",
  })
})

test('for a map in the place of a list, the list with the map is proposed', () => {
  expect(singleEntryFault(['a'], { b: 'c' })).toEqual({
    severity: 'warning',
    rule: 'single-entry',
    path: ['a'],
    message: 'must be a list, got a map; the map is taken as the one entry of the list',
    proposedValue: [{ b: 'c' }],
  })
})
