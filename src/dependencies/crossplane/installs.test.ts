import { describe, expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { readInstalls } from './installs.ts'
import { findKnownPackages } from './known.ts'
import { readCrossplanePackages, readLock } from './objects.ts'
import { catalogOf, collector, digest, objectOf, packageObject } from './testing/objects.ts'

const HELM = 'xpkg.example.org/acme/helm'
const SQL = 'xpkg.example.org/acme/sql'
const A = digest('a')

/** Returns the installs of some objects, of the entries of a Lock, and the versions of HELM that a catalog lists. */
function installsOf(objects: readonly KrmObject[], packages: readonly object[] = [], versions: readonly object[] = []) {
  const lock = objectOf({ apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: { name: 'lock' }, packages }, 'lock.yaml')
  const all = [...objects, lock]
  const known = findKnownPackages(all, catalogOf({ id: HELM, versions }), { crossplaneSemantics: 'current' })
  return { known, installs: readInstalls(readCrossplanePackages(all), readLock(all), known, collector()) }
}

describe('the install of an object', () => {
  const read = (...given: Parameters<typeof installsOf>) => installsOf(...given).installs[0]

  test.each([
    [`${HELM}:v1.0.0`, `${HELM} v1.0.0`, 'v1.0.0', ''],
    [`${HELM}@${A}`, `${HELM} ${A}`, '', A],
    [`${HELM}:v1.0.0@${A}`, `${HELM} v1.0.0`, 'v1.0.0', A],
    [HELM, HELM, '', ''],
  ])('of %s is named by source and tag, else by its digest', (reference, name, tag, found) => {
    expect(read([packageObject('helm', reference)])).toMatchObject({ source: HELM, name, tag, digest: found })
  })

  test('has its place at the reference, and revisions whose names begin with its own', () => {
    const object = packageObject('helm', `${HELM}:v1.0.0`)
    const install = read([object])
    expect(install).toMatchObject({ revisionPrefix: 'helm-', objectName: 'helm', ignoresPlatform: false, skipsDependencies: false })
    expect([install?.object, install?.place.path]).toEqual([object, ['spec', 'package']])
  })

  test('has the flags of its spec', () => {
    expect(read([packageObject('helm', HELM, { ignoreCrossplaneConstraints: true })])).toMatchObject({
      ignoresPlatform: true,
      skipsDependencies: false,
    })
    expect(read([packageObject('helm', HELM, { skipDependencyResolution: true })])).toMatchObject({
      ignoresPlatform: false,
      skipsDependencies: true,
    })
  })

  test('has the metadata of its tag or digest, where it is known', () => {
    const versions = [{ version: 'v1.0.0', digest: A, dependencies: [{ provider: SQL, version: '>=v1' }] }]
    for (const reference of [`${HELM}:v1.0.0`, `${HELM}@${A}`]) {
      const { installs, known } = installsOf([packageObject('helm', reference)], [], versions)
      expect(installs[0]?.known).toBe(known.find(HELM, 'v1.0.0'))
      expect(installs[0]?.metadata?.dependsOn).toMatchObject([{ source: SQL }])
    }
    expect(read([packageObject('helm', `${HELM}:v2.0.0`)], [], versions)).toMatchObject({ known: undefined, metadata: undefined })
  })

  test.each([
    [`${HELM}:v1.0.0`, HELM, 'v1.0.0', true],
    [`${HELM}:v1.0.0`, HELM, 'v2.0.0', false],
    [`${HELM}:v1.0.0`, SQL, 'v1.0.0', false],
    [`${HELM}@${A}`, HELM, A, true],
    // Of a reference with both, Crossplane pulls the digest.
    [`${HELM}:v1.0.0@${A}`, HELM, A, true],
    [`${HELM}:v1.0.0@${A}`, HELM, 'v1.0.0', false],
  ])('of %s is recorded by an entry of %s at %s: %s', (reference, source, version, recorded) => {
    expect(read([packageObject('helm', reference)], [{ name: 'entry', source, version }])?.recorded !== undefined).toBe(recorded)
  })

  test.each([
    [`${HELM}:v1.0.0`, 'v1.0.0', true],
    [`${HELM}:v2.0.0`, 'v1.0.0', false],
    [`${HELM}@${A}`, A, true],
    [`${HELM}:v1.0.0@${A}`, 'v1.0.0', true],
    [`${HELM}:v1.0.0`, undefined, false],
  ])('of %s was made to meet a requirement, if the annotation says %s: %s', (reference, resolved, generated) => {
    const annotations = resolved === undefined ? {} : { 'krm-variants.dev/resolved': resolved }
    const value = {
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: { name: 'helm', annotations },
      spec: { package: reference },
    }
    expect(read([objectOf(value)])?.generated).toBe(generated)
  })
})

describe('an entry of the Lock', () => {
  const entry = (version: string) => ({ name: 'helm-1', source: HELM, version, dependencies: [{ package: SQL, constraints: '>=v1' }] })

  test.each([
    ['v1.0.0', `${HELM} v1.0.0`, 'v1.0.0', ''],
    [A, `${HELM} ${A}`, '', A],
    ['', HELM, '', ''],
  ])('is an install at %j without an object', (version, name, tag, found) => {
    const [install] = installsOf([], [entry(version)]).installs
    expect(install).toMatchObject({
      source: HELM,
      name,
      tag,
      digest: found,
      objectName: 'helm-1',
      revisionPrefix: undefined,
      object: undefined,
    })
    expect(install).toMatchObject({ ignoresPlatform: false, skipsDependencies: false, generated: false })
    expect(install?.place.path).toEqual(['packages', 0, 'version'])
    expect(install?.recorded?.dependencies.map(({ source }) => source)).toEqual([SQL])
  })

  test('has the metadata of its version', () => {
    const { installs, known } = installsOf([], [entry('v1.0.0')], [{ version: 'v1.0.0', dependencies: [] }])
    expect(installs[0]?.known).toBe(known.find(HELM, 'v1.0.0'))
    expect(installs[0]?.metadata?.dependsOn).toEqual([])
  })

  test('is none if an object has its source, whatever the version of the object', () => {
    const entries = [{ name: 'sql-1', source: SQL, version: 'v1.0.0' }, entry('v1.0.0')]
    const { installs } = installsOf([packageObject('helm', `${HELM}:v2.0.0`)], entries)
    expect(installs.map(({ objectName }) => objectName)).toEqual(['helm', 'sql-1'])
  })
})
