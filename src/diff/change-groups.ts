import { compareText } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import { remember } from '../remember.ts'
import { DANGER_RULES, type FoundDanger, isDanger } from './dangers/dangers.ts'
import { bothLost, describeLost, type LostObjects } from './dangers/lost-with-packages.ts'
import { ExpressionValues } from './expression-values.ts'
import { formatSteps } from './field-changes.ts'
import { withoutSecretsInGroup } from './hidden-secrets.ts'
import type {
  ChangeCause,
  ChangedField,
  ChangedObject,
  ChangeGroup,
  ChangePlace,
  Danger,
  FieldStep,
  ObjectName,
  ObjectOperation,
  ObjectRemoval,
} from './report.ts'

/** The change of one object in one package. */
export interface ObjectChange {
  readonly op: ObjectOperation
  readonly object: ChangedObject
  readonly fields: readonly ChangedField[]
  readonly causes: readonly ChangeCause[]
  readonly dangers: readonly FoundDanger[]
  readonly removal?: ObjectRemoval
  readonly place: Omit<ChangePlace, 'objects' | 'fields'>
  /** The values of the expressions of the package's variant, before and after the change. */
  readonly values: { readonly before: ExpressionValues; readonly after: ExpressionValues }
  /** Returns the texts of the object, for the first place of a group. */
  readonly texts: () => Pick<ChangedObject, 'before' | 'after'>
}

/** Equal changes: all names, values and causes are the same. */
interface EqualChanges {
  readonly first: ObjectChange
  readonly places: ChangePlace[]
  readonly causes: Map<string, ChangeCause>
  /** The objects that the clusters of the places lose together, by the rule of the danger. */
  readonly lost: Map<string, LostObjects>
  readonly pattern: Pattern
  /** The text of the pattern; undefined if the places have different ones, so that no expression gives what they have in common. */
  patternKey: string | undefined
}

/** The names and fields of a change, with expressions in the place of what they give. */
interface Pattern {
  readonly object: ChangedObject
  readonly fields: readonly ChangedField[]
}

/** The most inputs of an expression that a cause names: those of other places are alike. */
const MOST_INPUTS = 5

/**
 * Groups equal changes, so that each is reported once with its places. Changes whose values and names differ only in what an expression of
 * their variants gives are one group with the expression. Example: `tills-ham-01` and `tills-ber-01` are `tills-${target.name}`.
 */
export class ChangeGroups {
  readonly #equal = new Map<string, EqualChanges>()

  add(change: ObjectChange): void {
    const pattern = patternOf(change)
    const patternKey = keyOf(change, pattern)
    const equal = remember(
      this.#equal,
      keyOf(change, change),
      (): EqualChanges => ({ first: change, places: [], causes: new Map(), lost: new Map(), pattern, patternKey }),
    )
    equal.places.push(change.place)
    if (equal.patternKey !== patternKey) equal.patternKey = undefined
    for (const cause of change.causes) addCause(equal.causes, cause)
    for (const { rule, lost } of change.dangers) addLost(equal.lost, rule, lost)
  }

