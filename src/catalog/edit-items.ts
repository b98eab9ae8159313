import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, findingsOf } from '../result.ts'

const LOCAL_CONFIG_ANNOTATION = 'config.kubernetes.io/local-config'

/** Returns true if an object is for tools on disk only and is never applied: its local-config annotation is `true`, in any case of letters. */
export function isLocalConfig({ annotations }: KrmObject): boolean {
  return annotations.get(LOCAL_CONFIG_ANNOTATION)?.toLowerCase() === 'true'
}

/**
 * Runs an edit on every object, and writes it.
 *
 * @throws FunctionError  with the faults of all objects together
 */
export function editItems(items: readonly KrmObject[], edit: (item: KrmObject) => void): void {
  const faults = items.flatMap((item) =>
    findingsOf(() => {
      edit(item)
      item.settle()
      return []
    }),
  )
  if (faults.length > 0) throw new FunctionError(faults)
}
