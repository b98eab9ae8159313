import { expect, test } from 'vitest'
import { equalJson, type JsonValue } from '../../json.ts'
import { answered, known } from '../../pipeline/calls.ts'
import { identityOfObject } from '../../resource-list/identity.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { PackageInput } from '../package-inputs.ts'
import { nameOfObject } from '../package-objects.ts'
import { attribute, type WantedChange } from './attribution.ts'

const UPSTREAM: PackageInput = { type: 'upstream' }
const EDIT: PackageInput = { type: 'edit' }
const SETTER: PackageInput = { type: 'field', path: ['spec', 'pipeline'] }
const OPTIONS: PackageInput = { type: 'options' }

const mapOf = (value: JsonValue): KrmObject =>
  KrmObject.fromDocument(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { key: value } }), {
    path: 'a.yaml',
    index: 0,
    line: 1,
  })
const NAME = nameOfObject(mapOf(''))

/** The value of the field if some inputs are as TO has them; `fails` if the package cannot be rendered so. */
type Outcome = (...taken: readonly PackageInput['type'][]) => JsonValue | 'fails'

/** Returns the types of the causes of a change of the field from 1 to 2. */
function causesOf(inputs: readonly PackageInput[], outcome: Outcome, isCommitted: boolean, written: Partial<WantedChange> = {}) {
  const steps = ['data', 'key']
  const change: WantedChange = { before: NAME, after: NAME, field: { path: 'data.key', steps }, old: 1, value: 2, ...written }
  const render = (taken: readonly PackageInput[]) => {
    const value = outcome(...taken.map(({ type }) => type))
    return known(equalJson(value, 'fails') ? undefined : new Map([[identityOfObject(NAME), [mapOf(value)]]]))
  }
  return answered(attribute(change, inputs, render, isCommitted)).map(({ type }) => type)
}

test('an input is a cause if the change is another one without it', () => {
  const outcome: Outcome = (...taken) => (taken.includes('field') ? 2 : taken.includes('upstream') ? 3 : 1)
  expect(causesOf([UPSTREAM, SETTER], outcome, true)).toEqual(['field'])
})

test('two inputs that are needed together are both causes', () => {
  const outcome: Outcome = (...taken) => (taken.includes('field') && taken.includes('upstream') ? 2 : 1)
  expect(causesOf([UPSTREAM, SETTER, OPTIONS], outcome, true)).toEqual(['upstream', 'field'])
})

test('two inputs that give the field the same value are both causes', () => {
  const outcome: Outcome = (...taken) => (taken.includes('field') || taken.includes('upstream') ? 2 : 1)
  expect(causesOf([UPSTREAM, SETTER, OPTIONS], outcome, true)).toEqual(['upstream', 'field'])
})

test('an edit that holds what another input makes is no cause', () => {
  const outcome: Outcome = (...taken) => (taken.includes('edit') || taken.includes('upstream') ? 2 : 1)
  expect(causesOf([UPSTREAM, EDIT], outcome, true)).toEqual(['upstream'])
  expect(causesOf([UPSTREAM, EDIT], (...taken) => (taken.includes('edit') ? 2 : 1), true)).toEqual(['edit'])
})

test('an input with which alone the package cannot be rendered is no cause by itself', () => {
  const outcome: Outcome = (...taken) => (taken.length === 1 && taken[0] === 'field' ? 'fails' : taken.includes('upstream') ? 2 : 1)
  expect(causesOf([UPSTREAM, SETTER], outcome, true)).toEqual(['upstream'])
})

test('if no input decides, those that change the field are causes, else all', () => {
  const three: Outcome = (...taken) => (taken.length === 0 ? 1 : taken.length > 1 ? 2 : taken[0] === 'options' ? 1 : 5)
  expect(causesOf([UPSTREAM, SETTER, OPTIONS], three, true)).toEqual(['upstream', 'field'])
  expect(causesOf([UPSTREAM, SETTER, OPTIONS], (...taken) => (taken.length > 1 ? 2 : 1), true)).toEqual(['upstream', 'field', 'options'])
})

test('a committed package whose earlier state, rendered again, has the change was not rendered', () => {
  expect(causesOf([UPSTREAM, SETTER], () => 2, true)).toEqual(['not-rendered'])
  expect(causesOf([], () => 1, true)).toEqual(['not-rendered'])
})

test('a committed package that rendered again is neither the earlier nor the later one has both causes', () => {
  const outcome: Outcome = (...taken) => (taken.includes('field') ? 2 : 3)
  expect(causesOf([UPSTREAM, SETTER], outcome, true)).toEqual(['field', 'not-rendered'])
})

test('packages that are rendered in memory are never reported as not rendered', () => {
  expect(causesOf([UPSTREAM, SETTER], (...taken) => (taken.includes('field') ? 2 : 3), false)).toEqual(['field'])
  expect(causesOf([UPSTREAM, SETTER], () => 2, false)).not.toContain('not-rendered')
})

test('an earlier state that cannot be rendered has the value that it is known to have', () => {
  const outcome: Outcome = (...taken) => (taken.length === 0 ? 'fails' : taken.includes('field') ? 2 : 1)
  expect(causesOf([UPSTREAM, SETTER], outcome, true)).toEqual(['field'])
})

test('the order of a list is a cause by the names of its entries', () => {
  const list = (...names: readonly string[]) => names.map((name) => ({ name, ports: [{ containerPort: 80 }] }))
  const outcome: Outcome = (...taken) => (taken.includes('field') ? list('b', 'a') : list('a', 'b'))
  const field = { path: 'data.key', steps: ['data', 'key'], before: ['a', 'b'], after: ['b', 'a'], isOrder: true } as const
  expect(causesOf([UPSTREAM, SETTER], outcome, true, { field, old: ['a', 'b'], value: ['b', 'a'] })).toEqual(['field'])
})

test('a whole object that appears is caused by what makes it', () => {
  const { field: _, ...whole }: WantedChange = { after: NAME, old: undefined, value: mapOf(2).toJson() }
  const render = (taken: readonly PackageInput[]) => known(new Map(taken.includes(UPSTREAM) ? [[identityOfObject(NAME), [mapOf(2)]]] : []))
  expect(answered(attribute(whole, [UPSTREAM, SETTER], render, true))).toEqual([UPSTREAM])
})

test('an object that appears beside another one of its name, or goes from beside it, is caused by what brings or takes it', () => {
  const { field: _, ...created }: WantedChange = { after: NAME, old: undefined, value: mapOf(2).toJson(), hasTwin: true }
  const render = (taken: readonly PackageInput[]) =>
    known(new Map([[identityOfObject(NAME), [mapOf('mine'), ...(taken.includes(UPSTREAM) ? [mapOf(2)] : [])]]]))
  expect(answered(attribute(created, [UPSTREAM, SETTER], render, true))).toEqual([UPSTREAM])
  const deleted: WantedChange = { before: NAME, old: mapOf('mine').toJson(), value: undefined, hasTwin: true }
  const renderWithout = (taken: readonly PackageInput[]) =>
    known(new Map([[identityOfObject(NAME), [mapOf(2), ...(taken.includes(EDIT) ? [] : [mapOf('mine')])]]]))
  expect(answered(attribute(deleted, [UPSTREAM, EDIT], renderWithout, true))).toEqual([EDIT])
})