  /** Returns the groups: those with the worst dangers first, then the largest. */
  groups(): readonly ChangeGroup[] {
    const like = groupBy(this.#equal.values(), (equal) => equal.patternKey ?? equal)
    return withIds(mergeObjects([...like.values()].map(groupOf)).map(withoutSecretsInGroup)).sort(compareGroups)
  }
}

function addLost(all: Map<string, LostObjects>, rule: string, lost: LostObjects | undefined): void {
  const known = all.get(rule)
  if (lost !== undefined) all.set(rule, known === undefined ? lost : bothLost(known, lost))
}

function addCause(causes: Map<string, ChangeCause>, cause: ChangeCause): void {
  const key = causeKey(cause)
  const known = causes.get(key)
  const { inputs = [] } = cause
  if (known === undefined) causes.set(key, cause)
  else if (inputs.length > 0 && (known.inputs ?? []).length < MOST_INPUTS) {
    const all = new Map([...(known.inputs ?? []), ...inputs].map((input) => [textOf(input), input]))
    causes.set(key, { ...known, inputs: [...all.values()].slice(0, MOST_INPUTS) })
  }
}

/** Returns a text that is equal for equal causes of different places: what differs between places is among the inputs. */
function causeKey({ inputs: _, ...cause }: ChangeCause): string {
  return textOf(cause)
}

/** Returns a text that is equal for changes that are one group if they have these names and fields. */
function keyOf({ op, causes, dangers, removal }: ObjectChange, { object, fields }: Pattern): string {
  const { before: _, after: __, ...name } = object
  return textOf([op, name, fields, causes.map(causeKey), dangers.map(({ lost: _, ...danger }) => danger), removal])
}

/** Returns a value as a text that is equal for equal values. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each))
}

function patternOf({ object, fields, values: { before, after } }: ObjectChange): Pattern {
  if (before.isEmpty && after.isEmpty) return { object, fields }
  return rewritten({ object, fields }, { before: (text) => before.patternOf(text), after: (text) => after.patternOf(text) })
}

/** Returns the pattern of changes, with what an expression gives where it gives the same in all of them. */
function commonPattern([first, ...others]: readonly [EqualChanges, ...EqualChanges[]]): Pattern {
  const alike = (state: 'before' | 'after') =>
    ExpressionValues.alike([first.first.values[state], ...others.map((each) => each.first.values[state])])
  const [before, after] = [alike('before'), alike('after')]
  return rewritten(first.pattern, { before: (text) => before.filledIn(text), after: (text) => after.filledIn(text) })
}

type Rewrite = (text: string) => string
/** The rewrites of a pattern: of its texts in the earlier state, and in the later state. */
type Rewrites = Readonly<Record<'before' | 'after', Rewrite>>

/** Returns a pattern with other texts. The names of an object that goes are those of the earlier state. */
function rewritten({ object, fields }: Pattern, rewrites: Rewrites): Pattern {
  const { before, after } = rewrites
  const isGone = object.was === undefined && fields.length === 0 && object.value === undefined
  const { was, value, ...name } = object
  return {
    object: {
      ...rewrittenName(name, isGone ? before : after),
      ...(was && { was: rewrittenName(was, before) }),
      ...(value && { value: rewrittenRecord(value, after) }),
    },
    fields: fields.map((field) => rewrittenField(field, rewrites)),
  }
}

function rewrittenName({ apiVersion, kind, namespace, name }: ObjectName, rewrite: Rewrite): ObjectName {
  return { apiVersion, kind, ...(namespace !== undefined && { namespace: rewrite(namespace) }), name: rewrite(name) }
}

function rewrittenField({ path: _, steps, before, after, ...rest }: ChangedField, rewrites: Rewrites): ChangedField {
  const own = steps.map((step) => rewrittenStep(step, after === undefined ? rewrites.before : rewrites.after))
  return {
    path: formatSteps(own),
    steps: own,
    ...(before !== undefined && { before: rewrittenValue(before, rewrites.before) }),
    ...(after !== undefined && { after: rewrittenValue(after, rewrites.after) }),
    ...rest,
  }
}

function rewrittenStep(step: FieldStep, rewrite: Rewrite): FieldStep {
  if (typeof step === 'number') return step
  if (typeof step === 'string') return rewrite(step)
  return Object.fromEntries(Object.entries(step).map(([field, text]) => [field, rewrite(text)]))
}

function rewrittenValue(value: JsonValue, rewrite: Rewrite): JsonValue {
  if (typeof value === 'string') return rewrite(value)
  if (Array.isArray(value)) return value.map((each) => rewrittenValue(each, rewrite))
  return isRecord(value) ? rewrittenRecord(value, rewrite) : value
}

function rewrittenRecord(record: JsonRecord, rewrite: Rewrite): JsonRecord {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [rewrite(key), rewrittenValue(value, rewrite)]))
}

type Unnamed = Omit<ChangeGroup, 'id'>

/** Returns a group with names and values if all places have the same, else with patterns and the names and values of each place. */
function groupOf([first, ...others]: readonly [EqualChanges, ...EqualChanges[]]): Unnamed {
  const isEqual = others.length === 0
  const causes = new Map(first.causes)
  const allLost = new Map(first.lost)
  for (const other of others) {
    for (const cause of other.causes.values()) addCause(causes, cause)
    for (const [rule, lost] of other.lost) addLost(allLost, rule, lost)
  }
  const places = isEqual ? first.places : [first, ...others].flatMap(ownPlaces)
  const { op, dangers, removal, texts } = first.first
  const { object, fields } = isEqual ? first.first : commonPattern([first, ...others])
  return {
    op,
    objects: [{ ...object, ...texts() }],
    fields,
    causes: [...causes.values()],
    dangers: dangers.map((danger) => withLost(danger, allLost.get(danger.rule))),
    ...(removal && { removal }),
    clusters: new Set(places.map(({ cluster }) => cluster)).size,
    places: [...places].sort((a, b) => compareText(a.package, b.package)),
  }
}

