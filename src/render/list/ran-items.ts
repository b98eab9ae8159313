import { objectsOf, readResources } from '../../folder/read-whole-package.ts'
import { isBytes } from '../../merge/package-files.ts'
import { itemDocument } from '../../resource-list/item-document.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { RenderedContent, RenderedObject } from '../clone/rendered-package.ts'
import type { RenderedPackage } from '../render-request.ts'

/** Returns the package with what its functions did to its files. An item keeps its place in the list, and a new one is added. */
export function withRun(made: RenderedPackage): RenderedPackage {
  if (made.run === undefined || made.run.changed.size === 0) return made
  const files = new Map(made.files)
  for (const [path, bytes] of made.run.changed) {
    const { layout } = bytes === undefined ? { layout: undefined } : readResources(path, bytes)
    if (layout === undefined) files.delete(path)
    else files.set(path, ranFile(objectsOf(layout), files.get(path)))
  }
  return { ...made, files }
}

/**
 * Returns the objects of a file after a run, each with the item that it was before: by its position, or by its identity in a file that
 * has more or fewer objects now.
 */
function ranFile(objects: readonly KrmObject[], before: RenderedContent = []): readonly RenderedObject[] {
  const known = isBytes(before) ? [] : before
  const isSameLength = known.length === objects.length
  const left = new Set(known)
  return objects.map((object, index): RenderedObject => {
    const one = isSameLength ? known[index] : [...left].find((each) => isSameResource(each.object, object))
    if (one === undefined) return { from: 'made', source: object, object }
    left.delete(one)
    return itemDocument(one.object).toText() === object.toText() ? one : { ...one, object }
  })
}

function isSameResource(a: KrmObject, b: KrmObject): boolean {
  return a.apiVersion === b.apiVersion && a.kind === b.kind && a.namespace === b.namespace && a.name === b.name
}
