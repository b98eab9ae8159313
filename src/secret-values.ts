import type { FieldPath } from './field-path.ts'
import {
  asRecord,
  equalJson,
  isRecord,
  type JsonRecord,
  type JsonValue,
  lookup,
  memberOf,
  newRecord,
  recordsOf,
  scalarText,
} from './json.ts'

/*
 * The one place that decides which values are secret, for every message, excerpt, diff and format: comments on pull requests, logs and
 * artifacts have more readers than a repository. Secret are the values of `data` and `stringData` of a Secret, other fields of a Secret
 * that repeat one of them, comments and annotations of people in a Secret, which may hold an earlier value, and what `kubectl apply` writes
 * of a Secret into an annotation; also in a List.
 */

/** The text in the place of a secret value. */
export const NOT_SHOWN = 'not-shown'
/** The text in the place of a secret value that differs from the one before. */
export const OTHER_NOT_SHOWN = 'other-not-shown'

/** The annotation in which `kubectl apply` keeps the whole object. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** Returns false for a text in which certainly no secret value is written. */
export function mayHoldSecret(text: string): boolean {
  return text.includes('Secret') || text.includes('\\')
}

/**
 * Returns an object without its secret values: each text, number and boolean of them is `not-shown`; keys stay.
 *
 * @param earlier  the object before a change: a value that differs from its value there is `other-not-shown`
 */
export function withoutSecretValues(object: JsonRecord, earlier?: JsonRecord): JsonRecord {
  return withoutSecretsIn(object, { earlier, kind: '' })
}

/** Returns the test if the value at a path of an object is secret, or part of a secret value. */
export function isSecretField(object: JsonRecord): (path: FieldPath) => boolean {
  const shown = withoutSecretValues(object)
  return (path) => {
    const value = path.reduce<JsonValue | undefined>(memberOf, object)
    return value !== undefined && !equalJson(value, path.reduce<JsonValue | undefined>(memberOf, shown))
  }
}

/**
 * Returns the value of a field of an object without secret values. The object need not have the value: a function may be about to write it.
 *
 * @param earlier  the value of the field before a change
 */
export function withoutSecretsAt(object: JsonRecord, path: FieldPath, value: JsonValue, earlier?: JsonValue): JsonValue {
  const before = earlier === undefined ? undefined : withValueAt(object, path, earlier)
  const whole = withoutSecretValues(asRecord(withValueAt(object, path, value)), before === undefined ? undefined : asRecord(before))
  return path.reduce<JsonValue | undefined>(memberOf, whole) ?? NOT_SHOWN
}

function withValueAt(holder: JsonValue | undefined, [step, ...below]: FieldPath, value: JsonValue): JsonValue {
  if (step === undefined) return value
  const inner = withValueAt(holder === undefined ? undefined : memberOf(holder, step), below, value)
  if (typeof step === 'number') {
    const list = Array.isArray(holder) ? [...holder] : []
    list[step] = inner
    return Array.from(list, (each) => each ?? null)
  }
  return Object.assign(newRecord(), asRecord(holder), { [step]: inner })
}

interface Holder {
  readonly earlier: JsonValue | undefined
  /** The kind of an entry without a kind of its own. */
  readonly kind: string
}

function withoutSecretsIn(object: JsonRecord, { earlier, kind: given }: Holder): JsonRecord {
  const kind = scalarText(lookup(object, 'kind')) || given
  const shown: { [key: string]: JsonValue } = Object.assign(newRecord(), object)
  const items = lookup(object, 'items')
  if (kind.endsWith('List') && Array.isArray(items)) {
    const before = memberOf(earlier, 'items')
    const inList = kind.slice(0, -'List'.length)
    const itemOf = (item: JsonValue, i: number) =>
      isRecord(item) ? withoutSecretsIn(item, { earlier: sameEntry(item, before) ?? memberOf(before, i), kind: inList }) : item
    shown.items = items.map(itemOf)
  }
  const isSecret = kind === 'Secret'
  for (const key of isSecret ? SECRET_FIELDS : []) {
    const value = lookup(object, key)
    if (value !== undefined) shown[key] = hidden(value, memberOf(earlier, key))
  }
  if (isSecret) hideRepeated(shown, [object, ...(isRecord(earlier) ? [earlier] : [])].flatMap(secretTexts), earlier)
  const applied = memberOf(memberOf(memberOf(shown, 'metadata'), 'annotations'), LAST_APPLIED)
  if (applied === undefined || !(isSecret || scalarText(applied).includes('Secret'))) return shown
  const before = memberOf(memberOf(memberOf(earlier, 'metadata'), 'annotations'), LAST_APPLIED)
  return asRecord(withValueAt(shown, ['metadata', 'annotations', LAST_APPLIED], hidden(applied, before)))
}

