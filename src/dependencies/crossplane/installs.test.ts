import { describe, expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { readInstalls } from './installs.ts'
import { findKnownPackages } from './known.ts'
import { readCrossplanePackages, readLock } from './objects.ts'
import {
  catalogOf,
  collector,
  digest,
  knownPackage,
  knownVersion,
  lockEntry,
  lockObject,
  metadataObject,
  objectOf,
  packageObject,
  read,
} from './testing/objects.ts'

const HELM = 'xpkg.example.org/acme/helm'
const APP = 'xpkg.example.org/acme/app'
const SQL = 'xpkg.example.org/acme/sql'
const A = digest('a')
const helm = packageObject('helm', `${HELM}:v1.0.0`)

/** Returns the installs of some objects, of the entries of a Lock, and the versions of HELM that a catalog lists. */
function installsOf(objects: readonly KrmObject[], packages: readonly object[] = [], versions: readonly object[] = []) {
  const all = [...objects, lockObject(...packages)]
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

describe('the kinds and objects that packages bring', () => {
  const CHART = { apiVersion: 'acme.org/v1', kind: 'Chart' }
  const bringing = { provides: [CHART], brings: [{ kind: 'Composition', name: 'net' }] }
  const definition = objectOf(
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'charts.acme.org' },
      spec: { group: 'acme.org', names: { kind: 'Chart' }, versions: [{ name: 'v1' }] },
    },
    'own/crd.yaml',
  )

  test('are the kinds of every known version; those of an installed tag or digest are installed', () => {
    const versions = [
      knownVersion('v1.0.0', [], bringing),
      knownVersion('v2.0.0', [], bringing),
      knownVersion('v3.0.0', [], { ...bringing, digest: A }),
    ]
    const provided = (...objects: readonly KrmObject[]) =>
      read(objects, [knownPackage(HELM, ...versions)]).provided.map(({ kind, by, version, installed, packageFor }) => [
        kind,
        by,
        version,
        installed,
        packageFor(undefined)?.id,
      ])
    const row = (version: string, installed: boolean) => ['Chart', HELM, version, installed, HELM]
    expect(provided(helm)).toEqual([row('v1.0.0', true), row('v2.0.0', false), row('v3.0.0', false)])
    expect(provided(packageObject('helm', `${HELM}@${A}`))).toEqual([row('v1.0.0', false), row('v2.0.0', false), row('v3.0.0', true)])
  })

  test('are provided by no package that could be installed, while their package is being written', () => {
    const reference = { 'krm-variants.dev/package': `${APP}:v1.0.0` }
    const provided = (annotations: object) =>
      read([metadataObject('own', {}, annotations), definition]).provided.map(({ by, installed, packageFor }) => [
        by,
        installed,
        packageFor(undefined)?.id,
      ])
    expect(provided(reference)).toEqual([[APP, false, APP]])
    expect(provided({})).toEqual([])
  })

  test('are the objects of the installed version, with the names of its revisions', () => {
    const brought = (...objects: readonly KrmObject[]) =>
      read(objects, [knownPackage(HELM, knownVersion('v1.0.0', [], bringing), knownVersion('v2.0.0', [], bringing))]).brought
    const net = { object: 'Composition net', by: `${HELM} v1.0.0`, package: HELM }
    expect(brought(helm)).toMatchObject([{ ...net, revisionPrefix: 'helm-' }])
    expect(brought(helm)[0]?.place.path).toEqual(['value', 0, 'versions', 0, 'brings', 0])
    const [ofLock] = brought(lockObject(lockEntry(HELM, 'v1.0.0')))
    expect(ofLock).toMatchObject(net)
    expect(ofLock).not.toHaveProperty('revisionPrefix')
    expect(brought(packageObject('helm', `${HELM}:v9.0.0`))).toEqual([])
  })
})
