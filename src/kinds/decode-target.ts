import type { FieldPath } from '../field-path.ts'
import type { LabelSelector } from '../kubernetes/label-selector.ts'
import { decodeTemplate } from './decode-template.ts'
import type { LabelSelectorFields } from './label-selector-rules.ts'
import type { ObjectCriteria, Target } from './package-variant-set.ts'
import type { TargetFields } from './package-variant-set-schema.ts'

type ObjectSelectorFields = NonNullable<TargetFields['objectSelector']>

/** One valid entry of `spec.targets`, at `path`. packageNames in and beside a selector are one list. */
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
