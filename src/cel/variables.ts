import { type CelInput, celList, celMap } from '@bufbuild/cel'
import { compareText } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'

/** The variables of one target as the engine takes them: made once by `prepareVariables`, used by every expression. */
export interface Variables {
  readonly bindings: Readonly<Record<string, CelInput>>
}

const prepared = new WeakMap<JsonRecord, CelInput>()

/**
 * Converts template variables for evaluation. Maps iterate by sorted keys (cel-go's order is random). A record that serves
 * several targets, such as `upstream`, is converted once: it must not change afterwards.
 *
 * @param values `repoDefault`, `packageDefault`: strings; `upstream`, `repository`, `target`: records
 */
export function prepareVariables(values: ReadonlyMap<string, JsonValue>): Variables {
  const bindings: Record<string, CelInput> = Object.create(null)
  for (const [name, value] of values) bindings[name] = toInput(value)
  return { bindings }
}

/** The same variables and one more: what the others were converted to is shared. */
export function extendVariables({ bindings }: Variables, name: string, value: JsonValue): Variables {
  return { bindings: Object.assign(Object.create(null), bindings, { [name]: toInput(value) }) }
}

/** Whole numbers become ints, as Kubernetes reads them. */
function toInput(value: JsonValue): CelInput {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (typeof value !== 'object' || value === null) return value
  return isRecord(value) ? toMap(value) : celList(value.map(toInput))
}

function toMap(record: JsonRecord): CelInput {
  const known = prepared.get(record)
  if (known !== undefined) return known
  const keys = Object.keys(record).sort(compareText)
  const map = celMap(new Map(keys.map((key) => [key, toInput(record[key] ?? null)])))
  prepared.set(record, map)
  return map
}
