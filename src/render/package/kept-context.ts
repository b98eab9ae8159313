import { isBytes, type PackageContent, type PackageFiles } from '../../merge/package-files.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, KPTFILE } from '../../resource-list/package-of.ts'
import { CONTEXT_NAME, isPackageContext } from '../../variant/package-context.ts'
import { draftOf, mayHoldWord, type RenderedContent, type RenderedFiles, type RenderedObject } from './rendered-package.ts'

/** The keys of a package context that kpt writes. */
export const KPT_KEYS = ['name', 'package-path']

/** A package context of a downstream package, with its file. */
interface PlacedContext {
  readonly path: string
  readonly context: KrmObject
}

/**
 * Returns the files after an update, with the package contexts that the downstream package had: a removed one is restored, and the keys
 * that kpt or Porch wrote keep the downstream's values (seed 000, Package Context: `name` is the package's). The context of a subpackage
 * that is gone is gone too.
 */
export function withContexts(files: RenderedFiles, downstream: PackageFiles): RenderedFiles {
  const kept = new Map(files)
  for (const { path, context } of contextsIn(downstream)) {
    const kptfile = besideFile(path, KPTFILE)
    if (files.has(kptfile) || !downstream.has(kptfile)) kept.set(path, withContext(kept.get(path), context))
  }
  return kept
}

/**
 * Returns the files without the package contexts in some of them, since a merge would remove the contexts, or give them upstream's name. A
 * file that held nothing else is left out.
 */
export function withoutContexts(files: PackageFiles, isIn: (path: string) => boolean): PackageFiles {
  return new Map(
    [...files].flatMap(([path, content]): readonly [string, PackageContent][] => {
      if (isBytes(content) || !isIn(path) || !content.some(isPackageContext)) return [[path, content]]
      const rest = content.filter((object) => !isPackageContext(object))
      return rest.length === 0 ? [] : [[path, rest]]
    }),
  )
}

/** Returns the path of a file beside another one. */
function besideFile(path: string, name: string): string {
  const folder = folderOf(path)
  return folder === '' ? name : `${folder}/${name}`
}

function contextsIn(files: PackageFiles): readonly PlacedContext[] {
  return [...files].flatMap(([path, content]) =>
    isBytes(content) || !mayHoldWord(content, CONTEXT_NAME, (object) => object)
      ? []
      : content.filter(isPackageContext).map((context) => ({ path, context })),
  )
}

function withContext(content: RenderedContent | undefined, context: KrmObject): RenderedContent {
  const objects = content === undefined || isBytes(content) ? [] : content
  if (!objects.some(({ object }) => isPackageContext(object))) return [...objects, { from: 'ours', source: context, object: context }]
  return objects.map((one) => (isPackageContext(one.object) ? withOwnKeys(one, context) : one))
}

function withOwnKeys(one: RenderedObject, context: KrmObject): RenderedObject {
  const own = KPT_KEYS.map((key) => ({ path: ['data', key], value: context.get(['data', key]) }))
  if (own.every(({ path, value }) => value === undefined || value === one.object.get(path))) return one
  const object = draftOf(one)
  for (const { path, value } of own) if (value !== undefined) object.set(path, value)
  return { ...one, object }
}
