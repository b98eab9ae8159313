import { asRecord, type JsonRecord, type JsonValue, lookup, memberOf } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Share } from './merge-object.ts'
import { INFERRED, keyText, type ListKey, type MergeRule } from './merge-rule.ts'
import { SIDES, type Sides } from './sides.ts'

/** The parts of a Kptfile that are merged (kpt pkg/kptfile/kptfileutil merge). Its name, namespace and upstream are the downstream's own. */
const PARTS = ['info', 'pipeline', 'inventory', 'status'] as const
const METADATA_PARTS = ['annotations', 'labels'] as const

/** What of the Kptfile of the package itself is merged, and how. */
export function rootKptfileShare(sides: Sides<KrmObject>): Share {
  return kptfileShare(sides, {})
}

/** What of a subpackage's Kptfile is merged; `upstream` and `upstreamLock` are those that it has upstream. */
export function subpackageKptfileShare(sides: Sides<KrmObject>): Share {
  return kptfileShare(sides, pick(sides.upstream?.toJson() ?? {}, ['upstream', 'upstreamLock']))
}

function kptfileShare(sides: Sides<KrmObject>, taken: JsonRecord): Share {
  const functions = areToldApartByImage(sides) ? BY_IMAGE : INFERRED
  const pipeline = { fields: { mutators: functions, validators: functions } }
  return {
    rule: { fields: { metadata: INFERRED, info: INFERRED, inventory: INFERRED, status: INFERRED, pipeline } },
    take: (kptfile) => ({ ...pick(kptfile, PARTS), metadata: pick(asRecord(kptfile.metadata), METADATA_PARTS) }),
    put: (merged, kptfile) => ({ ...put(merged, kptfile), ...taken }),
  }
}

function put(merged: JsonRecord, kptfile: JsonRecord): JsonRecord {
  const { metadata: mergedMetadata, ...parts } = merged
  const metadata = { ...without(asRecord(kptfile.metadata), METADATA_PARTS), ...asRecord(mergedMetadata) }
  return { ...without(kptfile, PARTS), metadata, ...parts }
}

/** Functions without names, none of them twice, are told apart by what they run, without its version. */
const BY_IMAGE: MergeRule = {
  list: { key: { of: (entry) => [programOf(entry)], fields: ['image', 'exec'], loose: false } satisfies ListKey, entries: INFERRED },
}

function programOf(fn: JsonValue): string {
  const exec = keyText(memberOf(fn, 'exec')) ?? ''
  return exec === '' ? ((keyText(memberOf(fn, 'image')) ?? '').split(':')[0] ?? '') : exec
}

/** Not as soon as one function anywhere has a name, or one list has the same image twice. */
function areToldApartByImage(sides: Sides<KrmObject>): boolean {
  return SIDES.every((side) => {
    const pipeline = sides[side]?.get(['pipeline'])
    return ['mutators', 'validators'].every((stage) => isUnnamed(memberOf(pipeline, stage)))
  })
}

function isUnnamed(functions: JsonValue | undefined): boolean {
  if (!Array.isArray(functions)) return true
  const programs = functions.map(programOf)
  return functions.every((fn) => (keyText(memberOf(fn, 'name')) ?? '') === '') && new Set(programs).size === programs.length
}

function pick(record: JsonRecord, keys: readonly string[]): JsonRecord {
  return Object.fromEntries(keys.flatMap((key) => (Object.hasOwn(record, key) ? [[key, lookup(record, key) ?? null]] : [])))
}

function without(record: JsonRecord, keys: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))
}
