/** A function with a parameter `rule`: `tolerated(rule, path, message)`. */
interface Maker {
  readonly name: string
  /** The place of the parameter, from 0. */
  readonly index: number
}

/**
 * Returns the rules that sources name: as the value of `rule`, by a constant of the file, or as the argument of a function whose parameter is
 * called `rule`. A function that is exported counts in all sources, any other in its own.
 */
export function namedRules(sources: readonly string[]): readonly string[] {
  const exported = sources.flatMap((text) => makersIn(text, /export function /))
  return sources.flatMap((text) => {
    const makers = [...exported, ...makersIn(text, /(?:function |const |\n {2}#?)/)]
    return [
      ...Array.from(text.matchAll(/\brule: ([^,}\n]*)/g), ([, value = '']) => value),
      ...makers.flatMap((maker) => argumentsOf(text, maker)),
    ].flatMap((value) => idsOf(value, text))
  })
}

function makersIn(text: string, start: RegExp): readonly Maker[] {
  const declared = new RegExp(
    `${start.source}(#?\\w+)(?: = )?\\(([^()]*\\brule: (?:string|\\w+\\['rule'\\]|StateRule\\b|keyof)[^()]*)`,
    'g',
  )
  return Array.from(text.matchAll(declared), ([, name = '', parameters = '']) => ({
    name,
    index: partsOf(parameters).findIndex((each) => /^\s*rule:/.test(each)),
  })).filter(({ index }) => index >= 0)
}

/** Returns the texts of the argument `rule` in all calls of a function. */
function argumentsOf(text: string, { name, index }: Maker): readonly string[] {
  return Array.from(text.matchAll(new RegExp(`(?<![\\w.]|function )${name}\\(`, 'g')), ({ index: at, 0: call }) => {
    return partsOf(text.slice(at + call.length))[index] ?? ''
  })
}

/** Splits a list of parameters or arguments at its commas, and ends where the list ends. */
function partsOf(text: string): readonly string[] {
  const parts = ['']
  let depth = 0
  for (const [, token = ''] of text.matchAll(/('(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[\s\S])/g)) {
    if ('([{'.includes(token)) depth++
    if (')]}'.includes(token) && --depth < 0) break
    if (token === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts
}

/** Returns the ids in an expression: its texts that nothing is compared with, or that of a constant of the file. */
function idsOf(expression: string, text: string): readonly string[] {
  const constant = /^\s*([A-Z][A-Z_]+)\s*$/.exec(expression)?.[1]
  const value = constant === undefined ? expression : (new RegExp(`const ${constant}\\b[^=]*= ('[a-z0-9-]+')`).exec(text)?.[1] ?? '')
  return Array.from(value.matchAll(/(?<!===? )'([a-z0-9]+(?:-[a-z0-9]+)*)'(?![:\]])/g), ([, id = '']) => id)
}
