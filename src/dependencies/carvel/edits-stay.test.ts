import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resolve } from '../../../testdata/conformance-runner/dependencies/commands.ts'
import { randomRuns } from '../../../testdata/random-runs.ts'
import { asRecord, isRecord, type JsonRecord, type JsonValue } from '../../json.ts'

// What people change in a generated install stays in every run (seed 002, Enforce dependent PackageInstall cannot be modified).

const SHOP = 'shop.example.com'
const DB = 'db.example.com'

function packageOf(refName: string, version: string, ...wanted: readonly string[]): JsonRecord {
  return {
    apiVersion: 'data.packaging.carvel.dev/v1alpha1',
    kind: 'Package',
    metadata: { name: `${refName}.${version}`, namespace: 'default' },
    spec: { refName, version, dependencies: wanted.map((range) => ({ package: { refName: DB, version: range } })) },
  }
}

function install(name: string, refName: string, constraints: string, spec: JsonRecord = {}): JsonRecord {
  return {
    apiVersion: 'packaging.carvel.dev/v1alpha1',
    kind: 'PackageInstall',
    metadata: { name, namespace: 'default' },
    spec: { serviceAccountName: `${name}-sa`, packageRef: { refName, versionSelection: { constraints } }, ...spec },
  }
}

const PACKAGES = [
  packageOf(SHOP, '1.0.0', '>=1.0.0'),
  packageOf(SHOP, '2.0.0', '>=2.0.0'),
  packageOf(SHOP, '3.0.0'),
  packageOf('portal.example.com', '1.0.0', '>=1.0.0'),
  packageOf(DB, '1.0.0'),
  packageOf(DB, '2.0.0'),
]
const VALUES = { values: [{ refName: DB, secretRef: { name: 'portal-values' } }] }
const PORTAL = install('portal', 'portal.example.com', '1.0.0', { dependencies: VALUES })

const isMade = ({ kind, spec }: JsonRecord) => kind === 'PackageInstall' && asRecord(asRecord(spec).packageRef).refName === DB
const madeOf = (items: readonly JsonRecord[]): JsonRecord | undefined => items.find(isMade)

/** Edits of fields of `spec`: a value, or null for a removed field. */
const EDITS = fc.dictionary(
  fc.constantFrom('serviceAccountName', 'defaultNamespace', 'syncPeriod', 'paused', 'values'),
  fc.oneof(
    fc.constantFrom<JsonValue>(null, 'ops', true, '1h'),
    fc.constantFrom<JsonValue>([{ secretRef: { name: 'ops-values' } }], [{ secretRef: { name: 'portal-values' } }, {}]),
  ),
)

/** The events after the edits: the shop asks for another version, or goes, or portal comes; with or without prune and upgrades. */
const EVENTS = fc.record({
  shop: fc.constantFrom('1.0.0', '2.0.0', '3.0.0', 'gone'),
  hasPortal: fc.boolean(),
  prune: fc.boolean(),
  upgrades: fc.constantFrom('none', 'generated'),
  isRecorded: fc.boolean(),
})

function edited(made: JsonRecord, edits: JsonRecord, isRecorded: boolean): JsonRecord {
  const metadata = asRecord(made.metadata)
  const { 'krm-variants.dev/last-generated': record, ...others } = asRecord(metadata.annotations)
  const spec = Object.fromEntries(Object.entries({ ...asRecord(made.spec), ...edits }).filter(([, value]) => value !== null))
  const annotations = { ...others, ...(isRecorded && record !== undefined && { 'krm-variants.dev/last-generated': record }) }
  return { ...made, metadata: { ...metadata, annotations }, spec }
}

test('edits of a generated install stay, whatever happens to what requires the install', () => {
  const first = resolve([...PACKAGES, install('shop', SHOP, '1.0.0')], {}).items
  const made = madeOf(first)
  if (made === undefined) throw new Error('the db must be installed')
  const before = asRecord(made.spec)
  fc.assert(
    fc.property(EDITS, EVENTS, (edits, { shop, hasPortal, prune, upgrades, isRecorded }) => {
      const changed = edited(made, edits, isRecorded)
      const own = asRecord(changed.spec)
      const different = [...new Set([...Object.keys(own), ...Object.keys(before)])].filter(
        (key) => JSON.stringify(own[key]) !== JSON.stringify(before[key]),
      )
      const installs = [...(shop === 'gone' ? [] : [install('shop', SHOP, shop)]), ...(hasPortal ? [PORTAL] : [])]
      const { items } = resolve([...PACKAGES, ...installs, changed], { prune, upgrades })
      const after = madeOf(items)
      const mayGo = prune && shop === '3.0.0' && !hasPortal && different.length === 0
      expect(after === undefined).toBe(mayGo)
      const spec = asRecord(after?.spec)
      // Without a record and without the owner, a removed field is as one that the owner never had: the next owner gives it.
      const known = different.filter((key) => isRecorded || shop !== 'gone' || own[key] !== undefined)
      if (!mayGo) expect(known.map((key) => spec[key])).toEqual(known.map((key) => own[key]))
      expect(madeOf(resolve(items.filter(isRecord), { prune, upgrades }).items)).toEqual(after)
    }),
    { numRuns: randomRuns(15) },
  )
})
