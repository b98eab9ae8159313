import { isRecord, type JsonRecord } from '../../json.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { asQuestion, nearestName } from '../../schema/nearest-name.ts'
import { type TemplateBlock, type TemplatePart, templateParts } from './go-template-parts.ts'
import { goText, isEmpty, parameterAt, TEMPLATE_FUNCTIONS, TemplateFault, type TemplateValue, VARIADIC } from './template-functions.ts'

/** The values that a part of a template can name. */
interface Scope {
  /** The value of `.`. */
  readonly dot: TemplateValue
  readonly root: JsonRecord
  readonly isStrict: boolean
  /** The variables of the block, each with its value. */
  readonly own: Map<string, TemplateValue>
  readonly outer?: Scope
}

/**
 * Returns the text that a Go template gives with the parameters of a generator. Convert follows texts, fields, pipelines, functions,
 * variables, and `if`, `with` and `range` with `else`. Named templates are refused.
 *
 * @throws TemplateFault for what Argo CD would refuse, or convert cannot follow
 */
export function renderGo(text: string, params: JsonRecord, isStrict: boolean): string {
  return renderParts(templateParts(text), { dot: params, root: params, isStrict, own: new Map() })
}

function renderParts(parts: readonly TemplatePart[], scope: Scope): string {
  let out = ''
  for (const part of parts) {
    if ('text' in part) out += part.text
    else if ('block' in part) out += renderBlock(part, scope)
    else out += renderAction(part.action, scope)
  }
  return out
}

function renderAction(action: readonly string[], scope: Scope): string {
  const { names, words, isNew } = assignment(action)
  const value = evaluate(words, scope)
  if (names.length > 1) throw new TemplateFault(`must be a Go template, got two variables in {{${action.join(' ')}}}`)
  const [name] = names
  if (name !== undefined) {
    assign(name, value, isNew, scope)
    return ''
  }
  if (value === undefined || value === null)
    throw new TemplateFault(
      `must name a parameter that the generator gives, got {{${action.join(' ')}}}; it gives ${Object.keys(scope.root).join(', ') || 'none'}`,
    )
  return goText(value)
}

/** Divides `$a, $b := WORDS`. */
function assignment(words: readonly string[]) {
  const at = words.findIndex((word) => word === ':=' || word === '=')
  const names = at === -1 ? [] : words.slice(0, at).filter((word) => word !== ',')
  if (names.some((name) => !/^\$\w+$/.test(name)) || (at !== -1 && names.length !== Math.ceil(at / 2)))
    throw new TemplateFault(`must be a Go template, got ${quoteText(words.slice(0, at).join(' '))} in front of ${words[at] ?? ''}`)
  return { names, words: words.slice(at + 1), isNew: words[at] === ':=' }
}

function assign(name: string, value: TemplateValue, isNew: boolean, scope: Scope): void {
  const holder = isNew ? scope : holderOf(name, scope)
  holder.own.set(name, value)
}

/** Returns the scope that has a variable. @throws TemplateFault for a variable that none has */
function holderOf(name: string, scope: Scope): Scope {
  for (let each: Scope | undefined = scope; each !== undefined; each = each.outer) if (each.own.has(name)) return each
  throw new TemplateFault(`must be a Go template, the variable ${name} is not defined`)
}

function innerScope(scope: Scope, dot: TemplateValue = scope.dot): Scope {
  return { dot, root: scope.root, isStrict: scope.isStrict, own: new Map(), outer: scope }
}

/** Renders the first branch whose condition holds, once, or for each entry of a list or map. */
function renderBlock({ block, branches }: TemplateBlock, scope: Scope): string {
  // A variable of a condition is known in the branches behind it.
  const inner = innerScope(scope)
  for (const { condition, parts } of branches) {
    const out = condition === undefined ? renderParts(parts, innerScope(inner)) : renderBranch(block, condition, parts, inner)
    if (out !== undefined) return out
  }
  return ''
}

/** Returns undefined for a branch whose condition does not hold. */
function renderBranch(
  block: TemplateBlock['block'],
  condition: readonly string[],
  parts: readonly TemplatePart[],
  scope: Scope,
): string | undefined {
  const { names, words, isNew } = assignment(condition)
  if (names.length > (block === 'range' ? 2 : 1))
    throw new TemplateFault(`must be a Go template, got ${names.length} variables in {{${block} ${condition.join(' ')}}}`)
  const value = evaluate(words, scope)
  if (block === 'range') {
    const entries = entriesOf(value).map(([key, each]) => renderEntry(parts, { names, isNew, key, value: each }, scope))
    return entries.length === 0 ? undefined : entries.join('')
  }
  for (const name of names) assign(name, value, isNew, scope)
  if (isEmpty(value)) return undefined
  return renderParts(parts, innerScope(scope, block === 'with' ? value : scope.dot))
}

