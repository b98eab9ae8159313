import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { refuseNoPackages } from './refuse-no-packages.ts'

const PROVIDER = 'apiVersion: pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: p}\n'
const rules = (...texts: readonly string[]) =>
  refuseNoPackages(texts.map((text) => writtenObject(text))).map(({ tags, message }) => `${tags.rule}: ${message.replace(/;.*/s, '')}`)

const NOTHING = 'nothing-read: the input must hold packages of Carvel, Crossplane or Glasskube'

test('packages are found as documents and in a List', () => {
  expect(rules(PROVIDER)).toEqual([])
  expect(rules(`apiVersion: v1\nkind: List\nitems:\n- ${PROVIDER.trimEnd().replaceAll('\n', '\n  ')}\n`)).toEqual([])
})

test('a folder without packages is refused, with each group that is near that of a package manager', () => {
  const other = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n'
  expect(rules(other)).toEqual([NOTHING])
  expect(rules(other, PROVIDER.replace('crossplane', 'crossplan'))).toEqual([
    NOTHING,
    expect.stringMatching(/^nothing-read: .*Provider p must be of a group that installs packages, got 'pkg.crossplan.io\/v1'/),
  ])
})
