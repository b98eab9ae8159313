import type { PackageRef } from '../../../src/dependencies/carvel/installs.ts'
import type { SelectablePackage } from '../../../src/dependencies/carvel/packages.ts'
import { packageNameFaults, packageVersionFaults, qualifiedNameFaults } from '../../../src/dependencies/carvel/rules/package-objects.ts'
import { prereleasesOf as admittedPrereleases, type Platform, selectPackage } from '../../../src/dependencies/carvel/select.ts'
import { rangeReader } from '../../../src/dependencies/range.ts'
import { formatFieldPath } from '../../../src/field-path.ts'
import type { JsonRecord, JsonValue } from '../../../src/json.ts'
import { DIALECTS } from '../../../src/versions/dialects.ts'
import {
  admitsPrerelease,
  type Prereleases,
  parseRelaxed,
  selectHighest,
  sortVersions,
  type VersionFilter,
} from '../../../src/versions/selection.ts'
import type { Version } from '../../../src/versions/version.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { differInAnyOrder } from '../difference.ts'
import { carvelPackage } from './carvel-objects.ts'
import { judgeSeedExample } from './carvel-seed.ts'
import { check } from './commands.ts'
import { casesOfFile, differ, judgeByKind, lacksText, record, records, text, texts } from './vectors.ts'

const READER = rangeReader(DIALECTS.k14s)

/** Rules of kapp-controller and vendir on selecting versions, and the examples of seed 002. */
export const CARVEL: Adapter = {
  folder: 'dependencies/carvel',
  cases: casesOfFile,
  run: judgeByKind({
    'vendir-versions': judgeVersions,
    'carvel-package-selection': judgeSelection,
    'carvel-downgrade': judgeDowngrade,
    'carvel-eligible': judgeEligible,
    'carvel-package-validation': judgeValidation,
    'carvel-seed': judgeSeedExample,
  }),
  known: [],
}

function prereleasesOf(value: JsonValue | undefined): Prereleases | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { identifiers: texts(value as JsonRecord, 'identifiers') }
    : undefined
}

function rangeFilter(constraints: string): VersionFilter {
  const range = READER.range(constraints)
  return { name: 'constraints-filter', admits: (version) => range?.accepts(version) === true }
}

function judgeVersions(vector: JsonRecord): readonly Difference[] {
  const versions = parseRelaxed(texts(vector, 'versions'), READER.version)
  if (text(vector, 'op') === 'highest') return judgeHighest(vector, versions)
  const filtered = filterVersions(vector, versions)
  const shown = vector.sorted === true || text(vector, 'op') === 'sort' ? sortVersions(filtered, READER.dialect) : filtered
  return differ(
    'versions',
    shown.map((version) => version.text),
    vector.expect,
  )
}

const OPERATIONS = ['sort', 'filterPrereleases', 'filterConstraints']

function filterVersions(vector: JsonRecord, versions: readonly Version[]): readonly Version[] {
  const { op } = vector
  if (!OPERATIONS.includes(text(vector, 'op'))) throw new Error(`no operation is called '${text(vector, 'op')}'`)
  if (op === 'filterPrereleases') return versions.filter((version) => admitsPrerelease(version, prereleasesOf(vector.prereleases)))
  return op === 'filterConstraints' ? versions.filter(rangeFilter(text(vector, 'constraints')).admits) : versions
}

function judgeHighest(vector: JsonRecord, versions: readonly Version[]): readonly Difference[] {
  const more = records(vector, 'additional').map((each): VersionFilter => {
    const rejected = text(each, 'rejectsContaining')
    return { name: text(each, 'name'), admits: (version) => rejected === '' || !version.text.includes(rejected) }
  })
  const { highest, trail } = selectHighest(versions, [...more, rangeFilter(text(vector, 'constraints'))], READER.dialect)
  const expected = texts(vector, 'expectErrorContains')
  return expected.length > 0
    ? [...differ('highest', highest?.text, undefined), ...lacksText(expected, trail)]
    : differ('highest', highest?.text, vector.expect)
}

function judgeSelection(vector: JsonRecord): readonly Difference[] {
  const ref = record(vector, 'packageRef')
  const selection = record(ref, 'versionSelection')
  const wanted: PackageRef = {
    refName: text(ref, 'refName'),
    constraints: text(selection, 'constraints'),
    prereleases: prereleasesOf(selection.prereleases),
  }
  const annotations = texts(vector, 'annotations')
  const platform: Platform = {
    kubernetes: optional(vector, 'kubernetes'),
    kappController: optional(vector, 'kappController'),
    ignoreKubernetes: annotations.includes('packaging.carvel.dev/ignore-kubernetes-version-selection'),
    ignoreKappController: annotations.includes('packaging.carvel.dev/ignore-kapp-controller-version-selection'),
  }
  const packages = records(vector, 'packages').map(packageOf)
  const found = packages.some(({ refName }) => refName === wanted.refName)
  const { selected, trail } = selectPackage(packages, wanted, platform, READER)
  const why = found ? trail : `Package ${wanted.refName} not found`
  return judgeSelected(record(vector, 'expect'), selected, why)
}

