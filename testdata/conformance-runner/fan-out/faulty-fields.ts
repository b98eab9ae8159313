import type { FanOutVector } from './vector.ts'

/** Texts of the controller that do not begin with the field that they are about. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/^either spec\.upstream\.revision or .*/, 'spec.upstream'],
  [/^must specify at least one item in spec\.targets.*/, 'spec.targets'],
  [/^(\S+)\.objectselector\.(\S+) .*/, '$1.objectSelector.$2'],
  [/^(\S+) may specify only one of `downstream\..*/, '$1.downstream'],
  [/^(\S+?):? .*/s, '$1'],
]

/** Stands for the lookup of the downstream repository, which the controller tells without a field. */
export const REPOSITORY = 'the downstream repository'

/** The fields of a template in the order of evaluation (seed 001). */
const ORDER = [
  'downstream.repo',
  REPOSITORY,
  'downstream.package',
  'labelExprs',
  'annotationExprs',
  'packageContext.dataExprs',
  'packageContext.removeKeyExprs',
  'injectors',
  'pipeline.validators',
  'pipeline.mutators',
]

/** How the fields with errors of ours differ from those that the controller names. */
export function compareFaultyFields(
  ours: readonly string[],
  { stage, errors, renderErrors = [] }: FanOutVector['expected'],
): readonly string[] {
  if (stage === 'validation') return compareSets(ours, errors.map(fieldOf))
  if (stage === 'render')
    return compareTemplateFields(
      ours,
      renderErrors.map(({ error }) => error),
    )
  return []
}

function fieldOf(error: string): string {
  const [pattern, field] = FIELDS.find(([pattern]) => pattern.test(error)) ?? [/^/, '']
  return error.replace(pattern, field)
}

function compareSets(ours: readonly string[], theirs: readonly string[]): readonly string[] {
  return [
    ...theirs.filter((field) => !ours.includes(field)).map((field) => `${field} must be faulty`),
    ...ours.filter((field) => !theirs.includes(field)).map((field) => `${field} must not be faulty`),
  ]
}

/** The controller stops at the first fault of a target: ours may name more fields, which it would have come to later. */
function compareTemplateFields(ours: readonly string[], errors: readonly string[]): readonly string[] {
  const mine = ours.map((field) => field.replace(/^spec\.targets\[\d+\]\./, ''))
  const theirs = errors.map((error) => (error.includes('could not be loaded') ? REPOSITORY : fieldOf(error)))
  const first = Math.min(...theirs.map(stepOf))
  return compareSets(
    mine.filter((field) => theirs.includes(field) || stepOf(field) < first),
    theirs,
  )
}

function stepOf(field: string): number {
  return ORDER.findIndex((part) => field === part || field.startsWith(`template.${part}`))
}
