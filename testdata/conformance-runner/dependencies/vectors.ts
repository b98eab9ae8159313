import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { differ as differInMeaning } from '../difference.ts'

/** A case with what its file says of all of them. */
export function casesOfFile(file: JsonValue): readonly JsonValue[] {
  if (file === null) return []
  if (!isRecord(file)) throw new Error('a file of vectors must be a map')
  const { cases = null, kind = '', repo = null } = file
  if (cases === null && !Object.values(file).some((value) => Array.isArray(value))) return []
  if (!Array.isArray(cases)) throw new Error('a file of vectors must have cases')
  return cases.map((each: JsonValue) => (isRecord(each) ? { kind, repo, ...each, fileKind: kind } : each))
}

/** A judge of one kind of file, which returns the differences. */
export type Judge = (vector: JsonRecord) => readonly Difference[]

/** Runs the judge of the kind of file; a kind without one fails. */
export function judgeByKind(judges: Readonly<Record<string, Judge>>): Judge {
  return (vector) => {
    const kind = text(vector, 'fileKind')
    const judge = Object.hasOwn(judges, kind) ? judges[kind] : undefined
    if (judge === undefined) throw new Error(`no judge for files of kind '${kind}'`)
    return judge(vector)
  }
}

/** The difference between two values, none when they are equal in meaning. */
export function differ(what: string, actual: unknown, expected: unknown): readonly Difference[] {
  return differInMeaning(what, plain(actual), plain(expected))
}

/** Returns what JSON makes of a value. */
function plain(value: unknown): JsonValue | undefined {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

export function text(record: JsonRecord, key: string): string {
  const value = lookup(record, key)
  return typeof value === 'string' ? value : ''
}

export function record(holder: JsonRecord, key: string): JsonRecord {
  const value = lookup(holder, key)
  return isRecord(value) ? value : {}
}

export function list(holder: JsonRecord, key: string): readonly JsonValue[] {
  const value = lookup(holder, key)
  return Array.isArray(value) ? value : []
}

export function records(holder: JsonRecord, key: string): readonly JsonRecord[] {
  return list(holder, key).filter(isRecord)
}

export function texts(holder: JsonRecord, key: string): readonly string[] {
  return list(holder, key).flatMap((each) => (typeof each === 'string' ? [each] : []))
}

/** The error a vector expects, as a difference when the messages do not say it. */
export function lacksText(expected: readonly string[], message: string): readonly Difference[] {
  return expected.filter((part) => !message.includes(part)).map((part) => ({ what: 'the error says', expected: part, actual: message }))
}
