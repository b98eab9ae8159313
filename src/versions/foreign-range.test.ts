import { expect, test } from 'vitest'
import { DIALECTS } from './dialects.ts'
import { translateRange } from './foreign-range.ts'

test.each([
  ['~=0.45', '>=0.45.0, <1.0.0', '>=0.45.0 <1.0.0'],
  ['~=0.45.2', '>=0.45.2, <0.46.0', '>=0.45.2 <0.46.0'],
  ['[0.45,0.50)', '>=0.45.0, <0.50.0', '>=0.45.0 <0.50.0'],
  ['(0.45,]', '>0.45.0', '>0.45.0'],
  ['(,1.0]', '<=1.0.0', '<=1.0.0'],
  ['[1.0]', '=1.0.0', '=1.0.0'],
  ['[1,2),[3,4]', '>=1.0.0, <2.0.0 || >=3.0.0, <=4.0.0', '>=1.0.0 <2.0.0 || >=3.0.0 <=4.0.0'],
  ['latest', '>=0.0.0', '>=0.0.0'],
  ['==1.0', '=1.0.0', '=1.0.0'],
  ['>=1.0 and <2.0', '>=1.0.0, <2.0.0', '>=1.0.0 <2.0.0'],
  ['>= 1.0 && < 2.0', '>=1.0.0, <2.0.0', '>=1.0.0 <2.0.0'],
  ['1.0.0 or 2.0.0', '=1.0.0 || =2.0.0', '=1.0.0 || =2.0.0'],
  ['1.2+', '>=1.2.0', '>=1.2.0'],
  ['1.0..2.0', '>=1.0.0, <=2.0.0', '>=1.0.0 <=2.0.0'],
  ['≥v1.0-rc.1', '>=1.0.0-rc.1', '>=1.0.0-rc.1'],
  ['<>1.0.0', '!=1.0.0', '!=1.0.0'],
  ['"1.2.3"', '=1.2.3', '=1.2.3'],
])('%s is %s for Crossplane and %s for Carvel', (text, crossplane, carvel) => {
  expect(translateRange(text, DIALECTS.m350)).toBe(crossplane)
  expect(translateRange(text, DIALECTS.k14s)).toBe(carvel)
})

test.each([
  ['~>1.2', '>=1.2.0 <2.0.0'],
  ['~>1.2.3', '>=1.2.3 <1.3.0'],
  ['~1.2.3', '>=1.2.3 <1.3.0'],
  ['~1', '>=1.0.0 <2.0.0'],
  ['^1.2.3', '>=1.2.3 <2.0.0'],
  ['^0.2.3', '>=0.2.3 <0.3.0'],
  ['^0.0.3', '>=0.0.3 <0.0.4'],
  ['^0.0.0', '>=0.0.0 <0.0.1'],
  ['^0.0', '>=0.0.0 <0.1.0'],
  ['^0', '>=0.0.0 <1.0.0'],
  ['1.2', '>=1.2.0 <1.3.0'],
  ['1.2.*', '>=1.2.0 <1.3.0'],
  ['>=1.0, <2.0', '>=1.0.0 <2.0.0'],
  ['*', '>=0.0.0'],
])('an operator of npm, Cargo or Terraform, %s, is %s for Carvel, which lacks it', (text, expected) => {
  expect(DIALECTS.k14s.parseConstraint(text).ok).toBe(false)
  expect(translateRange(text, DIALECTS.k14s)).toBe(expected)
})

test.each(['main', 'release-1', 'sha256:abc', '1.2.3.4', '[1.0', '[,]', '||', 'and', `\${VERSION}`, '1.0 '.repeat(100)])(
  '%s is no range anywhere',
  (text) => {
    expect(translateRange(text, DIALECTS.m350)).toBeUndefined()
    expect(translateRange(text, DIALECTS.carvelhead)).toBeUndefined()
  },
)
