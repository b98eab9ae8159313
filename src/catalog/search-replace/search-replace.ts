import { RegularExpressionError } from '../../cel/regular-expression.ts'
import type { FieldPath } from '../../field-path.ts'
import { isRecord } from '../../json.ts'
import { fieldPlace } from '../../resource-list/finding-place.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { isWireAnnotation } from '../../resource-list/wire-annotations.ts'
import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { type ScalarNode, type SequenceNode, walk } from '../../yaml/read/node.ts'
import { commentBehind } from '../../yaml/read/written.ts'
import { checkConfigSize, configExpression, fieldError, knownPairs, withExpression } from '../catalog-config.ts'
import type { CatalogFunction } from '../catalog-function.ts'
import { editItems, Growth, lacksMetadata, mapItems } from '../edit-items.ts'
import { wrongType } from '../field-places.ts'
import { checkComment, setLineComments, skippedComment } from '../line-comments.ts'
import { printedScalar, writeScalar } from '../plain-scalar.ts'
import { filePatternExpression, isOneField, pathMatcher } from './patterns.ts'

/** Finds fields by value, path and file, and writes values or comments into them. */
export const SEARCH_REPLACE: CatalogFunction = {
  name: 'search-replace',
  versions: ['v0.2.0', 'master'],
  at: () => searchReplace,
}

function searchReplace(list: ResourceList): void {
  const { functionConfig: config } = list
  const search = config?.isMap() === true ? searchOf(config) : NO_SEARCH
  const results: Result[] = []
  withExpression(config, ['data', 'by-value-regex'], () => {
    const items = mapItems(list)
    countGrowth(items, search)
    editItems(items, (item) => {
      if (item.apiVersion === undefined && item.kind === undefined && lacksMetadata(item))
        throw fieldError(item, { rule: 'required', path: ['metadata'], message: 'must be set' })
      if (search.isInFile(item)) results.push(...(search.isAssignment ? [assignField(item, search)] : replaceFields(item, search)))
    })
  })
  list.results.push(...results)
  if (results.length === 0) list.results.push({ severity: 'info', message: 'no matches', tags: RULE })
}

const RULE = { rule: 'search-replace' } as const

const KEYS = ['by-value', 'by-file-path', 'by-value-regex', 'by-path', 'put-value', 'put-comment'] as const

/** The values and paths to search for, and the value or comment to write. A missing text is ''. */
interface Search {
  isInFile(item: KrmObject): boolean
  /** Returns true if the matchers of value and path match a scalar. */
  matches(path: FieldPath, value: string): boolean
  /** Returns true if `by-path` matches. */
  matchesPath(path: FieldPath): boolean
  /** Returns a text to write, with the groups of the expression in the old value. */
  resolve(text: string, value: string): string
  /** Returns the number of characters by which `resolve` lengthens a value, without making the text. */
  growthOf(text: string, value: string): number
  /** A text that every object with a match contains; '' if none is known. */
  readonly hint: string
  readonly byPath: string
  readonly putValue: string
  readonly putComment: string
  /** True if one field gets a value, whether or not the objects have the field. */
  readonly isAssignment: boolean
}

const NO_SEARCH: Search = {
  isInFile: () => true,
  matches: () => false,
  matchesPath: () => false,
  resolve: (text) => text,
  growthOf: () => 0,
  hint: '',
  byPath: '',
  putValue: '',
  putComment: '',
  isAssignment: false,
}

/**
 * Returns the search of a functionConfig, of any kind: its `data`.
 *
 * @throws FunctionError  for an unknown key, for both matchers of values, and for a malformed pattern
 */
