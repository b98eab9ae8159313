import { comparisonsOf, fieldValue } from '../cel/reads.ts'
import { quoteText } from '../schema/describe-value.ts'
import { asQuestion, nearestName } from '../schema/nearest-name.ts'
import { nameFirst } from '../wording.ts'
import type { PolicyItem } from './policy-fleet.ts'

/** The texts of a condition that no item has. */
interface MissedTexts {
  /** The end of a message: `; no variant has the ring 'canry'; did you mean 'canary'?`. */
  readonly why: string
  /**
   * True for a ring or kind that is most likely misspelt: the fleet knows all of them, and no policy for another fleet has a name so near.
   */
  readonly isMisspelt: boolean
}

/** Fields whose values are names that the fleet declares. */
const DECLARED = new Set(['ring', 'kind', 'apiVersion'])

const NAMED_VALUES = 5
const NAMED_TEXTS = 3

/**
 * Returns what the condition of a policy asks for and no item has.
 *
 * @param noun  what the policy looks at
 */
export function missedTexts(where: string, items: readonly Pick<PolicyItem, 'value'>[], noun: string): MissedTexts {
  const missed = comparisonsOf(where, 'item').flatMap(({ path, texts }) => {
    const values = [...new Set(items.map(({ value }) => fieldValue(value, path)))].filter((value) => typeof value === 'string')
    return texts.flatMap((text) =>
      values.includes(text) ? [] : [{ field: path.join('.'), text, values, near: nearestName(text, values) }],
    )
  })
  const named = missed.slice(0, NAMED_TEXTS).map(({ field, text, values, near }) => {
    const others = values.length === 0 ? '' : `, but ${nameFirst(values.filter((value) => value !== '').map(quoteText), NAMED_VALUES)}`
    return `; no ${noun} has the ${field} ${quoteText(text)}${near === undefined ? others : asQuestion(near)}`
  })
  const isMisspelt = missed.some(
    ({ field, text, near }) => near !== undefined && DECLARED.has(field.slice(field.lastIndexOf('.') + 1)) && !differsInDigits(text, near),
  )
  return { why: named.join(''), isMisspelt }
}

/** Returns true for `eu-1` and `eu-2`: names of two things, and no slip. */
function differsInDigits(a: string, b: string): boolean {
  return a.replaceAll(/\d+/g, '') === b.replaceAll(/\d+/g, '')
}
