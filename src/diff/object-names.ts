import { nameFirst } from '../wording.ts'
import type { ChangedObject, ChangeGroup, ObjectName } from './report.ts'

/** The objects of a group, with its places where it has some. */
export type NamedObjects = Pick<ChangeGroup, 'objects'> & Partial<Pick<ChangeGroup, 'places'>>

/** The most namespaces that a heading names. */
const NAMED = 5

/**
 * Returns the objects of a group as a heading names them. A namespace that differs between places is left out: the group has the expression
 * for it, which says nothing to a reader who does not know the set.
 */
export function objectsInHeading({ objects, places = [] }: NamedObjects): readonly Pick<ChangedObject, keyof ObjectName | 'was'>[] {
  return objects.map((object, at) => {
    const own = places.flatMap((place) => place.objects?.[at] ?? [])
    const was = object.was && inHeading(object.was, formerNames(own))
    return { ...inHeading(object, own), ...(was && { was }) }
  })
}

/** Returns the namespaces that `objectsInHeading` leaves out: ` in the namespaces ams, ber`; '' if there are none. */
export function namespacesInHeading({ objects, places = [] }: NamedObjects): string {
  const left = objects.flatMap((object, at) => {
    const own = places.flatMap((place) => place.objects?.[at] ?? [])
    return [...differing(object, own), ...(object.was === undefined ? [] : differing(object.was, formerNames(own)))]
  })
  return left.length === 0 ? '' : ` in the namespaces ${nameFirst([...new Set(left)].sort(), NAMED)}`
}

function formerNames(objects: readonly Pick<ChangedObject, 'was'>[]): readonly ObjectName[] {
  return objects.flatMap(({ was }) => was ?? [])
}

function inHeading(object: ObjectName, own: readonly ObjectName[]): ObjectName {
  const { apiVersion, kind, namespace, name } = object
  const isOne = namespace !== undefined && differing(object, own).length === 0
  return { apiVersion, kind, ...(isOne && { namespace }), name }
}

/** Returns the namespaces of an object in its places, if they differ from that of the group. */
function differing({ namespace }: ObjectName, own: readonly ObjectName[]): readonly string[] {
  const all = own.flatMap((each) => each.namespace ?? [])
  return all.every((each) => each === namespace) ? [] : all
}