function searchOf(config: KrmObject): Search {
  checkConfigSize(config)
  const data = knownPairs(config, KEYS)
  const option = (key: (typeof KEYS)[number]) => data.get(key) ?? ''
  const [byValue, byRegex, byPath, putValue, putComment] = [
    option('by-value'),
    option('by-value-regex'),
    option('by-path'),
    option('put-value'),
    option('put-comment'),
  ]
  if (byValue !== '' && byRegex !== '')
    throw fieldError(config, { rule: 'exclusive-fields', path: ['data', 'by-value-regex'], message: 'must not be set beside `by-value`' })
  const expression = byRegex === '' ? undefined : configExpression(config, ['data', 'by-value-regex'], byRegex)
  const matchesPath = byPath === '' ? () => false : pathMatcher(byPath)
  const matchesValue = (value: string) => (byValue !== '' && value === byValue) || expression?.test(value) === true
  const hasValue = byValue !== '' || expression !== undefined
  const groupsFor = (text: string, value: string) =>
    expression === undefined || text.search(GROUP) === -1 ? undefined : (expression.groups(value) ?? [])
  return {
    isInFile: fileMatcher(config, option('by-file-path')),
    matches: (path, value) => (hasValue ? (byPath === '' || matchesPath(path)) && matchesValue(value) : matchesPath(path)),
    matchesPath,
    resolve: (text, value) => withGroups(text, groupsFor(text, value)),
    growthOf: (text, value) => grownLength(text, groupsFor(text, value)) - value.length,
    hint: putComment !== '' && byPath !== '' ? '' : byValue,
    byPath,
    putValue,
    putComment,
    isAssignment: isOneField(byPath) && !hasValue && putValue !== '',
  }
}

/** Returns a test of an object's file. */
function fileMatcher(config: KrmObject, pattern: string): (item: KrmObject) => boolean {
  if (pattern === '') return () => true
  const path = ['data', 'by-file-path']
  const text = filePatternExpression(pattern)
  if (text === undefined)
    throw fieldError(config, { rule: 'search-pattern', path, message: `must be a pattern of paths, got ${quoteText(pattern)}` })
  const expression = configExpression(config, path, text)
  return ({ file }) => expression.test(file?.path ?? '')
}

const GROUP = /\$\{(\d+)\}/g

/**
 * Returns a text with the groups of an expression for `${1}`, `${2}`, …; without groups, the text as it is.
 *
 * @throws RegularExpressionError  for a group that the expression does not have
 */
function withGroups(text: string, groups: readonly string[] | undefined): string {
  return groups === undefined ? text : text.replace(GROUP, (whole, digits: string) => groupOf(groups, whole, digits))
}

/** Returns the length of the text that `withGroups` returns. Throws as `withGroups`. */
function grownLength(text: string, groups: readonly string[] | undefined): number {
  let { length } = text
  for (const [whole, digits = ''] of groups === undefined ? [] : text.matchAll(GROUP))
    length += groupOf(groups ?? [], whole, digits).length - whole.length
  return length
}

function groupOf(groups: readonly string[], whole: string, digits: string): string {
  const group = groups[Number(digits) - 1]
  if (group === undefined) throw new RegularExpressionError(`must have the group ${whole}, it has ${groups.length}`)
  return group
}

/** Counts what is written into all items, before the first is changed. @throws FunctionError when the list would become too long */
function countGrowth(items: readonly KrmObject[], search: Search): void {
  const texts = [search.putValue, search.putComment].filter((text) => text.length > LONG || text.search(GROUP) !== -1)
  const growth = new Growth()
  for (const item of texts.length === 0 ? [] : items)
    for (const value of matchedValues(item, search)) for (const text of texts) growth.take(search.growthOf(text, value))
}

function matchedValues(item: KrmObject, { isInFile, matches, hint }: Search): readonly string[] {
  if (!isInFile(item) || !item.mayHold(hint)) return []
  return [...walk(item.written().node)].flatMap(({ path, node }) => (node.type === 'scalar' && matches(path, node.text) ? [node.text] : []))
}

/** The most characters of a text that is written without being counted: what it adds is counted after each object. */
const LONG = 200

/**
 * Writes `put-value` into the field `by-path` of an object, in the quotes of its old value, and creates a missing field. Returns the
 * result.
 */