/** Hides the values of other fields of a Secret that repeat a secret value, as an annotation, a label or an anchor of `data` may. */
function hideRepeated(shown: { [key: string]: JsonValue }, secrets: readonly string[], earlier: JsonValue | undefined): void {
  const withoutRepeated = (value: JsonValue, before: JsonValue | undefined): JsonValue => {
    if (Array.isArray(value)) return value.map((each, i) => withoutRepeated(each, memberOf(before, i)))
    if (!isRecord(value)) return secrets.some((secret) => scalarText(value).includes(secret)) ? hidden(value, before) : value
    const entries = Object.entries(value).map(([key, each]) => [key, withoutRepeated(each, memberOf(before, key))] as const)
    return Object.assign(newRecord(), Object.fromEntries(entries))
  }
  for (const [key, value] of Object.entries(shown)) {
    const before = memberOf(earlier, key)
    if (key === 'metadata' && isRecord(value)) {
      const { name, namespace, annotations } = value
      const others = asRecord(withoutRepeated(value, before))
      shown[key] = {
        ...others,
        ...(name !== undefined && { name }),
        ...(namespace !== undefined && { namespace }),
        ...(isRecord(annotations) && {
          annotations: { ...asRecord(others.annotations), ...withoutNotes(annotations, memberOf(before, 'annotations')) },
        }),
      }
    } else if (!SHOWN_FIELDS.has(key)) shown[key] = withoutRepeated(value, before)
  }
}

/** Returns the annotations of people in a Secret, hidden: each may repeat a value that the Secret had before. */
function withoutNotes(annotations: JsonRecord, before: JsonValue | undefined): JsonRecord {
  const notes = Object.entries(annotations).filter(([key, value]) => !OF_TOOLS.test(key) && !/^(?:.{0,3}|false)$/.test(scalarText(value)))
  return Object.assign(newRecord(), Object.fromEntries(notes.map(([key, value]) => [key, hidden(value, memberOf(before, key))] as const)))
}

/** The fields of a Secret that say what it is, and those that are hidden as a whole. */
const SHOWN_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'type', 'data', 'stringData'])

const SECRET_FIELDS = ['data', 'stringData'] as const

/** Returns the entry of a list with the kind and name of another one. */
function sameEntry(entry: JsonRecord, list: JsonValue | undefined): JsonValue | undefined {
  const keyOf = (value: JsonValue) =>
    JSON.stringify([memberOf(value, 'kind'), ...['namespace', 'name'].map((key) => scalarText(memberOf(memberOf(value, 'metadata'), key)))])
  const key = keyOf(entry)
  return Array.isArray(list) ? list.find((each) => keyOf(each) === key) : undefined
}

/** Returns a value with its texts, numbers and booleans hidden. */
function hidden(value: JsonValue, earlier: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map((each, i) => hidden(each, memberOf(earlier, i)))
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([key, each]) => [key, hidden(each, memberOf(earlier, key))] as const)
    return Object.assign(newRecord(), Object.fromEntries(entries))
  }
  return value === null ? null : earlier === undefined || equalJson(value, earlier) ? NOT_SHOWN : OTHER_NOT_SHOWN
}

/** A shorter text could be found in annotations that have nothing to do with the secret. */
const SHORTEST = 4
const SHORTEST_LINE = 8

