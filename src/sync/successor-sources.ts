import { asUrl } from '../git/git-address.ts'
import { asRecord, type JsonRecord, scalarText } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { mergeBaseOf } from './generated-objects.ts'

/** Returns the kind, namespace and name of an object, or of a reference to one. */
export function referenceKey({ kind }: JsonRecord, { namespace, name }: JsonRecord): string {
  return [kind, namespace, name].map((part) => scalarText(part)).join(' ')
}

/** Returns the reference of a Kustomization to its source, as `referenceKey`. */
export function sourceReference({ metadata, spec }: JsonRecord): string {
  const reference = asRecord(asRecord(spec).sourceRef)
  return referenceKey(reference, { ...asRecord(metadata), ...reference })
}

/** The sources of Flux that come and go, and the Kustomizations before and after a run. */
export interface SourceChange {
  readonly coming: readonly JsonRecord[]
  readonly left: readonly KrmObject[]
  readonly wanted: readonly JsonRecord[]
  readonly present: readonly KrmObject[]
}

/**
 * Returns the sources of Flux that come, each with the one that goes and was its predecessor: of the same URL and Secret, and each
 * Kustomization that stays and read the former one reads the new one, which no other Kustomization that stays reads. A source is named
 * after its tag where Repositories share it, so that the name changes with each tag.
 */
export function successorSources({ coming, left, wanted, present }: SourceChange): ReadonlyMap<JsonRecord, KrmObject> {
  const before = sourceByUser(present.map((object) => mergeBaseOf(object) ?? object.toJson()))
  const now = sourceByUser(wanted)
  const stays = [...now.keys()].filter((user) => before.has(user))
  const usersOf = (sources: ReadonlyMap<string, string>, key: string) => stays.filter((user) => sources.get(user) === key).join('\n')
  return new Map(
    coming.flatMap((value): [JsonRecord, KrmObject][] => {
      const users = usersOf(now, keyOf(value))
      if (users === '') return []
      const former = left.find((object) => {
        const base = mergeBaseOf(object)
        return base !== undefined && addressOf(base) === addressOf(value) && usersOf(before, keyOf(base)) === users
      })
      return former === undefined ? [] : [[value, former]]
    }),
  )
}

/** Returns the source of each Kustomization by the key of the Kustomization. */
function sourceByUser(objects: readonly JsonRecord[]): ReadonlyMap<string, string> {
  const users = objects.filter(({ kind }) => kind === 'Kustomization')
  return new Map(users.map((user) => [keyOf(user), sourceReference(user)]))
}

function keyOf(value: JsonRecord): string {
  return referenceKey(value, asRecord(value.metadata))
}

function addressOf({ kind, spec }: JsonRecord): string {
  const { url, secretRef } = asRecord(spec)
  return JSON.stringify([kind, asUrl(scalarText(url)), asRecord(secretRef).name])
}
