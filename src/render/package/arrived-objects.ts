import { groupBy } from '../../group-by.ts'
import { AppliedTogether, isAppliedAsNamed } from '../../kubernetes/applied-together.ts'
import type { ObjectOfFile } from '../../kubernetes/objects-twice.ts'
import { objectsAt } from '../../merge/json-resource.ts'
import { objectsIn, type PackageContent, type PackageFiles, type Packages } from '../../merge/package-files.ts'
import { isSameContent } from '../../merge/same-content.ts'
import { isLocalConfig } from '../../resource-list/applied-objects.ts'
import { identityOfObject } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, isKptfile } from '../../resource-list/package-of.ts'
import { formatResourceRef, type Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'

/**
 * Returns a warning for each object that upstream brings in another file than before, or for the first time, although people have it in a
 * file of their own, or deleted it. An update compares file by file, and moves no resource from YAML to JSON: without a word, the package
 * would have the object twice, or again. A subpackage is applied with the package around it, so it may hold the twin.
 *
 * base: —    upstream x.yaml: ConfigMap x    people extra.yaml: ConfigMap x → both files, and a warning at extra.yaml
 */
export function arrivedObjects(
  { base, theirs, ours }: Packages,
  result: PackageFiles,
  placeOf: (path: string) => string,
): readonly Result[] {
  const news = [...theirs].flatMap(([path, content]) => {
    if (isKptfile(path) || isSameContent(content, base.get(path))) return []
    const [before, after] = [base.get(path), result.get(path)].map((each) => new Set(applied(path, each).map(identityOfObject)))
    return applied(path, content)
      .filter((object) => before?.has(identityOfObject(object)) === false && after?.has(identityOfObject(object)) === true)
      .map((object) => ({ path, object }))
  })
  if (news.length === 0) return []
  const kptfiles = new Map(
    [...result].flatMap(([path, content]) => (isKptfile(path) ? [[folderOf(path), objectsIn(content)[0]] as const] : [])),
  )
  const together = new AppliedTogether({ paths: result.keys(), kptfiles, roots: new Set(['']) })
  const [was, own] = [base, ours].map((files) => placesOf(files, new Set(news.map(({ object }) => object.name))))
  return news.flatMap(({ path, object }) => {
    const key = identityOfObject(object)
    const isBeside = (other: string) =>
      other !== path &&
      (together.ownPackage(other) === together.ownPackage(path) ||
        (isAppliedAsNamed(object) && together.packageOf(other) === together.packageOf(path)))
    const twins = (own?.get(key) ?? []).filter(
      (twin) => isBeside(twin.path) && !holds(theirs, twin.path, key) && holds(result, twin.path, key),
    )
    if (twins.length > 0) return twins.map((twin) => twiceNow(twin.object, placeOf(twin.path), path))
    const [former] = (was?.get(key) ?? []).filter((each) => each.path !== path && !holds(theirs, each.path, key))
    return former === undefined || own?.has(key) === true ? [] : [backAgain(object, placeOf(path), former.path)]
  })
}

/** Returns the objects with one of some names by their identity. */
function placesOf(files: PackageFiles, names: ReadonlySet<string | undefined>): ReadonlyMap<string, readonly ObjectOfFile[]> {
  const placed = [...files].flatMap(([path, content]) => applied(path, content).map((object) => ({ path, object })))
  const named = placed.filter(({ object }) => names.has(object.name))
  return groupBy(named, ({ object }) => identityOfObject(object))
}

function holds(files: PackageFiles, path: string, key: string): boolean {
  return applied(path, files.get(path)).some((object) => identityOfObject(object) === key)
}

/** Returns the objects of a file that a cluster gets. */
function applied(path: string, content: PackageContent | undefined): readonly KrmObject[] {
  const objects = isKptfile(path) ? [] : objectsAt(path, content)
  return objects.filter((object) => object.kind !== undefined && object.name !== undefined && !isLocalConfig(object))
}

/** Returns the warning about an object of people that upstream has in another file. */
function twiceNow(object: KrmObject, path: string, arrived: string): Result {
  return {
    severity: 'warning',
    message: `${formatResourceRef(object.ref)} must be in the package once, is now also in ${quoteText(arrived)}, where upstream has it; remove one of the two`,
    resourceRef: object.ref,
    file: { path, index: object.file?.index ?? 0 },
    position: object.positionOf(['metadata', 'name']),
    tags: { rule: 'duplicate-object' },
  }
}

/** Returns the warning about an object that people deleted and that an update brings back in another file. */
function backAgain(object: KrmObject, path: string, former: string): Result {
  return {
    severity: 'warning',
    message: `${formatResourceRef(object.ref)} was deleted here, and comes back: upstream moved it from ${quoteText(former)} to this file`,
    resourceRef: object.ref,
    file: { path, index: object.file?.index ?? 0 },
    tags: { rule: 'edit-lost' },
  }
}
