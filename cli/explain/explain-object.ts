import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { editedSetters } from '../../src/diff/causes/edited-setters.ts'
import { lineIn, pathOfSteps } from '../../src/diff/causes/object-places.ts'
import { stepsOfField, ValueOrigins } from '../../src/diff/causes/value-origins.ts'
import { isFieldOrBelow } from '../../src/diff/dangers/danger-rule.ts'
import { fieldChanges, formatSteps } from '../../src/diff/field-changes.ts'
import type { PackageStep } from '../../src/diff/fleet-state.ts'
import { comparedContent } from '../../src/diff/package-objects.ts'
import type { CauseInput, FieldStep } from '../../src/diff/report.ts'
import { type FieldPath, formatFieldPath } from '../../src/field-path.ts'
import { once } from '../../src/fleet/once.ts'
import { readPackageOfFleet } from '../../src/fleet/read-fleet-folder.ts'
import { below, type NamedFolder } from '../../src/folder/named-folder.ts'
import { equalJson, type JsonValue, memberOf } from '../../src/json.ts'
import { printable } from '../../src/printable.ts'
import { repositoryOf } from '../../src/render/disk/disk-places.ts'
import { appliedObjects } from '../../src/resource-list/applied-objects.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { collectFaults, type Result } from '../../src/result.ts'
import { quoteNames, quoteText } from '../../src/schema/describe-value.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import { isSecretField } from '../../src/secret-values.ts'
import { namespacedName } from '../../src/variant/find-variant.ts'
import { readPresent } from '../diff/read-states.ts'
import { clusterTest } from '../fleet/cluster-option.ts'
import type { FleetChoices } from '../fleet/fleet-options.ts'
import { openFleet } from '../fleet/fleet-reading.ts'
import { packageGapsBelow } from '../fleet/packages-outside.ts'
import { findPlaceFaults } from '../fleet/place-faults.ts'
import type { Host } from '../host.ts'
import { printValue } from '../print/print-value.ts'
import type { Styles } from '../print/styles.ts'
import { UsageError } from '../usage-error.ts'
import { type ExplainAnswer, fieldText, nameObject, placeText } from './explain-text.ts'
import { describeObject, type ExplainedField, explainChange, type PlacedObject, type VariantExplanation } from './explanation.ts'

/** Where a rendered object and its values come from. */
interface ObjectExplanation extends Pick<VariantExplanation, 'set' | 'target'> {
  readonly rendered: PlacedObject
  /** REPOSITORY/PACKAGE. */
  readonly package: string
  readonly cluster: string
  readonly variant: string
  /** Why the package is on the cluster. */
  readonly reason?: string
  readonly fields: readonly ExplainedValue[]
}

/** A setter that a person edited: its field in a Kptfile or in the config of a function. */
interface PlacedSetter {
  readonly path: string
  readonly place?: string
}

interface ExplainedValue {
  readonly path: string
  /** Unset for a value of a Secret. */
  readonly value?: JsonValue
  /** The line of a person's edit; `rendered` is the value without it, `setters` are the edited setters that give the value. */
  readonly edit?: { readonly place?: string; readonly rendered?: JsonValue; readonly setters?: readonly PlacedSetter[] }
  /** The fields of the variant that give the value. */
  readonly variant: readonly ExplainedField[]
  /** The functions of the upstream package that give the value. */
  readonly functions: readonly { readonly name: string; readonly path: string; readonly place?: string }[]
  /** The same field in the upstream package. */
  readonly upstream?: { readonly package: string; readonly value?: JsonValue; readonly place?: string }
}

/** Returns true for a name such as `Deployment/web`: the names of variants begin with a lower-case letter. */
export function namesObject(name: string): boolean {
  return /^[A-Z]\w*\/./.test(name)
}

interface Match {
  readonly step: PackageStep
  readonly object: KrmObject
  /** The field that the name ends with; '' for the whole object. */
  readonly field: string
}

/**
 * Explains an object that a cluster gets, KIND/NAME or KIND/NAMESPACE/NAME, and its fields that are not those of the upstream package; with
 * `.FIELD` this field alone.
 *
 * @throws UsageError when no object, or the objects of several packages, have the name; FunctionError with the faults of the fleet
 */
