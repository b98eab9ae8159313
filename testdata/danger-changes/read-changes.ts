import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

type Json = null | boolean | number | string | Json[] | JsonMap
interface JsonMap {
  [key: string]: Json
}

/** A change of one object, with the dangers that it has. */
export interface JudgedRow {
  readonly title: string
  readonly before: JsonMap
  /** Undefined if the object is deleted. */
  readonly after: JsonMap | undefined
  /** Other objects of the package. */
  readonly objects: readonly JsonMap[]
  readonly has: readonly string[]
  /** False for a change that one API server cannot judge alone. */
  readonly isJudged: boolean
}

interface Row {
  readonly of: string
  readonly from: JsonMap
  readonly to: JsonMap | null
  readonly objects?: readonly string[]
  readonly has: readonly string[]
  /** True if `to` is merged into the object as `from` makes it; else into the base. */
  readonly both?: boolean
  readonly server?: string
}

/** Returns the rows of all tables. */
export function judgedRows(): readonly JudgedRow[] {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.yaml'))
  return files.flatMap((file) => {
    const { bases, changes }: { bases: Record<string, JsonMap>; changes: readonly Row[] } = parse(
      readFileSync(join(import.meta.dirname, file), 'utf8'),
    )
    return changes.map((row, i): JudgedRow => {
      const base = bases[row.of]
      if (base === undefined) throw new Error(`${file}: no base '${row.of}'`)
      const before = merged(base, row.from)
      return {
        title: `${file} ${i + 1}: ${row.of} ${JSON.stringify(row.from)} → ${JSON.stringify(row.to)}`,
        before,
        after: row.to === null ? undefined : merged(row.both === true ? before : base, row.to),
        objects: (row.objects ?? []).flatMap((name) => (bases[name] === undefined ? [] : [bases[name]])),
        has: row.has,
        isJudged: row.server === undefined,
      }
    })
  })
}

function merged(base: JsonMap, changes: JsonMap): JsonMap {
  const result: JsonMap = { ...base }
  for (const [key, value] of Object.entries(changes)) {
    const old = result[key]
    if (value === null) delete result[key]
    else result[key] = isMap(old) && isMap(value) ? merged(old, value) : value
  }
  return result
}

function isMap(value: Json | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
