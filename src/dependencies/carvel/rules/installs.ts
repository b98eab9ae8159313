import { compareText, formatFieldPath } from '../../../field-path.ts'
import { definedEntries, groupBy } from '../../../group-by.ts'
import { asRecord } from '../../../json.ts'
import { formatResourceRef } from '../../../result.ts'
import { didYouMean } from '../../../schema/nearest-name.ts'
import { parseRelaxed, sortVersions } from '../../../versions/selection.ts'
import type { Version } from '../../../versions/version.ts'
import { type Finding, formatPlace, listNames, listSome, quote } from '../../finding.ts'
import type { RangeReader } from '../../range.ts'
import type { ReadOptions } from '../../reading/ecosystem.ts'
import { fieldAt, type ObjectField, placeIn, placeOfField } from '../../reading/field.ts'
import type { DeclaredDependency, DeclaredPackage } from '../dependencies.ts'
import type { DependencyValues, Override, PackageInstall } from '../installs.ts'
import { type CarvelPackage, type LimitedPlatform, PLATFORMS } from '../packages.ts'
import { areFor, type CarvelContext, overrideAppliesTo } from '../requirements.ts'
import { allowsPlatform, type SelectingInstall, selectPackage } from '../select.ts'

const DOWNGRADABLE_ANNOTATION = 'packaging.carvel.dev/downgradable'

/** Returns the faults of the version that each PackageInstall selects now: no version, a downgrade, a platform that is not known. */
export function checkSelections(
  installs: readonly SelectingInstall[],
  reader: RangeReader,
  options: Pick<ReadOptions, 'closed'>,
): Finding[] {
  return installs.flatMap((each) => [...checkSelected(each, reader, options), ...checkDowngrade(each, reader), ...checkPlatformKnown(each)])
}

function checkSelected(each: SelectingInstall, reader: RangeReader, { closed }: Pick<ReadOptions, 'closed'>): Finding[] {
  const { install, visible, selection, platform } = each
  if (selection.selected !== undefined) return []
  if (visible.length === 0) return closed ? [nothing(each, 'no-version-available', 'no version of it is known')] : []
  const anywhere = selectPackage(visible, install.ref, { ...platform, ignoreKubernetes: true, ignoreKappController: true }, reader)
  if (anywhere.selected !== undefined) return [incompatible(each, anywhere.selected, reader)]
  const texts = visible.map(({ version }) => version)
  const known = sortVersions(parseRelaxed(texts, reader.version), reader.dialect).reverse()
  const there = listNames(listSome(known.map(({ text }) => text)))
  return [
    nothing(each, 'no-version-available', `${selection.trail}; there ${visible.length === 1 ? 'is' : 'are'} ${there}`),
    ...checkPrereleases(each, reader),
  ]
}

function nothing(each: SelectingInstall, rule: Finding['rule'], why: string): Finding {
  const { object, ref, constraintsField } = each.install
  const wanted = ref.constraints === '' ? '' : ` ${quote(ref.constraints)}`
  return finding(each, rule, `${formatResourceRef(object.ref)} selects no version of ${ref.refName}${wanted}: ${why}`, constraintsField)
}

// The version that would be selected does not run on this cluster.
function incompatible(each: SelectingInstall, selected: CarvelPackage, reader: RangeReader): Finding {
  const { platform, selection } = each
  const limit = PLATFORMS.find(({ range, id }) => !allowsPlatform(selected[range], platform[id], reader)) ?? PLATFORMS[1]
  const version = platform[limit.id]
  const found = limitFinding(each, selected, limit, `, the cluster has ${version}: ${selection.trail}`)
  return { ...found, tags: { ...found.tags, installed: version ?? '' } }
}

function checkPrereleases(each: SelectingInstall, reader: RangeReader): Finding[] {
  const { install, visible, platform } = each
  const found = selectPackage(visible, { ...install.ref, prereleases: { identifiers: [] } }, platform, reader)
  if (found.version === undefined) return []
  const field = fieldAt(install.object, ['spec', 'packageRef', 'versionSelection'])
  const message = `\`spec.packageRef.versionSelection\` leaves prereleases out, and only prereleases match, such as ${found.version.text}: set prereleases: {}`
  return [{ ...finding(each, 'prerelease-not-selected', message, field), proposedValue: { ...asRecord(field.value), prereleases: {} } }]
}