interface RangeEntry {
  readonly names: readonly string[]
  readonly isNew: boolean
  readonly key: TemplateValue
  readonly value: TemplateValue
}

function renderEntry(parts: readonly TemplatePart[], { names, isNew, key, value }: RangeEntry, scope: Scope): string {
  const inner = innerScope(scope, value)
  const given = names.length === 1 ? [value] : [key, value]
  for (const [index, name] of names.entries()) assign(name, given[index], isNew, inner)
  return renderParts(parts, inner)
}

/** Returns the entries of a list, each with its place, or those of a map by key, as Go's templates visit them. */
function entriesOf(value: TemplateValue): readonly (readonly [TemplateValue, TemplateValue])[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.map((each, index) => [BigInt(index), each])
  if (isRecord(value)) return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  throw new TemplateFault('must use range with a list or a map')
}

/** Returns the value of a pipeline. */
function evaluate(words: readonly string[], scope: Scope): TemplateValue {
  let at = 0
  const operand = (): TemplateValue => {
    const word = words[at] ?? ''
    at += 1
    if (word === '(') {
      const value = pipeline()
      const end = words[at] ?? ''
      if (!end.startsWith(')')) throw new TemplateFault("must be a Go template, got '(' without ')'")
      at += 1
      return end === ')' ? value : fieldOf(value, end.slice(1), scope)
    }
    return isFunction(word) ? called(word, [], scope) : plainOperand(word, scope)
  }
  const isEnd = () => at >= words.length || words[at] === '|' || words[at]?.startsWith(')') === true
  const skipOperands = (): void => {
    for (let depth = 0; at < words.length && (depth > 0 || !isEnd()); at += 1)
      depth += words[at] === '(' ? 1 : words[at]?.startsWith(')') === true ? -1 : 0
  }
  const argumentsOf = (name: string): readonly TemplateValue[] => {
    const args: TemplateValue[] = []
    while (!isEnd()) {
      args.push(operand())
      // Go looks at no argument behind the one that decides: `and (hasKey . "a") (eq .a "b")`.
      if (name === (isEmpty(args.at(-1)) ? 'and' : 'or')) skipOperands()
    }
    return args
  }
  const command = (piped: readonly TemplateValue[]): TemplateValue => {
    const word = words[at] ?? ''
    if (!isFunction(word)) {
      const value = operand()
      if (piped.length > 0 || !isEnd()) throw new TemplateFault(`must be a Go template, ${quoteText(word)} is no function`)
      return value
    }
    at += 1
    return called(word, [...argumentsOf(word), ...piped], scope)
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

function isFunction(word: string): boolean {
  return /^[A-Za-z_]/.test(word) && word !== 'true' && word !== 'false'
}

/** Returns the value of a field, variable, text, number or boolean. */
function plainOperand(word: string, scope: Scope): TemplateValue {
  if (word === '.') return scope.dot
  if (word.startsWith('.')) return fieldOf(scope.dot, word, scope)
  const [, variable, fields = ''] = /^(\$\w*)(\..*)?$/.exec(word) ?? []
  if (variable !== undefined) {
    const value = variable === '$' ? scope.root : holderOf(variable, scope).own.get(variable)
    return fields === '' ? value : fieldOf(value, fields, scope)
  }
  if (word.startsWith('"')) return textOf(word)
  if (word.startsWith('`')) return word.slice(1, -1)
  if (/^-?\d+$/.test(word)) return BigInt(word)
  if (/^-?\d/.test(word)) return Number(word)
  if (word === 'true' || word === 'false') return word === 'true'
  throw new TemplateFault(`must be a Go template, got ${quoteText(word)}`)
}

/** Returns the value of `.a.b` of a value. */
function fieldOf(value: TemplateValue, fields: string, { isStrict }: Scope): TemplateValue {
  return parameterAt(value, fields.slice(1).split('.'), isStrict)
}

function called(name: string, args: readonly TemplateValue[], { root }: Scope): TemplateValue {
  const fn = Object.hasOwn(TEMPLATE_FUNCTIONS, name) ? TEMPLATE_FUNCTIONS[name] : undefined
  if (fn === undefined && Object.hasOwn(root, name))
    throw new TemplateFault(`must begin parameters with a dot, as \`goTemplate\` is true, got {{${name}}}: write {{.${name}}}`)
  const near = asQuestion(nearestName(name, Object.keys(TEMPLATE_FUNCTIONS)))
  if (fn === undefined)
    throw new TemplateFault(
      `must not use '${name}' in {{…}}: convert cannot follow it${near || '; write what it gives into a parameter of the generator'}`,
    )
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
