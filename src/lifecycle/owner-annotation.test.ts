import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import {
  type OwnerAnnotation,
  ownerFor,
  readOwnerAnnotation,
  removeOwnerAnnotation,
  withoutFleet,
  writeOwnerAnnotation,
} from './owner-annotation.ts'
import { variantsOf } from './testing/places-of.ts'

const kptfileOf = (annotations?: Readonly<Record<string, string>>) =>
  KrmObject.fromDocument(
    JSON.stringify({ apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'a', ...(annotations && { annotations }) } }),
  )

const MARKS = { 'krm-variants.dev/package-variant': 'default/x', 'krm-variants.dev/deletion-policy': 'orphan' }

test.each<[Readonly<Record<string, string>>, OwnerAnnotation | undefined]>([
  [{}, undefined],
  [{ 'krm-variants.dev/deletion-policy': 'orphan' }, undefined],
  [{ 'krm-variants.dev/package-variant': 'default/x' }, { variant: 'default/x', deletionPolicy: 'delete' }],
  [MARKS, { variant: 'default/x', deletionPolicy: 'orphan' }],
  [
    { ...MARKS, 'krm-variants.dev/deletion-policy': 'keep' },
    { variant: 'default/x', deletionPolicy: 'delete' },
  ],
  [
    { ...MARKS, 'krm-variants.dev/fleet': 'f' },
    { variant: 'default/x', deletionPolicy: 'orphan', fleet: 'f' },
  ],
])('the annotations %j name the owner %j', (annotations, owner) => {
  expect(readOwnerAnnotation(kptfileOf(annotations))).toEqual(owner)
})

test('an owner without a fleet leaves the name of the fleet that is there', () => {
  const kptfile = kptfileOf({ ...MARKS, 'krm-variants.dev/fleet': 'f' })
  writeOwnerAnnotation(kptfile, { variant: 'default/y', deletionPolicy: 'delete' })
  expect(readOwnerAnnotation(kptfile)).toEqual({ variant: 'default/y', deletionPolicy: 'delete', fleet: 'f' })
  writeOwnerAnnotation(kptfile, { variant: 'default/y', deletionPolicy: 'delete', fleet: 'g' })
  expect(readOwnerAnnotation(kptfile)?.fleet).toBe('g')
})

test('an orphaned package keeps the annotations of people, and no empty map of them', () => {
  const marks = { ...MARKS, 'krm-variants.dev/fleet': 'f', 'krm-variants.dev/variant-keys': 'k' }
  const metadataAfter = (annotations?: Readonly<Record<string, string>>) => {
    const kptfile = kptfileOf(annotations)
    removeOwnerAnnotation(kptfile)
    return kptfile.get(['metadata'])
  }
  expect(metadataAfter({ ...marks, team: 'x' })).toEqual({ name: 'a', annotations: { team: 'x' } })
  expect(metadataAfter(marks)).toEqual({ name: 'a' })
  expect(metadataAfter()).toEqual({ name: 'a' })
})

test('the owner for a variant has its deletion policy, else delete, and no fleet', () => {
  const [variant] = variantsOf(['a/app', 'x'])
  const owners = variant && [ownerFor(variant), ownerFor({ ...variant, deletionPolicy: 'orphan' })]
  expect(owners).toEqual([
    { variant: 'default/x', deletionPolicy: 'delete' },
    { variant: 'default/x', deletionPolicy: 'orphan' },
  ])
})

test('the text of a Kptfile without its fleet has every other byte, and is the same where it names none', () => {
  const text = (fleet: string) =>
    `# of the shop\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\n  annotations:\n    krm-variants.dev/package-variant: default/x\n${fleet}    team: x # kept\n`
  expect(withoutFleet(text('    krm-variants.dev/fleet: f\n'))).toBe(text(''))
  expect(withoutFleet(text(''))).toBe(text(''))
})
