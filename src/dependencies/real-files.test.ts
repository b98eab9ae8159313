import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { SHARED_MUST_BE_THERE } from '../../testdata/shared-folder.ts'
import { splitDocuments } from '../folder/split-documents.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { DIALECTS } from '../versions/dialects.ts'
import { CARVEL_TRAPS } from './carvel/constraint-traps.ts'
import { isPackageInstall, readPackageInstall } from './carvel/installs.ts'
import { GLOBAL_PACKAGE_NAMESPACE, isCarvelPackage } from './carvel/packages.ts'
import { checkObjects } from './check-objects.ts'
import { readDependsOn } from './crossplane/dependencies.ts'
import { readCrossplaneMetadata } from './crossplane/objects.ts'
import { manifestRequirements, readManifests } from './glasskube/objects.ts'
import { rangeReader } from './range.ts'
import { readCatalogEntries } from './reading/catalog.ts'
import { Collector } from './reading/collector.ts'
import { fieldAt, itemFields, textAt } from './reading/field.ts'
import { MASTERMINDS_TRAPS } from './reading/written-constraint.ts'

const REAL = fileURLToPath(new URL('../../../shared/real/dependencies', import.meta.url))
const there = existsSync(REAL)

interface Entry {
  readonly file: string
  readonly [key: string]: unknown
}

function entriesOf(ecosystem: string): Entry[] {
  return there ? JSON.parse(readFileSync(`${REAL}/${ecosystem}/INDEX.json`, 'utf8')).entries : []
}

function read(ecosystem: string, file: string): string {
  return readFileSync(`${REAL}/${ecosystem}/${file}`, 'utf8')
}

function documentsOf(ecosystem: string, file: string): KrmObject[] {
  const chunks = splitDocuments(read(ecosystem, file)).chunks.filter(({ isEmpty }) => !isEmpty)
  return chunks.map(({ text, line }, index) => KrmObject.fromDocument(text, { path: file, index, line }))
}

function checkAll(objects: readonly KrmObject[]): string[] {
  const options = {
    closed: false,
    globalPackageNamespace: GLOBAL_PACKAGE_NAMESPACE,
    carvelSemver: '2024',
    crossplaneSemantics: 'current',
  } as const
  return checkObjects({ objects, listed: [], apis: [], options }, { downgrades: false }).map(({ rule }) => rule)
}

test('the real files are there, on a machine that must have them', () => {
  expect(there || !SHARED_MUST_BE_THERE).toBe(true)
})

test.runIf(there)('every file is in its index', () => {
  for (const ecosystem of ['carvel', 'crossplane', 'glasskube']) {
    const listed = entriesOf(ecosystem).map(({ file }) => file)
    expect([...listed].sort()).toEqual(
      readdirSync(`${REAL}/${ecosystem}`)
        .filter((file) => file !== 'INDEX.json')
        .sort(),
    )
  }
})

interface IndexedDependency {
  readonly package: string
  readonly constraint: string | null
  readonly type: string
}

describe.runIf(there)('crossplane', () => {
  test.each(entriesOf('crossplane'))('$file', ({ file, dependsOn, crossplane }) => {
    const collector = new Collector('crossplane', rangeReader(DIALECTS.m350), MASTERMINDS_TRAPS)
    const [metadata] = readCrossplaneMetadata(documentsOf('crossplane', file))
    const found = metadata === undefined ? [] : readDependsOn(metadata.dependsOn, 'current', collector)
    const wanted = (dependsOn ?? []) as readonly IndexedDependency[]
    expect(found.map((each) => (each.type === 'package' ? [each.source, each.constraint] : []))).toEqual(
      wanted.map((each) => [each.package, each.constraint ?? '']),
    )
    expect(metadata?.platformField.value ?? null).toBe(crossplane)
    expect(checkAll(documentsOf('crossplane', file)).filter((rule) => rule === 'constraint-invalid')).toEqual([])
  })
})

interface IndexedObject {
  readonly kind: string
  readonly refName?: string
  readonly version?: string
  readonly depends_on?: string
  readonly constraint?: string
  readonly prereleases?: { readonly identifiers?: readonly string[] }
}

describe.runIf(there)('carvel', () => {
  test.each(entriesOf('carvel'))('$file', ({ file, objects }) => {
    const collector = new Collector('carvel', rangeReader(DIALECTS.k14s), CARVEL_TRAPS)
    const documents = documentsOf('carvel', file)
    const indexed = objects as readonly IndexedObject[]
    const installs = documents.filter(isPackageInstall).flatMap((object) => readPackageInstall(object, collector) ?? [])
    // The index leaves `prereleases: {}` out, and has the templates that name no package.
    expect(installs.map(({ ref }) => [ref.refName, ref.constraints, ref.prereleases?.identifiers ?? []])).toEqual(
      indexed
        .filter(({ kind, depends_on: refName }) => kind === 'PackageInstall' && refName !== undefined)
        .map((each) => [each.depends_on, each.constraint ?? '', each.prereleases?.identifiers ?? []]),
    )
    const packages = documents
      .filter(isCarvelPackage)
      .map((object) => [textAt(object, 'spec', 'refName'), textAt(object, 'spec', 'version')])
    expect(packages).toEqual(indexed.filter(({ kind }) => kind === 'Package').map((each) => [each.refName ?? '', each.version ?? '']))
    expect(checkAll(documents)).not.toContain('constraint-invalid')
  })
})

interface IndexedRequirement {
  readonly name: string
  readonly version?: string
  readonly installedName?: string
}

// Repository files are no KRM: they enter as the manifest of a PackageInfo, or as a Catalog.
function packageInfo({ file, name, version }: Entry): KrmObject {
  const manifest = read('glasskube', file).replace(/^(?=.)/gm, '    ')
  return KrmObject.fromDocument(
    `apiVersion: packages.glasskube.dev/v1alpha1\nkind: PackageInfo\nmetadata:\n  name: info\nspec:\n  name: ${String(name)}\n  version: ${String(version)}\nstatus:\n  manifest:\n${manifest}`,
  )
}

describe.runIf(there)('glasskube', () => {
  test.each(entriesOf('glasskube').filter(({ name }) => name !== null))('$file', (entry) => {
    const [found] = readManifests([packageInfo(entry)], [])
    const listed = (each: { readonly name: string; readonly constraint: string; readonly installedName: string }) => [
      each.name,
      each.constraint,
      each.installedName,
    ]
    const indexed = (each: IndexedRequirement) => [each.name, each.version ?? '', each.installedName ?? each.name]
    expect(manifestRequirements(found?.manifest?.dependencies).map(listed)).toEqual(
      (entry.dependencies as readonly IndexedRequirement[]).map(indexed),
    )
    const components = found?.manifest?.components
    expect(manifestRequirements(components).map(listed)).toEqual((entry.components as readonly IndexedRequirement[]).map(indexed))
    expect(checkAll([packageInfo(entry)])).not.toContain('constraint-invalid')
  })

  test.each(entriesOf('glasskube').filter(({ name }) => name === null))('$file as a Catalog', ({ file }) => {
    const [object] = documentsOf('glasskube', file)
    const versions = JSON.stringify(object?.get(['versions']))
    const catalog = `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: Catalog\nmetadata:\n  name: versions\nspec:\n  packages: [{ecosystem: glasskube, id: p, versions: ${versions}}]\n`
    const { packages } = readCatalogEntries(itemFields(fieldAt(KrmObject.fromDocument(catalog), ['spec', 'packages'])))
    expect(JSON.stringify(packages[0]?.versions.map(({ version }) => ({ version })))).toBe(versions)
  })
})
