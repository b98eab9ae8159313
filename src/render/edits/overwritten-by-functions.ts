import { markedFields } from '../../catalog/setter-comments.ts'
import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import { isRecord, type JsonValue, lookup } from '../../json.ts'
import { identityIn, ownText } from '../../merge/clone-marks.ts'
import { mergeFields } from '../../merge/merge-fields.ts'
import { editOverwritten } from '../../merge/merge-results.ts'
import { isBytes, objectsIn, type PackageContent, type PackageFiles } from '../../merge/package-files.ts'
import type { Calls } from '../../pipeline/calls.ts'
import type { PipelineStep } from '../../pipeline/pipeline-steps.ts'
import { functionName } from '../../pipeline/step-run.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { OWNED_FUNCTION_PREFIX } from '../../well-known.ts'
import { type FunctionRun, type RenderedContent, type RenderedFiles, unchanged } from '../clone/rendered-package.ts'
import type { AskedField } from '../runs/watched-runners.ts'
import { type FieldValue, hasFieldValue, type LostEdit, type RanUpdate, withEdits, writtenObjects } from './written-values.ts'

/*
 * An update keeps an edit, and then a function of the package writes its own value over it. The function is right, as in kpt, but the edit
 * is gone: that is a lost edit.
 *
 *   last render  level: info    people  level: debug    merge  level: debug    apply-setters  level: info
 *
 * A value that a function wrote earlier, and writes again with another value of a setter, is no edit. To find out, the functions run on the
 * package as people left it, with the fields as the last render had them: a value that they write there is theirs.
 *
 *   last render  replicas: 1    people set the setter to 5 and run the functions: replicas: 5    upstream sets the setter to 2
 *   The functions write 5 into people's package, so no person wrote 5.
 */

/** An updated package whose functions ran, with what it was made from. */
export interface EditedUpdate extends RanUpdate {
  /** The package as people left it. */
  readonly downstream: PackageFiles
  /** The old upstream revision after its functions ran, and before. */
  readonly base: PackageFiles
  readonly source: PackageFiles
  /** Runs the functions on other files of the package. Returns the function that wrote each field last. */
  writersOf(files: RenderedFiles, fields: readonly AskedField[]): Calls<readonly (PipelineStep | undefined)[]>
}

/** An edit of a field that people made since the last render, and that functions replaced. */
interface Overwritten {
  readonly path: string
  /** The field as people left it. */
  readonly ours: KrmObject
  readonly edit: FieldValue
  /** The value in the last render; undefined if the field was missing. */
  readonly base: JsonValue | undefined
  /** The place and value after the update and its functions. */
  readonly now: FieldValue
}

/** Returns a warning for each edit of people that functions wrote over. */
export function* overwrittenByFunctions(update: EditedUpdate, written: readonly LostEdit[]): Calls<readonly Result[]> {
  const found = overwrittenFields(update, written)
  if (found.length === 0) return []
  const before = new Map(Array.from(update.downstream, ([path, content]): [string, RenderedContent] => [path, unchanged(content, 'ours')]))
  const reset = withEdits(
    before,
    found.map(({ edit, base }) => ({ ...edit, value: base })),
  )
  if (reset === undefined) return []
  const run = yield* update.again(reset)
  if (run.outcome !== 'done') return []
  const byHand = found.filter((one) => isByHand(one, reset, run))
  if (byHand.length === 0) return []
  const edits = byHand.map(({ edit, now }) => ({ ...now, value: edit.value }))
  const writers = yield* update.writersOf(withEdits(update.files, edits) ?? update.files, edits)
  const comments = new SetterComments()
  return byHand.flatMap((one, at) => warning(one, writers[at], comments))
}

/** Returns false for a value that functions write, and for one that they write anew because people changed what the functions are given. */
function isByHand({ edit, base, now }: Overwritten, files: RenderedFiles, run: FunctionRun): boolean {
  const writes = (value: JsonValue | undefined): boolean => hasFieldValue({ ...edit, value }, files, run)
  return !writes(edit.value) && (writes(base) || !writes(now.value))
}

function overwrittenFields(update: EditedUpdate, written: readonly LostEdit[]): readonly Overwritten[] {
  const { files, run } = update
  const paths = new Set([...run.changed.keys(), ...written.map(({ path }) => path)])
  return [...paths].flatMap((path) => {
    const content = files.get(path)
    const ours = objectsIn(update.downstream.get(path))
    const side = update.base.get(path)
    if (content === undefined || isBytes(content) || ours.length === 0 || side === undefined || isIn(ours, side)) return []
    const base = byIdentity(objectsOfSide(path, side))
    const source = byIdentity(objectsIn(update.source.get(path)))
    const after = objectsAfter(path, content, run)
    const places = new Map(ours.map((object, at) => [object, at]))
    return content.flatMap((one, index): readonly Overwritten[] => {
      const at = places.get(one.source)
      const [there, now] = [base.get(identityIn(one.source)), after[index]]
      if (at === undefined || there === undefined || now === undefined || ownText(there) === ownText(one.source)) return []
      const lost = written.filter((edit) => edit.path === path && edit.index === index)
      const sides = { base: there, source: source.get(identityIn(one.source)), ours: one.source, merged: one.object, after: now }
      return overwrittenIn(sides, lost).map(({ ours, base, now }) => ({
        path,
        ours: one.source,
        edit: { path, index: at, ...ours },
        base,
        now: { path, index, ...now },
      }))
    })
  })
}

/** Returns true if every object has its text in the file of the last render, so that no person edited one. */
function isIn(objects: readonly KrmObject[], side: PackageContent): boolean {
  if (!isBytes(side)) {
    const texts = new Set(side.map(ownText))
    return objects.every((object) => texts.has(ownText(object)))
  }
  const text = Buffer.from(side).toString()
  return objects.every((object) => text.includes(object.toText()))
}

