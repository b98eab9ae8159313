import { comparisonsOf, fieldValue } from '../cel/reads.ts'
import { isBuiltInKind } from '../kubernetes/built-in-kinds.ts'
import { quoteText } from '../schema/describe-value.ts'
import { asQuestion, distanceWithin, nearestName } from '../schema/nearest-name.ts'
import { nameFirst } from '../wording.ts'
import type { PolicyItem } from './policy-fleet.ts'

/** The texts of a condition that no item has. */
interface MissedTexts {
  /** The end of a message: `; no variant has the ring 'canry'; did you mean 'canary'?`. */
  readonly why: string
  /**
   * The same of rings and kinds that are most likely misspelt: the fleet knows all of them, and no policy for another fleet has a name so
   * near. '' if there are none.
   */
  readonly slips: string
}

/** Fields whose values are names that the fleet declares. */
const DECLARED = new Set(['ring', 'kind', 'apiVersion'])

const NAMED_VALUES = 5
const NAMED_TEXTS = 3

/** A text of a condition that no item has. */
interface MissedText {
  readonly field: string
  readonly text: string
  /** The values that items have in the field. */
  readonly values: readonly string[]
  readonly near: string | undefined
}

/**
 * Returns what the condition of a policy asks for and no item has.
 *
 * @param noun  what the policy looks at
 */
export function missedTexts(where: string, items: readonly Pick<PolicyItem, 'value'>[], noun: string): MissedTexts {
  const comparisons = comparisonsOf(where, 'item').map(({ path, texts }) => ({ path, field: path.join('.'), texts }))
  const missed = comparisons.flatMap(({ path, field, texts }) => {
    const values = [...new Set(items.map(({ value }) => fieldValue(value, path)))].filter((value) => typeof value === 'string')
    return texts.flatMap((text): readonly MissedText[] =>
      values.includes(text) ? [] : [{ field, text, values, near: isKnownKind(field, text) ? undefined : nearestName(text, values) }],
    )
  })
  // A condition that has both names means two things.
  const isOther = ({ field, near }: MissedText) =>
    comparisons.some((each) => each.field === field && near !== undefined && each.texts.includes(near))
  const slips = missed.filter((each) => isSlip(each) && !isOther(each))
  return { why: missing(missed, noun), slips: missing(slips, noun) }
}

function missing(missed: readonly MissedText[], noun: string): string {
  const named = missed.slice(0, NAMED_TEXTS).map(({ field, text, values, near }) => {
    const others = values.length === 0 ? '' : `, but ${nameFirst(values.filter((value) => value !== '').map(quoteText), NAMED_VALUES)}`
    return `; no ${noun} has the ${field} ${quoteText(text)}${near === undefined ? others : asQuestion(near)}`
  })
  return named.join('')
}

/** Returns true for a kind that clusters serve: a policy for `Service` does not mean the `ServiceAccount` of the fleet. */
function isKnownKind(field: string, text: string): boolean {
  return lastOf(field) === 'kind' && isBuiltInKind(text)
}

/** Returns true for a declared name with one typing error. With two, `UDPRoute` would be `TCPRoute`, and `g/v1beta1` be `g/v1`. */
function isSlip({ field, text, near }: MissedText): boolean {
  if (near === undefined || !DECLARED.has(lastOf(field)) || differsInDigits(text, near)) return false
  return distanceWithin(text.toLowerCase(), near.toLowerCase(), 1) !== undefined
}

function lastOf(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1)
}

/** Returns true for `eu-1` and `eu-2`: names of two things, and no slip. */
function differsInDigits(a: string, b: string): boolean {
  return a.replaceAll(/\d+/g, '') === b.replaceAll(/\d+/g, '')
}