export async function explainObject(name: string, dir: string, options: FleetChoices, host: Host): Promise<ExplainAnswer> {
  const fleet = await openFleet(dir, options, host, 'spare')
  const state = await readPresent(fleet, { ...options, offline: true, run: true }, host)
  const origins = new ValueOrigins(state)
  const isAsked = clusterTest(state.items, options) ?? (() => true)
  const steps = state.plan.steps.filter(({ folder }) => isAsked(repositoryOf(folder)))
  const objects = steps.flatMap((step) => (origins.objectsOf(step) ?? []).map((object) => ({ step, object })))
  const { step, object, field } = onlyMatch(name, objects)
  const unread: Result[] = []
  const folder = fleet.out && below(fleet.out, step.folder)
  const items = folder === undefined ? [] : committedItems(folder, unread)
  const own = objectLike(object, items)
  const setters = settersIn(items, folder, step, origins)
  const shown = own ?? object
  const asked = askedSteps(shown, object, field, () => origins.originOf(step, object, []).upstream?.object)
  const change = state.sets
    .flatMap((set) => set.changes.map((each) => ({ set, each })))
    .find(({ each }) => `${each.namespace}/${each.name}` === namespacedName(step.variant.object) && each.op !== 'remove')
  const explained = change && explainChange(change.each, change.set)
  const { upstream } = step.variant
  const source = `${upstream.repo}/${upstream.package}${upstream.revision === undefined ? '' : `@v${upstream.revision}`}`
  const view: ObjectExplanation = {
    rendered: describeRendered(shown, own !== undefined),
    package: step.folder,
    cluster: repositoryOf(step.folder),
    variant: namespacedName(step.variant.object),
    ...(explained?.set && { set: explained.set }),
    ...(explained?.target && { target: explained.target }),
    ...(explained && { reason: explained.reason }),
    fields: asked.map((each) => explainValue(each, { step, object, own, setters, origins, source, fields: explained?.fields ?? [] })),
  }
  return { view, text: (styles) => objectText(view, styles), results: [...findPlaceFaults(fleet, await fleet.plan()), ...unread] }
}

/** Returns an object as explanations name it. One that is only in memory has no place. */
function describeRendered(object: KrmObject, isOnDisk: boolean): PlacedObject {
  const { place, ...named } = describeObject(object)
  return isOnDisk && place !== undefined ? { ...named, place } : named
}

/** Returns the object of the name. @throws UsageError */
function onlyMatch(name: string, objects: readonly Omit<Match, 'field'>[]): Match {
  const [kind = '', rest = ''] = [name.slice(0, name.indexOf('/')), name.slice(name.indexOf('/') + 1)]
  const named = objects.flatMap((each): readonly (Match & { readonly length: number })[] => {
    if (each.object.kind !== kind) return []
    const { name: own = '', namespace = '' } = each.object
    const full = [`${namespace}/${own}`, own].find((text) => rest === text || rest.startsWith(`${text}.`))
    return full === undefined ? [] : [{ ...each, field: rest.slice(full.length + 1), length: full.length }]
  })
  const longest = Math.max(...named.map(({ length }) => length))
  const [found, ...others] = named.filter(({ length }) => length === longest)
  if (found === undefined) throw noObject(kind, rest, objects)
  if (others.length === 0) return found
  const packages = [found, ...others].map(({ step }) => step.folder)
  const clusters = [...new Set(packages.map((folder) => repositoryOf(folder)))]
  const isSame = new Set([found, ...others].map(({ object }) => object.namespace)).size === 1
  const oneOf = isSame ? `${quoteNames(packages)}; a cluster has one object of a name` : 'KIND/NAMESPACE/NAME names one of them'
  const way = clusters.length > 1 ? `choose one with --cluster: ${quoteNames(clusters)}` : oneOf
  throw new UsageError(`${packages.length} packages have ${kind} ${quoteText(rest)}: ${way}`)
}