/** Returns the version that was tried last, if the selected one is below it and kapp-controller must not move down. */
export function blockedDowngrade({ install, selection }: SelectingInstall, reader: RangeReader): Version | undefined {
  const last = reader.version(install.lastAttemptedVersion)
  const isBlocked = last !== undefined && selection.version !== undefined && reader.dialect.compare(selection.version, last) < 0
  return isBlocked && !install.object.annotations.has(DOWNGRADABLE_ANNOTATION) ? last : undefined
}

// kapp-controller stops at a version below the last one it tried (packageinstall_downgrade_test.go).
export function checkDowngrade(each: SelectingInstall, reader: RangeReader): Finding[] {
  const { install, selection } = each
  const last = blockedDowngrade(each, reader)
  if (last === undefined) return []
  const message = `${formatResourceRef(install.object.ref)} would select ${install.ref.refName} ${selection.version?.text}, and ${last.text} was installed last: annotate it ${DOWNGRADABLE_ANNOTATION}: ""`
  const place = placeIn(install.object, ['metadata', 'annotations'])
  return [{ ...finding(each, 'downgrade-blocked', message, install.constraintsField), place }]
}

function checkPlatformKnown(each: SelectingInstall): Finding[] {
  const { platform, selection } = each
  const selected = selection.selected
  if (selected === undefined) return []
  const isLimited = ({ range }: LimitedPlatform) => (selected[range] ?? '') !== ''
  const unknown = PLATFORMS.filter((limit) => isLimited(limit) && platform[limit.id] === undefined && !platform[limit.ignored])
  const why = (limit: LimitedPlatform) => `; not checked, since \`cluster.${limit.option}\` is not given`
  return unknown.map((limit) => ({ ...limitFinding(each, selected, limit, why(limit)), severity: 'info' }))
}

/** Returns the finding of a version that runs on some versions of a platform only: `pkg.a 1.0.0 requires Kubernetes ">=1.30" (AT)…`. */
function limitFinding(each: SelectingInstall, selected: CarvelPackage, limit: LimitedPlatform, end: string): Finding {
  const field = selected.rangeField(limit)
  const required = selected[limit.range] ?? ''
  const message = `${selected.refName} ${selected.version} requires ${limit.name} ${quote(required)} (${formatPlace(placeOfField(field))})${end}`
  const found = finding(each, 'platform-incompatible', message, field)
  return { ...found, tags: { ...found.tags, required } }
}

function finding({ install }: SelectingInstall, rule: Finding['rule'], message: string, field: ObjectField): Finding {
  const { refName, constraints } = install.ref
  const tags = { ecosystem: 'carvel', package: refName, ...(constraints !== '' && { required: constraints }) }
  return { rule, message, place: placeOfField(field), tags }
}

/**
 * Reports overrides and values of packages that are no dependencies, second overrides of one dependency, and overrides that leave the range
 * of the package's author.
 */
export function checkOptions({ install, selection }: SelectingInstall, context: CarvelContext): Finding[] {
  const { namespace, overrides, values } = install
  const declared = context.declaredBy(selection.selected)
  if (declared === undefined) return []
  const packages = declared.flatMap(declaredPackages)
  const first = new Map<DeclaredPackage, Override>()
  const suspects = overrides.flatMap((override) => {
    const target = packages.find((each) => overrideAppliesTo(override, each))
    if (target === undefined) return [unused(override, packages)]
    const earlier = first.get(target)
    if (earlier !== undefined) {
      const { key, parent } = earlier.field
      return [suspect(override, `is a second override of ${target.refName}; \`${parent?.key ?? ''}[${key}]\` is used`)]
    }
    first.set(target, override)
    return outOfRange(override, target, context.versions(namespace, target.refName), context.reader)
  })
  return [...suspects, ...values.flatMap((each) => (packages.some((target) => areFor(each, target)) ? [] : [unusedValues(each, packages)]))]
}

function unusedValues({ alias, refName, field }: DependencyValues, packages: readonly DeclaredPackage[]): Finding {
  const [name, names] =
    alias === '' ? [refName, packages.map((each) => each.refName)] : [alias, packages.flatMap((each) => each.alias ?? [])]
  const what = alias === '' ? 'dependency' : 'alias of a dependency'
  const place = { ...placeOfField(field), currentValue: undefined }
  const message = `\`${formatFieldPath(place.path)}\` has values for ${quote(name)}, which is no ${what} of the package${didYouMean(name, names)}`
  return { rule: 'values-unused', message, place, tags: { ecosystem: 'carvel', dependency: name } }
}

