import { isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import { isBytes, type MergedContent, type MergedObject } from './package-files.ts'

/** A status of a Kptfile without what `kpt fn render` notes there: the condition Rendered, and renderStatus. */
export function statusByHand(status: JsonRecord): JsonRecord {
  const { renderStatus: _, conditions, ...others } = status
  const own = Array.isArray(conditions) ? conditions.filter((each) => !isRendered(each)) : conditions
  return own === undefined || (Array.isArray(own) && own.length === 0) ? others : { ...others, conditions: own }
}

function isRendered(condition: JsonValue): boolean {
  return isRecord(condition) && lookup(condition, 'type') === 'Rendered'
}

/** The Kptfile of a package that is no longer what was rendered (kpt fastforward.go clearRenderStatus). */
export function withoutRendering(kptfile: MergedContent): MergedContent {
  return isBytes(kptfile) ? kptfile : kptfile.map(withoutRenderStatus)
}

function withoutRenderStatus({ from, source, object }: MergedObject): MergedObject {
  const status = object.get(['status'])
  if (!isRecord(status)) return { from, source, object }
  const draft = object.draft()
  const own = statusByHand(status)
  if (Object.keys(own).length === 0) draft.delete(['status'])
  else draft.set(['status'], own)
  return { from, source, object: draft.changed ? draft : object }
}
