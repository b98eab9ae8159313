import type { Hint } from '../../cel/advisor.ts'
import type { CelError } from '../../cel/cel-error.ts'
import { formatExcerpt } from '../../cel/expression-position.ts'
import type { TemplateExpression } from '../../kinds/template.ts'
import type { VariantSet } from '../../kinds/variant-set.ts'
import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { faultToResult } from '../../schema/fault.ts'
import { asQuestion, didYouMean, distanceWithin, type NearestAmong } from '../../schema/nearest-name.ts'
import { nameFirst } from '../../wording.ts'
import { describePlace, describeTargets, nameTargets, type PlaceTarget, type UnrolledTarget } from '../targets/unrolled-target.ts'
import type { RenderedVariant, TemplateFailure } from './rendered-variant.ts'
import type { ExpressionCompiler } from './template-programs.ts'

const NAMED_KEYS = 10
const NAMED_FIELDS = 20
const RULES = { compile: 'expression-compile', eval: 'expression-eval', convert: 'expression-convert' } as const
const DEMANDS = { compile: 'must compile', eval: 'must have a value', convert: 'must give a string' } as const

/**
 * The reasons why a variable has no value in any place of a set, for messages. A variable whose absence is reported elsewhere has no
 * reason here.
 */
export interface Absences {
  readonly upstream?: string
  readonly repository?: string
}

/** Returns an error for each expression of a set that does not compile, even if no target uses the expression. */
export function compileFaults(set: VariantSet, compiler: ExpressionCompiler): Result[] {
  const templates = [set, ...set.upstreams, ...set.targets, ...set.overrides].flatMap(({ template }) => template ?? [])
  return templates.flatMap((template) =>
    Array.from(compiler.programsOf(template, compiler.scopeOf(set)).broken, ([expression, error]) =>
      programFault(set.object, expression, error),
    ),
  )
}

/**
 * Returns the errors of expressions that failed for some places. Equal errors of one expression become one result with the number of
 * places and the names of the first three. Failures for a missing variable are left out if the missing variable is reported elsewhere.
 */
export function evaluationFaults(
  set: VariantSet,
  rendered: readonly RenderedVariant[],
  { absences, nearestAmong }: { readonly absences: Absences; readonly nearestAmong: NearestAmong },
): Result[] {
  const failed = new FailuresByPlace<UnrolledTarget>()
  for (const { place, failures } of rendered) for (const failure of failures) failed.add(failure, place)
  return failed.groups.flatMap(({ failure, places }) => {
    const { expression, error } = failure
    const reasons = error.missingVariable === undefined ? undefined : reasonsFor(expression, absences)
    if (reasons?.length === 0) return []
    const why = reasons === undefined ? describeNoValue(failure, nearestAmong) : `${reasons.join(', and ')}${excerpt(expression, error)}`
    return [faultOf(set.object, expression, error, `${DEMANDS[error.phase]} for ${nameTargets(places.map(describePlace))}: ${why}`)]
  })
}

/** Returns the reasons why variables of an expression have no value. */
function reasonsFor({ text }: TemplateExpression, absences: Absences): string[] {
  return Object.entries(absences).flatMap(([variable, reason]) => (new RegExp(`\\b${variable}\\b`).test(text) ? [reason] : []))
}

interface FailureGroup<Place> {
  readonly failure: TemplateFailure
  readonly places: Place[]
}

/** The failures of expressions with their places. Equal errors of one expression are one failure. */
export class FailuresByPlace<Place> {
  readonly #groups = new Map<TemplateExpression, Map<string, FailureGroup<Place>>>()

