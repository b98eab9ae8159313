import { isDeepStrictEqual } from 'node:util'
import type { ChangeCause, ChangeGroup, ChangePlace, DiffReport } from '../../../src/diff/report.ts'
import { applyReport, type ClusterObjects, identityOf } from '../../../testdata/diff/apply-report.ts'
import type { Edit } from './fleet-edits.ts'

type Group = DiffReport['groups'][number]
type Named = Pick<Group['objects'][number], 'apiVersion' | 'kind' | 'namespace' | 'name'>

function keyOf({ apiVersion, kind, namespace, name }: Named): string {
  return identityOf({ apiVersion, kind, ...(namespace !== undefined && { namespace }), name })
}

/** Renders a fleet after some of its edits. */
type Render = (edits: readonly Edit[]) => ClusterObjects | undefined

/** Returns what is wrong with the facts of a report: the changes, applied to the objects of FROM, must give those of TO. */
export function judgeFacts(report: Parameters<typeof applyReport>[0], from: ClusterObjects, to: ClusterObjects): readonly string[] {
  try {
    return isDeepStrictEqual(sorted(applyReport(report, from)), sorted(to)) ? [] : ['the changes, applied to FROM, do not give TO']
  } catch (error) {
    return [String(error)]
  }
}

function sorted(objects: ClusterObjects) {
  return [...objects].map(([folder, own]) => [folder, [...own].sort(([a], [b]) => (a < b ? -1 : 1))]).sort()
}

/**
 * Returns what is wrong with the causes of a change. The edits whose lines the causes name are the named edits:
 *
 * * each cause names an edit;
 * * TO without the named edits does not have the change. It is as FROM, or as the other edits alone make it, which the named ones hide;
 * * FROM with the named edits alone has the change;
 * * no cause is named in vain: without its edits, or with them alone, something changes.
 */
export function judgeCauses(group: ChangeGroup, edits: readonly Edit[], render: Render): readonly string[] {
  const named = edits.filter((edit) => group.causes.some((cause) => namesEdit(cause, edit)))
  const unnamed = group.causes.filter((cause) => !edits.some((edit) => namesEdit(cause, edit)))
  const seenIn = (place: ChangePlace): Seen => {
    const isAlone = [render([]), render(edits)].some((state) => state?.has(place.package) === false)
    return (chosen, withContent = false) => partOf(render(chosen), group, place, { isAlone, withContent })
  }
  const faults = [
    ...unnamed.map((cause) => `no line of an edit is named by: ${describe(cause)}`),
    ...group.places.flatMap((place) => placeFaults(seenIn(place), edits, named).map((fault) => `${place.package}: ${fault}`)),
    ...group.causes.filter((cause) => isInVain(cause, edits, group.places.map(seenIn))).map((cause) => `named in vain: ${describe(cause)}`),
  ]
  return faults.map((fault) => `${fault}\n      ${describeGroup(group)}`)
}

/**
 * Returns the part of a package that a group is about, after some edits; undefined for a fleet that cannot be rendered. Of a created object
 * that is whether it is there, or its content with the edits that make a difference there.
 */
type Seen = (edits: readonly Edit[], withContent?: boolean) => unknown

function placeFaults(seen: Seen, edits: readonly Edit[], named: readonly Edit[]): readonly string[] {
  const others = edits.filter((edit) => !named.includes(edit))
  const [from, to, left, alone] = [seen([]), seen(edits), seen(others), seen(named)]
  return [
    ...(left !== undefined && isDeepStrictEqual(left, to) && !isDeepStrictEqual(to, from)
      ? ['without the named lines the change stays']
      : []),
    ...(alone !== undefined && !isDeepStrictEqual(alone, to) ? ['the named lines alone do not make the change'] : []),
  ]
}

/** Returns true if nothing changes without the edits of a cause, and nothing with them alone. */
function isInVain(cause: ChangeCause, edits: readonly Edit[], places: readonly Seen[]): boolean {
  const own = edits.filter((edit) => namesEdit(cause, edit))
  if (own.length === 0) return false
  return places.every((seen) => {
    const others = edits.filter((edit) => !own.includes(edit))
    const [to, without, from, alone] = [edits, others, [], own].map((chosen) => seen(chosen, true))
    return without !== undefined && alone !== undefined && isDeepStrictEqual(without, to) && isDeepStrictEqual(alone, from)
  })
}

/**
 * Returns true if a cause has the line of an edit, or a line of the file that an edit adds or removes. A place that "is new" stands for
 * everything below it, which in these fleets is the rest of its file.
 */
function namesEdit({ file, line, inputs = [], details = [] }: ChangeCause, edit: Edit): boolean {
  const places = [{ text: '', file, line }, ...inputs, ...details]
  return places.some((place) => {
    if (place.file !== edit.file) return false
    const { line = 0 } = place
    if ('lines' in edit) return true
    return edit.before.some(
      (text, i) => text !== edit.after[i] && (line === edit.at + i + 1 || (place.text.endsWith(' is new') && line <= edit.at + i + 1)),
    )
  })
}

/**
 * Returns what a group is about in a package: the objects, or their changed fields; whether the package is there if only one state has it.
 * Undefined for a fleet that cannot be rendered.
 */
function partOf(objects: ClusterObjects | undefined, group: Group, place: ChangePlace, { isAlone, withContent }: View): unknown {
  if (objects === undefined) return undefined
  const own = objects.get(place.package)
  if (isAlone || own === undefined) return own !== undefined
  if (group.op === 'create' || group.op === 'delete') return presence(own, group, place, withContent)
  return (place.objects ?? group.objects).map((object) => {
    const value = own.get(keyOf(object)) ?? (object.was && own.get(keyOf(object.was)))
    const fields = place.fields ?? group.fields
    const isNamed = group.op !== 'rename' || own.has(keyOf(object))
    return fields.map(({ steps, isOrder }) => [isNamed, isOrder === true ? undefined : fieldAt(value, steps)])
  })
}

interface View {
  readonly isAlone: boolean
  readonly withContent: boolean
}

function presence(own: ReadonlyMap<string, unknown>, group: Group, place: ChangePlace, withContent: boolean): unknown {
  return (place.objects ?? group.objects).map((object) => (withContent ? own.get(keyOf(object)) : own.has(keyOf(object))))
}

function fieldAt(value: unknown, steps: Group['fields'][number]['steps']): unknown {
  let found: unknown = value
  for (const step of steps) {
    if (typeof found !== 'object' || found === null) return undefined
    if (typeof step !== 'object') found = Object.entries(found).find(([key]) => key === String(step))?.[1]
    else
      found = Object.values(found).find((entry: unknown) => {
        const own =
          typeof entry === 'object' && entry !== null ? new Map<string, unknown>(Object.entries(entry)) : new Map<string, unknown>()
        return Object.entries(step).every(([key, text]) => String(own.get(key)) === text)
      })
  }
  return found
}

function describe({ kind, text, file, line, inputs = [], details = [] }: ChangeCause): string {
  const places = [{ file, line }, ...inputs, ...details].map((place) => `${place.file}:${place.line}`)
  return `${kind}: ${text} (${places.join(', ')})`
}

function describeGroup({ op, objects, fields, causes, places }: ChangeGroup): string {
  const names = objects.map(({ kind, name }) => `${kind} ${name}`).join(', ')
  const paths = fields.map(({ path, before, after }) => `${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`).join(', ')
  const because = causes.map(describe).join('\n        ')
  return `${op} ${names} ${paths} in ${places.map((place) => place.package).join(', ')}\n        ${because}`
}
