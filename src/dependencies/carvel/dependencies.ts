import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../json.ts'
import type { Prereleases } from '../../versions/selection.ts'
import type { Collector } from '../reading/collector.ts'
import { childField, hasValue, type ObjectField } from '../reading/field.ts'
import { readKindFields, readSelection } from './fields.ts'

/** A dependency as a Carvel package declares it, in one of the forms of seed 002 and of the merged proposal. */
export type DeclaredDependency = DeclaredPackage | DeclaredKind | DeclaredAlternatives

/** A class for the same reason as a field that was read: most of a large list are needed once. */
export class DeclaredPackage {
  readonly type = 'package'
  readonly refName: string
  readonly constraint: string | undefined
  readonly prereleases: Prereleases | undefined
  readonly alias: string | undefined
  readonly optional: boolean
  readonly field: ObjectField
  readonly #constraintField: ObjectField | undefined

  /** @param constraintField  undefined for `package.version` of the field */
  constructor({ refName, constraint, constraintField, prereleases, alias, optional, field }: PackageFields) {
    this.refName = refName
    this.constraint = constraint
    this.#constraintField = constraintField
    this.prereleases = prereleases
    this.alias = alias
    this.optional = optional
    this.field = field
  }

  /** `spec.dependencies[0].package.version` */
  get constraintField(): ObjectField {
    return this.#constraintField ?? childField(childField(this.field, 'package'), 'version')
  }
}

interface PackageFields extends Pick<DeclaredPackage, 'refName' | 'constraint' | 'prereleases' | 'alias' | 'optional' | 'field'> {
  readonly constraintField?: ObjectField
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
// A list that holds itself cannot be written; one that is this deep was made by a program.
const DEEPEST = 20

/**
 * Reads `dependencies[]`, or `dependencies.packages[]` as in the example of seed 002. Leaves out items without a known form and reports
 * them.
 */
export function readDependencies(field: ObjectField, collector: Collector): DeclaredDependency[] {
  if (isRecord(field.value)) collector.unknownKeys(field, ['packages'])
  return readItems(isRecord(field.value) ? childField(field, 'packages') : field, collector, 0)
}

function readItems(list: ObjectField, collector: Collector, depth: number): DeclaredDependency[] {
  if (depth > DEEPEST) collector.form(list, `must not be nested deeper than ${DEEPEST} lists`)
  return depth > DEEPEST ? [] : collector.items(list).flatMap((item) => readItem(item, collector, depth) ?? [])
}

function readItem(item: ObjectField, collector: Collector, depth: number): DeclaredDependency | undefined {
  const usual = readUsual(item)
  if (usual !== undefined) return usual
  if (!collector.map(item, KEYS)) return undefined
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

/** Reads a dependency that has a package with a refName and no keys but a version, as most have: it has no fault. Undefined for others. */
function readUsual(item: ObjectField): DeclaredPackage | undefined {
  const ref = onlyKeys(item.value, ['package']) ? lookup(item.value, 'package') : undefined
  if (!onlyKeys(ref, USUAL_KEYS)) return undefined
  const refName = lookup(ref, 'refName')
  const constraint = lookup(ref, 'version')
  if (typeof refName !== 'string' || refName === '' || (constraint !== undefined && typeof constraint !== 'string')) return undefined
  return new DeclaredPackage({ refName, constraint, prereleases: undefined, alias: undefined, optional: false, field: item })
}

const USUAL_KEYS = ['refName', 'version']

function onlyKeys(value: JsonValue | undefined, keys: readonly string[]): value is JsonRecord {
  return isRecord(value) && Object.keys(value).every((key) => keys.includes(key))
}

function readAlternatives(item: ObjectField, collector: Collector, depth: number): DeclaredAlternatives | undefined {
  const list = childField(item, 'or')
  const alternatives = readItems(list, collector, depth + 1)
  if (Array.isArray(list.value) && list.value.length === 0) collector.form(list, 'must have at least one alternative')
  return alternatives.length === 0 ? undefined : { type: 'alternatives', alternatives, optional: isOptional(item, collector), field: item }
}

function readKind(item: ObjectField, collector: Collector): DeclaredKind | undefined {
  const kind = readKindFields(childField(item, 'gvk'), collector)
  return kind && { type: 'gvk', ...kind, optional: isOptional(item, collector), field: item }
}

function readPackage(item: ObjectField, form: 'package' | 'packageRef', collector: Collector): DeclaredPackage | undefined {
  const ref = childField(item, form)
  if (!collector.map(ref, PACKAGE_KEYS)) return undefined
  const refName = collector.name(childField(ref, 'refName'))
  const alias = collector.text(childField(item, 'alias')) ?? collector.text(childField(item, 'name'))
  const wanted = readWanted(ref, collector)
  return refName === '' ? undefined : new DeclaredPackage({ refName, ...wanted, alias, optional: isOptional(item, collector), field: item })
}

/** Reads the versions of a package: `version`, or `versionSelection` as in the merged proposal. */
function readWanted(ref: ObjectField, collector: Collector): Pick<DeclaredPackage, 'constraint' | 'constraintField' | 'prereleases'> {
  const version = childField(ref, 'version')
  const selection = childField(ref, 'versionSelection')
  const constraint = collector.text(version)
  if (selection.value === undefined) return { constraint, constraintField: version, prereleases: undefined }
  if (version.value !== undefined) collector.form(version, `must not be set beside 'versionSelection'`)
  const { constraints, constraintsField, prereleases } = readSelection(selection, collector)
  return { constraint: constraints, constraintField: constraintsField, prereleases }
}

function isOptional(item: ObjectField, collector: Collector): boolean {
  return collector.flag(childField(item, 'optional')) === true
}
