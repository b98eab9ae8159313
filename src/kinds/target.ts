import type { FieldPath } from '../field-path.ts'
import type { LabelSelector } from '../kubernetes/label-selector.ts'
import type { LabelSelectorFields } from './label-selector-rules.ts'
import type { TargetFields } from './package-variant-set-schema.ts'
import { decodeTemplate, type Template } from './template.ts'

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
