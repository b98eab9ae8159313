import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import { rangeReader } from '../range.ts'
import { Collector } from './collector.ts'
import { fieldAt } from './field.ts'
import { MASTERMINDS_TRAPS } from './written-constraint.ts'

const collector = (): Collector => new Collector('crossplane', rangeReader(DIALECTS.m350), MASTERMINDS_TRAPS)
const objectOf = (spec: string): KrmObject =>
  KrmObject.fromDocument(`apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\nspec: ${spec}\n`)

/** Returns what a read of one field answers, and the findings of the read: message and proposed value. */
function reading<Answer>(spec: string, read: (all: Collector, field: ReturnType<typeof fieldAt>) => Answer) {
  const all = collector()
  const answer = read(all, fieldAt(objectOf(spec), ['spec', 'a']))
  return [answer, ...all.findings.map(({ message, proposedValue }) => [message, proposedValue])]
}

test('a flag is true, false or missing; a text is a fault', () => {
  const flag = (spec: string) => reading(spec, (all, field) => all.flag(field))
  expect(flag('{a: true}')).toEqual([true])
  expect(flag('{a: false}')).toEqual([false])
  expect(flag('{}')).toEqual([undefined])
  expect(flag("{a: 'true'}")).toEqual([undefined, ["`spec.a` must be true or false, got 'true'", undefined]])
})

test('a choice is one of some texts; the nearest is named and not written', () => {
  const choice = (spec: string) => reading(spec, (all, field) => all.choice(field, ['Auto', 'User']))
  expect(choice('{a: User}')).toEqual(['User'])
  expect(choice('{}')).toEqual([undefined])
  expect(choice('{a: Usr}')).toEqual([undefined, [expect.stringMatching(/'Auto', 'User', got 'Usr'; did you mean 'User'\?$/), undefined]])
  expect(choice('{a: 5}')).toEqual([undefined, [expect.stringMatching(/got the number 5$/), undefined]])
})

test('a text that is written without quotes is proposed as it is written', () => {
  const text = (spec: string) => reading(spec, (all, field) => all.text(field))
  expect(text("{a: '0.10'}")).toEqual(['0.10'])
  expect(text('{}')).toEqual([undefined])
  expect(text('{a: 0.10}')).toEqual([undefined, ['`spec.a` must be a string, got 0.10; write "0.10"', '0.10']])
  expect(text('{a: {b: 1}}')).toEqual([undefined, ['`spec.a` must be a string, got a map or a list', undefined]])
})

test('a name must be set', () => {
  const name = (spec: string) => reading(spec, (all, field) => all.name(field))
  expect(name('{a: b}')).toEqual(['b'])
  expect(name('{}')).toEqual(['', ['`spec.a` must be set', undefined]])
  expect(name("{a: ''}")).toEqual(['', ['`spec.a` must be set', undefined]])
  expect(name('{a: 5}')).toEqual(['', [expect.stringContaining('must be a string'), '5']])
})

test('a list and a map are checked only where they are written', () => {
  const items = (spec: string) => reading(spec, (all, field) => all.items(field).length)
  expect(items('{a: [1, 2]}')).toEqual([2])
  expect(items('{}')).toEqual([0])
  expect(items('{a: {b: 1}}')).toEqual([0, [expect.stringContaining('`spec.a` must be a list'), undefined]])
  const map = (spec: string) => reading(spec, (all, field) => all.map(field, ['name']))
  expect(map('{a: {name: b}}')).toEqual([true])
  expect(map('{}')).toEqual([true])
  expect(map('{a: [b]}')).toEqual([false, [expect.stringContaining('`spec.a` must be a map'), undefined]])
  expect(map('{a: {nam: b}}')).toEqual([true, ["`spec.a.nam` is not a field of a; did you mean 'name'?", undefined]])
})

test('a misspelt key is reported where the right one is missing, with a small or a large first letter', () => {
  const misspelt = (spec: string) => {
    const all = collector()
    all.misspelt(objectOf(spec), ['spec'], 'dependencies')
    return all.findings.map(({ place }) => place.path)
  }
  expect(misspelt('{dependancies: []}')).toEqual([['spec', 'dependancies']])
  expect(misspelt('{Dependencies: []}')).toEqual([['spec', 'Dependencies']])
  expect(misspelt('{"dependancies": []}')).toEqual([['spec', 'dependancies']])
  expect(misspelt('{dependancies: [], dependencies: []}')).toEqual([])
  expect(misspelt('{other: {dependancies: []}}')).toEqual([])
  expect(misspelt('{depth: 1}')).toEqual([])
})

test('a second reading keeps its faults to itself, and one without traps shares the findings', () => {
  const all = collector()
  const field = fieldAt(objectOf("{a: '~0.0.0'}"), ['spec', 'a'])
  const subject = () => ({ field, known: () => [] })
  all.silent().constraint('~0.0.0', subject)
  all.withoutTraps().constraint('~0.0.0', subject)
  expect(all.findings).toEqual([])
  all.withoutTraps().constraint('no range', subject)
  all.constraint('~0.0.0', subject)
  all.constraint('>=1.0.0', subject)
  expect(all.findings.map(({ rule, proposedValue }) => [rule, proposedValue])).toEqual([
    ['constraint-invalid', undefined],
    ['constraint-suspect', '>=0.0.0'],
  ])
})
