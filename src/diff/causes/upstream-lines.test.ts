import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { objectsByName } from './upstream-lines.ts'

const object = (kind: string, name: string) => `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n`

/** Returns the name of the object that is found by some words. */
function found(files: Texts, ...words: readonly string[]): string | undefined {
  return objectsByName(packageOfTexts(files)).get(JSON.stringify(words))?.name
}

test('an object is found by kind and name, and by its kind if it is the only one of the kind', () => {
  const files = { 'a.yaml': `${object('Service', 'web')}---\n${object('ConfigMap', 'a')}`, 'b.yaml': object('ConfigMap', 'b') }
  expect(found(files, 'ConfigMap', 'b')).toBe('b')
  expect(found(files, 'Service')).toBe('web')
  expect(found(files, 'ConfigMap')).toBeUndefined()
  expect(found(files, 'Secret')).toBeUndefined()
})

test('the Kptfile is no object of a package, and the entries of a List are', () => {
  const list = 'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Service\n  metadata: {name: web}\n'
  expect(found({ Kptfile: object('Kptfile', 'shop') }, 'Kptfile')).toBeUndefined()
  expect(found({ 'a.yaml': list }, 'Service')).toBe('web')
})
