import { expect, test } from 'vitest'
import { DIALECTS } from '../versions/dialects.ts'
import type { Version } from '../versions/version.ts'
import { classify } from './classify.ts'
import { rangeReader } from './range.ts'
import type { Range } from './universe.ts'

const reader = rangeReader(DIALECTS.m350)

function range(text: string): Range {
  const read = reader.range(text)
  if (read === undefined) throw new Error(`${text} is no range`)
  return read
}

function versions(...texts: readonly string[]): Version[] {
  return texts.flatMap((text) => reader.version(text) ?? []).sort((a, b) => reader.dialect.compare(b, a))
}

test.each([
  {
    reason: 'row 1: DV above every literal, nothing else known',
    pdv: '^1.2.3',
    dv: '2.0.0',
    known: [],
    text: 'not resolvable because P does not support using D in 2.0.0 yet',
  },
  {
    reason: 'row 1: below, and nobody else ranges D',
    pdv: '^1.2.3',
    dv: '1.0.0',
    known: ['1.0.0'],
    text: 'might be resolvable by updating D to a version in "^1.2.3"',
  },
  {
    reason: 'row 1: below, and others range D',
    pdv: '^1.2.3',
    dv: '1.0.0',
    others: ['<2.0.0'],
    known: [],
    text: 'might be resolvable if "^1.2.3" and "<2.0.0" overlap',
  },
  { reason: 'row 1: in a hole', pdv: '<1.0.0 || >=2.0.0', dv: '1.5.0', known: [], text: 'cannot tell: no versions of D known' },
  {
    reason: 'row 2: the highest that satisfies all',
    pdv: '^1.2.3',
    dv: '1.0.0',
    others: ['<1.9.0'],
    known: ['1.0.0', '1.5.0', '1.8.0', '1.9.0'],
    text: 'resolvable by updating D to 1.8.0',
    to: '1.8.0',
    direction: 'up',
  },
  {
    reason: 'row 3: only a lower one',
    pdv: '^1.2.3',
    dv: '2.0.0',
    known: ['1.5.0', '2.0.0'],
    text: 'not resolvable because P does not support using D in 2.0.0 yet; downgrading D to 1.5.0 satisfies all',
    to: '1.5.0',
    direction: 'down',
  },
  {
    reason: 'row 4: a higher one breaks X',
    pdv: '^1.2.3',
    dv: '1.0.0',
    others: ['<1.2.0'],
    known: ['1.0.0', '1.5.0'],
    text: 'not resolvable because updating D to 1.5.0 breaks X1, which requires "<1.2.0"',
  },
  {
    reason: 'row 5: all in PDV are below DV, and refused',
    pdv: '^1.2.3',
    dv: '2.0.0',
    others: ['>=2.0.0'],
    known: ['1.5.0', '2.0.0'],
    text: 'not resolvable because P does not support using D in 2.0.0 yet',
  },
  {
    reason: 'row 6: none in PDV',
    pdv: '^3.0.0',
    dv: '2.0.0',
    known: ['1.5.0', '2.0.0'],
    text: 'not resolvable because no known version of D is in "^3.0.0"',
  },
])('$reason', ({ pdv, dv, others = [], known, text, to, direction }) => {
  const [installed] = versions(dv)
  if (installed === undefined) throw new Error(`${dv} is no version`)
  const demands = others.map((each, i) => ({ by: `X${i + 1}`, range: range(each) }))
  const outcome = classify({
    demand: { by: 'P', range: range(pdv) },
    others: demands,
    id: 'D',
    installed,
    known: versions(...known),
    compare: reader.dialect.compare,
  })
  expect(outcome.text).toBe(text)
  expect([outcome.move?.to.text, outcome.move?.direction]).toEqual([to, direction])
})
