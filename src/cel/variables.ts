import { type CelInput, celList, celMap } from '@bufbuild/cel'
import { compareText } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'

/** The variables of one target as the engine takes them: made once by `prepareVariables`, used by every expression. */
export interface Variables {
  readonly bindings: Readonly<Record<string, CelInput>>
}

/** What expressions may see of an object (seed 000, PackageVariant Template). Its maps serve the engine as they are: they must not change. */
export interface VisibleObject {
  readonly name: string
  readonly namespace: string
  readonly labels: ReadonlyMap<string, string>
  readonly annotations: ReadonlyMap<string, string>
}

/**
 * Converts template variables for evaluation. Maps iterate by sorted keys (cel-go's order is random).
 *
 * @param values `repoDefault`, `packageDefault`: strings; `upstream`, `repository`, `target`: records
 */
export function prepareVariables(values: ReadonlyMap<string, JsonValue>): Variables {
  return { bindings: Object.fromEntries(Array.from(values, ([name, value]) => [name, toInput(value)])) }
}

/** The same variables and one more, an object: what the others were converted to is shared. */
export function extendVariables({ bindings }: Variables, name: string, object: VisibleObject): Variables {
  return { bindings: { ...bindings, [name]: objectInput(object) } }
}

/** The engine wraps the maps inside when an expression asks for them: most ask for one. */
function objectInput({ annotations, labels, name, namespace }: VisibleObject): CelInput {
  const fields = new Map<string, CelInput>()
  fields.set('annotations', inOrder(annotations))
  fields.set('labels', inOrder(labels))
  fields.set('name', name)
  fields.set('namespace', namespace)
  return celMap(fields)
}

/** Labels and annotations mostly stand in the order of their keys; then they are not copied. */
function inOrder(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return isSorted(texts) ? texts : new Map([...texts].sort(([a], [b]) => compareText(a, b)))
}

function isSorted(texts: ReadonlyMap<string, string>): boolean {
  let last = ''
  for (const key of texts.keys()) {
    if (key < last) return false
    last = key
  }
  return true
}

/** Whole numbers become ints, as Kubernetes reads them. */
function toInput(value: JsonValue): CelInput {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (typeof value !== 'object' || value === null) return value
  return isRecord(value) ? recordInput(value) : celList(value.map(toInput))
}

function recordInput(record: JsonRecord): CelInput {
  const keys = Object.keys(record).sort(compareText)
  return celMap(new Map(keys.map((key) => [key, toInput(record[key] ?? null)])))
}