function assignField(item: KrmObject, { byPath, putValue }: Search): Result {
  const path = byPath.split('.')
  for (const [index] of path.entries()) {
    const holder = path.slice(0, index)
    const value = item.get(holder) ?? null
    if (value !== null && !isRecord(value)) throw wrongType(item, holder, 'a map', value)
  }
  if (byPath === 'metadata' || byPath === 'metadata.annotations')
    throw fieldError(item, { rule: 'wrong-type', path, message: `must be a map, got ${quoteText(putValue)}` })
  const place = fieldPlace(item, path)
  const old = item.scalars(path).find((scalar) => scalar.path.length === path.length)
  writeScalar(item, path, old, putValue)
  const message = `Mutated field value to ${JSON.stringify(putValue)}`
  return { severity: 'info', message, ...place, tags: RULE }
}

/** A field that the search found. */
interface Found {
  readonly path: FieldPath
  readonly node: ScalarNode | SequenceNode
  /** The comment that the field gets, with its `#`; undefined if it keeps its own. */
  readonly comment: string | undefined
}

/** Writes the value and the comment into every field that matches. Returns a result for each if the object has a file. */
function replaceFields(item: KrmObject, search: Search): readonly Result[] {
  const { hint, putValue, putComment } = search
  if (hint !== '' && !item.mayHold(hint)) return []
  const { text } = item.written()
  const found = foundFields(item, search).map((field) => ({
    ...field,
    value: field.node.type === 'scalar' && putValue !== '' ? search.resolve(putValue, field.node.text) : undefined,
    oldComment: commentBehind(text, field.node) ?? '',
    position: item.positionOf(field.path),
  }))
  for (const { path, node, value } of found)
    if (node.type === 'scalar' && value !== undefined && value !== node.text) writeScalar(item, path, node, value)
  const comments = new Map(found.map(({ path, comment = '' }) => [path, comment]))
  const skipped = new Set(putComment === '' ? [] : setLineComments(item, comments))
  const action = putValue !== '' || putComment !== '' ? 'Mutated field value to' : 'Matched field value'
  return found.flatMap(({ path, node, comment, value, oldComment, position }): readonly Result[] => {
    const warnings = skipped.has(path) ? [skippedComment(item, path, position)] : []
    const isSilent = (item.file === undefined && node.type === 'scalar') || (skipped.has(path) && value === undefined)
    if (isSilent) return warnings
    const behind = skipped.has(path) ? '' : (comment ?? oldComment)
    const printed = node.type === 'scalar' ? printedScalar(node.style, value ?? node.text, behind) : `${printedList(node)} ${behind}`
    const message = `${action} ${JSON.stringify(printed)}`
    return [{ severity: 'info', message, ...fieldPlace(item, path, position), tags: RULE }, ...warnings]
  })
}

/** Returns a list of scalars on one line; of another list the number of its entries. */
function printedList({ items }: SequenceNode): string {
  const scalars = items.flatMap(({ value }) => (value.type === 'scalar' ? [printedScalar(value.style, value.text, '')] : []))
  return scalars.length === items.length ? `[${scalars.join(', ')}]` : `a list of ${items.length}`
}

/** Returns the scalars that match, and the lists that `put-comment` marks; not the annotations of the wire if something is written. */
function foundFields(item: KrmObject, search: Search): readonly Found[] {
  const { putValue, putComment } = search
  const isPut = putValue !== '' || putComment !== ''
  return [...walk(item.written().node)].flatMap(({ path, node }): readonly Found[] => {
    if (isPut && path[0] === 'metadata' && path[1] === 'annotations' && isWireAnnotation(String(path[2]))) return []
    if (node.type === 'scalar' && search.matches(path, node.text))
      return [{ path, node, comment: putComment === '' ? undefined : checkComment(item, path, search.resolve(putComment, node.text)) }]
    const isMarked = node.type === 'sequence' && putComment !== '' && node.items.length > 0 && typeof path.at(-1) === 'string'
    return isMarked && search.matchesPath(path) ? [{ path, node, comment: checkComment(item, path, putComment) }] : []
  })
}
