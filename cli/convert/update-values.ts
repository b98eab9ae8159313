import { explainCalls } from '../../src/convert/explain-overlay.ts'
import { setterText } from '../../src/convert/find-setters.ts'
import { type Overlay, valueName } from '../../src/convert/fleet-texts.ts'
import { pairObjects } from '../../src/convert/pair-objects.ts'
import { asRecord } from '../../src/json.ts'
import { remember } from '../../src/remember.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { BuiltTree } from './built-tree.ts'
import { clusterValues, setterFields, VALUES_FILE } from './cluster-setters.ts'
import { fleetObjects, withFleetObjects } from './fleet-objects.ts'
import { baseObjects, overlayObjects } from './overlay-objects.ts'
import { renderedObjects } from './rendered-packages.ts'
import { writeFile } from './write-fleet.ts'

/**
 * Writes the values of setters and functions that overlays changed since the last conversion into the values of their clusters, since an
 * edit of the rendered package would be taken back by the setter. Returns a line for each value, by the overlay.
 */
export function updateValues(tree: BuiltTree, work: string): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, readonly string[]>()
  const objects = fleetObjects(work, VALUES_FILE)
  for (const overlay of tree.overlays) {
    const values = clusterValues(objects, overlay.target)
    if (values === undefined) continue
    const own = overlay.bases.flatMap((path) => changeValues(tree, work, overlay, path, values))
    if (own.length > 0) lines.set(overlay.id, own)
  }
  if (lines.size > 0) writeFile(work, VALUES_FILE, withFleetObjects(work, VALUES_FILE, objects))
  return lines
}

function changeValues(tree: BuiltTree, work: string, overlay: Overlay, path: string, values: KrmObject): readonly string[] {
  const name = tree.packages.get(path) ?? ''
  const known = asRecord(asRecord(values.get(['spec']))[name])
  const wanted = overlayObjects(tree, overlay)
  const rendered = renderedObjects(work, overlay.packagePath === undefined ? `${overlay.folder}/${name}` : overlay.folder)
  const found = new Map([...valuesOfFunctions(tree, path, wanted), ...valuesOfSetters(rendered, wanted)])
  return [...found].flatMap(([key, text]) => {
    if (!Object.hasOwn(known, key) || known[key] === text) return []
    values.set(['spec', name, key], text)
    return [`${name}: ${key} ${String(known[key])} → ${text}`]
  })
}

function valuesOfFunctions(tree: BuiltTree, path: string, wanted: readonly KrmObject[]): readonly (readonly [string, string])[] {
  const bases = baseObjects(tree, path)
  const calls = explainCalls(bases, pairObjects(bases, wanted))
  return calls.flatMap((call) => Object.entries(call.values).map(([key, value]) => [valueName(call, key), value] as const))
}

/** Returns the values of the setters behind fields that are not as wanted. A setter of two fields that differ now keeps its value. */
function valuesOfSetters(rendered: readonly KrmObject[], wanted: readonly KrmObject[]): readonly (readonly [string, string])[] {
  const texts = new Map<string, Set<string | undefined>>()
  for (const { name, from, to } of setterFields(rendered, wanted)) remember(texts, name, () => new Set()).add(setterText(from, to))
  return [...texts].flatMap(([name, [text, ...others]]) => (text === undefined || others.length > 0 ? [] : [[name, text] as const]))
}
