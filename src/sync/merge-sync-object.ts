import type { FieldPath } from '../field-path.ts'
import { asList, asRecord, compactJson, equalJson, isRecord, type JsonRecord, type JsonValue, lookup, memberOf } from '../json.ts'
import { mergeFields, type TypeChange } from '../merge/merge-fields.ts'
import { type FieldKey, fieldRule, keyedBy, type MergeRule, SET } from '../merge/merge-rule.ts'
import type { ThreeWay } from '../merge/package-files.ts'
import { stepsThatGo, wavesOfNow, withWavesOfNow } from './rolling-steps.ts'

/** The three states of a sync object: as it was last generated, as the fleet wants it now, and as it is, with the edits of people. */
type Sides = Readonly<Record<keyof ThreeWay<JsonRecord>, JsonRecord>>

/** A value that a person wrote into a sync object, where the fleet wants another value. */
export interface ContestedValue {
  readonly field: FieldPath
  readonly ours: JsonValue | undefined
  readonly theirs: JsonValue | undefined
}

/** A sync object after the merge, with the edits that the merge lost, and those that stay where the fleet wants another kind of value. */
export interface MergedSyncObject {
  readonly value: JsonRecord
  readonly lost: readonly ContestedValue[]
  readonly kept: readonly ContestedValue[]
}

/**
 * Merges a sync object with the object that the fleet wants. A field that the fleet changed has the fleet's value, any other the person's,
 * as has one of another kind: a map of a person where the fleet has a text.
 * The lists that the function writes are merged entry by entry, as lists of resources are; other lists are one value.
 *
 * @example  base `dependsOn: [a]`, fleet `[a, b]`, people `[a, storage]` → `[a, storage, b]`
 */
export function mergeSyncObject(sides: Sides): MergedSyncObject {
  const rule = ruleOf(asRecord(sides.theirs.metadata).namespace ?? '')
  const waves = wavesOfNow(sides.base, sides.theirs)
  const listed = {
    base: withFileList(withWavesOfNow(sides.base, waves)),
    theirs: withFileList(sides.theirs),
    ours: withFileList(withWavesOfNow(sides.ours, waves)),
  }
  const { theirs, ours, lost } = alignLists(listed, rule, [])
  const { value, outcomes, typeChanges } = mergeFields({ base: listed.base, theirs: theirs ?? {}, ours: ours ?? {} }, rule)
  const replaced = outcomes.filter(({ result, contested }) => result === 'lost' && contested)
  return {
    value: withFileText(asRecord(withoutEmptied(value, listed.theirs, rule))),
    lost: [...lost, ...replaced.map(contested), ...stepsThatGo(sides.ours, waves)],
    kept: typeChanges.map(contested),
  }
}

function contested({ ours, theirs }: TypeChange): ContestedValue {
  return { field: ours.field, ours: ours.value, theirs: theirs.value }
}

/** Returns the rule of a list whose entries are identified by several fields. A field that an entry lacks has the text of `defaults`. */
function keyedByTexts(fields: readonly string[], defaults: JsonRecord = {}): MergeRule {
  const textOf = (entry: JsonRecord, field: string): string => compactJson(lookup(entry, field) || (lookup(defaults, field) ?? null))
  const of: FieldKey['of'] = (entry) => (isRecord(entry) ? fields.map((field) => textOf(entry, field)) : undefined)
  return { list: { key: { of, fields, loose: false } } }
}

/** The rule of a list whose entries are the same ones as long as they are in the same place. */
function byPlace(entries: MergeRule): MergeRule {
  const pair = ({ base = [], theirs = [], ours = [] }: ThreeWay<readonly JsonValue[]>) =>
    Array.from({ length: Math.max(base.length, theirs.length, ours.length) }, (_, place) => ({
      base: place < base.length ? place : undefined,
      theirs: place < theirs.length ? place : undefined,
      ours: place < ours.length ? place : undefined,
    }))
  return { list: { key: { fields: [], pair }, entries } }
}

