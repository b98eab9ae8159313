import type { FieldPath } from '../field-path.ts'
import type { LabelSelector } from '../kubernetes/label-selector.ts'
import type { Fault } from '../schema/fault.ts'
import { type LabelSelectorFields, labelSelectorFaults } from './label-selector-rules.ts'
import type { TargetFields } from './package-variant-set-schema.ts'
import { notInApi, refusedField, tolerated } from './rule-fault.ts'
import { decodeTemplate, type Template } from './template.ts'
import { templateFaults } from './template-rules.ts'

/** An entry of `spec.targets`: the criteria that select objects, and the template of the variants. */
export interface Target {
  readonly path: FieldPath
  readonly criteria: RepositoryList | RepositoryCriteria | ObjectCriteria
  /** Undefined if the target has no template; the downstream Repository is then not looked up (docs/porch.md 14). */
  readonly template?: Template
}

export interface RepositoryList {
  readonly type: 'repositories'
  readonly repositories: readonly { readonly name: string; readonly packageNames: readonly string[] }[]
}

/** Selects repositories by label. `packageNames` are those of seed 000; an empty list stands for the upstream's package. */
export interface RepositoryCriteria {
  readonly type: 'repositorySelector'
  readonly selector: LabelSelector
  readonly packageNames: readonly string[]
}

export interface ObjectCriteria {
  readonly type: 'objectSelector'
  readonly apiVersion: string
  readonly kind: string
  readonly name?: string
  readonly selector: LabelSelector
  readonly packageNames: readonly string[]
}

type ObjectSelectorFields = NonNullable<TargetFields['objectSelector']>

/** Decodes a valid entry of `spec.targets` at `path`. packageNames in a selector and beside the selector are joined to one list. */
export function decodeTarget(target: TargetFields, path: FieldPath): Target {
  const { template } = target
  return { path, criteria: decodeCriteria(target), ...(template && { template: decodeTemplate(template, [...path, 'template']) }) }
}

function decodeCriteria({ repositories = [], repositorySelector, objectSelector, packageNames = [] }: TargetFields): Target['criteria'] {
  if (repositorySelector) {
    const names = [...(repositorySelector.packageNames ?? []), ...packageNames]
    return { type: 'repositorySelector', selector: decodeSelector(repositorySelector), packageNames: names }
  }
  if (objectSelector) return decodeObjectCriteria(objectSelector, packageNames)
  return { type: 'repositories', repositories: repositories.map(({ name, packageNames: names = [] }) => ({ name, packageNames: names })) }
}

function decodeObjectCriteria(fields: ObjectSelectorFields, beside: readonly string[]): ObjectCriteria {
  const { apiVersion, kind, name, packageNames = [] } = fields
  const named = name !== undefined && name !== '' && { name }
  return {
    type: 'objectSelector',
    apiVersion,
    kind,
    ...named,
    selector: decodeSelector(fields),
    packageNames: [...packageNames, ...beside],
  }
}

function decodeSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelectorFields): LabelSelector {
  return {
    matchLabels: new Map(Object.entries(matchLabels)),
    matchExpressions: matchExpressions.map(({ key, operator, values = [] }) => ({ key, operator, values })),
  }
}

const CRITERIA = ['repositories', 'repositorySelector', 'objectSelector'] as const

/** Returns the faults of an entry of `spec.targets` that the schema cannot express (seed 001, Targets validation). */
export function targetFaults(target: TargetFields, path: FieldPath): Fault[] {
  const { repositorySelector, objectSelector, template } = target
  return [
    ...criteriaFaults(target, path),
    ...packageNamesFaults(target, path),
    ...(repositorySelector ? labelSelectorFaults(repositorySelector, [...path, 'repositorySelector']) : []),
    ...(objectSelector ? labelSelectorFaults(objectSelector, [...path, 'objectSelector']) : []),
    ...(objectSelector?.name === undefined ? [] : [nameFault([...path, 'objectSelector', 'name'])]),
    ...(template ? templateFaults(template, [...path, 'template']) : []),
  ]
}

function criteriaFaults(target: TargetFields, path: FieldPath): Fault[] {
  const found = CRITERIA.filter((criterion) => target[criterion] !== undefined)
  const must = "must have exactly one of 'repositories', 'repositorySelector', 'objectSelector'"
  if (found.length === 1) return []
  const got = found.length === 0 ? 'none' : found.map((criterion) => `'${criterion}'`).join(' and ')
  return [refusedField('target-criteria', path, `${must}, got ${got}`, found[1] === undefined ? undefined : [...path, found[1]])]
}

/**
 * Returns the faults of misplaced packageNames. Seed 000 has packageNames in or beside a selector, which gives a warning; the API has
 * packageNames only in `repositories[]` (docs/porch.md 1), so beside `repositories` the field is an error.
 */
function packageNamesFaults({ repositories, repositorySelector, objectSelector, packageNames }: TargetFields, path: FieldPath): Fault[] {
  const places = [
    ...(repositorySelector?.packageNames ? [[...path, 'repositorySelector', 'packageNames']] : []),
    ...(objectSelector?.packageNames ? [[...path, 'objectSelector', 'packageNames']] : []),
    ...(packageNames && !repositories ? [[...path, 'packageNames']] : []),
  ]
  const misplaced = packageNames && repositories ? [[...path, 'packageNames']] : []
  return [
    ...places.map((place) => notInApi(place, 'each selected repository gets these packages')),
    ...misplaced.map((place): Fault => ({ severity: 'error', rule: 'unknown-field', path: place, message: MISPLACED, atKey: true })),
  ]
}

const MISPLACED = "is not a field of targets[] beside 'repositories'; it is a field of spec.targets[].repositories[]"

function nameFault(path: FieldPath): Fault {
  return tolerated('ignored-by-porch', path, "is ignored by Porch's controller, which selects by labels only; here it selects by name too")
}
