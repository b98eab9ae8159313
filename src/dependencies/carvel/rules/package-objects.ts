import { type FieldPath, formatFieldPath } from '../../../field-path.ts'
import { repeatsOf } from '../../../group-by.ts'
import { equalJson } from '../../../json.ts'
import type { KrmObject } from '../../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../../result.ts'
import type { Parsed } from '../../../versions/version.ts'
import { type Finding, formatPlace, quote, shorten } from '../../finding.ts'
import type { RangeReader } from '../../range.ts'
import type { Collector } from '../../reading/collector.ts'
import { childField, fieldAt, type ObjectField, pathOfField, placeIn, placeOfField, textAt, textOfField } from '../../reading/field.ts'
import { groupKind } from '../../reading/object-metadata.ts'
import { type DeclaredDependency, readDependencies } from '../dependencies.ts'
import type { Override, PackageInstall } from '../installs.ts'
import { type CarvelPackage, isPackageMetadata, PLATFORMS, type WrittenPackage } from '../packages.ts'
import type { CarvelContext } from '../requirements.ts'

/** A field of a Carvel Package that kapp-controller refuses, and why. */
interface NameFault {
  readonly path: FieldPath
  readonly message: string
  readonly proposedValue?: string
}

const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

const LONGEST_NAME = 253

const FEWEST_SEGMENTS = 3

const REVISION_ANNOTATION = 'packaging.carvel.dev/revision'

/** Reports Package and PackageMetadata objects that kapp-controller refuses, and Packages with one name and different contents. */
export function checkCarvelObjects(objects: readonly KrmObject[], packages: readonly WrittenPackage[], reader: RangeReader): Finding[] {
  const metadata = objects.filter(isPackageMetadata)
  return [
    ...metadata.flatMap((object) => nameFindings(object, qualifiedNameFaults(object.name ?? '', ['metadata', 'name']))),
    ...packages.flatMap((each) => nameFindings(each.object, packageFaults(each, reader))),
    ...conflicts(packages),
    ...packages.flatMap((each) => each.misplaced().map((field) => misplacedFinding(each, field))),
  ]
}

function packageFaults({ name, refName, version }: WrittenPackage, reader: RangeReader): NameFault[] {
  return [
    ...packageNameFaults({ name, refName, version }),
    ...qualifiedNameFaults(refName, ['spec', 'refName']),
    ...(reader.version(version) === undefined ? packageVersionFaults(version, reader.dialect.parseVersion) : []),
  ]
}

function nameFindings(object: KrmObject, faults: readonly NameFault[]): Finding[] {
  return faults.map(({ path, message: words, proposedValue }) => {
    const tags = { ecosystem: 'carvel', package: textAt(object, 'spec', 'refName') || (object.name ?? '') }
    const message = `\`${formatFieldPath(path)}\` ${words}`
    return { rule: 'package-name-invalid', message, place: placeIn(object, path, object.get(path)), proposedValue, tags }
  })
}

/** Reports a field below a version selection, as a template that is indented too far: the API server drops it. */
function misplacedFinding({ object, refName, name }: WrittenPackage, field: ObjectField): Finding {
  const path = formatFieldPath(pathOfField(field))
  const lacks = object.get(['spec', 'template']) === undefined ? `, and the Package has no \`spec.template\`` : ''
  const message = `\`${path}\` is no field of a Package${lacks}: the API server drops it; \`constraints\` is the only field there`
  return { rule: 'unknown-field', message, place: placeOfField(field), tags: { ecosystem: 'carvel', package: refName || name } }
}

// Two repositories may bring one Package if both are equal, or if an annotation chooses one.
function conflicts(packages: readonly WrittenPackage[]): Finding[] {
  return repeatsOf(packages, ({ namespace, name }) => `${namespace} ${name}`).flatMap(
    ({ first: { object: first }, again: { object: second } }) => {
      const isSame = second.annotations.has(REVISION_ANNOTATION) || equalJson(first.get(['spec']), second.get(['spec']))
      return isSame ? [] : [conflict(second, first)]
    },
  )
}

function conflict(second: KrmObject, first: KrmObject): Finding {
  return {
    rule: 'package-conflicting',
    message: `${formatResourceRef(second.ref)} exists twice, with different content; the first (${formatPlace(placeIn(first, ['metadata', 'name']))}) is used, unless the annotation ${REVISION_ANNOTATION} says which`,
    place: placeIn(second, []),
    tags: { ecosystem: 'carvel', package: textAt(second, 'spec', 'refName'), installed: textAt(second, 'spec', 'version') },
  }
}

/**
 * Returns the faults of a refName or of the name of a PackageMetadata, which must be a DNS name of at least three segments (kapp-controller
 * validation, validateFullyQualifiedName).
 */
export function qualifiedNameFaults(name: string, path: FieldPath): NameFault[] {
  const qualified = name.length <= LONGEST_NAME && SUBDOMAIN.test(name) && name.split('.').length >= FEWEST_SEGMENTS
  return qualified ? [] : [{ path, message: `must be a DNS name of at least three segments, got ${quote(name)}` }]
}

