import { asRecord, equalJson, type JsonRecord } from '../../json.ts'
import { withoutCloneMarks } from '../../merge/clone-marks.ts'
import { isBytes, objectsIn, type PackageContent, type PackageFiles } from '../../merge/package-files.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, joinPath, KPTFILE } from '../../resource-list/package-of.ts'
import { CONTEXT_NAME, isPackageContext } from '../../variant/package-context.ts'
import { withoutContexts } from '../clone/clone-context.ts'
import { draftOf, mayHoldWord, objectAt, type RenderedContent, type RenderedFiles, type RenderedObject } from '../clone/rendered-package.ts'

export const KPT_KEYS = ['name', 'package-path']

/**
 * Returns the files after an update, with the package contexts that the downstream package had: a removed one is restored, and the keys
 * that kpt or Porch wrote keep the downstream's values (seed 000, Package Context: `name` is the package's). The context of a subpackage
 * that is gone is gone too, and that of a subpackage with the name of its Kptfile follows a new name of the Kptfile.
 */
export function withContexts(files: RenderedFiles, downstream: PackageFiles): RenderedFiles {
  const kept = new Map(files)
  for (const { path, context } of contextsIn(downstream)) {
    const kptfile = joinPath(folderOf(path), KPTFILE)
    if (!files.has(kptfile) && downstream.has(kptfile)) continue
    const named = path.includes('/') ? renamed(context, objectsIn(downstream.get(kptfile))[0], objectAt(files, kptfile)) : context
    kept.set(path, withContext(kept.get(path), { from: 'ours', source: context, object: named }))
  }
  return kept
}

/** Returns a package context with the new name of the Kptfile beside it, if it has the former name. */
function renamed(context: KrmObject, before: KrmObject | undefined, after: KrmObject | undefined): KrmObject {
  const name = after?.name
  if (name === undefined || name === before?.name || context.get(['data', 'name']) !== before?.name) return context
  const draft = context.draft()
  draft.set(['data', 'name'], name)
  return draft
}

/** The upstream revisions of a replacement, and the clone of the one that the package was made of. */
interface Replacement {
  readonly base: PackageFiles
  readonly theirs: PackageFiles
  readonly cloned: PackageFiles
  /** The keys of the package context that the variant writes or removes. */
  readonly variantKeys: readonly string[]
}

/**
 * Returns the files of a downstream package for a strategy that replaces them. A package context that upstream lacks is left out, since it
 * stays. One without edits is as upstream's old revision has it, so that what kpt and the variant wrote there is no edit; one that
 * was edited differs from the new revision in what people wrote.
 */
export function forReplacement(ours: PackageFiles, { base, theirs, cloned, variantKeys }: Replacement): PackageFiles {
  const kept = withoutContexts(ours, (path) => contextIn(theirs, path) === undefined)
  const written = [...KPT_KEYS, ...variantKeys]
  return new Map(
    [...kept].flatMap(([path, content]): readonly [string, PackageContent][] => {
      const context = contextIn(kept, path)
      if (context === undefined || isBytes(content)) return [[path, content]]
      const made = contextIn(cloned, path) ?? contextIn(base, path)
      const isEdited = made === undefined || !equalJson(withoutKeys(context, written), withoutKeys(made, written))
      const compared = isEdited ? withKeysOf(context, contextIn(theirs, path), written) : contextIn(base, path)
      const objects = content.flatMap((object) => (object === context ? (compared ?? []) : object))
      return objects.length === 0 ? [] : [[path, objects]]
    }),
  )
}

function contextIn(files: PackageFiles, path: string): KrmObject | undefined {
  return objectsIn(files.get(path)).find(isPackageContext)
}

/** Returns a package context with the values that another one has under some keys. */
function withKeysOf(context: KrmObject, other: KrmObject | undefined, keys: readonly string[]): KrmObject {
  const draft = context.draft()
  for (const key of keys) {
    const value = other?.get(['data', key])
    if (value === undefined) draft.delete(['data', key])
    else draft.set(['data', key], value)
  }
  return draft
}

/** Returns a package context without some keys of its data, and without the marks of a clone. */
function withoutKeys(context: KrmObject, keys: readonly string[]): JsonRecord {
  const { data, ...rest } = withoutCloneMarks(context.toJson())
  return { ...rest, data: Object.fromEntries(Object.entries(asRecord(data)).filter(([key]) => !keys.includes(key))) }
}

function contextsIn(files: PackageFiles): readonly { readonly path: string; readonly context: KrmObject }[] {
  return [...files].flatMap(([path, content]) => {
    const objects = objectsIn(content)
    return mayHoldWord(objects, CONTEXT_NAME, (object) => object)
      ? objects.filter(isPackageContext).map((context) => ({ path, context }))
      : []
  })
}

function withContext(content: RenderedContent | undefined, context: RenderedObject): RenderedContent {
  const objects = objectsIn(content)
  if (!objects.some(({ object }) => isPackageContext(object))) return [...objects, context]
  return objects.map((one) => (isPackageContext(one.object) ? withOwnKeys(one, context.object) : one))
}

function withOwnKeys(one: RenderedObject, context: KrmObject): RenderedObject {
  const own = KPT_KEYS.map((key) => ({ path: ['data', key], value: context.get(['data', key]) }))
  if (own.every(({ path, value }) => value === undefined || value === one.object.get(path))) return one
  const object = draftOf(one)
  for (const { path, value } of own) if (value !== undefined) object.set(path, value)
  return { ...one, object }
}
