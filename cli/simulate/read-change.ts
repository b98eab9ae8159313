import { unknownSpecFields } from '../../src/dependencies/simulation/cluster.ts'
import type { AppliedChange } from '../../src/dependencies/simulation/simulate.ts'
import type { FieldPath } from '../../src/field-path.ts'
import { PACKAGE_KINDS, unknownKinds } from '../../src/kinds/unknown-kinds.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import { describeValue } from '../../src/schema/describe-value.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { readObjectsOfFile } from '../function-config.ts'
import type { Host } from '../host.ts'
import { UsageError } from '../usage-error.ts'

/**
 * Returns the resources of a file, to be merged into those that they name.
 *
 * @throws FunctionError for what is no YAML, and with every resource that names none, or has a kind or a field of `spec` that its package
 *   manager does not know; UsageError for a file without resources
 */
export function readChange(path: string, host: Pick<Host, 'locate'>): AppliedChange {
  const objects = readObjectsOfFile(path, host)
  if (objects.length === 0) throw new UsageError(`'${path}' must hold resources to apply, or parts of them`)
  const slips = unknownKinds(objects, PACKAGE_KINDS).map((fault): Result => ({ ...fault, severity: 'error' }))
  const faults = [...slips, ...objects.flatMap((object) => [...namingFaults(object), ...unknownSpecFields(object)])]
  if (faults.length > 0) throw new FunctionError(faults)
  return { name: path, objects }
}

/** The fields that name the object which a change is merged into. */
const NAMING: readonly { readonly path: FieldPath; readonly mayBeMissing?: true }[] = [
  { path: ['apiVersion'] },
  { path: ['kind'] },
  { path: ['metadata', 'name'] },
  { path: ['metadata', 'namespace'], mayBeMissing: true },
]

function namingFaults(object: KrmObject): Result[] {
  return NAMING.flatMap(({ path, mayBeMissing }) => {
    const value = object.get(path) ?? ''
    if (value === '' ? mayBeMissing : typeof value === 'string') return []
    const fault = value === '' ? MISSING : { rule: 'wrong-type' as const, message: `must be a string, got ${describeValue(value)}` }
    return [faultToResult(object, { severity: 'error', path, ...fault })]
  })
}

const MISSING = { rule: 'required', message: 'must be set' } as const