/** Returns the faults of a Package's metadata.name, which must be the refName, a dot and the version. */
export function packageNameFaults({ name, refName, version }: Pick<WrittenPackage, 'name' | 'refName' | 'version'>): NameFault[] {
  const wanted = `${refName}.${version}`
  if (name === wanted) return []
  return [
    { path: ['metadata', 'name'], message: `must be refName and version, ${quote(wanted)}, got ${quote(name)}`, proposedValue: wanted },
  ]
}

/** Returns the faults of a Package's spec.version, which must be a full semantic version without a v. */
export function packageVersionFaults(version: string, parseVersion: (text: string) => Parsed<unknown>): NameFault[] {
  const parsed = parseVersion(version)
  if (parsed.ok) return []
  return [{ path: ['spec', 'version'], message: `must be a version such as 1.2.3, got ${quote(version)}: ${shorten(parsed.error)}` }]
}

/**
 * Checks the keys, forms and constraints of the Packages of a list and of the entries of catalogs, whether or not anything installs them.
 * The dependencies of each are read once and not held.
 *
 * @param packages  the known packages: first those Packages that are no second ones of their version, then entries
 */
export function checkPackages(
  { written, packages }: { readonly written: readonly WrittenPackage[]; readonly packages: readonly CarvelPackage[] },
  context: CarvelContext,
  collector: Collector,
): void {
  let checked = 0
  for (const each of written) {
    const dependencies = each.dependencies()
    checkKeys(each, dependencies, collector)
    if (packages[checked] !== each) continue
    checkForms(each, dependencies, context, collector)
    checked++
  }
  for (const each of packages.slice(checked)) checkForms(each, each.dependencies(), context, collector)
}

function checkForms(each: CarvelPackage, dependencies: ObjectField | undefined, context: CarvelContext, collector: Collector): void {
  for (const platform of PLATFORMS) {
    const constraint = each[platform.range] ?? ''
    if (constraint === '') continue
    collector.constraint(constraint, () => ({ field: each.rangeField(platform), known: () => [], tags: { package: each.refName } }))
  }
  if (dependencies === undefined) return
  for (const dependency of readDependencies(dependencies, collector)) checkDeclared(dependency, each, context, collector)
}

function checkDeclared(dependency: DeclaredDependency, owner: CarvelPackage, context: CarvelContext, collector: Collector): void {
  if (dependency.type === 'alternatives') {
    for (const each of dependency.alternatives) checkDeclared(each, owner, context, collector)
  }
  if (dependency.type !== 'package' || dependency.constraint === undefined) return
  const { refName } = dependency
  collector.constraint(dependency.constraint, () => ({
    field: dependency.constraintField,
    known: () => context.versions(owner.namespace ?? '', refName),
    tags: { package: owner.refName, dependency: refName },
  }))
}

const INSTALLATION_TYPES = ['onePerCluster', 'onePerNamespace', 'noRestrictions'] as const

/** Reports keys of a Package that are most likely misspelt: kapp-controller ignores their values. Reports an unknown installationType. */
function checkKeys(written: WrittenPackage, dependencies: ObjectField, collector: Collector): void {
  if (dependencies.value === undefined) collector.misspelt(written.object, ['spec'], 'dependencies')
  if (written.provides()?.value === undefined) collector.misspelt(written.object, ['spec'], 'provides')
  const installationType = written.installationTypeField()
  collector.choice(installationType, INSTALLATION_TYPES)
  if (installationType.value === undefined) collector.misspelt(written.object, ['spec'], 'installationType')
}

/** Checks the constraints of a PackageInstall, and those of its overrides. */
export function checkInstallForms(
  { namespace, ref, constraintsField, overrides }: PackageInstall,
  context: CarvelContext,
  collector: Collector,
): void {
  const check = (field: ObjectField, refName: string, wanted: Partial<Pick<Override, 'constraints' | 'prereleases'>>): void => {
    if (wanted.constraints === undefined || wanted.constraints === '') return
    const known = () => context.versions(namespace, refName)
    const prereleases = wanted.prereleases !== undefined
    collector.constraint(wanted.constraints, () => ({ field, known, prereleases, tags: { dependency: refName } }))
  }
  check(constraintsField, ref.refName, ref)
  for (const each of overrides) check(childField(childField(each.field, 'versionSelection'), 'constraints'), each.name, each)
}

/** The fields of a PackageRepository in which vendir reads a range of versions, by the rules of kapp-controller. */
const RANGES: readonly FieldPath[] = [
  ['spec', 'fetch', 'imgpkgBundle', 'tagSelection', 'semver', 'constraints'],
  ['spec', 'fetch', 'image', 'tagSelection', 'semver', 'constraints'],
  ['spec', 'fetch', 'git', 'refSelection', 'semver', 'constraints'],
]

/**
 * Reports the ranges of PackageRepositories that do not parse or select something else than they seem to: none of their packages is offered
 * then.
 */
export function checkRepositoryRanges(objects: readonly KrmObject[], collector: Collector): void {
  for (const object of objects) {
    if (groupKind(object) !== 'packaging.carvel.dev/PackageRepository') continue
    for (const path of RANGES) {
      const field = fieldAt(object, path)
      const constraint = textOfField(field) ?? ''
      if (constraint !== '') collector.constraint(constraint, () => ({ field, known: () => [], tags: { package: object.name ?? '' } }))
    }
  }
}
