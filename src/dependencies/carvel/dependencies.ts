import type { Collector } from '../reading/collector.ts'
import { childField, childText, childTextIfAny, hasValue, isTrue, itemFields, type ObjectField } from '../reading/field.ts'

/** A dependency as a Carvel package declares it, in one of the forms of seed 002 and of the merged proposal. */
export type DeclaredDependency = DeclaredPackage | DeclaredKind | DeclaredAlternatives

export interface DeclaredPackage {
  readonly type: 'package'
  readonly refName: string
  readonly constraint: string | undefined
  /** `spec.dependencies[0].package.version` */
  readonly constraintField: ObjectField
  readonly alias: string | undefined
  readonly optional: boolean
  readonly field: ObjectField
}

export interface DeclaredKind {
  readonly type: 'gvk'
  readonly apiVersion: string
  readonly kind: string
  readonly optional: boolean
  readonly field: ObjectField
}

export interface DeclaredAlternatives {
  readonly type: 'alternatives'
  readonly alternatives: readonly DeclaredDependency[]
  readonly optional: boolean
  readonly field: ObjectField
}

const FORMS = ['package', 'packageRef', 'gvk', 'or'] as const
const KEYS = [...FORMS, 'optional', 'name', 'alias']
const PACKAGE_KEYS = ['refName', 'version', 'versionSelection']
const SELECTION_KEYS = ['constraints', 'prereleases']
// A list that holds itself cannot be written; one that is this deep was made by a program.
const DEEPEST = 20

/**
 * Reads `dependencies[]`, or `dependencies.packages[]` as in the example of seed 002. Leaves out items without a known form and reports
 * them.
 */
export function readDependencies(field: ObjectField, collector: Collector): DeclaredDependency[] {
  const list = Array.isArray(field.value) ? field : childField(field, 'packages')
  if (field.value !== undefined && !Array.isArray(field.value)) collector.unknownKeys(field, ['packages'])
  return readItems(list, collector, 0)
}

function readItems(list: ObjectField, collector: Collector, depth: number): DeclaredDependency[] {
  if (depth > DEEPEST) collector.form(list, `must not be nested deeper than ${DEEPEST} lists`)
  return depth > DEEPEST ? [] : itemFields(list).flatMap((item) => readItem(item, collector, depth) ?? [])
}

function readItem(item: ObjectField, collector: Collector, depth: number): DeclaredDependency | undefined {
  collector.unknownKeys(item, KEYS)
  const form = FORMS.find((each) => hasValue(item, each))
  if (form === undefined || form !== FORMS.findLast((each) => hasValue(item, each))) {
    const forms = FORMS.filter((each) => hasValue(item, each))
    const found = forms.length === 0 ? 'none of them' : forms.map((each) => `'${each}'`).join(' and ')
    collector.form(item, `must have exactly one of 'package', 'packageRef', 'gvk', 'or', got ${found}`)
    return undefined
  }
  if (form === 'or') return readAlternatives(item, collector, depth)
  return form === 'gvk' ? readKind(item, collector) : readPackage(item, form, collector)
}

function readAlternatives(item: ObjectField, collector: Collector, depth: number): DeclaredAlternatives | undefined {
  const list = childField(item, 'or')
  const alternatives = readItems(list, collector, depth + 1)
  if (itemFields(list).length === 0) collector.form(list, 'must have at least one alternative')
  return alternatives.length === 0 ? undefined : { type: 'alternatives', alternatives, optional: isOptional(item), field: item }
}

function readKind(item: ObjectField, collector: Collector): DeclaredKind | undefined {
  const kind = readGvk(childField(item, 'gvk'), collector)
  return kind && { type: 'gvk', ...kind, optional: isOptional(item), field: item }
}

/** Reads a kind written as `{apiVersion, kind}` or `{group, version, kind}`. Reports any other form and returns undefined. */
export function readGvk(gvk: ObjectField, collector: Collector): { apiVersion: string; kind: string } | undefined {
  collector.unknownKeys(gvk, ['apiVersion', 'kind', 'group', 'version'])
  const [group, version] = [childText(gvk, 'group'), childText(gvk, 'version')]
  const split = group === '' ? version : version === '' ? '' : `${group}/${version}`
  const apiVersion = childText(gvk, 'apiVersion') || split
  const kind = childText(gvk, 'kind')
  if (apiVersion !== '' && kind !== '') return { apiVersion, kind }
  collector.form(gvk, `must have 'apiVersion' and 'kind', or 'group', 'version' and 'kind'`)
  return undefined
}

function readPackage(item: ObjectField, form: 'package' | 'packageRef', collector: Collector): DeclaredPackage | undefined {
  const ref = childField(item, form)
  collector.unknownKeys(ref, PACKAGE_KEYS)
  const constraintField = hasValue(ref, 'versionSelection') ? constraintsOf(ref, collector) : childField(ref, 'version')
  const refName = childText(ref, 'refName')
  if (refName === '') collector.form(childField(ref, 'refName'), 'must be set')
  const constraint = collector.text(constraintField)
  if (refName === '') return undefined
  const alias = childTextIfAny(item, 'alias') ?? childTextIfAny(item, 'name')
  return { type: 'package', refName, constraint, constraintField, alias, optional: isOptional(item), field: item }
}

function constraintsOf(ref: ObjectField, collector: Collector): ObjectField {
  const selection = childField(ref, 'versionSelection')
  collector.unknownKeys(selection, SELECTION_KEYS)
  return childField(selection, 'constraints')
}

function isOptional(item: ObjectField): boolean {
  return hasValue(item, 'optional') && isTrue(childField(item, 'optional'))
}
