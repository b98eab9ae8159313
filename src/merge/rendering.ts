import { asList, isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { isBytes, type MergedObject } from './package-files.ts'

/** Returns the status of a Kptfile without the parts that `kpt fn render` writes: the condition Rendered and renderStatus. */
export function statusByHand(status: JsonRecord): JsonRecord {
  if (!Object.hasOwn(status, 'renderStatus') && !conditionsIn(status).some(isRendered)) return status
  const { renderStatus: _, conditions, ...others } = status
  const own = Array.isArray(conditions) ? conditions.filter((each) => !isRendered(each)) : conditions
  return own === undefined || (Array.isArray(own) && own.length === 0) ? others : { ...others, conditions: own }
}

function conditionsIn(status: JsonRecord): readonly JsonValue[] {
  return asList(lookup(status, 'conditions'))
}

function isRendered(condition: JsonValue): boolean {
  return isRecord(condition) && lookup(condition, 'type') === 'Rendered'
}

/** Returns the Kptfile without render status, for a package that changed since its last render (kpt fastforward.go clearRenderStatus). */
export function withoutRendering<One extends Pick<MergedObject, 'object'>>(
  kptfile: readonly One[] | Uint8Array,
): readonly One[] | Uint8Array {
  return isBytes(kptfile) ? kptfile : kptfile.map((one) => ({ ...one, object: withoutRenderStatus(one.object) }))
}

function withoutRenderStatus(object: KrmObject): KrmObject {
  const status = object.get(['status'])
  const own = isRecord(status) ? statusByHand(status) : undefined
  if (own === undefined || own === status) return object
  const draft = object.draft()
  if (Object.keys(own).length === 0) draft.delete(['status'])
  else draft.set(['status'], own)
  return draft
}
