import { type FieldPath, formatFieldPath } from '../field-path.ts'
import { isRecord } from '../json.ts'
import { objectPlace } from '../resource-list/finding-place.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import type { Position, Result } from '../result.ts'
import { scalarTexts } from '../schema/config-map-pairs.ts'
import { PIPELINE_LISTS } from './kptfile.ts'

/** The place of a function's options: `pipeline.mutators[0].configMap` of a Kptfile, or that of a template. */
export interface OptionsOrigin {
  readonly kptfile: KrmObject
  readonly path: FieldPath
}

/**
 * Moves each result about options in a ConfigMap to the field of the Kptfile that holds the options: kpt makes the ConfigMap, which has
 * no file, from a `configMap` in a pipeline. The field is found by its keys and texts, which equal those of the ConfigMap. Other results,
 * and all results if no such field is found, are returned unchanged.
 * Example: `data.maxDeletions` becomes `pipeline.mutators[0].configMap.maxDeletions`.
 *
 * @param readInput  returns the list before the run; called only if a result is about such options
 */
export function placeInKptfile(results: readonly Result[], readInput: () => ResourceList): readonly Result[] {
  if (!results.some(isAboutOptions)) return results
  const { items, functionConfig } = readInput()
  const origin = functionConfig === undefined ? undefined : findOrigin(items, functionConfig)
  if (functionConfig === undefined || origin === undefined) return results
  return results.map((result) => placeOptions(result, functionConfig, origin))
}

/**
 * Returns a result about the `data` of a ConfigMap that kpt made of a `configMap` at the field that holds the options; any other unchanged.
 */
export function placeOptions(result: Result, config: KrmObject, origin: OptionsOrigin): Result {
  return isAboutOptions(result) ? placed(result, config, origin) : result
}

function isAboutOptions({ file, resourceRef, field }: Result): boolean {
  return file === undefined && resourceRef?.kind === 'ConfigMap' && field?.path[0] === 'data'
}

function findOrigin(items: readonly KrmObject[], config: KrmObject): OptionsOrigin | undefined {
  // kpt writes no alias into a ConfigMap, and the value of one may not be known.
  if (config.aliases().length > 0) return undefined
  const wanted = textsAt(config, ['data'])
  const kptfiles = items.filter((item) => item.kind === 'Kptfile' && item.file !== undefined && item.aliases().length === 0)
  return kptfiles.flatMap(configMapsOf).find(({ kptfile, path }) => sameTexts(textsAt(kptfile, path), wanted))
}

function configMapsOf(kptfile: KrmObject): readonly OptionsOrigin[] {
  return Object.values(PIPELINE_LISTS).flatMap(({ path }) => {
    const functions = kptfile.get(path)
    return Array.isArray(functions) ? functions.map((_, index) => ({ kptfile, path: [...path, index, 'configMap'] })) : []
  })
}

function textsAt(object: KrmObject, path: FieldPath): ReadonlyMap<string, string> {
  const values = object.get(path)
  return isRecord(values) ? scalarTexts(object, path, values) : new Map()
}

function sameTexts(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, text]) => b.get(key) === text)
}

function placed(result: Result, config: KrmObject, { kptfile, path: origin }: OptionsOrigin): Result {
  const { field, message, position } = result
  const [was = [], path] = [field?.path, [...origin, ...(field?.path ?? []).slice(1)]]
  const atKey = position !== undefined && isSame(position, config.keyPositionOf(was))
  return {
    ...result,
    message: message.replace(`\`${formatFieldPath(was)}\``, () => `\`${formatFieldPath(path)}\``),
    ...objectPlace(kptfile),
    field: { ...field, path },
    position: atKey ? kptfile.keyPositionOf(path) : kptfile.positionOf(path),
  }
}

function isSame(a: Position, b: Position): boolean {
  return a.line === b.line && a.column === b.column
}
