import type { FieldPath } from '../field-path.ts'
import { asRecord, equalJson, isRecord, type JsonRecord, type JsonValue, lookup, memberOf } from '../json.ts'
import { PIPELINE_LISTS } from '../kinds/kptfile.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { KPTFILE } from '../resource-list/package-of.ts'
import { mergeResource } from './merge-documents.ts'
import type { ResourceSides, Share } from './merge-object.ts'
import { INFERRED, type MergeRule } from './merge-rule.ts'
import type { MergedFile } from './merged-package.ts'
import type { PackageFiles, ThreeWay } from './package-files.ts'
import { pairFunctions } from './pair-functions.ts'
import { statusByHand } from './rendering.ts'

/**
 * Merges the Kptfile of the package or of a subpackage. If upstream removed the Kptfile, upstream's content is removed from the
 * downstream's.
 *
 * @param upstream  as in a MergeRequest
 */
export function mergeKptfile(path: string, sides: ResourceSides, upstream?: PackageFiles): MergedFile {
  const share = path === KPTFILE ? rootKptfileShare() : subpackageKptfileShare(sides)
  const { object, outcomes, results } = mergeResource(path, sides, upstream, share)
  return { path, content: object && [object], outcomes, results }
}

/**
 * The fields of a Kptfile that stay the downstream's; of metadata, annotations and labels are merged (kpt
 * pkg/kptfile/kptfileutil merge). All others are merged, also fields that kpt does not know, with which kpt refuses a Kptfile: a field
 * of a newer kpt must not be lost.
 */
const OWN = ['apiVersion', 'kind', 'metadata', 'upstream', 'upstreamLock'] as const
const METADATA_PARTS = ['annotations', 'labels'] as const

/** Returns the share of the package's own Kptfile. */
function rootKptfileShare(): Share {
  return kptfileShare({})
}

/** Returns the share of a subpackage's Kptfile, whose `upstream` and `upstreamLock` are taken from the new upstream. */
function subpackageKptfileShare({ theirs }: Pick<ThreeWay<KrmObject>, 'theirs'>): Share {
  return kptfileShare(pick(theirs?.toJson() ?? {}, ['upstream', 'upstreamLock']))
}

function kptfileShare(taken: JsonRecord): Share {
  const pipeline = { fields: { mutators: FUNCTIONS, validators: FUNCTIONS } }
  return {
    rule: { fields: { metadata: INFERRED, info: INFERRED, inventory: INFERRED, status: INFERRED, pipeline } },
    take: (kptfile) => ({ ...withoutRendered(without(kptfile, OWN)), metadata: pick(asRecord(kptfile.metadata), METADATA_PARTS) }),
    put: (merged, kptfile) => ({ ...put(merged, kptfile), ...taken }),
    arrange: (kptfile, merged) => {
      for (const { path } of Object.values(PIPELINE_LISTS))
        arrangeFunctions(kptfile, path, path.reduce<JsonValue | undefined>(memberOf, merged))
    },
  }
}

/** Returns the parts without render status, which is outdated after a merge. */
function withoutRendered(parts: JsonRecord): JsonRecord {
  const { status, ...others } = parts
  const own = isRecord(status) ? statusByHand(status) : status
  return own === undefined || (own !== status && equalJson(own, {})) ? others : { ...parts, status: own }
}

function put(merged: JsonRecord, kptfile: JsonRecord): JsonRecord {
  const { metadata: mergedMetadata, ...parts } = merged
  const metadata = { ...without(asRecord(kptfile.metadata), METADATA_PARTS), ...asRecord(mergedMetadata) }
  return { ...pick(kptfile, OWN), metadata, ...parts }
}

/** The rule of a pipeline's functions, with or without names. A restored function has its name and its image or program. */
const FUNCTIONS: MergeRule = { list: { key: { pair: pairFunctions, fields: ['name', 'image', 'exec'] }, entries: INFERRED } }

/**
 * Moves the functions that stay to their places in the new list and writes their new values. Each keeps its comments: a function
 * without a name would otherwise get the comments of the function that was at its position.
 */
function arrangeFunctions(kptfile: KrmObject, list: FieldPath, after: JsonValue | undefined): void {
  const before = kptfile.get(list)
  if (!Array.isArray(before) || !Array.isArray(after)) return
  const pairs = pairFunctions({ base: before, theirs: after, ours: undefined })
  const staying = pairs.filter(({ base, theirs }) => base !== undefined && theirs !== undefined)
  staying.sort((a, b) => (a.theirs ?? 0) - (b.theirs ?? 0))
  const isStaying = new Set(staying.map(({ base }) => base))
  const order = [...before.keys()].filter((at) => isStaying.has(at))
  for (const at of [...before.keys()].reverse()) if (!isStaying.has(at)) kptfile.delete([...list, at])
  for (const [to, { base = 0, theirs = 0 }] of staying.entries()) {
    const from = order.indexOf(base, to)
    kptfile.move(list, from, to)
    order.splice(to, 0, ...order.splice(from, 1))
    kptfile.set([...list, to], after[theirs] ?? null)
  }
}

function pick(record: JsonRecord, keys: readonly string[]): JsonRecord {
  return Object.fromEntries(keys.flatMap((key) => (Object.hasOwn(record, key) ? [[key, lookup(record, key) ?? null]] : [])))
}

function without(record: JsonRecord, keys: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))
}