function judgeSelected(expected: JsonRecord, selected: SelectablePackage | undefined, why: string): readonly Difference[] {
  const [version, refName] = [text(expected, 'version'), text(expected, 'refName')]
  if (version === '' && refName === '' && expected.errorContains === undefined) throw new Error('the expectation says nothing')
  const wrongly = texts(expected, 'errorNotContains').filter((part) => why.includes(part))
  return [
    ...(version === '' ? [] : differ('version', selected?.version, version)),
    ...(refName === '' ? [] : differ('refName', selected?.refName, refName)),
    ...(expected.errorContains === undefined ? [] : differ('selected', selected?.version, undefined)),
    ...lacksText(texts(expected, 'errorContains'), why),
    ...wrongly.map((part) => ({ what: `the error must not say '${part}'`, actual: why })),
  ]
}

function packageOf(each: JsonRecord): SelectablePackage {
  return {
    refName: text(each, 'refName'),
    version: text(each, 'version'),
    kubernetesVersionSelection: optional(each, 'kubernetesVersionSelection'),
    kappControllerVersionSelection: optional(each, 'kappControllerVersionSelection'),
  }
}

function optional(holder: JsonRecord, key: string): string | undefined {
  return text(holder, key) === '' ? undefined : text(holder, key)
}

// A PackageInstall with a status, run through the whole function.
function judgeDowngrade(vector: JsonRecord): readonly Difference[] {
  const refName = 'pkg.test.carvel.dev'
  const annotations = Object.fromEntries(annotationNames(vector).map((name) => [name, '']))
  const install = {
    apiVersion: 'packaging.carvel.dev/v1alpha1',
    kind: 'PackageInstall',
    metadata: { name: 'install', annotations },
    spec: { packageRef: { refName, versionSelection: { constraints: text(vector, 'constraints') } } },
    status: { lastAttemptedVersion: text(vector, 'lastAttemptedVersion') },
  }
  const packages = texts(vector, 'available').map((version) => carvelPackage(refName, version))
  const results = check([...packages, install])
  const rules = results.flatMap(({ severity, tags }) => (severity === 'error' ? [text(tags, 'rule')] : []))
  return differ('errors', rules, record(vector, 'expect').installs === null ? ['downgrade-blocked'] : [])
}

function annotationNames(vector: JsonRecord): readonly string[] {
  return Array.isArray(vector.annotations) ? texts(vector, 'annotations') : Object.keys(record(vector, 'annotations'))
}

// Which installs a new Package wakes: those that would select it, but for the rule on exact prereleases.
function judgeEligible(vector: JsonRecord): readonly Difference[] {
  const added = packageOf(record(vector, 'package'))
  const woken = records(vector, 'installs').filter((install) => {
    const ref = {
      refName: text(install, 'refName'),
      constraints: text(install, 'constraints'),
      prereleases: prereleasesOf(install.prereleases),
    }
    const isExactPrerelease = admittedPrereleases(ref, READER) !== ref.prereleases
    return !isExactPrerelease && selectPackage([added], ref, ANY_PLATFORM, READER).selected === added
  })
  return differ(
    'installs',
    woken.map((install) => text(install, 'name')),
    vector.expect,
  )
}

const ANY_PLATFORM: Platform = { ignoreKubernetes: true, ignoreKappController: true }

function judgeValidation(vector: JsonRecord): readonly Difference[] {
  return differInAnyOrder('fields', faultyFields(vector), texts(record(vector, 'expect'), 'fields'))
}

function faultyFields(vector: JsonRecord): readonly string[] {
  const [subject, value, fields] = [text(vector, 'check'), text(vector, 'value'), record(vector, 'value')]
  const selections = selectionsOf(vector)
  const validators: Readonly<Record<string, () => readonly { readonly path: readonly (string | number)[] }[]>> = {
    metadataName: () => qualifiedNameFaults(value, ['metadata', 'name']),
    packageName: () =>
      packageNameFaults({ name: text(fields, 'name'), refName: text(fields, 'refName'), version: text(fields, 'version') }),
    refName: () => qualifiedNameFaults(value, ['spec', 'refName']),
    version: () => packageVersionFaults(value, READER.dialect.parseVersion),
    constraints: () => selections.flatMap((selection) => constraintFaults(selection, value || constraintIn(fields, selection))),
  }
  const validate = Object.hasOwn(validators, subject) ? validators[subject] : undefined
  if (validate === undefined) throw new Error(`no validator for '${subject}'`)
  return validate().map(({ path }) => formatFieldPath(path))
}

const SELECTIONS = ['kappControllerVersionSelection', 'kubernetesVersionSelection']

/** The selection that a case is about: the one in its value, the one that its words name, or that which is expected to be faulty. */
function selectionsOf(vector: JsonRecord): readonly string[] {
  const written = SELECTIONS.filter((selection) => record(vector, 'value')[selection] !== undefined)
  if (written.length > 0) return written
  const words = `${text(vector, 'name')} ${text(vector, 'part')} ${texts(record(vector, 'expect'), 'fields')}`.toLowerCase()
  const named = SELECTIONS.filter((selection) => words.includes(selection.replace('VersionSelection', '').toLowerCase()))
  return named.length > 0 ? named : SELECTIONS
}

function constraintIn(fields: JsonRecord, selection: string): string {
  return text(fields, selection) || text(record(fields, selection), 'constraints')
}

function constraintFaults(selection: string, constraint: string): { path: string[] }[] {
  return constraint === '' || READER.constraint(constraint).ok ? [] : [{ path: ['spec', selection, 'constraints'] }]
}
