import { isRecord, type JsonRecord, type JsonValue } from '../../json.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { asQuestion, nearestName } from '../../schema/nearest-name.ts'
import { goText, isEmpty, parameterAt, TEMPLATE_FUNCTIONS, TemplateFault, type TemplateValue, VARIADIC } from './template-functions.ts'

/** The two dialects of an ApplicationSet. */
export interface TemplateDialect {
  readonly goTemplate: boolean
  /** True if a parameter that is not there is an error (`missingkey=error`). */
  readonly isStrict: boolean
  /** True if fasttemplate keeps names that are no parameters: a generator that gets those of another one may name its own. */
  readonly keepsUnknown?: boolean
}

/** Returns a text with the parameters of a generator. @throws TemplateFault for what convert cannot follow, and for a missing parameter */
function renderText(text: string, params: JsonRecord, dialect: TemplateDialect): string {
  if (!text.includes('{{')) return text
  return dialect.goTemplate ? renderGo(text, params, dialect.isStrict) : renderFast(text, params, dialect.keepsUnknown === true)
}

/**
 * Returns a text with its parameters, as fasttemplate does, which knows names and nothing else. A name that is not there stays in the text,
 * so it is a fault in the text of an Application.
 */
function renderFast(text: string, params: JsonRecord, keepsUnknown: boolean): string {
  return text.replaceAll(/\{\{([\s\S]*?)\}\}/g, (whole, tag: string) => {
    const value = params[tag.trim()]
    if (typeof value === 'string') return value
    if (keepsUnknown) return whole
    const near = asQuestion(nearestName(tag.trim(), Object.keys(params)))
    const hint = tag.trim().startsWith('.') ? ', which Go templates have: set `goTemplate: true`' : near
    throw new TemplateFault(`must name a parameter of the generator, got ${quoteText(`{{${tag}}}`)}${hint}`)
  })
}

/** A part of a Go template: text, or the words of an action. */
type Part = { readonly text: string } | { readonly action: readonly string[] }

/** Evaluates texts, fields, pipelines, functions, and `if` with `else`: what an example of a set needs. Loops and variables are refused. */
function renderGo(text: string, params: JsonRecord, isStrict: boolean): string {
  const given = Object.keys(params).join(', ') || 'none'
  return renderParts({ parts: partsOf(text), at: 0, valueOf: (words) => evaluate(words, params, isStrict), given }, true, false)
}

/** A place in the parts of a template. */
interface Cursor {
  readonly parts: readonly Part[]
  at: number
  readonly valueOf: (words: readonly string[]) => TemplateValue
  /** The names of the parameters, for messages. */
  readonly given: string
}

/** The words that end a branch. */
const ENDS: ReadonlySet<string> = new Set(['else', 'end'])

/** Renders up to the end of a branch, or of the template. A branch that is not taken gives no text. */
function renderParts(cursor: Cursor, isOn: boolean, isBranch: boolean): string {
  let out = ''
  for (; cursor.at < cursor.parts.length; cursor.at += 1) {
    const part = cursor.parts[cursor.at] ?? { text: '' }
    if ('text' in part) {
      if (isOn) out += part.text
      continue
    }
    if (isBranch && ENDS.has(part.action[0] ?? '')) return out
    out += renderAction(cursor, part.action, isOn)
  }
  if (isBranch) throw new TemplateFault('must be a Go template, got an if without an end')
  return out
}

function renderAction(cursor: Cursor, action: readonly string[], isOn: boolean): string {
  const [first = '', ...others] = action
  if (first === 'if') return renderBranches(cursor, others, isOn)
  if (ENDS.has(first)) throw new TemplateFault(`must be a Go template, got {{${action.join(' ')}}} without an if`)
  if (!isOn) return ''
  const value = cursor.valueOf(action)
  if (value === undefined || value === null)
    throw new TemplateFault(`must name a parameter that the generator gives, got {{${action.join(' ')}}}; it gives ${cursor.given}`)
  return goText(value)
}

/** Renders the first branch whose condition holds, and moves behind the `end`. */
function renderBranches(cursor: Cursor, condition: readonly string[], isOn: boolean): string {
  let [out, isDone] = ['', !isOn]
  let next: readonly string[] | undefined = condition
  for (;;) {
    const isTaken = !isDone && (next === undefined || !isEmpty(cursor.valueOf(next)))
    cursor.at += 1
    out += renderParts(cursor, isTaken, true)
    isDone ||= isTaken
    const part = cursor.parts[cursor.at]
    const [word, more, ...others] = part !== undefined && 'action' in part ? part.action : []
    if (word === 'end') return out
    next = more === 'if' ? others : undefined
  }
}

