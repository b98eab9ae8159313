import type { FieldPath } from '../field-path.ts'
import { asRecord, equalJson, isRecord, type JsonRecord, type JsonValue, lookup, memberOf } from '../json.ts'
import { PIPELINE_LISTS } from '../kinds/kptfile.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Share } from './merge-object.ts'
import { INFERRED, type MergeRule } from './merge-rule.ts'
import { pairFunctions } from './pair-functions.ts'
import { statusByHand } from './rendering.ts'
import type { ThreeWay } from './three-way.ts'

/** The parts of a Kptfile that are merged (kpt pkg/kptfile/kptfileutil merge). Its name, namespace and upstream are the downstream's own. */
const PARTS = ['info', 'pipeline', 'inventory', 'status'] as const
const METADATA_PARTS = ['annotations', 'labels'] as const

/** What of the Kptfile of the package itself is merged, and how. */
export function rootKptfileShare(): Share {
  return kptfileShare({})
}

/** What of a subpackage's Kptfile is merged; `upstream` and `upstreamLock` are those that it has upstream. */
export function subpackageKptfileShare({ upstream }: Pick<ThreeWay<KrmObject>, 'upstream'>): Share {
  return kptfileShare(pick(upstream?.toJson() ?? {}, ['upstream', 'upstreamLock']))
}

function kptfileShare(taken: JsonRecord): Share {
  const pipeline = { fields: { mutators: FUNCTIONS, validators: FUNCTIONS } }
  return {
    rule: { fields: { metadata: INFERRED, info: INFERRED, inventory: INFERRED, status: INFERRED, pipeline } },
    take: (kptfile) => ({ ...withoutRendered(pick(kptfile, PARTS)), metadata: pick(asRecord(kptfile.metadata), METADATA_PARTS) }),
    put: (merged, kptfile) => ({ ...put(merged, kptfile), ...taken }),
    arrange: (kptfile, merged) => {
      for (const { path } of Object.values(PIPELINE_LISTS))
        arrangeFunctions(kptfile, path, path.reduce<JsonValue | undefined>(memberOf, merged))
    },
  }
}

/** The parts without what rendering noted: it is true no longer. */
function withoutRendered(parts: JsonRecord): JsonRecord {
  const { status, ...others } = parts
  const own = isRecord(status) ? statusByHand(status) : status
  return own === undefined || (own !== status && equalJson(own, {})) ? others : { ...parts, status: own }
}

function put(merged: JsonRecord, kptfile: JsonRecord): JsonRecord {
  const { metadata: mergedMetadata, ...parts } = merged
  const metadata = { ...without(asRecord(kptfile.metadata), METADATA_PARTS), ...asRecord(mergedMetadata) }
  return { ...without(kptfile, PARTS), metadata, ...parts }
}

/** The functions of a pipeline, whether they have names or not. One that comes back has its name and what it runs. */
const FUNCTIONS: MergeRule = { list: { key: { pair: pairFunctions, fields: ['name', 'image', 'exec'] }, entries: INFERRED } }

/**
 * Brings the functions of a list that stay to their places and values in the new list. Each keeps its comments: a function without a name
 * would otherwise be taken for the one that stood at its position.
 */
function arrangeFunctions(kptfile: KrmObject, list: FieldPath, after: JsonValue | undefined): void {
  const before = kptfile.get(list)
  if (!Array.isArray(before) || !Array.isArray(after)) return
  const pairs = pairFunctions({ original: before, upstream: after, downstream: undefined })
  const staying = pairs.filter(({ original, upstream }) => original !== undefined && upstream !== undefined)
  staying.sort((a, b) => (a.upstream ?? 0) - (b.upstream ?? 0))
  const isStaying = new Set(staying.map(({ original }) => original))
  const order = [...before.keys()].filter((at) => isStaying.has(at))
  for (const at of [...before.keys()].reverse()) if (!isStaying.has(at)) kptfile.delete([...list, at])
  for (const [to, { original = 0, upstream = 0 }] of staying.entries()) {
    const from = order.indexOf(original, to)
    kptfile.move(list, from, to)
    order.splice(to, 0, ...order.splice(from, 1))
    kptfile.set([...list, to], after[upstream] ?? null)
  }
}

function pick(record: JsonRecord, keys: readonly string[]): JsonRecord {
  return Object.fromEntries(keys.flatMap((key) => (Object.hasOwn(record, key) ? [[key, lookup(record, key) ?? null]] : [])))
}

function without(record: JsonRecord, keys: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))
}
