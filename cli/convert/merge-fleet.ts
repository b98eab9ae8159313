import { posix } from 'node:path'
import { shownName } from '../../src/convert/edit-object.ts'
import { fieldPathIn, mergeFleetChanges, readRecordedObjects, recordObjects, type SideChange } from '../../src/convert/fleet-changes.ts'
import { BASE_PATHS, OVERLAY_PATHS, RECORD } from '../../src/convert/fleet-texts.ts'
import type { VendorObject } from '../../src/intake/vendor-objects.ts'
import type { JsonRecord, JsonValue } from '../../src/json.ts'
import { identityOfObject } from '../../src/resource-list/identity.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import { emitValue } from '../../src/yaml/emit/emit.ts'
import { UsageError } from '../usage-error.ts'
import type { BuiltTree } from './built-tree.ts'
import { overlayObjects } from './overlay-objects.ts'
import type { Edits } from './prove-fleet.ts'
import { renderedObjects } from './rendered-packages.ts'
import { isShared } from './shared-objects.ts'
import { withoutUpstreamMark } from './upstream-mark.ts'

/** Returns the digests of the objects of each overlay, for the next conversion. */
export function recordedObjects(tree: BuiltTree): Readonly<Record<string, string>> {
  return Object.fromEntries(
    tree.overlays.map(({ id }) => {
      const objects = overlayObjects(tree, { id }).map((object) => [identityOfObject(object), object.toJson()] as const)
      return [id, recordObjects(new Map(objects))]
    }),
  )
}

/** Returns the sorted paths of the overlays and bases of a tree, by which the next conversion gives them the same names. */
export function recordedPlaces({ from, overlays, packages }: BuiltTree): Readonly<Record<string, string>> {
  if (from !== 'kustomize') return {}
  const lines = (places: readonly (readonly [string, string])[]) =>
    places
      .map(([name, path]) => `${name} ${path}\n`)
      .toSorted()
      .join('')
  return {
    [OVERLAY_PATHS]: lines(overlays.map(({ id, path }) => [id, path])),
    [BASE_PATHS]: lines([...packages].flatMap(([path, name]) => (isShared(path) ? [] : [[name, path] as const]))),
  }
}

/**
 * Returns the tree with the changes that were made in the rendered fleet since the last conversion, and a line for each such change.
 *
 * @param recorded  the digests that the last conversion wrote, by overlay; an overlay that is new since has none
 * @param out  the place of the fleet, for findings
 * @throws FunctionError for fields that were changed in the fleet and in the tree
 */
export function mergeFleet(
  tree: BuiltTree,
  work: string,
  recorded: JsonRecord,
  out: string,
): { readonly wanted: BuiltTree; readonly kept: Edits } {
  const [targets, kept] = [new Map(tree.targets), new Map<string, readonly string[]>()]
  const conflicts: Result[] = []
  for (const { id, path, folder } of tree.overlays) {
    if (!Object.hasOwn(recorded, id)) continue
    const known = readRecordedObjects(String(recorded[id]))
    if (known === undefined)
      throw new UsageError(`'${RECORD}' must have a line for each object of '${id}', as convert wrote it: convert into a new folder`)
    const wanted = new Map((tree.targets.get(id) ?? []).map((each) => [identityOfObject(each.object), each]))
    const own = new Map(renderedObjects(work, folder).map((object) => [identityOfObject(object), object]))
    const lines: string[] = []
    const merged = [...wanted.keys(), ...[...own.keys()].filter((key) => !wanted.has(key))].flatMap((key): readonly VendorObject[] => {
      const [fleet, other] = [own.get(key), wanted.get(key)]
      const object = fleet ?? other?.object
      if (object === undefined) return []
      const result = mergeFleetChanges(known.get(key), fleet && withoutUpstreamMark(fleet), other?.object.toJson())
      lines.push(...result.kept.map((field) => `kept: ${changeText(object, field, 'in the fleet', 'in the tree')}`))
      conflicts.push(...result.conflicts.map((field) => conflict(object, field, fleet, { path, out })))
      if (result.value === undefined) return []
      if (other !== undefined && result.kept.length === 0) return [other]
      return [
        { object: KrmObject.fromDocument(emitValue(result.value, { column: 0, sequences: 'wide' }).trimStart()), head: other?.head ?? '' },
      ]
    })
    targets.set(id, merged)
    if (lines.length > 0) kept.set(id, lines)
  }
  if (conflicts.length > 0) throw new FunctionError(conflicts)
  return { wanted: { ...tree, targets }, kept }
}

function conflict(
  object: KrmObject,
  field: SideChange,
  fleet: KrmObject | undefined,
  { path, out }: { readonly path: string; readonly out: string },
): Result {
  const change = changeText(object, field, 'in the fleet', `in '${path}'`)
  return {
    severity: 'error',
    message: `the fleet and the tree both changed ${change}; write one value into both, or take one of the changes back`,
    ...(fleet && {
      resourceRef: fleet.ref,
      ...(fleet.file && { file: { ...fleet.file, path: posix.join(out, fleet.file.path) } }),
      position: fleet.positionOf(fieldPathIn(fleet.toJson(), field)),
    }),
    tags: { rule: 'convert-conflict' },
  }
}

/** Returns the words of a change: `Deployment prod/shop spec.replicas: 5 in the fleet, 3 in the tree`. */
function changeText(object: KrmObject, { path, fleet, tree }: SideChange, inFleet: string, inTree: string): string {
  const show = (value: JsonValue | undefined, place: string) => `${shownValue(value, object.kind === 'Secret' && path !== '')} ${place}`
  return `${shownName(object)}${path === '' ? '' : ` ${path}`}: ${show(fleet, inFleet)}, ${show(tree, inTree)}`
}

function shownValue(value: JsonValue | undefined, isSecret: boolean): string {
  if (value === undefined) return 'not there'
  if (isSecret) return 'another value'
  return typeof value === 'object' && value !== null ? 'there' : String(value)
}
