/** What some reader takes for null, a boolean, a merge key or a default value, in any case of letters. */
const WORD = /^(|~|null|true|false|yes|no|on|off|y|n|=|<<)$/i
const LONGEST_WORD = 'false'.length

/** Integers, floats and base 60 of YAML 1.1, YAML 1.2 and Go, without underscores. Readers differ on `.` and `e5`, which it covers too. */
const NUMBER = /^[-+]?(0b[01]*|0o[0-7]*|0x[\da-f]*|(\d+(:[0-5]?\d)*)?(\.\d*)?(e[-+]?\d+)?|\.inf|\.nan)$/i

/** A date, or what begins as a date with a time. */
const TIMESTAMP = /^\d{4}-\d{1,2}-\d{1,2}($|[Tt\s])/

/** Letters, digits and `_./-` behind a letter that does not begin an exponent: nothing but a word is something else than text. */
const LETTERS = /^(?!e[-+_\d])[a-z][\w./-]*$/i

/** Whether a text is one that every reader takes for a string, as nearly all names are: seen at one look, without the other patterns. */
export function isOrdinary(text: string): boolean {
  return LETTERS.test(text) && (text.length > LONGEST_WORD || !WORD.test(text))
}

/**
 * Whether an unquoted text is no string for at least one of YAML 1.1, YAML 1.2 and go-yaml v3: `yes`, `1_000`, `12:30`, `0o7`,
 * `1e3`, `2024-01-01`, `~`, `<<`. Errs on the side of yes.
 * @see YAML 1.1 type repository; YAML 1.2.2, 10.3; go-yaml v3 resolve.go (drops underscores anywhere after the first character)
 */
export function isAmbiguous(text: string): boolean {
  return WORD.test(text) || (!text.startsWith('_') && NUMBER.test(text.replaceAll('_', ''))) || TIMESTAMP.test(text)
}
