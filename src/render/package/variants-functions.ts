import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import { objectPlace } from '../../resource-list/finding-place.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import type { Result } from '../../result.ts'
import { isOwned } from '../../variant/owned-functions.ts'
import { objectAt, type RenderedFiles } from '../clone/rendered-package.ts'
import type { RenderContext, RenderRequest } from '../render-request.ts'

/**
 * Returns a function that puts a finding about a function that a variant added to its package at the field of the variant: people fix it
 * there. The message names neither the package nor the variant, so that one fault of a set gives equal messages in all packages.
 *
 *   in:   Kptfile  `pipeline.mutators[0]` 'PackageVariant.site-1.ns.0' failed with exit code 1: Kptfile:15:5: error: …
 *   out:  variant  `spec.pipeline.mutators[0]` 'ns' failed with exit code 1: error: …
 */
export function atVariant(
  files: RenderedFiles,
  { variant, folder }: Pick<RenderRequest, 'variant' | 'folder'>,
  { variantNames }: Pick<RenderContext, 'variantNames'>,
): (result: Result) => Result {
  return (result) => {
    const { file, field } = result
    const [pipeline, stage, index, ...deeper] = field?.path ?? []
    if (file?.path !== `${folder}/${KPTFILE}` || pipeline !== 'pipeline' || stage === undefined || index === undefined) return result
    const from = ['pipeline', stage, index]
    const name = objectAt(files, KPTFILE)?.get([...from, 'name'])
    if (typeof name !== 'string' || !isOwned(name, { owner: variant.name, others: variantNames.beginningWith(variant.name) })) return result
    return moved(result, variant.object, { from, to: ['spec', 'pipeline', stage, positionIn(name)], deeper, name })
  }
}

/** Returns the position of a function in the list of its variant, from its name in the package. */
function positionIn(name: string): number {
  return Number(name.slice(name.lastIndexOf('.') + 1))
}

/** The place of a function in its package and in its variant, and the field in the function. */
interface Move {
  readonly from: FieldPath
  readonly to: FieldPath
  readonly deeper: FieldPath
  /** The name of the function in the package. */
  readonly name: string
}

function moved({ file: _, position: __, ...result }: Result, object: KrmObject, { from, to, deeper, name }: Move): Result {
  const path = [...to, ...deeper]
  const value = object.get(path)
  const own = object.get([...to, 'name'])
  const shown = typeof own === 'string' && own !== '' ? own : String(object.get([...to, 'image']) ?? name)
  return {
    ...result,
    message: result.message
      .replaceAll(`\`${formatFieldPath(from)}`, `\`${formatFieldPath(to)}`)
      .replaceAll(`'${name}'`, `'${shown}'`)
      .replace(/\bKptfile(:\d+)+: /g, ''),
    ...objectPlace(object),
    field: { path, ...(result.field?.currentValue !== undefined && value !== undefined && { currentValue: value }) },
    position: object.positionOf(path),
  }
}