/** Returns every declared package, those in alternatives included. */
function declaredPackages(declared: DeclaredDependency): DeclaredPackage[] {
  if (declared.type === 'alternatives') return declared.alternatives.flatMap(declaredPackages)
  return declared.type === 'package' ? [declared] : []
}

function unused(override: Override, packages: readonly DeclaredPackage[]): Finding {
  const names = packages.map(({ refName }) => refName)
  return suspect(override, `names ${quote(override.name)}, which is no dependency of the package${didYouMean(override.name, names)}`)
}

// The version the override would choose: the highest known, else the exact one it names.
function outOfRange(
  override: Override,
  { refName, constraint, constraintField }: DeclaredPackage,
  known: readonly Version[],
  reader: RangeReader,
): Finding[] {
  const author = constraint === undefined ? undefined : reader.range(constraint)
  const wanted = override.constraints === undefined ? undefined : reader.range(override.constraints)
  if (author === undefined || wanted === undefined) return []
  const chosen = known.find((version) => wanted.accepts(version)) ?? reader.version(wanted.text)
  if (chosen === undefined || author.accepts(chosen)) return []
  const range = `the range ${quote(author.text)} (${formatPlace(placeOfField(constraintField))}) of the package's author`
  return [suspect(override, `asks for ${refName} ${quote(wanted.text)}, ${chosen.text}, which is outside ${range}`)]
}

function suspect(override: Override, message: string): Finding {
  const place = { ...placeOfField(override.field), currentValue: undefined }
  return {
    rule: 'override-suspect',
    message: `\`${formatFieldPath(place.path)}\` ${message}`,
    place,
    tags: { ecosystem: 'carvel', dependency: override.name, ...(override.constraints !== undefined && { required: override.constraints }) },
  }
}

/**
 * Reports packages that are installed more often than an installationType among them allows (seed 002, onePerCluster and onePerNamespace).
 * The type of one install restricts the other installs too.
 */
export function checkInstallationTypes(installs: readonly SelectingInstall[]): Finding[] {
  const sorted = [...installs].sort(
    ({ install: a }, { install: b }) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name),
  )
  const inCluster = excludedIn(sorted, 'onePerCluster', ({ ref }) => ref.refName)
  const inNamespace = excludedIn(sorted, 'onePerNamespace', ({ ref, namespace }) => `${namespace} ${ref.refName}`)
  return sorted.flatMap((each) => {
    const earlier = inCluster.get(each) ?? inNamespace.get(each)
    return earlier === undefined ? [] : [conflict(each, earlier)]
  })
}

/** Returns the installs that an earlier one of their scope excludes, each with the earlier one: one of the two must have the scope alone. */
function excludedIn(
  sorted: readonly SelectingInstall[],
  type: string,
  scopeOf: (install: PackageInstall) => string,
): ReadonlyMap<SelectingInstall, SelectingInstall> {
  const groups = [...groupBy(sorted, ({ install }) => scopeOf(install)).values()]
  const pairs = groups.flatMap((group) => {
    const alone = group.findIndex((each) => typeOf(each) === type)
    const earlierOf = (each: SelectingInstall, at: number) => (typeOf(each) === type ? group[0] : group[alone < at ? alone : -1])
    return group.map((each, at) => [each, at === 0 ? undefined : earlierOf(each, at)] as const)
  })
  return definedEntries(pairs)
}

function typeOf({ selection }: SelectingInstall): string | undefined {
  return selection.selected?.installationType
}

function conflict(second: SelectingInstall, first: SelectingInstall): Finding {
  const { install, selection } = second
  const { refName } = install.ref
  const both = [first, second].map(({ install: { object, refField }, selection: { version } }) => {
    const parts = [formatResourceRef(object.ref), version?.text, `(${formatPlace(placeOfField(refField))})`]
    return parts.filter((part) => part !== undefined).join(' ')
  })
  const type = [first, second].map(typeOf).includes('onePerCluster') ? 'onePerCluster' : 'onePerNamespace'
  const message = `${refName} is ${type}, and installed by ${both.join(' and ')}`
  const tags = { ecosystem: 'carvel', package: refName, installed: selection.version?.text ?? '' }
  return { rule: 'installation-type', message, place: placeOfField(install.refField), tags }
}
