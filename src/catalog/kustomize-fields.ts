import { type FieldPath, formatFieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import { fieldPlace } from '../resource-list/finding-place.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, type Result } from '../result.ts'
import { additionalFields } from './additional-fields.ts'
import { fieldError } from './catalog-config.ts'
import type { FieldSpec } from './field-places.ts'

/**
 * Returns the fields that a functionConfig adds to the built-in ones, under a name of the function or under its old name `fieldSpecs`.
 *
 * @throws FunctionError  when both are set, or a value has the wrong type
 */
export function renamedFields(config: KrmObject, current: string): readonly FieldSpec[] {
  const names = [current, 'fieldSpecs'].filter((name) => config.get([name]) !== undefined)
  const [name, second] = names
  if (config.kind === 'ConfigMap' || name === undefined) return []
  if (second !== undefined) {
    const message = `must not be set beside \`${name}\`, of which it is the old name`
    throw fieldError(config, { rule: 'exclusive-fields', path: [second], message })
  }
  return additionalFields(config, name)
}

/** Throws FunctionError with every number of the objects that JSON and so Kubernetes does not have: `.inf` and `.nan`. */
export function refuseInfinity(items: readonly KrmObject[]): void {
  const faults = items
    .filter((item) => /\.(inf|nan)/i.test(item.toText()))
    .flatMap((item) => item.scalars().flatMap(({ path, text }) => (isInfinite(item.get(path)) ? [infinityFault(item, path, text)] : [])))
  if (faults.length > 0) throw new FunctionError(faults)
}

function isInfinite(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && !Number.isFinite(value)
}

function infinityFault(item: KrmObject, path: FieldPath, text: string): Result {
  return {
    severity: 'error',
    message: `\`${formatFieldPath(path)}\` must be a number of JSON, got ${text}`,
    ...fieldPlace(item, path),
    tags: { rule: 'wrong-type' },
  }
}