/** A value of a Secret, and its key. */
export interface SecretValue {
  readonly key: string
  readonly text: string
}

/** Returns the values of a Secret, and of the Secrets in a List, as written, and decoded and encoded as base64. */
export function secretValues(object: JsonRecord): readonly SecretValue[] {
  const entries = secretObjects(object).flatMap((secret) =>
    SECRET_FIELDS.flatMap((field) => Object.entries(asRecord(lookup(secret, field)))),
  )
  return entries
    .flatMap(([key, value]) => leaves(value).flatMap((text) => [text, decoded(text), encoded(text)].map((each) => ({ key, text: each }))))
    .filter(({ text }) => !text.includes('\ufffd'))
}

/** Returns the annotations of people in a Secret, and in the Secrets of a List: each may have a value that the Secret had before. */
export function secretNotes(object: JsonRecord): readonly SecretValue[] {
  const all = secretObjects(object).flatMap((secret) => Object.entries(asRecord(memberOf(lookup(secret, 'metadata'), 'annotations'))))
  return all.filter(([key]) => !OF_TOOLS.test(key)).map(([key, value]) => ({ key, text: scalarText(value) }))
}

/** Returns the secret texts of a Secret and their lines, as written, and decoded and encoded as base64. */
function secretTexts(secret: JsonRecord): readonly string[] {
  const texts = SECRET_FIELDS.flatMap((key) => leaves(lookup(secret, key) ?? null))
  const all = texts.flatMap((text) => [text, decoded(text), encoded(text)])
  const parts = all.flatMap((text) => [text, ...text.split('\n').filter((line) => line.length >= SHORTEST_LINE)])
  return parts.filter((text) => text.length >= SHORTEST && !text.includes('\ufffd'))
}

function encoded(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}

/** Returns the text that is encoded as base64; '' if the text is no base64. The page has no Buffer. */
function decoded(text: string): string {
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text)) return ''
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
  } catch {
    return ''
  }
}

function leaves(value: JsonValue): readonly string[] {
  if (typeof value !== 'object' || value === null) return [scalarText(value)]
  return Object.values(value).flatMap(leaves)
}

/**
 * Returns a message about an object without the secret texts of the object.
 *
 * @example  of a policy: `the password hunter22 is too short` → `the password not-shown is too short`
 */
export function withoutSecretTexts(message: string, object: JsonRecord): string {
  return hideTexts(message, secretsIn(object))
}

/** Returns a text without the secret texts, of which the longest must come first. */
export function hideTexts(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, NOT_SHOWN), text)
}

/** Returns the secret texts of an object, and of the Secrets in a List, the longest first. */
export function secretsIn(object: JsonRecord): readonly string[] {
  return secretObjects(object)
    .flatMap(secretTexts)
    .sort((a, b) => b.length - a.length)
}

/** Returns true for a Secret, and for a List with one. */
export function isOrListsSecret(object: JsonRecord): boolean {
  return secretObjects(object).length > 0
}

/**
 * Returns an object if the object is a Secret, and the Secrets in its `items`. An entry without a kind has that of its list, as in the API
 * server.
 *
 * @param inList  the kind of an object without a kind of its own
 */
function secretObjects(object: JsonRecord, inList = ''): readonly JsonRecord[] {
  const kind = scalarText(lookup(object, 'kind')) || inList
  const items = lookup(object, 'items')
  const listed = recordsOf(items)
  const ofItems = kind.endsWith('List') ? kind.slice(0, -'List'.length) : ''
  return [...(kind === 'Secret' ? [object] : []), ...listed.flatMap((item) => secretObjects(item, ofItems))]
}

/** What is shown in the place of a comment of a Secret. */
export const COMMENT_NOT_SHOWN = `# ${NOT_SHOWN}`

/**
 * Returns a comment of an object as messages and diffs show it: those of a Secret are hidden, since they may hold an earlier value, but for
 * the marks of functions and merges.
 *
 * @example  of a Secret: `# old: hunter2` → `# not-shown`, `# kpt-set: ${password}` → `# kpt-set: ${password}`
 */
