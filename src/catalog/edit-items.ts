import { groupBy } from '../group-by.ts'
import { isClusterKind } from '../kubernetes/built-in-kinds.ts'
import { DEFAULT_NAMESPACE } from '../kubernetes/kinds.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { collectFaults, FunctionError, type Result } from '../result.ts'
import { describeValue } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'

/**
 * Returns the items of a list.
 *
 * @throws FunctionError  with every item that is no map
 */
export function mapItems({ items }: ResourceList): readonly KrmObject[] {
  const faults = items.flatMap((item, index): readonly Result[] => {
    if (item.isMap()) return []
    const message = `\`items[${index}]\` must be a map, got ${describeValue(item.get([]) ?? null)}`
    return [{ severity: 'error', message, field: { path: ['items', index] }, tags: { rule: 'wrong-type' } }]
  })
  if (faults.length > 0) throw new FunctionError(faults)
  return items
}

/**
 * Returns true if an item has no `metadata`, which kustomize's own files need not have. kpt gives each item of a file the annotations of
 * its place, so that only an item of a list without places can lack `metadata`.
 */
export function lacksMetadata(item: KrmObject): boolean {
  return !item.isDocument && item.get(['metadata']) === undefined
}

/**
 * The most characters by which a function may lengthen a list: a short option that is written into every field must not fill the memory.
 */
const MAX_GROWTH = 64 * 1024 * 1024

/** Counts the characters by which a function lengthens a list. */
export class Growth {
  #left = MAX_GROWTH

  /** Counts characters, of texts before they are made. @throws FunctionError when the list would become too long */
  take(characters: number): void {
    this.#left -= Math.max(0, characters)
    if (this.isSpent) throw tooLong()
  }

  get isSpent(): boolean {
    return this.#left < 0
  }
}

/**
 * Runs an edit on every object and settles the object's text.
 *
 * @param edit  counts each text that it makes of others in the second argument, before it makes the text
 * @throws FunctionError  with the faults of all objects together; at once when the objects would become too long
 */
export function editItems(items: readonly KrmObject[], edit: (item: KrmObject, growth: Growth) => void): void {
  const [texts, growth] = [new Growth(), new Growth()]
  const faults: Result[] = []
  for (const item of items) {
    const length = item.toText().length
    collectFaults(faults, () => {
      edit(item, texts)
      item.settle()
      growth.take(item.toText().length - length)
    })
    if (texts.isSpent || growth.isSpent) throw tooLong()
  }
  if (faults.length > 0) throw new FunctionError(faults)
}

function tooLong(): FunctionError {
  const message = `the objects must not become longer by more than ${MAX_GROWTH} characters: the functionConfig writes a long text into many fields`
  return new FunctionError([{ severity: 'error', message, tags: { rule: 'output-size' } }])
}

/**
 * Throws FunctionError with every object whose apiVersion, kind, namespace and name equal those of an earlier one: the catalog's
 * function refuses such lists. As kustomize, an object without a namespace is in `default`, and a kind without namespaces in none.
 */
export function refuseTwins(items: readonly KrmObject[]): void {
  const groups = groupBy(items, ({ apiVersion, kind, namespace, name }) =>
    JSON.stringify([apiVersion, kind, isClusterKind(apiVersion, kind) || namespace || DEFAULT_NAMESPACE, name]),
  )
  const twins = [...groups.values()].flatMap(([, ...others]) => others)
  if (twins.length === 0) return
  throw new FunctionError(
    twins.map((twin) => {
      const message = `must differ from that of another ${twin.kind} of the list, got '${twin.name}' for both`
      return faultToResult(twin, { severity: 'error', rule: 'duplicate-object', path: ['metadata', 'name'], message })
    }),
  )
}
