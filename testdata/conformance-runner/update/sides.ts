import { type JsonValue, memberOf } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { valuesAlong } from '../difference.ts'
import { resourcesIn } from '../written-resource.ts'
import { ORDER } from './keyed-view.ts'
import { meaningOf } from './meaning.ts'
import type { Texts, UpdateVector } from './vector.ts'

/** A value on the three sides of a vector. */
export interface Values {
  readonly original: JsonValue | undefined
  readonly updated: JsonValue | undefined
  readonly local: JsonValue | undefined
}

export function sidesOf({ input: { original, updated, local } }: UpdateVector): readonly Texts[] {
  return [original, updated, local]
}

/** The file that a difference is about. */
export function fileOf({ what }: Difference): string {
  return what.split(': ', 1)[0] ?? ''
}

/** Returns what the three sides have at the field of a difference, or so many steps above it. */
export function valuesAt({ input }: UpdateVector, difference: Difference, { above = 0 } = {}): Values {
  const path = fileOf(difference)
  const at = (texts: Texts) => {
    const values = valuesAlong(meaningOf(path, texts[path]), difference.what.slice(path.length + 2))
    return values.at(-1 - above)
  }
  return { original: at(input.original), updated: at(input.updated), local: at(input.local) }
}

/** Returns true if a difference is in a list whose entries have keys on one side, and not all of them on another. */
export function isBelowKeyless(sides: readonly Texts[], difference: Difference): boolean {
  const path = fileOf(difference)
  const ways = sides.map((texts) => valuesAlong(meaningOf(path, texts[path]), difference.what.slice(path.length + 2)))
  return (ways[0] ?? []).some((_, step) => {
    const values = ways.map((way) => way[step])
    return values.some((value) => Array.isArray(value)) && values.some((value) => memberOf(value, ORDER) !== undefined)
  })
}

/** Returns true if a YAML file is read as bytes: it is no YAML, or holds no resource. */
export function isUnreadable(texts: Texts, path: string): boolean {
  const text = texts[path]
  return text !== undefined && /\.ya?ml$/.test(path) && resourcesIn(path, text) === undefined
}

export function hasAlias(texts: Texts, path: string): boolean {
  return resourcesIn(path, texts[path] ?? '')?.some((resource) => resource.hasAlias) === true
}

/** The fields of every Kptfile of a side, and its version. */
export function kptfilesIn(texts: Texts): readonly { readonly apiVersion: string; readonly fields: readonly string[] }[] {
  const kptfiles = Object.keys(texts).filter((path) => path.endsWith('Kptfile'))
  return kptfiles.map((path) => {
    const kptfile = memberOf(meaningOf(path, texts[path]), 'Kptfile')
    const fields = typeof kptfile === 'object' && kptfile !== null ? Object.keys(kptfile) : []
    return { apiVersion: String(memberOf(kptfile, 'apiVersion')), fields }
  })
}
