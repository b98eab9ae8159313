import { expect, test } from 'vitest'
import { DIALECTS } from '../versions/dialects.ts'
import { rangeReader } from './range.ts'

const [crossplane, carvel] = [rangeReader(DIALECTS.m350), rangeReader(DIALECTS.k14s)]

/** Returns what is known of a constraint. */
function read(text: string, reader = crossplane) {
  const parsed = reader.constraint(text)
  return parsed.ok ? [parsed.value.isEmpty, parsed.value.upperBound?.text] : parsed.error
}

test.each<[string, unknown]>([
  ['>=1.0.0', [false, undefined]],
  ['>=1.0.0, <2.0.0', [false, '2.0.0']],
  ['>=1.0.0, < 2.0.0', [false, '2.0.0']],
  ['>=2.0.0, <1.0.0', [true, '1.0.0']],
  ['>1.0.0, <1.0.1', [true, '1.0.1']],
  ['>1.0.0, <1.0.2', [false, '1.0.2']],
  ['>1.0.0-0, <1.0.0', [false, '1.0.0']],
  ['<0.0.0', [true, '0.0.0']],
  ['<0.0.1', [false, '0.0.1']],
  ['<1.0.0', [false, '1.0.0']],
  ['<2.0.0-rc.1', [false, undefined]],
  ['>=1.0.0, <2.0.0-rc.1 || <3.0.0', [false, '3.0.0']],
  ['=1.0.0', [false, undefined]],
  ['=1.0.0, !=1.0.0', [true, undefined]],
  ['*', [false, undefined]],
  ['<=2.0.0', [false, undefined]],
])('the constraint %s: whether it is empty, and its upper bound', (text, expected) => {
  expect(read(text)).toEqual(expected)
})

test('in Carvel, build metadata is above the version', () => {
  expect([read('>1.0.0 <1.0.1', carvel), read('>1.0.0+zzzz <1.0.1', carvel)]).toEqual([
    [false, '1.0.1'],
    [false, '1.0.1'],
  ])
})

test('a constraint that does not parse, or on which the library panics, has an error', () => {
  expect(read('>>1')).toBe('improper constraint: ">>1"')
  expect(read('2.0.0 || || 1.0.0', carvel)).toBe('kapp-controller panics on two || in a row')
  expect(carvel.range('2.0.0 || || 1.0.0')).toBeUndefined()
})

test('a version is read once, and undefined if it is none', () => {
  expect([crossplane.version('v1.2')?.minor, crossplane.version('main')]).toEqual([2n, undefined])
  expect(crossplane.version('v1.2')).toBe(crossplane.version('v1.2'))
})

test('a range accepts what its constraint does, and selects the prereleases that are admitted', () => {
  const range = (admitted?: readonly string[] | 'none') => {
    const prereleases = admitted === 'none' ? { admitted: undefined } : admitted && { admitted: { identifiers: admitted } }
    return carvel.range('>=1.0.0', prereleases)
  }
  const [rc, beta, whole] = ['1.1.0-rc.1', '1.1.0-beta', '1.1.0'].map((text) => carvel.version(text))
  if (rc === undefined || beta === undefined || whole === undefined) throw new Error('no versions')
  const selected = (admitted?: readonly string[] | 'none') => [rc, beta, whole].map((version) => range(admitted)?.selects(version))
  expect(selected()).toEqual([true, true, true])
  expect(selected('none')).toEqual([false, false, true])
  expect(selected([])).toEqual([true, true, true])
  expect(selected(['rc'])).toEqual([true, false, true])
  expect([rc, beta, whole].map((version) => range('none')?.accepts(version))).toEqual([true, true, true])
  expect([range(['rc']), range('none'), range()].map((each) => each?.text)).toEqual(['>=1.0.0', '>=1.0.0', '>=1.0.0'])
  expect(range(['rc'])).toBe(range(['rc']))
  const low = carvel.version('0.9.0')
  expect(low && [range()?.accepts(low), range()?.selects(low), range([])?.selects(low)]).toEqual([false, false, false])
})
