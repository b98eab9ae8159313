import { editObject, shownName } from '../../src/convert/edit-object.ts'
import { formatFieldPath } from '../../src/field-path.ts'
import { equalJson } from '../../src/json.ts'
import { printable } from '../../src/printable.ts'
import { identityOfObject } from '../../src/resource-list/identity.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { countOf } from '../../src/wording.ts'
import type { Host } from '../host.ts'
import type { BuiltTree } from './built-tree.ts'
import { overlayObjects } from './overlay-objects.ts'
import { renderedObjects } from './rendered-packages.ts'
import { withUpstreamMark } from './upstream-mark.ts'

/** The edits of rendered packages that `convert` made: a line for each object of a cluster. */
export type Edits = ReadonlyMap<string, readonly string[]>

/** Adds lines about a cluster to those that are known. */
export function addEdits(edits: Map<string, readonly string[]>, id: string, lines: readonly string[]): void {
  if (lines.length > 0) edits.set(id, [...(edits.get(id) ?? []), ...lines])
}

export interface FleetReport {
  readonly edits: Edits
  /** Changes that people made in the fleet since the last conversion and the tree lacks: a line for each field. */
  readonly kept: Edits
}

/** Prints a row for each cluster, and what is not equal. Returns true if the objects of all clusters equal those of the tree. */
export function proveFleet(tree: BuiltTree, work: string, { edits, kept }: FleetReport, host: Host): boolean {
  let isProved = true
  for (const { path, id, folder } of tree.overlays) {
    const wanted = new Map(overlayObjects(tree, { id }).map((object) => [identityOfObject(object), object]))
    const rendered = new Map(renderedObjects(work, folder).map((object) => [identityOfObject(object), object]))
    const faults = [
      ...[...wanted].filter(([key]) => !rendered.has(key)).map(([, object]) => `${shownName(object)} is missing`),
      ...[...rendered].filter(([key]) => !wanted.has(key)).map(([, object]) => `${shownName(object)} is not in the overlay`),
      ...[...wanted].flatMap(([key, object]) => differences(object, rendered.get(key))),
    ]
    isProved &&= faults.length === 0
    const own = kept.get(id) ?? []
    const equal = `equal${own.length === 0 ? '' : ` but for ${countOf(own.length, 'change')} of the fleet`}, ${countOf(wanted.size, 'object')}`
    host.write(`${printable(path || '.')} → clusters/${folder}: ${faults.length === 0 ? equal : 'not equal'}\n`)
    for (const line of [...own, ...(edits.get(id) ?? [])]) host.write(`  ${printable(line)}\n`)
    for (const fault of faults) host.write(`  differs: ${printable(fault)}\n`)
  }
  return isProved
}

function differences(wanted: KrmObject, rendered: KrmObject | undefined): readonly string[] {
  if (rendered === undefined || equalJson(withUpstreamMark(wanted.toJson(), rendered), rendered.toJson())) return []
  const fields = editObject(KrmObject.fromDocument(rendered.toText()), withUpstreamMark(wanted.toJson(), rendered))
  return [`${shownName(wanted)} ${fields.map((field) => formatFieldPath(field)).join(', ')}`]
}