/** Divides a template, with the white space that `{{-` and `-}}` take away. */
function partsOf(text: string): readonly Part[] {
  const parts: Part[] = []
  let rest = text
  let isTrimmed = false
  for (;;) {
    const found = /\{\{(-\s)?((?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^"`])*?)(\s-)?\}\}/.exec(rest)
    const before = isTrimmed ? rest.slice(0, found?.index).trimStart() : rest.slice(0, found?.index)
    if (found === null) {
      if (before.includes('{{')) throw new TemplateFault('must be a Go template, got {{ without }}')
      return [...parts, { text: before }]
    }
    parts.push({ text: found[1] === undefined ? before : before.trimEnd() })
    const action = (found[2] ?? '').trim()
    if (!/^\/\*[\s\S]*\*\/$/.test(action)) parts.push({ action: wordsOf(action) })
    isTrimmed = found[3] !== undefined
    rest = rest.slice(found.index + found[0].length)
  }
}

const WORD = /\s+|"(?:[^"\\]|\\.)*"|`[^`]*`|-?\d+(?:\.\d+)?(?![\w.])|\$?(?:\.[A-Za-z_]\w*)+|\$|\.|[A-Za-z_]\w*|[()|]/y

function wordsOf(action: string): readonly string[] {
  const words: string[] = []
  const [keyword = ''] = /^(?:range|with|define|template|block|break|continue)\b/.exec(action) ?? []
  if (keyword !== '') throw new TemplateFault(`must not use '${keyword}' in {{…}}: convert cannot follow it`)
  WORD.lastIndex = 0
  while (WORD.lastIndex < action.length) {
    const from = WORD.lastIndex
    const word = WORD.exec(action)?.[0]
    if (word === undefined)
      throw new TemplateFault(`must not use ${quoteText(action.slice(from, from + 12))} in {{…}}: convert cannot follow it`)
    if (word.trim() !== '') words.push(word)
  }
  if (words.length === 0) throw new TemplateFault('must be a Go template, got {{}}')
  return words
}

function evaluate(words: readonly string[], params: JsonRecord, isStrict: boolean): TemplateValue {
  let at = 0
  const operand = (): TemplateValue => {
    const word = words[at] ?? ''
    at += 1
    if (word === '(') {
      const value = pipeline()
      if (words[at] !== ')') throw new TemplateFault("must be a Go template, got '(' without ')'")
      at += 1
      return value
    }
    return /^[A-Za-z_]/.test(word) && !isBoolean(word) ? called(word, [], params) : plainOperand(word, params, isStrict)
  }
  const command = (piped: readonly TemplateValue[]): TemplateValue => {
    const word = words[at] ?? ''
    if (!/^[A-Za-z_]/.test(word) || isBoolean(word)) {
      const value = operand()
      if (piped.length > 0 || (at < words.length && words[at] !== '|' && words[at] !== ')'))
        throw new TemplateFault(`must be a Go template, ${quoteText(word)} is no function`)
      return value
    }
    at += 1
    const args: TemplateValue[] = []
    while (at < words.length && words[at] !== '|' && words[at] !== ')') args.push(operand())
    return called(word, [...args, ...piped], params)
  }
  const pipeline = (): TemplateValue => {
    let value = command([])
    while (words[at] === '|') {
      at += 1
      value = command([value])
    }
    return value
  }
  const value = pipeline()
  if (at < words.length) throw new TemplateFault(`must be a Go template, got ${quoteText(words[at] ?? '')} where it ends`)
  return value
}

function isBoolean(word: string): boolean {
  return word === 'true' || word === 'false'
}

/** Returns the value of a field, text, number or boolean. */
function plainOperand(word: string, params: JsonRecord, isStrict: boolean): TemplateValue {
  if (word === '.' || word === '$') return params
  if (/^\$?\./.test(word)) return parameterAt(params, word.replace(/^\$?\./, '').split('.'), isStrict)
  if (word.startsWith('"')) return textOf(word)
  if (word.startsWith('`')) return word.slice(1, -1)
  if (/^-?\d+$/.test(word)) return BigInt(word)
  if (/^-?\d/.test(word)) return Number(word)
  if (isBoolean(word)) return word === 'true'
  throw new TemplateFault(`must be a Go template, got ${quoteText(word)}`)
}

function called(name: string, args: readonly TemplateValue[], params: JsonRecord): TemplateValue {
  const fn = Object.hasOwn(TEMPLATE_FUNCTIONS, name) ? TEMPLATE_FUNCTIONS[name] : undefined
  if (fn === undefined && Object.hasOwn(params, name))
    throw new TemplateFault(`must begin parameters with a dot, as \`goTemplate\` is true, got {{${name}}}: write {{.${name}}}`)
  if (fn === undefined) throw new TemplateFault(`must not use '${name}' in {{…}}: convert cannot follow it`)
  if (fn.length > args.length || (fn.length < args.length && !VARIADIC.has(name)))
    throw new TemplateFault(`must give the function ${name} ${fn.length} arguments, got ${args.length}`)
  return fn(...args)
}

function textOf(word: string): string {
  try {
    return String(JSON.parse(word))
  } catch {
    throw new TemplateFault(`must not use the text ${word}: convert cannot follow its escapes`)
  }
}

/** Returns a value with all its texts, and the keys of its maps, rendered. @throws FieldFault with the path of a text with a fault */
export function renderValue(
  value: JsonValue,
  params: JsonRecord,
  dialect: TemplateDialect,
  path: readonly (string | number)[] = [],
): JsonValue {
  if (typeof value === 'string') {
    try {
      return renderText(value, params, dialect)
    } catch (error) {
      throw error instanceof TemplateFault ? new FieldFault(path, error.message) : error
    }
  }
  if (Array.isArray(value)) return value.map((each, index) => renderValue(each, params, dialect, [...path, index]))
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([key, each]) => {
    const own = [...path, key]
    return [String(renderValue(key, params, dialect, own)), renderValue(each, params, dialect, own)] as const
  })
  return Object.fromEntries(entries)
}

/** A fault at a field of an ApplicationSet. */
export class FieldFault extends Error {
  readonly path: readonly (string | number)[]

  constructor(path: readonly (string | number)[], message: string) {
    super(message)
    this.path = path
  }
}