/** The fields of an Application, and of the template of an ApplicationSet. */
const APPLICATION: Readonly<Record<string, MergeRule>> = {
  syncPolicy: { fields: { syncOptions: SET } },
  ignoreDifferences: keyedByTexts(['group', 'kind', 'namespace', 'name']),
  source: { fields: { directory: { fields: { exclude: SET } } } },
}

/** Returns the merge rule of the sync objects of a namespace. */
function ruleOf(namespace: JsonValue): MergeRule {
  const fields = {
    ...APPLICATION,
    // An entry without a namespace is in that of its Kustomization.
    dependsOn: keyedByTexts(['name', 'namespace'], { namespace }),
    healthChecks: keyedByTexts(['apiVersion', 'kind', 'namespace', 'name']),
    template: { fields: { spec: { fields: APPLICATION } } },
    generators: byPlace({ fields: { list: { fields: { elements: keyedBy(['name']) } } } }),
    strategy: { fields: { rollingSync: { fields: { steps: keyedByTexts(['matchExpressions']) } } } },
  }
  return { fields: { metadata: { fields: { finalizers: SET } }, spec: { fields } } }
}

interface Aligned {
  readonly theirs: JsonValue | undefined
  readonly ours: JsonValue | undefined
  readonly lost: readonly ContestedValue[]
}

/**
 * Returns two sides of a merge so that a list with keys loses no entry of people, and keeps no rest of an entry that the fleet removed:
 * a list that the fleet removed is an empty one, and an entry that the fleet removed is removed here with the fields that people added to
 * it, since a dependency without what it depends on is never ready.
 */
function alignLists({ base, theirs, ours }: ThreeWay<JsonValue>, rule: MergeRule | undefined, at: FieldPath): Aligned {
  if (equalJson(base, ours)) return { theirs, ours, lost: [] }
  if (isRecord(base) && isRecord(ours) && (isRecord(theirs) || theirs === undefined) && rule?.fields !== undefined) {
    const fields = Object.keys(rule.fields).map((key) => {
      const sides = { base: lookup(base, key), theirs: theirs && lookup(theirs, key), ours: lookup(ours, key) }
      return { key, ...alignLists(sides, fieldRule(rule, key), [...at, key]) }
    })
    return {
      theirs:
        theirs &&
        withMembers(
          theirs,
          fields.map(({ key, theirs: value }) => [key, value]),
        ),
      ours: withMembers(
        ours,
        fields.map(({ key, ours: value }) => [key, value]),
      ),
      lost: fields.flatMap(({ lost }) => lost),
    }
  }
  const key = rule?.list?.key
  if (key === undefined || !Array.isArray(base) || !Array.isArray(ours)) return { theirs, ours, lost: [] }
  const wanted: readonly JsonValue[] = asList(theirs)
  if ('pair' in key) {
    const entries = ours.map((entry: JsonValue, place) =>
      alignLists({ base: base[place], theirs: wanted[place], ours: entry }, rule?.list?.entries, [...at, place]),
    )
    return {
      theirs: wanted.map((entry, place) => entries[place]?.theirs ?? entry),
      ours: entries.map((each) => each.ours ?? null),
      lost: entries.flatMap(({ lost }) => lost),
    }
  }
  const textOf = (entry: JsonValue): string => compactJson(key.of(entry)?.map((text) => text ?? null) ?? null)
  const stays = new Set(wanted.map(textOf))
  const before = new Map(base.map((entry: JsonValue) => [textOf(entry), entry]))
  const isRemoved = (entry: JsonValue) => before.has(textOf(entry)) && !stays.has(textOf(entry))
  const lost = ours.flatMap((entry: JsonValue, place): ContestedValue[] => {
    const isEdited = isRemoved(entry) && compactJson(entry) !== compactJson(before.get(textOf(entry)) ?? null)
    return isEdited ? [{ field: [...at, place], ours: entry, theirs: undefined }] : []
  })
  return { theirs: wanted, ours: ours.filter((entry: JsonValue) => !isRemoved(entry)), lost }
}