/** Returns a danger that says what all clusters of a group lose. */
function withLost({ lost: _, ...danger }: FoundDanger, lost: LostObjects | undefined): Danger {
  return lost === undefined ? danger : { ...danger, text: `${danger.text}; ${describeLost(lost)}` }
}

function ownPlaces({ first: { object, fields }, places }: EqualChanges): readonly ChangePlace[] {
  return places.map((place) => ({ ...place, objects: [object], ...(fields.length > 0 && { fields }) }))
}

/** Makes one group of groups that change several objects in the same way, for the same causes, in the same places. */
function mergeObjects(groups: readonly Unnamed[]): readonly Unnamed[] {
  const merged = new Map<string, Unnamed>()
  for (const group of groups) {
    const { objects: _, places, ...rest } = group
    const hasOwn = places.some((place) => place.objects !== undefined)
    // A Secret whose fields are hidden is no reason to hide those of an object that changes in the same way.
    const shown = group.objects.some(({ kind }) => kind === 'Secret') ? withoutSecretsInGroup(group).fields : group.fields
    const values = shown.map(({ before, after }) => [before, after])
    const key = hasOwn && group.fields.length > 0 ? textOf(group) : textOf([rest, places.map((place) => place.package), hasOwn, values])
    const known = merged.get(key)
    merged.set(key, known === undefined ? group : join(known, group))
  }
  return [...merged.values()]
}

function join(group: Unnamed, { objects, places }: Unnamed): Unnamed {
  const own = new Map(places.map((place) => [place.package, place.objects ?? []]))
  return {
    ...group,
    objects: [...group.objects, ...objects],
    places: group.places.map((place) =>
      place.objects === undefined ? place : { ...place, objects: [...place.objects, ...(own.get(place.package) ?? [])] },
    ),
  }
}

function withIds(groups: readonly Unnamed[]): ChangeGroup[] {
  const seen = new Map<string, number>()
  return groups.map((group) => {
    const { op, objects, fields, causes } = group
    const names = objects.map(({ before: _, after: __, value: ___, ...name }) => name)
    const digest = digestOf(textOf([op, names, fields, causes.map(causeKey)]))
    const count = (seen.get(digest) ?? 0) + 1
    seen.set(digest, count)
    return { id: count === 1 ? digest : `${digest}-${count}`, ...group }
  })
}

/** Returns a short digest of a text (FNV-1a, twice 32 bits). It protects nothing: it distinguishes the groups of one report. */
function digestOf(text: string): string {
  let [a, b] = [0x811c9dc5, 0x9e3779b9]
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193)
    b = Math.imul(b ^ text.charCodeAt(text.length - 1 - i), 0x01000193)
  }
  return [a, b].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}

const OPERATION_ORDER: readonly ObjectOperation[] = ['delete', 'rename', 'change', 'create']

/** Returns the rank of the worst danger of a group; that of a group without dangers is the highest. */
function worstOf({ dangers }: ChangeGroup): number {
  const ranks = dangers.map((danger) => {
    const rank = DANGER_RULES.findIndex((each) => each.id === danger.rule)
    return isDanger(danger) ? rank : rank + DANGER_RULES.length
  })
  return Math.min(...ranks, 2 * DANGER_RULES.length)
}

function compareGroups(a: ChangeGroup, b: ChangeGroup): number {
  return (
    worstOf(a) - worstOf(b) ||
    b.clusters - a.clusters ||
    OPERATION_ORDER.indexOf(a.op) - OPERATION_ORDER.indexOf(b.op) ||
    compareText(textOf(a.objects[0]), textOf(b.objects[0])) ||
    compareText(textOf(a.fields), textOf(b.fields)) ||
    compareText(a.id, b.id)
  )
}
