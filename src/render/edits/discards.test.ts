import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OneVariantFleet, rulesOf } from '../../../testdata/one-variant-fleet.ts'
import { FunctionError } from '../../result.ts'

const PACKAGE = 'out/edge/shop'

/** Returns a fleet whose variant is gone, with its package as a render left it. */
function fleetWithoutVariant(): OneVariantFleet {
  const fleet = new OneVariantFleet({
    v1: {
      Kptfile: 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n',
      'shop.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shop\n',
    },
  })
  fleet.render(1)
  fleet.hasVariant = false
  return fleet
}

/** Returns the errors of a removal; none if the package was removed. */
function refusals(fleet: OneVariantFleet): readonly string[] {
  try {
    fleet.render(1, { options: { allowEmpty: true } })
    return []
  } catch (error) {
    if (error instanceof FunctionError)
      return error.results.map(({ message, tags }) => `${tags.rule}: ${message.slice(message.lastIndexOf(': ') + 2)}`)
    throw error
  }
}

test('a package as it was rendered is removed', () => {
  const fleet = fleetWithoutVariant()
  expect(refusals(fleet)).toEqual([])
  expect(existsSync(join(fleet.root, PACKAGE))).toBe(false)
})

test.each<[string, (fleet: OneVariantFleet) => void, string]>([
  ['a file', (fleet) => fleet.write(`${PACKAGE}/mine.txt`, 'mine'), "'mine.txt'"],
  ['a link', ({ root }) => symlinkSync('shop.yaml', join(root, PACKAGE, 'link')), "'link'"],
  ['a repository', ({ root }) => mkdirSync(join(root, PACKAGE, 'tools/.git'), { recursive: true }), "'tools/.git'"],
  ['an edit', (fleet) => fleet.editPackage('shop.yaml', 'name: shop', 'name: mine'), "'shop.yaml'"],
])('a package with %s of people is not removed unless that is meant', (_, make, named) => {
  const fleet = fleetWithoutVariant()
  make(fleet)
  expect(refusals(fleet)).toEqual([`discard-edits: ${named}`])
  expect(existsSync(join(fleet.root, PACKAGE, 'Kptfile'))).toBe(true)
  expect(rulesOf(fleet.render(1, { options: { allowEmpty: true, discardEdits: true } }))).toContain('edits-discarded')
  expect(existsSync(join(fleet.root, PACKAGE))).toBe(false)
})

test('a file that people deleted is an edit, and named as one', () => {
  const fleet = fleetWithoutVariant()
  fleet.write(`${PACKAGE}/shop.yaml`, undefined)
  expect(refusals(fleet)).toEqual(["discard-edits: 'shop.yaml'"])
})
