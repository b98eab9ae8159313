import { tokenize } from '../cel/parse/tokens.ts'
import type { FieldPath } from '../field-path.ts'
import { type JsonValue, memberOf, scalarText } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { nodesAlong } from '../yaml/read/node.ts'
import { commentBehind, setterPattern } from '../yaml/read/written.ts'
import { quoteNames } from './describe-value.ts'
import type { Fault } from './fault.ts'
import { type Schema, schemaAt } from './schema.ts'

// ${NAME}, ${name.field, $name and {{ name }}: the placeholders of shells, envsubst and template engines.
const PLACEHOLDER = /\$(?:\{[^}\s'"]*\}?|[A-Za-z_]\w*)|\{\{[^{}]*\}\}/g
// A hashed password (`$6$salt$hash`, crypt(5)) contains dollars and is not a template.
const CRYPT_HASH = /^["']?\$\w{1,3}\$\S+\$/

/** Returns true for a text that may hold a placeholder, and so may become another text before an API server sees it. */
export function mayHoldPlaceholder(text: string): boolean {
  return text.includes('$') || text.includes('{{')
}

/** Returns the fault of a key that is a placeholder. */
export function placeholderKeyFaults(path: FieldPath): Fault[] {
  const found = String(path.at(-1)).match(PLACEHOLDER)
  if (found === null) return []
  return [{ severity: 'warning', rule: 'placeholder', path, message: 'must not be a placeholder that nothing here replaces', atKey: true }]
}

/** An object with its schema and its value. */
interface Placeholders {
  readonly object: KrmObject
  readonly schema: Schema
  readonly root: JsonValue
}

/** Returns the fault of a text with placeholders that no function of the package replaces. */
export function placeholderFaults({ object, schema, root }: Placeholders, path: FieldPath, text: string): Fault[] {
  const written = CRYPT_HASH.test(text) ? [] : [...new Set(text.match(PLACEHOLDER))]
  if (written.length === 0 || isProse(root, path) || isOfSearchReplace(root, path)) return []
  const set = settersOf(object, path)
  const found = written.filter((placeholder) => !set.includes(placeholder))
  if (found.length === 0) return []
  const isCel = schemaAt(schema, path)?.format === 'cel'
  // In a CEL string, `$` and `{{` are ordinary characters, so that the expression is valid and has a fixed value.
  const isText = isCel && !PLACEHOLDER_OUTSIDE.test(withoutTexts(text))
  const [where, severity] = isText ? OF_A_VALUE : placeOf(schema, path)
  return [{ severity, rule: 'placeholder', path, message: `must not hold a placeholder${where}, got ${quoteNames(found)}` }]
}

/**
 * Returns an expression with empty strings in the place of its string literals. The text from the first character that CEL does not know
 * is returned unchanged.
 */
function withoutTexts(expression: string): string {
  const tokens = tokenize(expression)
  const last = tokens.at(-1)
  const known = tokens.map(({ kind, text }) => (kind === 'string' || kind === 'bytes' ? "''" : text))
  return last?.kind === 'unknown' ? known.slice(0, -1).join('') + expression.slice(last.offset) : known.join('')
}

const PLACEHOLDER_OUTSIDE = new RegExp(PLACEHOLDER.source)
const OF_A_VALUE: [string, Fault['severity']] = [' that nothing here replaces', 'warning']

function placeOf(schema: Schema, path: FieldPath): [string, Fault['severity']] {
  if (schemaAt(schema, path)?.format === 'cel') return [' in an expression: CEL has variables instead, such as target.name', 'error']
  const isName = path.length === 2 && path[0] === 'metadata' && (path[1] === 'name' || path[1] === 'namespace')
  return isName ? [' in a name', 'error'] : OF_A_VALUE
}

/** Returns the comment for setters behind a value, whose placeholders apply-setters and search-replace fill in; '' without one. */
function settersOf(object: KrmObject, path: FieldPath): string {
  const { text, node } = object.written()
  const scalar = nodesAlong(node, path)[path.length]
  return (scalar && setterPattern(commentBehind(text, scalar))) ?? ''
}

/** Returns true for a text for people, which no tool reads: the description of a package, and an annotation of a Kptfile with lines. */
function isProse(root: JsonValue, path: FieldPath): boolean {
  if (scalarText(memberOf(root, 'kind')) !== 'Kptfile') return false
  if (path[0] === 'info') return true
  return (
    path[0] === 'metadata' &&
    path[1] === 'annotations' &&
    path.length === 3 &&
    scalarText(memberOf(memberOf(memberOf(root, 'metadata'), 'annotations'), String(path[2]))).includes('\n')
  )
}

/**
 * Returns true for a field of a `configMap` of the function search-replace: `put-value: ${1}` is the first group of its expression,
 * `put-comment: 'kpt-set: ${tag}'` a comment for setters.
 */
function isOfSearchReplace(root: JsonValue, path: FieldPath): boolean {
  if (path.at(-2) !== 'configMap') return false
  const image = path.slice(0, -2).reduce<JsonValue | undefined>((value, step) => memberOf(value, step), root)
  return /(?:^|\/)search-replace(?:[:@]|$)/.test(scalarText(memberOf(image, 'image')))
}
