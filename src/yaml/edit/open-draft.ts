import { type MapNode, sizeOf } from '../read/node.ts'
import { contentEntries, type Draft, type EditedList, entriesOf, itemsOf, newEntries, nodeOf, type Written } from './draft.ts'
import { EditedMap } from './edited-map.ts'

/**
 * The draft as a map or list that a step of a path can lead into. What is neither, or is empty, becomes what the step asks for.
 */
export function openDraft(draft: Draft | undefined, step: string | number): EditedMap | EditedList {
  const was = draft && nodeOf(draft)
  if (isMap(draft) && (typeof step === 'string' || !isEmpty(draft))) return asMap(draft)
  if (typeof step === 'number')
    return draft?.type === 'edited-list' ? draft : { type: 'edited-list', was, items: (draft && itemsOf(draft)) ?? [] }
  return new EditedMap(was, undefined)
}

type MapDraft = MapNode | Written | EditedMap

function isMap(draft: Draft | undefined): draft is MapDraft {
  return draft?.type === 'map' || draft?.type === 'edited-map' || (draft?.type === 'written' && contentEntries(draft.content) !== undefined)
}

function isEmpty(draft: MapDraft): boolean {
  return draft.type === 'map' ? sizeOf(draft) === 0 : entriesOf(draft)?.size === 0
}

function asMap(draft: MapDraft): EditedMap {
  if (draft.type === 'edited-map') return draft
  const edited = new EditedMap(nodeOf(draft), draft.type === 'map' ? draft : undefined)
  if (draft.type === 'written') for (const [key, entry] of newEntries(draft.content) ?? []) edited.set(key, entry)
  return edited
}
