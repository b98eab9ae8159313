import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import { equalJson } from '../../json.ts'
import { objectsIn } from '../../merge/package-files.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { foldersAbove, isKptfile } from '../../resource-list/package-of.ts'
import type { Result } from '../../result.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import { objectAt } from '../clone/rendered-package.ts'
import type { RenderedStep } from '../made-packages.ts'
import type { RenderPlan } from '../plan-render.ts'
import type { RenderedPackage } from '../render-request.ts'

/**
 * Returns findings about packages that are not made, in a state in memory or since the run is refused or their functions fail, with their
 * files in the upstream packages. Other findings stay as they are.
 *
 * @param unmade  the steps of these packages, by their folders as findings name them
 * @param madeOf  returns a package of these before its functions ran
 */
export function ofUnmade<Step extends RenderedStep['step']>(
  results: readonly Result[],
  unmade: ReadonlyMap<string, Step>,
  madeOf: (step: Step) => Pick<RenderedPackage, 'files'>,
): readonly Result[] {
  return results.flatMap((result) => {
    const folder = foldersAbove(result.file?.path ?? '').find((above) => unmade.has(above))
    const step = folder === undefined ? undefined : unmade.get(folder)
    return folder === undefined || step === undefined ? [result] : atUpstream([result], folder, step.upstream.source, () => madeOf(step))
  })
}

/** Returns a plan whose packages are made and their functions left. */
export function withoutFunctions(plan: RenderPlan): RenderPlan {
  const { functions: _, ...renderContext } = plan.renderContext
  return { ...plan, renderContext }
}

/**
 * Returns the findings about a new package that is not written with their files in the upstream package, since the package has no files. A
 * field that only the variant gives, such as one of its functions in the Kptfile, is in no upstream file: its finding stays as it is.
 *
 * @param folder  the folder of the new package, as findings name it
 * @param made    returns the new package before its functions ran
 */
export function atUpstream(
  results: readonly Result[],
  folder: string,
  upstream: SourcePackage,
  made: () => Pick<RenderedPackage, 'files'>,
): readonly Result[] {
  const inside = `${folder}/`
  return results.map((result) => {
    const { file, field } = result
    const path = file?.path.startsWith(inside) ? file.path.slice(inside.length) : undefined
    if (file === undefined || path === undefined || !upstream.files.has(path)) return result
    const { position: _, ...rest } = { ...result, file: { ...file, path: `${upstream.place}/${path}` } }
    const object = objectsIn(upstream.files.get(path))[file.index]
    const same = field && object && placeOfSame(object, objectAt(made().files, path, file.index), field.path)
    if (object !== undefined && field !== undefined && same !== undefined)
      return { ...renamed(isKptfile(path) ? withoutMadeLines(rest) : rest, field.path, same), position: object.positionOf(same) }
    return isKptfile(path) ? result : rest
  })
}

/** Returns a finding without the lines of the Kptfile that a function named: these are lines of a file that is not written. */
function withoutMadeLines(result: Omit<Result, 'position'>): Omit<Result, 'position'> {
  return { ...result, message: result.message.replaceAll(/\bKptfile(?::\d+)+: /g, '') }
}

/** Returns a finding with the path that its field has upstream. */
function renamed(result: Omit<Result, 'position'>, from: FieldPath, to: FieldPath): Omit<Result, 'position'> {
  const [was, is] = [formatFieldPath(from), formatFieldPath(to)]
  if (was === is) return result
  // A function says the path of its config, which is below that of the function.
  const message = result.message.replaceAll(`\`${was}`, `\`${is}`)
  return { ...result, message, field: { ...result.field, path: to } }
}

/** Returns the path of a field in an upstream object, if the object of the new package has the same value there. */
function placeOfSame(upstream: KrmObject, made: KrmObject | undefined, path: FieldPath): FieldPath | undefined {
  const value = (made ?? upstream).get(path)
  const same = placesIn(upstream, made, path).find((each) => equalJson(upstream.get(each), value))
  return value === undefined ? undefined : same
}

/** Returns the paths that a field may have upstream: functions of the variant are put before those of a pipeline. */
function placesIn(upstream: KrmObject, made: KrmObject | undefined, path: FieldPath): readonly FieldPath[] {
  const [pipeline = '', stage = '', index, ...rest] = path
  if (pipeline !== 'pipeline' || typeof index !== 'number' || made === undefined) return [path]
  const [own, all] = [upstream, made].map((object) => object.get([pipeline, stage]))
  const added = Array.isArray(all) ? all.length - (Array.isArray(own) ? own.length : 0) : 0
  return index < added ? [] : [[pipeline, stage, index - added, ...rest]]
}
