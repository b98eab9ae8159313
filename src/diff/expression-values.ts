import type { VariantOrigin } from './fleet-state.ts'

/** A text that expressions gave to a variant, and the expression in the form in which groups show it. */
interface ExpressionValue {
  readonly value: string
  readonly shown: string
}

const NO_VALUES: readonly ExpressionValue[] = []
/** A shorter text could be found in values that have nothing to do with the expression. */
const SHORTEST = 2

/** The texts that the expressions of a variant give, and the name of the variant's target. */
export class ExpressionValues {
  readonly #values: readonly ExpressionValue[]

  constructor(values: readonly ExpressionValue[]) {
    this.#values = values
  }

  /** Returns the expressions that give the same text in several variants. */
  static alike([first, ...others]: readonly [ExpressionValues, ...ExpressionValues[]]): ExpressionValues {
    return new ExpressionValues(first.#values.filter((each) => others.every((other) => other.#gives(each))))
  }

  #gives({ value, shown }: ExpressionValue): boolean {
    return this.#values.some((each) => each.value === value && each.shown === shown)
  }

  get isEmpty(): boolean {
    return this.#values.length === 0
  }

  /**
   * Returns a text with expressions in the place of what they give: `tills-ham-01.example` becomes `tills-${target.name}.example`. A
   * value counts only as a whole word, and longer values come first.
   */
  patternOf(text: string): string {
    let found = text
    for (const { value, shown } of this.#values) {
      if (!found.includes(value)) continue
      found = found
        .split('\0')
        .map((part, i) => (i % 2 === 1 ? part : replaceWords(part, value, shown)))
        .join('\0')
    }
    return found === text ? text : found.replaceAll('\0', '')
  }

  /** Returns a text of `patternOf` with what these expressions give in their place. */
  filledIn(text: string): string {
    return this.#values.reduce((filled, { value, shown }) => filled.split(shown).join(value), text)
  }
}

/** Replaces a value where no letter or digit is beside it. The replacements are between NUL characters, and are not searched again. */
function replaceWords(text: string, value: string, shown: string): string {
  let [result, from] = ['', 0]
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, from)) {
    const isWord = !isLetter(text[at - 1]) && !isLetter(text[at + value.length])
    result += text.slice(from, at) + (isWord ? `\0${shown}\0` : value)
    from = at + value.length
  }
  return result + text.slice(from)
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character)
}

/** Returns what the expressions of a variant give. */
export function expressionValues(origin: VariantOrigin | undefined): ExpressionValues {
  const why = origin?.change.why
  if (why === undefined) return new ExpressionValues(NO_VALUES)
  const filled = why.filled.flatMap(({ value, valueFrom }) =>
    valueFrom === undefined ? [] : [{ value, shown: `\${${valueFrom.text.trim()}}` }],
  )
  const target = why.place.object === undefined ? [] : [{ value: why.place.object.name, shown: `\${target.name}` }]
  const repo = [{ value: why.repo, shown: `\${repository.name}` }]
  const all = [...filled, ...target, ...repo].filter(({ value }) => value.length >= SHORTEST && !value.includes('\0'))
  const distinct = new Map(all.toReversed().map((each) => [each.value, each]))
  return new ExpressionValues([...distinct.values()].sort((a, b) => b.value.length - a.value.length))
}