function byIdentity(objects: readonly KrmObject[]): ReadonlyMap<string, KrmObject> {
  return new Map(objects.map((object) => [identityIn(object), object]))
}

/** Returns the objects of a file. The side of a merge carries a file that it need not read as bytes. */
function objectsOfSide(path: string, content: PackageContent | undefined): readonly KrmObject[] {
  if (content === undefined || !isBytes(content)) return content ?? []
  return writtenObjects(path, content)
}

/** Returns the objects of a file after the functions ran; none if they added or removed an object. */
function objectsAfter(path: string, content: readonly { readonly object: KrmObject }[], { changed }: FunctionRun): readonly KrmObject[] {
  if (!changed.has(path)) return content.map(({ object }) => object)
  const after = objectsOfSide(path, changed.get(path))
  return after.length === content.length ? after : []
}

/** The states of one object: the last render, its upstream, people's, after the merge, and after the functions. */
interface States {
  readonly base: KrmObject
  readonly source: KrmObject | undefined
  readonly ours: KrmObject
  readonly merged: KrmObject
  readonly after: KrmObject
}

/** Returns the fields that people changed, and that have another value after the functions, which the merge did not give them. */
function overwrittenIn(states: States, lost: readonly LostEdit[]) {
  const [base, ours, merged, after] = [states.base, states.ours, states.merged, states.after].map((object) => object.toJson())
  const outcomes = (from: JsonValue | undefined, to: JsonValue | undefined) =>
    mergeFields({ base: from, theirs: to, ours }, undefined).outcomes
  const byFunctions = new Fields(outcomes(merged, after).filter(({ result }) => result === 'taken'))
  const edited = new Fields(outcomes(after, base))
  // Of a package that was rendered without its functions, a field that functions write has upstream's value, which is no edit.
  const own = states.source && new Fields(outcomes(after, states.source.toJson()))
  const replaced = new Fields(lost.map(({ field }) => ({ ours: { field } })))
  return outcomes(ours, after).flatMap((outcome) => {
    const { field } = outcome.ours
    const edit = edited.holding(field)
    const isOverwritten = byFunctions.holding(field) !== undefined || replaced.holding(field) !== undefined
    if (!isOverwritten || edit === undefined || (own !== undefined && own.holding(field) === undefined)) return []
    return [{ ours: outcome.ours, now: outcome.theirs, base: valueBelow(edit.theirs.value, field.slice(edit.ours.field.length)) }]
  })
}

class Fields<Outcome extends { readonly ours: { readonly field: FieldPath } }> {
  readonly #byField: ReadonlyMap<string, Outcome>

  constructor(outcomes: readonly Outcome[]) {
    this.#byField = new Map(outcomes.map((outcome) => [JSON.stringify(outcome.ours.field), outcome]))
  }

  /** Returns the outcome of a field, or of a map or list that holds the field. */
  holding(field: FieldPath): Outcome | undefined {
    for (let length = field.length; length >= 0; length--) {
      const outcome = this.#byField.get(JSON.stringify(field.slice(0, length)))
      if (outcome !== undefined) return outcome
    }
    return undefined
  }
}

function valueBelow(value: JsonValue | undefined, path: FieldPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((at, part) => {
    if (Array.isArray(at)) return at[Number(part)]
    return isRecord(at) ? lookup(at, String(part)) : undefined
  }, value)
}

function warning(
  { path, ours, edit, base, now }: Overwritten,
  writer: PipelineStep | undefined,
  comments: SetterComments,
): readonly Result[] {
  const setters = writer !== undefined && isSetter(writer) ? comments.of(ours, edit.field) : []
  // People who write a field with a setter's comment ask for the setter's value.
  if (base === undefined && setters.length > 0) return []
  const name = writer === undefined ? 'a function' : `the function ${quoteText(functionName(writer))}`
  const outcome = {
    result: 'lost',
    contested: true,
    path,
    ours: { object: ours, field: edit.field, value: edit.value, exists: edit.value !== undefined },
    theirs: { object: undefined, field: now.field, value: now.value, exists: now.value !== undefined },
  } as const
  return [editOverwritten(outcome, name, writer === undefined ? 'what it is given' : inputOf(writer, setters))]
}

/** Names what a function gets its values from. */
function inputOf({ name, configPath, field }: PipelineStep, setters: readonly string[]): string {
  // The next render writes the functions of the variant again.
  const isOfVariant = configPath === '' && name.startsWith(OWNED_FUNCTION_PREFIX)
  const inKptfile = isOfVariant ? '`spec.pipeline` of the variant or its set' : `\`${formatFieldPath(field)}\` in the Kptfile`
  const given = configPath === '' ? inKptfile : quoteText(configPath)
  const named = setters.map(quoteText).join(', ')
  return setters.length === 0 ? given : `the setter${setters.length > 1 ? 's' : ''} ${named} of ${given}`
}

function isSetter({ image }: PipelineStep): boolean {
  return /(?:^|\/)apply-setters(?:[:@]|$)/.test(image)
}

/** The setter comments of objects, by field. */
class SetterComments {
  readonly #known = new Map<KrmObject, ReadonlyMap<string, string>>()

  /** Returns the setters that the comment on a field names: `# kpt-set: ${image}:${tag}` → image, tag. */
  of(object: KrmObject, field: FieldPath): readonly string[] {
    const patterns =
      this.#known.get(object) ?? new Map(markedFields(object).map(({ path, pattern }) => [JSON.stringify(path), pattern] as const))
    this.#known.set(object, patterns)
    return Array.from((patterns.get(JSON.stringify(field)) ?? '').matchAll(/\$\{([^}]*)\}/g), ([, name = '']) => name)
  }
}
