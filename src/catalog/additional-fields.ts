import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonValue, lookup } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { optionalText, requiredText } from './catalog-config.ts'
import { type FieldSpec, wrongType } from './field-places.ts'

/**
 * Returns the fields that a functionConfig adds to those of its function: `group`, `version`, `kind`, `path` and `create` of each.
 *
 * @throws FunctionError  with the first entry that is wrong
 */
export function additionalFields(config: KrmObject, name: string): readonly FieldSpec[] {
  const entries = config.get([name]) ?? []
  if (!Array.isArray(entries)) throw wrongType(config, [name], 'a list', entries)
  return entries.map((entry: JsonValue, index) => fieldSpec(config, [name, index], entry))
}

function fieldSpec(config: KrmObject, at: FieldPath, entry: JsonValue): FieldSpec {
  if (!isRecord(entry)) throw wrongType(config, at, 'a map', entry)
  const create = lookup(entry, 'create') ?? false
  if (typeof create !== 'boolean') throw wrongType(config, [...at, 'create'], 'true or false', create)
  return {
    group: optionalText(config, [...at, 'group']),
    version: optionalText(config, [...at, 'version']),
    kind: optionalText(config, [...at, 'kind']),
    path: requiredText(config, [...at, 'path']),
    create,
  }
}
