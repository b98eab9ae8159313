import { compareText } from '../../field-path.ts'
import { resourcesOfBytes } from '../../folder/read-whole-package.ts'
import { typedNames } from '../../kinds/misread-metadata.ts'
import { isAppliedAsNamed } from '../../kubernetes/applied-together.ts'
import { type ObjectOfFile, objectsTwice } from '../../kubernetes/objects-twice.ts'
import { repeatedEntries } from '../../kubernetes/unique-entries.ts'
import { objectsAt } from '../../merge/json-resource.ts'
import { objectsIn, type PackageContent, type PackageFiles } from '../../merge/package-files.ts'
import { appliedObjects } from '../../resource-list/applied-objects.ts'
import { identityOfObject } from '../../resource-list/identity.ts'
import { folderOf, isKptfile } from '../../resource-list/package-of.ts'
import { findingsOf, formatResourceRef, type Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { contentsOf } from '../clone/rendered-package.ts'
import type { RenderedPackage, RenderRequest } from '../render-request.ts'

/**
 * Returns warnings about the objects of a package after its functions ran, of which `check` has findings once the package is written: names
 * that no API server takes, entries of a list that have what only one may have, if an update brings them, and objects that the package holds
 * twice, and did not before. Twins that an update warned of are left out.
 *
 * @param after  the files of the package after its functions ran
 */
export function finishedFindings(
  after: PackageFiles,
  made: Pick<RenderedPackage, 'results'>,
  request: Pick<RenderRequest, 'folder' | 'downstream'>,
): readonly Result[] {
  return [...namesOfNoObject(after, request.folder), ...newRepeats(after, request), ...newTwins(after, made, request)]
}

function newRepeats(files: PackageFiles, { folder, downstream }: Pick<RenderRequest, 'folder' | 'downstream'>): readonly Result[] {
  // A new package has what upstream has: no two sides could bring one value.
  if (downstream === undefined) return []
  const found = repeatsIn(files)
  if (found.length === 0) return []
  const before = new Set(repeatsIn(downstream).map(({ key }) => key))
  return found.flatMap(({ key, path, result }) =>
    before.has(key) ? [] : [{ ...result, file: { path: `${folder}/${path}`, index: result.file?.index ?? 0 } }],
  )
}

/** Returns the findings about repeated entries of the objects that a cluster gets, each with a text for the object and the fault. */
function repeatsIn(files: PackageFiles): readonly { readonly key: string; readonly path: string; readonly result: Result }[] {
  return [...files].flatMap(([path, content]) =>
    isKptfile(path)
      ? []
      : objectsAt(path, content)
          .flatMap(appliedObjects)
          .filter(isAppliedAsNamed)
          .flatMap((object) =>
            repeatedEntries(object).map((result) => ({ key: `${identityOfObject(object)} ${result.message}`, path, result })),
          ),
  )
}

/** Returns the files of a package after its functions ran. */
export function finishedFiles({ files, run }: Pick<RenderedPackage, 'files' | 'run'>): PackageFiles {
  const after = new Map<string, PackageContent>(contentsOf(files))
  for (const [path, bytes] of run?.changed ?? []) {
    if (bytes === undefined) after.delete(path)
    else after.set(path, path.endsWith('.json') ? bytes : resourcesOfBytes(path, bytes))
  }
  return after
}

/** Returns a warning for each name or namespace of an applied object that is no text: kpt reads it as text, and an API server refuses it. */
function namesOfNoObject(files: PackageFiles, folder: string): readonly Result[] {
  return [...files].flatMap(([path, content]) =>
    isKptfile(path)
      ? []
      : objectsAt(path, content).flatMap((item) =>
          appliedObjects(item)
            .filter(isAppliedAsNamed)
            .flatMap((object) => findingsOf(() => typedNames(object)))
            .map((fault) => ({
              ...fault,
              severity: 'warning' as const,
              file: { path: `${folder}/${path}`, index: item.file?.index ?? 0 },
            })),
        ),
  )
}

function newTwins(
  files: PackageFiles,
  { results }: Pick<RenderedPackage, 'results'>,
  { folder, downstream }: Pick<RenderRequest, 'folder' | 'downstream'>,
): readonly Result[] {
  const found = twinsIn(files)
  if (found.length === 0) return []
  const before = new Set((downstream === undefined ? [] : twinsIn(downstream)).map(keyOf))
  const said = new Set(
    results.flatMap(({ tags, resourceRef }) => (tags.rule === RULE && resourceRef ? formatResourceRef(resourceRef) : [])),
  )
  return found
    .filter((twins) => !before.has(keyOf(twins)) && !twins.some(({ object }) => said.has(formatResourceRef(object.ref))))
    .flatMap(([first, ...others]) => others.map((other) => twice(first?.path ?? '', other, folder)))
}

const RULE = 'duplicate-object'

function twinsIn(files: PackageFiles): readonly (readonly ObjectOfFile[])[] {
  const kptfiles = new Map(
    [...files].flatMap(([path, content]) => (isKptfile(path) ? [[folderOf(path), objectsIn(content)[0]] as const] : [])),
  )
  const inOrder = [...files].sort(([a], [b]) => compareText(a, b))
  const items = inOrder.flatMap(([path, content]) => {
    return objectsAt(path, content).map((object) => ({ object, path }))
  })
  return objectsTwice(items, { kptfiles, roots: new Set(['']) })
}

function keyOf(twins: readonly ObjectOfFile[]): string {
  return twins.map(({ object, path }) => `${path} ${identityOfObject(object)}`).join('\n')
}

function twice(first: string, { object, path }: ObjectOfFile, folder: string): Result {
  return {
    severity: 'warning',
    message: `${formatResourceRef(object.ref)} must be in the package once, is also in ${quoteText(first)}; a cluster keeps one of the two`,
    resourceRef: object.ref,
    file: { path: `${folder}/${path}`, index: object.file?.index ?? 0 },
    position: object.positionOf(['metadata', 'name']),
    tags: { rule: RULE },
  }
}
