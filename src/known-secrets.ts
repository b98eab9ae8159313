import type { JsonRecord, JsonValue } from './json.ts'
import { isRecord, newRecord } from './json.ts'
import { NOT_SHOWN, OTHER_NOT_SHOWN, secretNotes, secretValues } from './secret-values.ts'

/*
 * The values of the Secrets that this run read: what is printed of other objects may repeat them, as a setter, the source of a replacement,
 * an annotation or a message of a program does. All that a command prints, and the results of functions, pass through `hideKnownSecrets`.
 * Left alone are values that name things, such as a host or `cluster-eu-01`: they are in places that a reader needs.
 */

/** An object that may be a Secret, or a List with one. It is read when something is printed. */
export interface NotedObject {
  readonly kind: string | undefined
  toJson(): JsonRecord
}

const noted = new Set<NotedObject>()
const known = new Set<string>()
let sorted: readonly string[] = []

let isWatching = false

/**
 * Begins to keep the Secrets that are read, without those of an earlier run in this process. The tool and the programs of functions begin
 * with it; a caller of the SDK that prints nothing keeps none.
 */
export function watchSecrets(): void {
  isWatching = true
  noted.clear()
  known.clear()
  sorted = []
}

/** Keeps an object whose text says that it may be a Secret. */
export function noteSecret(object: NotedObject, text: string): void {
  if (isWatching && /\bSecret(?:List)?\b/.test(text)) noted.add(object)
}

/**
 * Takes the values of the noted objects as they are now: a function may change a Secret after it was read. The error of an object that
 * cannot be read asks for the known values, too, so no object is noted any more when the first one is read.
 */
function knownSecrets(): readonly string[] {
  if (noted.size === 0) return sorted
  const before = known.size
  const taken = [...noted]
  noted.clear()
  for (const object of taken) for (const value of valuesOf(object)) known.add(value)
  if (known.size !== before) sorted = [...known].sort((a, b) => b.length - a.length)
  return sorted
}

/** Returns the values of an object that stand for themselves, also as JSON and YAML write them within quotes. */
function valuesOf(object: NotedObject): readonly string[] {
  try {
    if (object.kind?.endsWith('Secret') !== true && object.kind?.endsWith('List') !== true) return []
    const json = object.toJson()
    const notes = secretNotes(json).filter(({ key, text }) => HAS_PASSWORD.test(text) || !describes(key, text))
    const values = [...secretValues(json), ...notes].filter(({ key, text }) => isDistinct(key, text))
    return values.flatMap(({ text }) => [text, JSON.stringify(text).slice(1, -1), text.replaceAll("'", "''")])
  } catch {
    // A file that is no YAML is shown without what may be secret.
    return []
  }
}

const SHORTEST = 8
const LONGEST = 10_000

/** The keys of a Secret under which a value mostly names something that other objects name too. */
const PUBLIC_KEYS = /^(?:name|server|url|host|hostname|user|username|project|database|type|email|registry|region|endpoint|bucket)$/i

/** The last words of names of annotations under which a value mostly describes the Secret, as other objects are described too. */
const DESCRIBING_WORD = /^(?:checksum|hash|digest|sha\d*|commit|revision|version|uid|time|date|timestamp)$/

/** The words of names of annotations that may hold a value from before, or one that follows from a password. */
const WORD_OF_SECRETS = /^(?:previous|earlier|former|old|password|passwd)$/

const DATE = /^\d{4}-\d{2}-\d{2}/

/** A host with at least two dots, and an address for mail. */
const HOST_OR_MAIL = /^(?:\*\.)?(?:[a-z\d-]+\.){2,}[a-z]{2,}$|^[a-z\d._-]+@(?:[a-z\d-]+\.)+[a-z]{2,}$/

const HAS_PASSWORD = /:\/\/[^/]*:[^/]*@/

/** Returns true for an annotation that describes its Secret: by the words of its name behind `/`, or by names as its value. */
function describes(key: string, text: string): boolean {
  if (DATE.test(text) || text.split(',').every((part) => HOST_OR_MAIL.test(part) || isOfWords(part))) return true
  const name = key.slice(key.lastIndexOf('/') + 1)
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_.]+/)
  const last = words.at(-1) ?? ''
  if (words.some((word) => WORD_OF_SECRETS.test(word))) return false
  return DESCRIBING_WORD.test(last) || PUBLIC_KEYS.test(last) || PUBLIC_KEYS.test(last.replace(/s$/, ''))
}

/** Returns true for a text that does not name a thing: not words with short numbers, an address or a number. */
function isDistinct(key: string, text: string): boolean {
  if (text.length < SHORTEST || text.length > LONGEST || /\s/.test(text)) return false
  if (HAS_PASSWORD.test(text)) return true
  if (PUBLIC_KEYS.test(key) || /^[\d.:/]+$/.test(text)) return false
  return !isOfWords(text)
}

/** Returns true for words with short numbers, such as `cluster-eu-01`. */
function isOfWords(text: string): boolean {
  const words = text.replace(/:\d{1,5}(?=[/]|$)/, '').split(/[-_.:/@]+/)
  return words.every((part) => /^(?:[a-z]*|[A-Z]?[a-z]+|[A-Z]+)\d{0,2}$/.test(part))
}

/**
 * Returns a text without the known values of Secrets.
 *
 * @param earlier  the text before a change: a value that is not in it is `other-not-shown`
 */
export function hideKnownSecrets(text: string, earlier?: string): string {
  return knownSecrets().reduce((shown, secret) => {
    if (!shown.includes(secret)) return shown
    return shown.replaceAll(secret, earlier === undefined || earlier.includes(secret) ? NOT_SHOWN : OTHER_NOT_SHOWN)
  }, text)
}

/** Returns a value with its texts as `hideKnownSecrets` returns them. */
export function hideKnownIn(value: JsonValue, earlier?: JsonValue): JsonValue {
  if (knownSecrets().length === 0) return value
  const before = earlier === undefined ? undefined : textIn(earlier)
  const shown = (each: JsonValue): JsonValue => {
    if (typeof each === 'string') return hideKnownSecrets(each, before)
    if (Array.isArray(each)) return each.map(shown)
    if (!isRecord(each)) return each
    return Object.assign(newRecord(), Object.fromEntries(Object.entries(each).map(([key, member]) => [key, shown(member)] as const)))
  }
  return shown(value)
}

function textIn(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
}
