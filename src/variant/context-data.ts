import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { describeValue } from '../schema/describe-value.ts'
import { duplicateKeyFaults } from '../schema/document-faults.ts'
import { type Fault, faultToResult } from '../schema/fault.ts'
import { isNested, scalarTexts } from '../schema/scalar-texts.ts'

/**
 * The data of a package context as strings: what is none counts as its text in the file, null as '' (docs/porch.md 27).
 *
 * @throws FunctionError  when there is no data, or it is no map of scalars, or a key stands twice (docs/porch.md 25, 27)
 */
export function readContextData(context: KrmObject): ReadonlyMap<string, string> {
  const data = context.get(['data'])
  const faults = isRecord(data) ? dataFaults(context, data) : [notAMap(data)]
  if (faults.length > 0 || !isRecord(data)) throw new FunctionError(faults.map((fault) => faultToResult(context, fault)))
  return scalarTexts(context, ['data'], data)
}

/** Makes the data what it is after a change; lines of keys that keep their value stay. */
export function writeContextData(context: KrmObject, after: ReadonlyMap<string, string>): void {
  const before = context.get(['data'])
  for (const key of isRecord(before) ? Object.keys(before) : []) if (!after.has(key)) context.delete(['data', key])
  for (const [key, value] of after) context.set(['data', key], value)
}

function notAMap(data: JsonValue | undefined): Fault {
  const found = data === undefined ? 'none' : describeValue(data)
  return { severity: 'error', rule: 'context-data', path: ['data'], message: `must be a map, if only {}, got ${found}` }
}

function dataFaults(context: KrmObject, data: JsonRecord): Fault[] {
  const nested = Object.entries(data).filter(([, value]) => isNested(value))
  return [...nested.map(([key, value]) => notAString(key, value)), ...duplicateKeyFaults(context).filter(({ path }) => path[0] === 'data')]
}

function notAString(key: string, value: JsonValue): Fault {
  return { severity: 'error', rule: 'context-data', path: ['data', key], message: `must be a string, got ${describeValue(value)}` }
}
