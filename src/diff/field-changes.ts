import { compareText, formatFieldPath } from '../field-path.ts'
import { equalJson, isJsonList, isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import { ruleOfObject } from '../merge/kubernetes-lists.ts'
import { type FieldKey, fieldRule, keyText, type MergeRule } from '../merge/merge-rule.ts'
import type { ChangedField, FieldStep } from './report.ts'

/**
 * Returns the fields in which two states of an object differ. Applied in order to the earlier state, the changes give the later one.
 *
 * The entries of a list are identified by the key that Kubernetes merges them by, and in lists of other kinds by `name`, so that an
 * entry that is inserted at the start is one change. A list without such a key is compared position by position if both states have
 * equally many entries, else as a whole. Example: the image of the second container is `spec.containers[till].image`.
 */
export function fieldChanges(before: JsonRecord, after: JsonRecord): readonly ChangedField[] {
  const found: ChangedField[] = []
  diffRecords(before, after, { steps: [], rule: ruleOfObject(after), found })
  return found
}

interface Walk {
  readonly steps: readonly FieldStep[]
  readonly rule: MergeRule | undefined
  readonly found: ChangedField[]
}

function diffValues(before: JsonValue | undefined, after: JsonValue | undefined, walk: Walk): void {
  if (equalJson(before, after)) return
  if (isRecord(before) && isRecord(after)) diffRecords(before, after, walk)
  else if (isJsonList(before) && isJsonList(after)) diffLists(before, after, walk)
  else walk.found.push(fieldChange(walk.steps, before, after))
}

function fieldChange(steps: readonly FieldStep[], before: JsonValue | undefined, after: JsonValue | undefined): ChangedField {
  return { path: formatSteps(steps), steps, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
}

function diffRecords(before: JsonRecord, after: JsonRecord, { steps, rule, found }: Walk): void {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(compareText)
  for (const key of keys) diffValues(lookup(before, key), lookup(after, key), { steps: [...steps, key], rule: fieldRule(rule, key), found })
}

function diffLists(before: readonly JsonValue[], after: readonly JsonValue[], walk: Walk): void {
  const keyed = keyedLists(before, after, walk.rule)
  if (keyed !== undefined) {
    diffKeyed(keyed, walk)
    return
  }
  if (before.length !== after.length) walk.found.push(fieldChange(walk.steps, before, after))
  else
    for (const [i, value] of after.entries())
      diffValues(before[i], value, { ...walk, steps: [...walk.steps, i], rule: entryRule(walk.rule) })
}

function entryRule(rule: MergeRule | undefined): MergeRule | undefined {
  return rule?.list?.entries
}

/** An entry of a list, with the step that leads to the entry. */
interface KeyedEntry {
  readonly step: Readonly<Record<string, string>>
  readonly text: string
  readonly value: JsonValue
}

interface KeyedLists {
  readonly before: readonly KeyedEntry[]
  readonly after: readonly KeyedEntry[]
}

/** Returns the entries of two lists with their keys; undefined if an entry has no key of its own. */
function keyedLists(before: readonly JsonValue[], after: readonly JsonValue[], rule: MergeRule | undefined): KeyedLists | undefined {
  const fields = keyFields(rule)
  if (fields === undefined) return undefined
  const [old, present] = [keyedEntries(before, fields), keyedEntries(after, fields)]
  return old && present && { before: old, after: present }
}

/** Returns the fields that identify an entry of a list; undefined for a set of texts, whose entries are no maps. */
function keyFields(rule: MergeRule | undefined): readonly string[] | undefined {
  const key = rule?.list?.key
  return key !== undefined && 'of' in key ? fieldsOf(key) : ['name']
}

function fieldsOf({ fields }: FieldKey): readonly string[] | undefined {
  return fields.length === 0 ? undefined : fields
}

function keyedEntries(list: readonly JsonValue[], fields: readonly string[]): readonly KeyedEntry[] | undefined {
  const entries: KeyedEntry[] = []
  const seen = new Set<string>()
  for (const value of list) {
    const step = isRecord(value) ? stepOf(value, fields) : undefined
    const text = step && Object.values(step).join('/')
    if (step === undefined || text === undefined || seen.has(text)) return undefined
    seen.add(text)
    entries.push({ step, text, value })
  }
  // An entry without the second field of its key must not be mistaken for one that has it.
  const isUnclear = entries.some((entry) => entries.some((other) => other !== entry && isPart(entry.step, other.step)))
  return isUnclear ? undefined : entries
}

function stepOf(entry: JsonRecord, fields: readonly string[]): Readonly<Record<string, string>> | undefined {
  const texts = fields.flatMap((field) => {
    const text = keyText(lookup(entry, field))
    return text === undefined ? [] : [[field, text] as const]
  })
  return texts[0]?.[0] === fields[0] ? Object.fromEntries(texts) : undefined
}

function isPart(step: Readonly<Record<string, string>>, of: Readonly<Record<string, string>>): boolean {
  return Object.entries(step).every(([field, text]) => of[field] === text)
}

/** Compares lists whose entries have keys. Removed entries come first, then changed and added ones, then the order if it differs. */
function diffKeyed({ before, after }: KeyedLists, { steps, rule, found }: Walk): void {
  const old = new Map(before.map((entry) => [entry.text, entry]))
  const present = new Map(after.map((entry) => [entry.text, entry]))
  for (const { step, text, value } of before) if (!present.has(text)) found.push(fieldChange([...steps, step], value, undefined))
  for (const { step, text, value } of after) {
    const was = old.get(text)
    const entry = { steps: [...steps, step], rule: entryRule(rule), found }
    if (was === undefined) found.push(fieldChange(entry.steps, undefined, value))
    else diffValues(was.value, value, entry)
  }
  const kept = before.flatMap(({ text }) => (present.has(text) ? [text] : []))
  const applied = [...kept, ...after.flatMap(({ text }) => (old.has(text) ? [] : [text]))]
  const order = after.map(({ text }) => text)
  if (!equalJson(applied, order))
    found.push({
      ...fieldChange(
        steps,
        before.map(({ text }) => text),
        order,
      ),
      isOrder: true,
    })
}

/** Returns a path as people read it: `spec.containers[till].ports[8080/TCP].name`. */
export function formatSteps(steps: readonly FieldStep[]): string {
  let text = ''
  for (const step of steps) {
    if (typeof step === 'object') text += `[${Object.values(step).join('/')}]`
    else {
      const own = formatFieldPath([step])
      text += text === '' || own.startsWith('[') ? own : `.${own}`
    }
  }
  return text === '' ? '.' : text
}

/** Returns the value at the steps of a path; undefined if there is none. */
export function valueAt(value: JsonValue | undefined, steps: readonly FieldStep[]): JsonValue | undefined {
  let found = value
  for (const step of steps) {
    if (typeof step === 'string') found = isRecord(found) ? lookup(found, step) : undefined
    else if (!isJsonList(found)) return undefined
    else found = typeof step === 'number' ? found[step] : found[positionOfEntry(found, step)]
  }
  return found
}

/** Returns the texts that identify the entries of a list of an object, in their order; undefined if an entry has no key of its own. */
export function entryTexts(object: JsonRecord, steps: readonly FieldStep[]): readonly string[] | undefined {
  let rule = ruleOfObject(object)
  for (const step of steps) rule = typeof step === 'string' ? fieldRule(rule, step) : entryRule(rule)
  const [list, fields] = [valueAt(object, steps), keyFields(rule)]
  return isJsonList(list) && fields !== undefined ? keyedEntries(list, fields)?.map(({ text }) => text) : undefined
}

/** Returns the position of the entry of a list that a step identifies; -1 if there is none. */
export function positionOfEntry(list: readonly JsonValue[], step: Readonly<Record<string, string>>): number {
  return list.findIndex((entry) => isRecord(entry) && Object.entries(step).every(([field, text]) => keyText(lookup(entry, field)) === text))
}
