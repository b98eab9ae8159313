import type { CelError } from '../cel/cel-error.ts'
import { formatExcerpt } from '../cel/excerpt.ts'
import type { PackageVariantSet } from '../kinds/package-variant-set.ts'
import type { Template, TemplateExpression } from '../kinds/template.ts'
import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import type { NearestAmong } from '../schema/nearest-name.ts'
import { asQuestion } from '../schema/nearest-name.ts'
import { countOf, nameFirst } from '../wording.ts'
import { formatHints } from './expression-hints.ts'
import type { RenderedVariant, TemplateFailure } from './render-variant.ts'
import type { TemplatePrograms } from './template-programs.ts'
import { describePlace, type UnrolledTarget } from './unroll-targets.ts'

const NAMED_TARGETS = 3
const NAMED_KEYS = 10
const RULES = { compile: 'expression-compile', eval: 'expression-eval', convert: 'expression-convert' } as const
const DEMANDS = { compile: 'must compile', eval: 'must have a value', convert: 'must give a string' } as const

/** Why a variable has no value in any place of a set, for people. A variable that lacks for a reason reported elsewhere is not in it. */
export interface Absences {
  readonly upstream?: string
  readonly repository?: string
}

/** The expressions of a set that do not compile: one error each, whether or not a target uses them. */
export function compileFaults(set: PackageVariantSet, programsOf: (template: Template) => TemplatePrograms): Result[] {
  const templates = set.targets.flatMap(({ template }) => (template === undefined ? [] : [template]))
  return templates.flatMap((template) =>
    Array.from(programsOf(template).broken, ([expression, error]) =>
      expressionFault(set, { expression, error }, { forWhom: '', why: describeNoProgram(error) }),
    ),
  )
}

/**
 * The expressions of a set that failed for some place. Equal errors of one expression are one result, which counts the places
 * and names the first three. Failures for the lack of a variable are left out where the lack itself is reported.
 */
export function evaluationFaults(
  set: PackageVariantSet,
  rendered: readonly RenderedVariant[],
  { absences, nearestAmong }: { readonly absences: Absences; readonly nearestAmong: NearestAmong },
): Result[] {
  return groupFailures(rendered).flatMap(({ failure, places }) => {
    const { expression, error } = failure
    const reasons = error.missingVariable === undefined ? undefined : reasonsFor(expression, absences)
    if (reasons?.length === 0) return []
    const why = reasons === undefined ? describeNoValue(failure, nearestAmong) : `${reasons.join(', and ')}${excerpt(expression, error)}`
    return [expressionFault(set, failure, { forWhom: ` for ${describePlaces(places)}`, why })]
  })
}

/** Why the variables that an expression names are not there. */
function reasonsFor({ text }: TemplateExpression, absences: Absences): string[] {
  return Object.entries(absences).flatMap(([variable, reason]) => (new RegExp(`\\b${variable}\\b`).test(text) ? [reason] : []))
}

interface FailureGroup {
  readonly failure: TemplateFailure
  readonly places: UnrolledTarget[]
}

function groupFailures(rendered: readonly RenderedVariant[]): readonly FailureGroup[] {
  const groups = new Map<TemplateExpression, Map<string, FailureGroup>>()
  for (const { place, failures } of rendered) {
    for (const failure of failures) {
      const ofExpression = groups.get(failure.expression) ?? new Map<string, FailureGroup>()
      groups.set(failure.expression, ofExpression)
      const group = ofExpression.get(failure.error.message)
      if (group === undefined) ofExpression.set(failure.error.message, { failure, places: [place] })
      else group.places.push(place)
    }
  }
  return [...groups.values()].flatMap((ofExpression) => [...ofExpression.values()])
}

function describePlaces(places: readonly UnrolledTarget[]): string {
  const names = places.map(describePlace)
  return places.length === 1 ? names.join() : `${countOf(places.length, 'target')} (${nameFirst(names, NAMED_TARGETS)})`
}

function expressionFault(
  set: PackageVariantSet,
  { expression, error }: TemplateFailure,
  { forWhom, why }: { readonly forWhom: string; readonly why: string },
): Result {
  return faultToResult(set.object, {
    severity: 'error',
    rule: RULES[error.phase],
    path: expression.path,
    message: `${DEMANDS[error.phase]}${forWhom}: ${why}`,
    reason: 'UnexpectedError',
  })
}

/** The compiler's text shows the places itself. */
function describeNoProgram(error: CelError): string {
  return `${error.message.replaceAll(/^ERROR: <input>:/gm, '')}${formatHints(error)}`
}

/** The text of an evaluation gets its keys and its place here. */
function describeNoValue({ expression, error }: TemplateFailure, nearestAmong: NearestAmong): string {
  const keys = describeKeys(error, nearestAmong)
  return `${describePosition(expression, error)}${error.message}${keys}${excerpt(expression, error)}${formatHints(error)}`
}

/** In words, since hosts join lines, and a caret below a joined line points nowhere. */
function describePosition({ text }: TemplateExpression, { line, column }: CelError): string {
  if (line === undefined || column === undefined) return ''
  return text.includes('\n') ? `line ${line}, column ${column}: ` : `column ${column}: `
}

function describeKeys({ missingKey }: CelError, nearestAmong: NearestAmong): string {
  if (missingKey === undefined) return ''
  const { key, keys } = missingKey
  return `; ${keys.length === 0 ? 'there are no keys' : `the keys are ${nameFirst(keys, NAMED_KEYS)}`}${asQuestion(nearestAmong(keys)(key))}`
}

function excerpt({ text }: TemplateExpression, { line, column }: CelError): string {
  return `\n${line === undefined || column === undefined ? text : formatExcerpt(text, line, column)}`
}
