import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { lostFunctions } from './lost-functions.ts'

const VARIANT = KrmObject.fromDocument('apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: edge\n')

function kptfile(...images: readonly string[]): string {
  const head = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n'
  return images.length === 0 ? head : `${head}pipeline:\n  mutators:\n${images.map((image) => `    - image: ${image}\n`).join('')}`
}

/** Returns the findings of an update between packages, without the words behind the names of functions. */
function lost(base: Texts, theirs: Texts, ours: Texts = base): readonly string[] {
  const [was, is, own] = [packageOfTexts(base), packageOfTexts(theirs), packageOfTexts(ours)]
  const results = lostFunctions({ base: was, theirs: is, ours: own, variant: VARIANT, refs: { base: 'v1', theirs: 'v2' } })
  return results.map(({ severity, tags, resourceRef, message }) => {
    const names = message.match(/'set-[^']+'/g) ?? []
    return `${severity} ${tags.rule} ${resourceRef?.kind}: ${names.join(' ')}`
  })
}

const BOTH = kptfile('a.io/set-labels:v1', 'a.io/set-namespace:v1')

test('a revision without functions is a warning that names those of the package', () => {
  expect(lost({ Kptfile: BOTH }, { Kptfile: kptfile() })).toEqual(["warning functions-gone Kptfile: 'set-labels:v1' 'set-namespace:v1'"])
  expect(lost({ Kptfile: BOTH }, { Kptfile: kptfile() }, { Kptfile: kptfile('a.io/set-labels:v1') })).toEqual([
    "warning functions-gone Kptfile: 'set-labels:v1'",
  ])
})

test('a revision without a Kptfile is an error of its variant', () => {
  expect(lost({ Kptfile: BOTH }, {})).toEqual(["error upstream-no-package PackageVariant: 'set-labels:v1' 'set-namespace:v1'"])
})

test('a subpackage that becomes a folder is no error, one that loses all its functions is a warning', () => {
  const root = { Kptfile: kptfile('a.io/set-labels:v1') }
  expect(lost({ ...root, 'db/Kptfile': BOTH }, root)).toEqual([])
  expect(lost({ ...root, 'db/Kptfile': BOTH }, { ...root, 'db/Kptfile': kptfile() })).toEqual([
    "warning functions-gone Kptfile: 'set-labels:v1' 'set-namespace:v1'",
  ])
})

test('one function less is a change like any other, and functions that people added or deleted are not lost', () => {
  expect(lost({ Kptfile: BOTH }, { Kptfile: kptfile('a.io/set-labels:v1') })).toEqual([])
  expect(lost({ Kptfile: BOTH }, { Kptfile: kptfile() }, { Kptfile: kptfile() })).toEqual([])
  expect(lost({ Kptfile: kptfile() }, {}, { Kptfile: BOTH })).toEqual([])
  expect(lost({ Kptfile: BOTH }, {}, {})).toEqual([])
})
