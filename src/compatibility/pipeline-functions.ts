import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonRecord } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { PORCH_CONFIG_GROUP } from '../well-known.ts'

/** A function of a pipeline as it is written, with its place. */
export interface WrittenFunction {
  readonly object: KrmObject
  readonly path: FieldPath
  readonly fields: JsonRecord
}

/** Returns the functions of the pipelines of Kptfiles, PackageVariants and the templates of PackageVariantSets. */
export function pipelineFunctions(items: readonly KrmObject[]): readonly WrittenFunction[] {
  return items.flatMap((object) =>
    pipelinesOf(object).flatMap((pipeline) =>
      ['mutators', 'validators'].flatMap((stage) =>
        recordsAt(object, [...pipeline, stage]).map((fields, index) => ({ object, path: [...pipeline, stage, index], fields })),
      ),
    ),
  )
}

function pipelinesOf(object: KrmObject): readonly FieldPath[] {
  if (object.kind === 'Kptfile') return [['pipeline']]
  if (isVariant(object)) return [['spec', 'pipeline']]
  return isVariantSet(object)
    ? recordsAt(object, ['spec', 'targets']).map((_, index) => ['spec', 'targets', index, 'template', 'pipeline'])
    : []
}

export function isVariant({ apiVersion = '', kind }: KrmObject): boolean {
  return kind === 'PackageVariant' && groupOf(apiVersion) === PORCH_CONFIG_GROUP
}

export function isVariantSet({ apiVersion = '', kind }: KrmObject): boolean {
  return kind === 'PackageVariantSet' && groupOf(apiVersion) === PORCH_CONFIG_GROUP
}

/** Returns the entries of a list; an entry of another type, which other checks report, is an empty map. */
export function recordsAt(object: KrmObject, path: FieldPath): readonly JsonRecord[] {
  const value = object.get(path)
  return Array.isArray(value) ? value.map((entry) => (isRecord(entry) ? entry : {})) : []
}