export function withoutSecretsInComment(comment: string, object: JsonRecord): string {
  if (!isOrListsSecret(object)) return comment
  const isMark = /^#\s*kpt-(?:set|merge)\s*:/.test(comment)
  return isMark && withoutSecretTexts(comment, object) === comment ? comment : COMMENT_NOT_SHOWN
}

/** Matches the kind of a Secret in a text that is no YAML. */
const HOLDS_SECRET = /\bkind["']?\s*:\s*["']?Secret(?:List)?\b/

/** Returns true for a text, which may be no YAML, in which a Secret is written. */
export function looksLikeSecret(text: string): boolean {
  return HOLDS_SECRET.test(text)
}

/** Returns a message about a text that is no YAML; without what the message quotes of the text if a Secret is written in it. */
export function withoutQuotedSecrets(message: string, text: string): string {
  return looksLikeSecret(text) ? message.replaceAll(QUOTED, NOT_SHOWN) : message
}

/** The parts of a finding that may show a secret value. */
interface ShownFinding {
  readonly message: string
  readonly resourceRef?: { readonly kind: string }
  readonly field?: { readonly path: FieldPath; readonly currentValue?: JsonValue; readonly proposedValue?: JsonValue }
}

/** Matches what a message quotes, and numbers and booleans as messages describe them. */
const QUOTED = /'[^']*'|"[^"]*"|(?<=the (?:number|boolean) )\S+/g
/** Matches all that is between the first and the last quote of a part of a message: a quoted value may hold quotes. */
const ALL_QUOTED = /(['"]).*\1|(?<=the (?:number|boolean) )\S+/gs
/** Matches the quoted masks of a message, between which its other values are. */
const MASKS = /((['"])(?:other-)?not-shown\2)/

/** Returns a finding about a field of a Secret, or of a Secret in a List, without the values of the field. */
export function withoutSecretsInFinding<Finding extends ShownFinding>(finding: Finding): Finding {
  const { field, resourceRef, message } = finding
  if (field === undefined || resourceRef === undefined || !isSecretPath(resourceRef.kind, field.path)) return finding
  const { currentValue, proposedValue, ...rest } = field
  const shown = {
    ...rest,
    ...(currentValue !== undefined && { currentValue: hidden(currentValue, undefined) }),
    ...(proposedValue !== undefined && { proposedValue: hidden(proposedValue, currentValue) }),
  }
  const known = [currentValue, proposedValue]
    .flatMap((value) => leaves(value ?? null))
    .filter((text) => text.length >= SHORTEST && !text.includes(NOT_SHOWN))
  const words = hideTexts(message, known)
  const parts = words.split(MASKS).filter((_, at) => at % 3 !== 2)
  return {
    ...finding,
    field: shown,
    message: parts.map((part) => (MASKS.test(part) ? part : part.replaceAll(ALL_QUOTED, NOT_SHOWN))).join(''),
  }
}

/** Matches the annotations that tools of Kubernetes and this project read: they say where an object is and what becomes of it. */
const OF_TOOLS = /^(?!kubectl\.)(?:[\w.-]+\.)?(?:kpt\.dev|krm-variants\.dev|kubernetes\.io|k8s\.io|argoproj\.io|fluxcd\.io|helm\.sh)\//

/**
 * Returns true for the path of a value of a Secret; of a List, whose kinds of entries a path does not say, of any entry that may be one.
 */
function isSecretPath(kind: string, path: FieldPath): boolean {
  let at = 0
  while (path[at] === 'items' && typeof path[at + 1] === 'number') at += 2
  if (kind !== 'Secret' && (at === 0 || (kind !== 'List' && kind !== 'SecretList'))) return false
  const [field, below, key] = path.slice(at)
  if (field === 'data' || field === 'stringData') return true
  return field === 'metadata' && (below === undefined || (below === 'annotations' && (key === undefined || !OF_TOOLS.test(String(key)))))
}