function noObject(kind: string, rest: string, objects: readonly Omit<Match, 'field'>[]): UsageError {
  const ofKind = objects.filter(({ object }) => object.kind === kind)
  if (ofKind.length === 0) {
    const kinds = [...new Set(objects.flatMap(({ object }) => object.kind ?? []))]
    return new UsageError(
      `no cluster gets an object of kind ${quoteText(kind)}${didYouMean(kind, kinds) || `; the kinds are ${quoteNames(kinds)}`}`,
    )
  }
  const names = [...new Set(ofKind.map(({ object }) => object.name ?? ''))]
  const near = didYouMean(rest.split('/').at(-1)?.split('.')[0] ?? '', names) || `; there is ${quoteNames(names)}`
  return new UsageError(`no cluster gets ${kind} ${quoteText(rest)}${near}`)
}

/**
 * Returns the objects of a package on disk; none if the package is not there.
 *
 * @param unread  gets the errors of files that cannot be read or are not checked out: they may have edits of an object
 */
function committedItems(folder: NamedFolder, unread: Result[]): readonly KrmObject[] {
  unread.push(...packageGapsBelow(folder))
  if (!existsSync(folder.disk)) return []
  return collectFaults<readonly KrmObject[]>(unread, () => readPackageOfFleet(folder).list.items) ?? []
}

/** Returns a function that returns the lines of the setters that people edited in a package and that give a field its value. */
function settersIn(
  items: readonly KrmObject[],
  folder: NamedFolder | undefined,
  step: PackageStep,
  origins: ValueOrigins,
): Explaining['setters'] {
  const place = folder?.shown ?? ''
  const pathOf = ({ file }: KrmObject) => posix.relative(place, file?.path ?? '')
  const after = { paths: items.map(pathOf), objectsAt: (path: string) => items.filter((item) => pathOf(item) === path) }
  const before = once(() => origins.textOf(step))
  return (object, path) => editedSetters(object, path, { before: before(), after, place })
}

function objectLike({ apiVersion, kind, namespace, name }: KrmObject, items: readonly KrmObject[]): KrmObject | undefined {
  return items
    .flatMap(appliedObjects)
    .find((each) => each.apiVersion === apiVersion && each.kind === kind && each.namespace === namespace && each.name === name)
}

/** Returns the asked field, or every field that the upstream package does not have so. @throws UsageError for a field that is not there */
function askedSteps(
  shown: KrmObject,
  rendered: KrmObject,
  field: string,
  upstream: () => KrmObject | undefined,
): readonly (readonly FieldStep[])[] {
  if (field !== '') {
    const found = stepsOfField(shown.toJson(), field)
    if ('steps' in found) return [found.steps]
    const near = didYouMean(found.unknown, found.known) || (found.known.length > 0 ? `; there is ${quoteNames(found.known)}` : '')
    const where = found.above === '' ? `${shown.kind} ${shown.name}` : quoteText(found.above)
    throw new UsageError(`${where} has no field ${quoteText(found.unknown)}${near}`)
  }
  const base = upstream()
  const changes = [
    ...(base === undefined ? [] : fieldChanges(comparedContent(base), comparedContent(shown))),
    ...fieldChanges(comparedContent(rendered), comparedContent(shown)),
  ]
  return [...new Map(changes.filter(({ after }) => after !== undefined).map(({ path, steps }) => [path, steps])).values()]
}

interface Explaining {
  readonly step: PackageStep
  readonly object: KrmObject
  readonly own: KrmObject | undefined
  /** Returns the lines of the edited setters that give a field its value. */
  readonly setters: (object: KrmObject, path: FieldPath) => readonly CauseInput[]
  readonly origins: ValueOrigins
  /** The upstream package and its revision. */
  readonly source: string
  readonly fields: readonly ExplainedField[]
}

