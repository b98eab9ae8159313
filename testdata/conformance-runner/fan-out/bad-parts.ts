import { isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import { isKeyOfLabel, isValueOfLabel } from '../kubernetes-texts.ts'
import { recordOf } from '../records-at.ts'

/** The lists of expressions of a template. */
export const MAP_EXPRS = ['labelExprs', 'annotationExprs', 'dataExprs', 'configMapExprs']
const RESERVED_KEYS = ['name', 'package-path']

export function lacks(entry: JsonRecord, part: string): boolean {
  return entry[part] === undefined && entry[`${part}Expr`] === undefined
}

export function hasBoth(entry: JsonRecord, part: string): boolean {
  return entry[part] !== undefined && entry[`${part}Expr`] !== undefined
}

export function hasReservedKey({ data = {}, removeKeys = [], dataExprs = [] }: JsonRecord): boolean {
  const keys = [...(isRecord(data) ? Object.keys(data) : []), ...(Array.isArray(removeKeys) ? removeKeys : [])]
  const fixed = (Array.isArray(dataExprs) ? dataExprs : []).map((entry: JsonValue) => (isRecord(entry) ? entry.key : undefined))
  return [...keys, ...fixed].some((key) => RESERVED_KEYS.includes(String(key)))
}

export function isOfKindList({ kind }: JsonRecord): boolean {
  return String(kind).endsWith('List')
}

/** Operators, and whether they take values. */
const OPERATORS: Readonly<Record<string, boolean>> = { In: true, NotIn: true, Exists: false, DoesNotExist: false }

/** Returns true if a label selector has an operator, values or labels that it must not have. */
export function isBadSelector({ matchLabels = {}, matchExpressions = [] }: JsonRecord): boolean {
  const labels = isRecord(matchLabels) ? Object.entries(matchLabels) : []
  const requirements = (Array.isArray(matchExpressions) ? matchExpressions : []).map(recordOf)
  return labels.some(([key, value]) => !isKeyOfLabel(key) || !isValueOfLabel(String(value))) || requirements.some(isBadRequirement)
}

function isBadRequirement({ key, operator, values }: JsonRecord): boolean {
  const written = Array.isArray(values) ? values.map(String) : []
  const takesValues = Object.hasOwn(OPERATORS, String(operator)) ? OPERATORS[String(operator)] : undefined
  return takesValues !== written.length > 0 || !isKeyOfLabel(String(key)) || !written.every(isValueOfLabel)
}
