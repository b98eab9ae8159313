import { MAX_RUN_WORK } from '../cel/budget.ts'
import type { CelError } from '../cel/cel-error.ts'
import { formatExcerpt } from '../cel/expression-position.ts'
import type { FieldPath } from '../field-path.ts'
import { inFile } from '../fleet/sets.ts'
import { formatHints } from '../fleet/templates/expression-faults.ts'
import { groupBy } from '../group-by.ts'
import type { ItemKind } from '../kinds/fleet-policy-schema.ts'
import { remember } from '../remember.ts'
import { objectPlace } from '../resource-list/finding-place.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Position, Result, Severity } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { withoutSecretTexts } from '../secret-values.ts'
import { countOf, cutText, inLine, nameFirst } from '../wording.ts'
import { type CompiledPolicy, POLICY_WORK, type PolicyExpression } from './compile-policy.ts'
import { missedTexts } from './missed-texts.ts'
import type { PolicyItem } from './policy-fleet.ts'

/** An expression without a value. */
export interface Failure {
  readonly expression: PolicyExpression
  readonly error: CelError
}

/** A validation that does not hold. */
interface Violation {
  readonly expression: PolicyExpression
  readonly severity: Severity
  /** Undefined if the policy has none. */
  readonly message: string | undefined
}

interface FailedItem {
  readonly failure: Failure
  readonly item: PolicyItem
}

/** The highest number of characters of a message of a policy. */
const LONGEST_MESSAGE = 1000

/** The number of items that a message names. */
const NAMED_ITEMS = 3

/** Hints for items that a fleet lacks, by kind. */
const HINTS: Readonly<Partial<Record<ItemKind, string>>> = {
  packages: ' that was made for a variant (`krm-variants render` makes them)',
  objects: ' in a package that was made for a variant (`krm-variants render` makes them)',
}

const NOUNS = { targets: 'target', variants: 'variant', packages: 'package', objects: 'object' } as const

/** Collects the findings of one policy. */
export class PolicyFindings {
  readonly #object: KrmObject
  readonly #policy: CompiledPolicy
  readonly #violations: Result[] = []
  readonly #failures: FailedItem[] = []
  readonly #others: Result[] = []
  readonly #places = new Map<FieldPath, Position>()

  constructor(object: KrmObject, policy: CompiledPolicy) {
    this.#object = object
    this.#policy = policy
  }

  /** Adds the finding of a validation that does not hold for an item: at the item's line, with the line of the validation. */
  violated({ expression: { path, text }, severity, message }: Violation, item: PolicyItem): void {
    const { line, column } = this.#placeOf(path)
    const { object: source, path: field } = item.source
    const { file } = this.#object
    const whole = message === undefined ? `must pass ${text}` : withoutSecrets(message, item)
    const said = cutText(whole.trim().replaceAll(/\s*\n\s*/g, ' '), LONGEST_MESSAGE)
    const where = file === undefined ? '' : ` in ${file.path}:${line}:${column}`
    this.#violations.push({
      severity,
      message: `${inLine(item.name())}: ${said} (FleetPolicy ${inLine(this.#object.name ?? '')}${where})`,
      ...objectPlace({ ref: item.ref, file: source.file }),
      position: source.positionOf(field),
      tags: {
        rule: 'policy-violation',
        policy: this.#object.name ?? '',
        ...(file && { policyFile: file.path, policyLine: String(line), policyColumn: String(column) }),
      },
    })
  }

  /** Adds an expression without a value for an item. */
  failed(failure: Failure, item: PolicyItem): void {
    this.#failures.push({ failure, item })
  }

  /**
   * Notes how many of the items the policy was about. A policy that looks at nothing gets a warning, one with a misspelt name an error; a
   * policy that looks at something gets a warning for a misspelt name, whose items it does not look at.
   */
  looked(looked: number, items: readonly PolicyItem[]): void {
    if (this.#failures.length > 0) return
    const { forEach, where } = this.#policy
    const noun = NOUNS[forEach]
    const missed = where === undefined || items.length === 0 ? undefined : missedTexts(where.text, items, noun)
    const hasSlip = missed !== undefined && missed.slips !== ''
    if (looked > 0 && !hasSlip) return
    const [field, why] =
      items.length === 0
        ? ['forEach', `must be something that the fleet has, it has no ${noun}${HINTS[forEach] ?? ''}; the policy looks at nothing`]
        : looked > 0
          ? ['where', `must name what the fleet has${missed?.slips ?? ''}`]
          : [
              'where',
              `must hold for something, holds for none of ${countOf(items.length, noun)}: the policy looks at nothing${missed?.why ?? ''}`,
            ]
    const severity = hasSlip && looked === 0 ? 'error' : 'warning'
    this.#others.push(faultToResult(this.#object, { severity, rule: 'policy-empty', path: ['spec', field], message: why }))
  }

  /** Adds the finding of a policy that spent its budget, or that others left no budget, before it had judged all items. */
  unjudged(count: number, all: number): void {
    const noun = NOUNS[this.#policy.forEach]
    const why = this.#policy.budget.isSpentByOthers
      ? `comes after policies that cost all that a run may, ${MAX_RUN_WORK} units of work`
      : `costs more than a policy may, ${POLICY_WORK} units of work`
    const message = `${why}: ${count} of ${countOf(all, noun)} are not judged`
    this.#others.push(faultToResult(this.#object, { severity: 'error', rule: 'policy-evaluation', path: ['spec'], message }))
  }

  /** Returns all findings. Equal failures of an expression are one finding, with the number and the first names of the items. */
  results(): readonly Result[] {
    const groups = groupBy(this.#failures, ({ failure: { expression, error } }) => JSON.stringify([expression.path, error.message]))
    const failed = [...groups.values()].map((group) => this.#failureResult(group))
    return [...this.#violations, ...failed, ...this.#others]
  }

  #failureResult(group: readonly [FailedItem, ...FailedItem[]]): Result {
    const items = group.map(({ item }) => `${inLine(item.name())}${inFile(item.source.object, item.source.path)}`)
    const whom =
      items.length === 1 ? items.join() : `${countOf(items.length, NOUNS[this.#policy.forEach])} (${nameFirst(items, NAMED_ITEMS)})`
    const { expression, error } = group[0].failure
    return faultToResult(this.#object, {
      severity: 'error',
      rule: 'policy-evaluation',
      path: expression.path,
      message: `${error.phase === 'convert' ? error.message : 'must have a value'} for ${whom}${withoutSecrets(reasonOf(expression, error), group[0].item)}`,
    })
  }

  #placeOf(path: FieldPath): Position {
    return remember(this.#places, path, () => this.#object.positionOf(path))
  }
}

/** Returns what an expression says without the values of the Secrets that it may have read: of its object, or of its package. */
function withoutSecrets(message: string, { source, secrets }: PolicyItem): string {
  const read = secrets?.() ?? (source.object.kind === 'Secret' ? [source.object] : [])
  return read.reduce((shown, object) => withoutSecretTexts(shown, object.toJson()), message)
}

/** Returns the reason why an expression has no value, with the position in the expression, which the text of the error lacks. */
function reasonOf({ text }: PolicyExpression, error: CelError): string {
  const { line, column, message, phase } = error
  if (phase === 'convert') return `: ${text}`
  if (line === undefined || column === undefined) return `: ${message}\n${text}`
  const position = text.includes('\n') ? `line ${line}, column ${column}` : `column ${column}`
  return `: ${position}: ${message}\n${formatExcerpt(text, line, column)}${formatHints(error)}`
}
