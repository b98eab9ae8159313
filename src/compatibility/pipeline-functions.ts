import type { FieldPath } from '../field-path.ts'
import { isMatrix } from '../fleet/sets.ts'
import { asRecord, type JsonRecord } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { isPackageVariant } from '../variant/find-variant.ts'
import { PORCH_CONFIG_GROUP } from '../well-known.ts'

/** A function of a pipeline as it is written, with its place. */
export interface WrittenFunction {
  readonly object: KrmObject
  readonly path: FieldPath
  readonly fields: JsonRecord
}

/** Returns the functions of the pipelines of Kptfiles, PackageVariants and the templates of sets and matrices. */
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
  if (isPackageVariant(object)) return [['spec', 'pipeline']]
  return templatesOf(object).map((template) => [...template, 'pipeline'])
}

/** Returns the places of the templates of a set or matrix: of its targets, and of the matrix itself, its upstreams and its overrides. */
export function templatesOf(object: KrmObject): readonly FieldPath[] {
  if (!isVariantSet(object) && !isMatrix(object)) return []
  const lists = isMatrix(object) ? ['upstreams', 'targets', 'overrides'] : ['targets']
  const own: readonly FieldPath[] = isMatrix(object) ? [['spec', 'template']] : []
  return [...own, ...lists.flatMap((list) => recordsAt(object, ['spec', list]).map((_, index) => ['spec', list, index, 'template']))]
}

export function isVariantSet({ apiVersion = '', kind }: KrmObject): boolean {
  return kind === 'PackageVariantSet' && groupOf(apiVersion) === PORCH_CONFIG_GROUP
}

/** Returns the entries of a list; an entry of another type, which other checks report, is an empty map. */
export function recordsAt(object: KrmObject, path: FieldPath): readonly JsonRecord[] {
  const value = object.get(path)
  return Array.isArray(value) ? value.map((entry) => asRecord(entry)) : []
}