function explainValue(steps: readonly FieldStep[], { step, object, own, setters, origins, source, fields }: Explaining): ExplainedValue {
  const [rendered, present] = [valueAlong(object, steps), valueAlong(own ?? object, steps)]
  const isSecret = object.kind === 'Secret' || isSecretField(object.toJson(), pathOfSteps(object, steps))
  const shown = (key: string, value: JsonValue | undefined) => (value === undefined || isSecret ? {} : { [key]: value })
  const { fields: paths, functions, upstream } = origins.originOf(step, object, steps)
  const isEdited = own !== undefined && !equalJson(rendered ?? null, present ?? null)
  const path = own === undefined ? [] : pathOfSteps(own, steps)
  return {
    path: formatSteps(steps),
    ...shown('value', present),
    ...(isEdited && { edit: { ...placed(own, path), ...shown('rendered', rendered), ...editedBy(setters(own, path)) } }),
    variant: paths.flatMap((path) => fieldsAt(path, step.variant.object, fields)),
    functions: functions.map(({ name, kptfile, path }) => ({ name, path: formatFieldPath(path), ...placed(kptfile, path) })),
    ...(upstream && { upstream: { package: source, ...shown('value', upstream.value), ...placed(upstream.object, upstream.path) } }),
  }
}

function valueAlong(object: KrmObject, steps: readonly FieldStep[]): JsonValue | undefined {
  return pathOfSteps(object, steps).reduce<JsonValue | undefined>((value, key) => memberOf(value, key), object.toJson())
}

/** Returns the explained fields at a path of a variant; the field as the variant has it, where no set gives it. */
function fieldsAt(path: FieldPath, variant: KrmObject, fields: readonly ExplainedField[]): readonly ExplainedField[] {
  const name = formatFieldPath(path)
  const given = fields.filter((field) => isFieldOrBelow(field.path, name))
  return given.length > 0
    ? given
    : [{ path: name, value: variant.get(path) ?? null, source: 'static', from: name, ...placed(variant, path) }]
}

function editedBy(found: readonly CauseInput[]): { readonly setters?: readonly PlacedSetter[] } {
  if (found.length === 0) return {}
  return { setters: found.map(({ text, file, line }) => ({ path: text, ...(file !== undefined && { place: `${file}:${line}` }) })) }
}

function placed(object: KrmObject, path: FieldPath): { readonly place?: string } {
  const { file, line } = lineIn(object, path)
  return file === undefined ? {} : { place: `${file}:${line}` }
}

/** Returns an explanation for a terminal. */
function objectText(explained: ObjectExplanation, styles: Styles): string {
  const { rendered, package: folder, cluster, variant, set, target, reason, fields } = explained
  const facts: readonly (readonly [string, string])[] = [
    ['package', printable(folder)],
    ['cluster', printable(cluster)],
    ['variant', printable(variant)],
    ...(set === undefined ? [] : [['set', nameObject(set, styles)] as const]),
    ...(target === undefined ? [] : [['target', `${printable(target.path)}${placeText(target.place, styles)}`] as const]),
    ...(reason === undefined ? [] : [['because', printable(reason)] as const]),
  ]
  const lines = facts.map(([label, text]) => `  ${label.padEnd('package'.length)}  ${text}\n`)
  const same = fields.length > 0 ? '\n' : '\n  every field is as the upstream package has it\n'
  return [`${styles.strong(nameObject(rendered, styles))}\n`, ...lines, same, ...fields.map((field) => valueText(field, styles))].join('')
}

function valueText({ path, value, edit, variant, functions, upstream }: ExplainedValue, styles: Styles): string {
  const head = `  ${styles.strong(printable(path))}: ${value === undefined ? '(not shown)' : printValue(value)}\n`
  const rendered = edit?.rendered === undefined ? '' : `; rendered, it is ${printValue(edit.rendered)}`
  const setters = (edit?.setters ?? []).map((each) => ({ ...each, by: ` by its setter ${printable(each.path)}` }))
  const ways = setters.length > 0 || edit === undefined ? setters : [{ ...edit, by: '' }]
  const edited = ways.map((each) => `      edited in the package${each.by}${rendered}${placeText(each.place, styles)}\n`)
  const given = variant.map((field) => fieldText(field, styles).replaceAll(/^(?=.)/gm, '    '))
  const run = functions.map(
    (each) => `      function ${printable(each.name)} of the upstream package, ${printable(each.path)}${placeText(each.place, styles)}\n`,
  )
  const has = upstream?.value === undefined ? 'does not have the field' : `has ${printValue(upstream.value)}`
  const above = upstream === undefined ? [] : [`      upstream ${printable(upstream.package)} ${has}${placeText(upstream.place, styles)}\n`]
  return [head, ...edited, ...given, ...run, ...above].join('')
}
