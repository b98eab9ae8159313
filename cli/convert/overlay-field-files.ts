import type { ExplainedCall } from '../../src/convert/explain-overlay.ts'
import { fieldSetCall, type Overlay, type PackageCalls } from '../../src/convert/fleet-texts.ts'
import {
  type FieldSet,
  fieldSetFiles,
  fieldSetOf,
  fieldSets,
  fieldsByObject,
  type OverlayField,
  overlayFields,
  unchangedFields,
  withCommonFields,
} from '../../src/convert/overlay-fields.ts'
import { pairObjects } from '../../src/convert/pair-objects.ts'
import { definedEntries } from '../../src/group-by.ts'
import { objectsOfRevision, type RevisionFiles } from '../../src/intake/next-revision.ts'
import { identityOfObject } from '../../src/resource-list/identity.ts'
import type { BuiltTree } from './built-tree.ts'
import { overlayObjects } from './overlay-objects.ts'
import { addEdits } from './prove-fleet.ts'
import { renderedObjects } from './rendered-packages.ts'
import { writeFile } from './write-fleet.ts'

/**
 * Writes the fields that overlays set and no setter writes into the first revisions of their packages, and adds the function that keeps
 * them to the calls of the clusters. Returns a line for each field, by the overlay.
 */
export function addOverlayFields(
  tree: BuiltTree,
  packages: Map<string, PackageCalls>,
  work: string,
): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, readonly string[]>()
  // The rendered package of an Application is the folder of its source, from which a controller applies every file.
  if (tree.from !== 'kustomize') return lines
  for (const [own, calls] of packages) {
    const users = tree.overlays.filter(({ target }) => calls.has(target))
    const byCluster = new Map(users.map((overlay) => [overlay.target, fieldsIn(tree, own, overlay, work)] as const))
    for (const { id, target } of users) {
      const fields = fieldsByObject(byCluster.get(target) ?? [])
      addEdits(
        lines,
        id,
        fields.map((text) => `${own}: apply-replacements ${text}`),
      )
    }
    packages.set(own, withSets(own, calls, fieldSets(byCluster), work))
  }
  return lines
}

function withSets(own: string, calls: PackageCalls, sets: readonly FieldSet[], work: string): PackageCalls {
  const all = new Map<string, readonly ExplainedCall[]>(calls)
  for (const set of sets) {
    for (const [path, text] of fieldSetFiles(set)) writeFile(work, `catalog/${own}@v1/${path}`, text)
    for (const cluster of set.clusters) all.set(cluster, [...(calls.get(cluster) ?? []), fieldSetCall(set.clusters[0] ?? '')])
  }
  return all
}

function fieldsIn(tree: BuiltTree, own: string, { id, folder }: Overlay, work: string): readonly OverlayField[] {
  const wanted = overlayObjects(tree, { id })
  const pairs = pairObjects(renderedObjects(work, folder), wanted)
  const known = new Map([...pairs].map(([object, other]) => [identityOfObject(object), other]))
  const rendered = renderedObjects(work, `${folder}/${own}`)
  const ownPairs = definedEntries(rendered.map((object) => [object, known.get(identityOfObject(object))]))
  return withCommonFields(overlayFields(rendered, ownPairs), wanted)
}

/**
 * Returns the files of sets, by path, without the fields that an overlay now has otherwise: those become edits. Nothing for sets in which
 * each field is as it was.
 */
export function changedFieldSets(tree: BuiltTree, last: RevisionFiles): ReadonlyMap<string, string> {
  const files = objectsOfRevision(last).flatMap((object) => {
    const set = fieldSetOf(object)
    if (set === undefined) return []
    const users = tree.overlays.filter(({ target }) => set.clusters.includes(target))
    const kept = users.reduce((fields, user) => unchangedFields(fields, overlayObjects(tree, user)), set.fields)
    return kept.length === set.fields.length ? [] : [...fieldSetFiles({ ...set, fields: kept })]
  })
  return new Map(files)
}