  add(failure: TemplateFailure, place: Place): void {
    const ofExpression = remember(this.#groups, failure.expression, () => new Map<string, FailureGroup<Place>>())
    remember(ofExpression, failure.error.message, (): FailureGroup<Place> => ({ failure, places: [] })).places.push(place)
  }

  get groups(): readonly FailureGroup<Place>[] {
    return [...this.#groups.values()].flatMap((ofExpression) => [...ofExpression.values()])
  }
}

/** Returns an error for each failure of expressions about targets alone: conditions of rings, names of inputs. */
export function noValueFaults(object: KrmObject, failed: FailuresByPlace<PlaceTarget>, nearestAmong: NearestAmong): readonly Result[] {
  return failed.groups.map(({ failure, places }) => {
    const message = `must have a value for ${describeTargets(places)}: ${describeNoValue(failure, nearestAmong)}`
    return faultToResult(object, { severity: 'error', rule: 'expression-eval', path: failure.expression.path, message })
  })
}

function faultOf(object: KrmObject, { path }: TemplateExpression, { phase }: CelError, message: string): Result {
  return faultToResult(object, { severity: 'error', rule: RULES[phase], path, message, reason: 'UnexpectedError' })
}

/** Returns the error of a condition that does not compile or gives no bool. */
export function whereFault(object: KrmObject, where: TemplateExpression, error: CelError): Result {
  const message =
    error.phase === 'convert'
      ? `must give true or false, ${error.message}: ${where.text}${formatHints(error)}`
      : `must compile: ${describeNoProgram(error)}`
  return faultOf(object, where, error, message)
}

export function programFault(object: KrmObject, expression: TemplateExpression, error: CelError): Result {
  return faultOf(object, expression, error, `${DEMANDS[error.phase]}: ${describeNoProgram(error)}`)
}

/** Describes a compile error. The compiler's text already contains the positions. */
function describeNoProgram(error: CelError): string {
  return `${error.message.replaceAll(/^ERROR: <input>:/gm, '')}${formatHints(error)}`
}

/** Describes an evaluation error, with the known keys and the position, which the text of the error lacks. */
export function describeNoValue({ expression, error }: TemplateFailure, nearestAmong: NearestAmong): string {
  const keys = describeKeys(error, nearestAmong)
  return `${describePosition(expression, error)}${error.message}${keys}${excerpt(expression, error)}${formatHints(error)}`
}

/** Returns the position in words, since orchestrators join lines, and a caret below a joined line would point at a wrong column. */
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

/** Functions that make or test strings: the functions that a user most likely meant by an unknown function. */
const FUNCTIONS_OF_TEXTS = 'contains, endsWith, matches, size, startsWith, string'

/** The highest distance between variables that is computed: variables are short, so names beyond that distance are equally unlikely. */
const FARTHEST = 20

/** The highest number of hints for an expression: more findings of one expression mostly have the same cause. */
const MOST = 3

/** Returns hints on how to fix an expression: a line for each of the first hints. */
export function formatHints({ hints }: Pick<CelError, 'hints'>): string {
  return hints
    .slice(0, MOST)
    .map((hint) => `\nhint: ${formatHint(hint)}`)
    .join('')
}

function formatHint(hint: Hint): string {
  if (hint.kind === 'advice') return hint.text
  const { name, known } = hint
  const nearest = didYouMean(name, known)
  if (hint.kind === 'field')
    return `no field '${name}' in ${hint.record}${known.length === 0 ? ', which has none' : `; its fields are ${nameFields(name, known)}`}${nearest}`
  if (hint.kind === 'function')
    return `no function '${name}'${nearest === '' ? `; the functions of texts are ${FUNCTIONS_OF_TEXTS}` : nearest}`
  const otherwise = nearest === '' && hint.otherwise !== undefined ? `; ${hint.otherwise}` : ''
  return `no variable '${name}'${otherwise}; the variables here are ${nearestFirst(name, known).join(', ')}${nearest}`
}

/** Returns the fields of a record in their order; the nearest of more than a line shows. */
function nameFields(name: string, known: readonly string[]): string {
  return known.length > NAMED_FIELDS ? nameFirst(nearestFirst(name, known), NAMED_FIELDS) : known.join(', ')
}

function nearestFirst(name: string, known: readonly string[]): readonly string[] {
  const lower = name.toLowerCase()
  const distances = new Map(known.map((each) => [each, distanceWithin(lower, each.toLowerCase(), FARTHEST) ?? FARTHEST]))
  return known.toSorted((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0))
}