function withMembers(record: JsonRecord, members: readonly (readonly [string, JsonValue | undefined])[]): JsonRecord {
  const changed = new Map(members)
  const kept = Object.entries(record).flatMap(([key, value]): [string, JsonValue][] => {
    const member = changed.has(key) ? changed.get(key) : value
    return member === undefined ? [] : [[key, member]]
  })
  const added = members.flatMap(([key, value]): [string, JsonValue][] =>
    value === undefined || Object.hasOwn(record, key) ? [] : [[key, value]],
  )
  return Object.fromEntries([...kept, ...added])
}

/** Returns a merged value without the lists that the fleet removed and that no entry of people is in. */
function withoutEmptied(value: JsonValue | undefined, theirs: JsonValue | undefined, rule: MergeRule | undefined): JsonValue | undefined {
  if (rule?.list !== undefined && Array.isArray(value) && value.length === 0 && theirs === undefined) return undefined
  if (rule?.fields === undefined || !isRecord(value)) return value
  const keys = Object.keys(rule.fields).filter((key) => Object.hasOwn(value, key))
  return withMembers(
    value,
    keys.map((key) => [key, withoutEmptied(value[key], memberOf(theirs, key), fieldRule(rule, key))]),
  )
}

/** The places of the files that Argo CD leaves out. They are one text, a pattern such as `{a.yaml,b.yaml}`, which is merged as a list. */
const EXCLUDES: readonly FieldPath[] = [
  ['spec', 'source', 'directory', 'exclude'],
  ['spec', 'template', 'spec', 'source', 'directory', 'exclude'],
]

function withFileList(object: JsonRecord): JsonRecord {
  return EXCLUDES.reduce((value, path) => editAt(value, path, (text) => (typeof text === 'string' ? patternsIn(text) : text)), object)
}

function withFileText(object: JsonRecord): JsonRecord {
  return EXCLUDES.reduce(
    (value, path) => editAt(value, path, (list) => (Array.isArray(list) ? excludePattern(list.map(String)) : list)),
    object,
  )
}

function editAt(record: JsonRecord, [key, ...rest]: FieldPath, edit: (value: JsonValue) => JsonValue): JsonRecord {
  const value = lookup(record, String(key))
  if (value === undefined) return record
  if (rest.length === 0) return { ...record, [String(key)]: edit(value) }
  return isRecord(value) ? { ...record, [String(key)]: editAt(value, rest, edit) } : record
}

/** Returns the patterns of a text: `{a.yaml,{b,c}.yaml}` has two, any text that is not in braces is one. */
function patternsIn(text: string): readonly string[] {
  // `{{.exclude}}` is a value of a template.
  const inside = /^\{(?!\{)(.*)\}$/s.exec(text)?.[1]
  if (inside === undefined) return [text]
  const patterns = ['']
  let depth = 0
  for (const character of inside) {
    depth += character === '{' ? 1 : character === '}' ? -1 : 0
    // The first brace ends before the text does: `{a,b}/{c,d}`.
    if (depth < 0) return [text]
    if (character === ',' && depth === 0) patterns.push('')
    else patterns.push(`${patterns.pop() ?? ''}${character}`)
  }
  return patterns
}

/** Returns the text of patterns: `{a.yaml,b.yaml}`; a single pattern is itself. */
function excludePattern(patterns: readonly string[]): string {
  const [only = ''] = patterns
  const isTemplate = (pattern: string): boolean => pattern.includes('{{')
  // A value of a template is last: `{{{` is no template.
  const ordered = [...patterns.filter((pattern) => !isTemplate(pattern)), ...patterns.filter(isTemplate)]
  return patterns.length === 1 ? only : `{${ordered.join(',')}}`
}
