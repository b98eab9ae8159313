import { equalJson } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { countOf } from '../wording.ts'
import { generatorOf, settleLeft, systemOf } from './generated-objects.ts'
import type { SyncSystem } from './options.ts'
import { editsThatGo } from './people-edits.ts'
import type { SyncChanges } from './reconcile-sync-objects.ts'
import { earlyRemovals, neededObjects } from './removals.ts'

/**
 * Takes the generated objects of a system away without a deleted resource, in two commits: the first run lets the objects delete nothing,
 * the second run removes them once that state is committed. Both name the fields of people that go with the objects.
 *
 * @param committed  the sync objects of the last commit; undefined outside of a git repository
 */
export function leaveSystem(items: readonly KrmObject[], system: SyncSystem, committed: readonly KrmObject[] = []): SyncChanges {
  const own = items.filter((object) => systemOf(object) === system && generatorOf(object) !== '')
  const updated = own
    .map((object) => ({ object, value: settleLeft(object) }))
    .filter(({ object, value }) => !equalJson(object.toJson(), value))
  const stays = items.filter((object) => !own.includes(object)).map((object) => object.toJson())
  const going = editsThatGo(own, stays)
  if (updated.length > 0) return { created: [], updated, removed: [], results: [...firstCommit(own, system), ...going] }
  const results = [...neededObjects(own, stays).map(neededFault), ...earlyRemovals(own, committed), ...going, ...comingBack(items, system)]
  return { created: [], updated: [], removed: own, results }
}

function firstCommit(own: readonly KrmObject[], system: SyncSystem): readonly Result[] {
  const [first] = own
  if (first === undefined) return []
  const many = own.length === 1 ? 'the object deletes' : `this object and ${countOf(own.length - 1, 'other object')} of ${system} delete`
  const message = `${many} nothing in a cluster from now on; commit and apply this state, then run the same command again, which removes ${own.length === 1 ? 'it' : 'them'}`
  return [faultToResult(first, { severity: 'warning', rule: 'sync-left', path: ['metadata', 'name'], message: `is left: ${message}` })]
}

function neededFault({ object, users }: { readonly object: KrmObject; readonly users: readonly string[] }): Result {
  const message = `must stay: no GenerateSync generated what needs it: ${users.join(', ')}`
  return faultToResult(object, { severity: 'error', rule: 'sync-needed', path: ['metadata', 'name'], message })
}

/** Returns a warning for each GenerateSync that would write the objects again. */
function comingBack(items: readonly KrmObject[], system: SyncSystem): readonly Result[] {
  const configs = items.filter((object) => object.kind === 'GenerateSync' && object.get(['spec', 'for']) === system)
  const message = `is '${system}', which is left: the next run with these options writes the objects again; remove the GenerateSync`
  return configs.map((config) => faultToResult(config, { severity: 'warning', rule: 'sync-left', path: ['spec', 'for'], message }))
}
