import { tokenize } from '../cel/parse/tokens.ts'
import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { quoteNames } from './describe-value.ts'
import type { Fault } from './fault.ts'
import { type Schema, schemaAt, typesOf } from './schema.ts'

// YAML 1.1, which older Go readers and kubectl follow, reads these words as true and false.
const AMBIGUOUS = /^(y|n|yes|no|on|off)$/i
// ${NAME}, ${name.field, $name and {{ name }}: the placeholders of shells, envsubst and template engines.
const PLACEHOLDER = /\$(?:\{[^}\s'"]*\}?|[A-Za-z_]\w*)|\{\{[^{}]*\}\}/g
// A hashed password (`$6$salt$hash`, crypt(5)) contains dollars and is not a template.
const CRYPT_HASH = /^["']?\$\w{1,3}\$\S+\$/

/**
 * Returns faults that only the text of a scalar shows: a string that other readers read as a boolean, and a placeholder that no program
 * replaced. `root` is the object's value: in most objects no string is suspicious, and their text is not searched.
 */
export function stringFaults(object: KrmObject, schema: Schema, root: JsonValue): Fault[] {
  if (!hasSuspect(root)) return []
  return object
    .scalars()
    .flatMap(({ path, style, text }) => [
      ...(style === 'plain' && AMBIGUOUS.test(text) && wantsString(schema, path) ? [ambiguousFault(path, text)] : []),
      ...(mayHold(text) ? placeholderFaults(schema, path, text) : []),
      ...keyFaults(path),
    ])
}

function hasSuspect(value: JsonValue): boolean {
  if (typeof value === 'string') return mayHold(value) || AMBIGUOUS.test(value)
  if (Array.isArray(value)) return value.some(hasSuspect)
  return isRecord(value) && Object.entries(value).some(([key, child]) => mayHold(key) || hasSuspect(child))
}

function mayHold(text: string): boolean {
  return text.includes('$') || text.includes('{{')
}

function wantsString(schema: Schema, path: FieldPath): boolean {
  return typesOf(schemaAt(schema, path) ?? {}).includes('string')
}

function ambiguousFault(path: FieldPath, text: string): Fault {
  return {
    severity: 'warning',
    rule: 'ambiguous-string',
    path,
    message: `must be in quotes: a plain ${text} is a boolean for YAML 1.1 readers, and is taken for the string "${text}" here`,
    proposedValue: text,
  }
}

function keyFaults(path: FieldPath): Fault[] {
  const found = String(path.at(-1)).match(PLACEHOLDER)
  if (found === null) return []
  return [{ severity: 'warning', rule: 'placeholder', path, message: 'must not be a placeholder that nothing here replaces', atKey: true }]
}

function placeholderFaults(schema: Schema, path: FieldPath, text: string): Fault[] {
  const found = CRYPT_HASH.test(text) ? [] : [...new Set(text.match(PLACEHOLDER))]
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
