import { formatFieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { asRecord, compactJson, equalJson, type JsonRecord, type JsonValue, scalarText } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { keyOfIdentity } from '../resource-list/object-index.ts'
import { formatResourceRef, type Result } from '../result.ts'
import { describeValue, quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { shellWord } from '../shell-word.ts'
import { SYNC_ANNOTATION } from '../well-known.ts'
import { countOf, cutText, nameFirst } from '../wording.ts'
import { generatorOf, mergeBaseOf, settleLeft, systemOf, withMarks, withoutMarks } from './generated-objects.ts'
import { type ContestedValue, mergeSyncObject } from './merge-sync-object.ts'
import { missingEntries, type ReconciledObject } from './missing-entries.ts'
import { findMovedObjects, type WasIn } from './moved-objects.ts'
import type { SyncOptions } from './options.ts'
import { editsTakenOver, editsThatGo } from './people-edits.ts'
import { earlyRemovals, removalFaults } from './removals.ts'

/** The changes of the sync objects of a list. */
export interface SyncChanges {
  /** The new objects, each with the object that deployed the same until now, whose text the new one is made of. */
  readonly created: readonly { readonly value: JsonRecord; readonly former?: KrmObject }[]
  /** The objects that change, with their new values. */
  readonly updated: readonly { readonly object: KrmObject; readonly value: JsonRecord }[]
  readonly removed: readonly KrmObject[]
  readonly results: readonly Result[]
}

/** The history of a list, as far as it is known. */
export interface SyncHistory {
  /** The sync objects of the last commit, which the cluster may still have; undefined outside of a git repository. */
  readonly committed?: readonly KrmObject[] | undefined
  readonly wasIn?: WasIn
}

/**
 * Compares the wanted objects with those of a list. An object that is there is merged: the object as it was last generated is the base, so
 * that people's edits stay. So is an object that deploys under a new name what another one deployed. An object that nothing needs any more
 * is kept and deletes nothing in its cluster, until its name is in the option `remove`.
 */
export function reconcileSyncObjects(
  wanted: readonly JsonRecord[],
  items: readonly KrmObject[],
  options: SyncOptions,
  { committed = [], wasIn = () => false }: SyncHistory = {},
): SyncChanges {
  const present = items.filter((object) => systemOf(object) !== undefined)
  const byKey = new Map(present.map((object) => [keyOf(object.toJson()), object]))
  const needed = new Set(wanted.map(keyOf))
  const left = present.filter((object) => generatorOf(object) === options.name && !needed.has(keyOf(object.toJson())))
  const coming = wanted.filter((value) => !byKey.has(keyOf(value)))
  const formerOf = findMovedObjects({ coming, left, wanted, present }, wasIn)
  const merged = wanted.map((value) => reconcile(value, byKey.get(keyOf(value)) ?? formerOf.get(value), options))
  const settled = left.map((object) => ({ object, value: settleLeft(object) }))
  // Flux deletes all resources of a Kustomization that goes while it prunes: `prune: false` must be in the cluster first.
  const canGo = settled.every(({ object, value }) => equalJson(object.toJson(), value))
  const removed = canGo ? left.filter(({ name = '' }) => options.remove.has(name)) : []
  const kept = left.filter((object) => !removed.includes(object))
  const updated = [...merged.flatMap((each) => each.updated ?? []), ...settled]
  const created = merged.flatMap((each) => each.created ?? [])
  const scene = () => ({
    left,
    wanted: new Set(wanted.map(({ metadata }) => scalarText(asRecord(metadata).name))),
    values: new Map([
      ...items.map((object) => [object, object.toJson()] as const),
      ...updated.map(({ object, value }) => [object, value] as const),
    ]),
  })
  return {
    created,
    updated: updated.filter(({ object, value }) => !equalJson(object.toJson(), value)),
    removed,
    results: [
      ...(options.remove.size === 0 ? [] : removalFaults(scene(), options)),
      ...earlyRemovals(removed, committed),
      ...merged.flatMap(({ results }) => results),
      ...missingEntries(merged.flatMap((each) => each.updated ?? [])),
      ...editsTakenOver(formerOf),
      ...editsThatGo(left, [
        ...created.map(({ value }) => value),
        ...merged.flatMap((each): readonly JsonRecord[] => (each.updated ? [each.updated.value] : [])),
      ]),
      ...[...groupBy(kept, ({ name = '' }) => options.remove.has(name))].map(([isNamed, objects]) => leftWarning(objects, isNamed)),
      ...orphans(present, items, options),
    ],
  }
}

interface Reconciled {
  readonly created?: SyncChanges['created'][number]
  readonly updated?: ReconciledObject
  readonly results: readonly Result[]
}

function reconcile(wanted: JsonRecord, object: KrmObject | undefined, { name }: SyncOptions): Reconciled {
  if (object === undefined) return { created: { value: withMarks(wanted, wanted, name) }, results: [] }
  const owner = generatorOf(object)
  if (owner !== name) {
    const whose = owner === '' ? 'no GenerateSync generated it' : `the GenerateSync '${owner}' generated it`
    const message = `must be '${name}' for an object that is generated, and ${whose}; rename one of the two, or write the annotation to hand it over`
    const path = ['metadata', 'annotations', SYNC_ANNOTATION]
    return { results: [faultToResult(object, { severity: 'error', rule: 'sync-name', path, message })] }
  }
  const base = mergeBaseOf(object)
  const ours = withoutMarks(object.toJson())
  const { value, lost, kept } = mergeSyncObject({ base: base ?? wanted, theirs: wanted, ours })
  const marked = withMarks(value, wanted, name)
  return {
    ...(keyOf(wanted) === keyOf(object.toJson())
      ? { updated: { object, wanted, value: marked } }
      : { created: { value: marked, former: object } }),
    results: [
      ...lost.map((each) => contestedWarning(object, each, 'that is taken')),
      ...kept.map((each) => contestedWarning(object, each, 'the value here stays, since the kinds of the two differ')),
    ],
  }
}

function contestedWarning(object: KrmObject, { field, ours, theirs }: ContestedValue, fate: string): Result {
  return {
    severity: 'warning',
    message: `\`${formatFieldPath(field)}\` is ${shown(ours)} here; the fleet changed it to ${shown(theirs)}, and ${fate}`,
    resourceRef: object.ref,
    ...(object.file && { file: object.file, position: object.positionOf(field) }),
    tags: { rule: 'sync-edit-lost' },
  }
}

/** The most characters of a list or map in a message. */
const LONGEST_VALUE = 200

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return 'absent'
  return typeof value === 'object' && value !== null ? cutText(compactJson(value), LONGEST_VALUE) : describeValue(value)
}

/** The most names of left objects in a message. `--remove` takes them. */
const MOST_LEFT = 20

/**
 * Returns a warning for objects that the fleet does not need any more, at the first of the objects.
 *
 * @param isNamed  true for objects that the option `remove` names and that must be settled in the cluster first
 */
function leftWarning([first, ...others]: readonly [KrmObject, ...KrmObject[]], isNamed: boolean): Result {
  const names = [first, ...others].map(({ name = '' }) => name)
  const options = nameFirst(names, MOST_LEFT, (name) => `--remove ${shellWord(name)}`).replaceAll(', ', ' ')
  const [stay, remove] =
    others.length === 0
      ? ['the object stays and deletes nothing in its cluster', 'removes the object']
      : ['the objects stay and delete nothing in their clusters', 'removes the objects']
  const how = isNamed
    ? 'commit and apply this state first, so that no controller deletes anything; then the same options remove what they name'
    : `commit and apply this state first; then ${options}, or \`remove: [${nameFirst(names, MOST_LEFT)}]\` in the GenerateSync, ${remove}`
  const rest = others.length === 0 ? '' : `, like ${countOf(others.length, 'other object')}`
  const message = `is ${quoteText(names[0] ?? '')}, which the fleet does not need any more${rest}; ${stay}; ${how}`
  return faultToResult(first, { severity: 'warning', rule: 'sync-left', path: ['metadata', 'name'], message })
}

/**
 * Returns a warning for each GenerateSync that the list does not have, at the first of the objects that it generated. Objects of another
 * system are the concern of a run for that system.
 */
function orphans(present: readonly KrmObject[], items: readonly KrmObject[], { name, system }: SyncOptions): readonly Result[] {
  const known = new Set([name, ...items.filter(({ kind }) => kind === 'GenerateSync').map((config) => config.name)])
  const left = present.filter((object) => systemOf(object) === system && generatorOf(object) !== '' && !known.has(generatorOf(object)))
  return [...groupBy(left, generatorOf)].map(([owner, [object, ...others]]) => {
    const which = `${formatResourceRef(object.ref)}${others.length === 0 ? ' stays as it is' : ` and ${countOf(others.length, 'other object')} stay as they are`}`
    const message = `names a GenerateSync that the list does not have, ${quoteText(owner)}; ${which}`
    const path = ['metadata', 'annotations', SYNC_ANNOTATION]
    return faultToResult(object, { severity: 'warning', rule: 'sync-orphaned', path, message })
  })
}

function keyOf(value: JsonRecord): string {
  const { apiVersion, kind, namespace, name } = keyOfIdentity(value)
  return [groupOf(scalarText(apiVersion)), kind, namespace, name].join(' ')
}
