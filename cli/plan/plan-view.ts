import { formatFieldPath } from '../../src/field-path.ts'
import type { VariantChange } from '../../src/fleet/change.ts'
import type { SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { sourcesOf } from '../../src/fleet/render-template.ts'
import { type JsonValue, memberOf, scalarText } from '../../src/json.ts'
import type { Result } from '../../src/result.ts'
import { placed } from '../print/placed.ts'
import { type Earlier, type Reason, reasonByHand, reasonOf, type Why } from './change-reason.ts'
import { diffFields } from './field-diff.ts'
import type { PackageChanges } from './package-changes.ts'

/** Something that a plan would do, most dangerous first. */
export const OPERATIONS = ['remove', 'rename', 'update', 'create'] as const
export type Operation = (typeof OPERATIONS)[number]

/** How many package variants each operation is about. */
export type Counts = Readonly<Record<Operation | 'unchanged', number>>

/** A plan as all formats show it. */
export interface PlanView {
  /** Of the whole plan, also when parts of it are left out here. */
  readonly counts: Counts
  readonly sets: readonly SetView[]
  readonly results: readonly Result[]
  /** What `render` would do to the packages, where that was looked at. */
  readonly packages?: PackageChanges
  /** What else there is, when only a part was asked for. */
  readonly others?: Counts
  /** What did not fit, when the view was cut: findings, changes, and the details of changes that are shown. */
  readonly leftOut?: Counts & { readonly details: number; readonly results: number }
}

export interface SetView {
  readonly name: string
  readonly namespace?: string
  /** `FILE:LINE` of the set. */
  readonly place?: string
  readonly unchanged: number
  readonly changes: readonly EntryView[]
}

export type EntryView = ChangeView | GroupView

/** Equal changes of many variants. */
export interface GroupView {
  readonly op: Operation
  readonly count: number
  /** The first of the variants. */
  readonly names: readonly string[]
  readonly upstream: string
  /** `spec` of the first of them. */
  readonly spec?: JsonValue
  /** Why, where it is the same for all of them. */
  readonly cause: string
  readonly fields: readonly FieldView[]
}

export function isGroup(entry: EntryView): entry is GroupView {
  return 'count' in entry
}

export interface ChangeView {
  readonly op: Operation
  readonly name: string
  readonly namespace: string
  /** What a renamed variant was called. */
  readonly oldName?: string
  /** The file of a variant that is there. */
  readonly file?: string
  readonly upstream: string
  readonly downstream: string
  /** `spec` as it will be, of a removed variant as it stands. */
  readonly spec?: JsonValue
  /** `spec` as it stands, and as it will be: whole. */
  readonly before?: JsonValue
  readonly after?: JsonValue
  /** Why, in a sentence: the target and the clause that matched, or what no longer asks for it. */
  readonly reason: string
  /** The same without what is this variant's own, as all variants with that cause have it. */
  readonly cause: string
  /** The reason as data, for other programs. */
  readonly why?: Why
  readonly fields: readonly FieldView[]
}

/** A field that differs; of a new variant, one that an expression gave. */
export interface FieldView {
  readonly path: string
  readonly before?: JsonValue
  readonly after?: JsonValue
  /** The expression that gave the value, and its place in the set. */
  readonly expression?: { readonly text: string; readonly path: string }
}

/** The view of a whole plan. */
export function viewPlan(sets: readonly SetView[], results: readonly Result[]): PlanView {
  const unchanged = sets.reduce((sum, set) => sum + set.unchanged, 0)
  return { counts: { ...countChanges(sets.flatMap(({ changes }) => changes)), unchanged }, sets, results }
}

/** How many changes there are of each kind. */
export function countChanges(changes: readonly EntryView[]): Counts {
  const count = (op: Operation) => changes.reduce((sum, entry) => sum + (entry.op !== op ? 0 : isGroup(entry) ? entry.count : 1), 0)
  return { remove: count('remove'), rename: count('rename'), update: count('update'), create: count('create'), unchanged: 0 }
}

/** The changes of one set. */
export function viewSet(set: SetPlan, earlier?: Earlier): SetView {
  const { object, changes } = set
  const { name = '', namespace } = object
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    ...placed(object, []),
    ...viewChanges(changes, (change) => reasonOf(change, set, earlier)),
  }
}

/** The changes of variants that no set asks for. */
export function viewByHand(changes: readonly VariantChange[]): readonly SetView[] {
  const view = viewChanges(changes, reasonByHand)
  return view.changes.length === 0 ? [] : [{ name: 'without a set', ...view }]
}

/** The changes that do something, in the order of danger. */
function viewChanges(changes: readonly VariantChange[], reason: (change: VariantChange) => Reason): Pick<SetView, 'unchanged' | 'changes'> {
  const views = changes.flatMap((change) => (change.op === 'unchanged' ? [] : [viewChange(change, change.op, reason(change))]))
  return { unchanged: changes.length - views.length, changes: OPERATIONS.flatMap((op) => views.filter((view) => view.op === op)) }
}

function viewChange(change: VariantChange, op: Operation, reason: Reason): ChangeView {
  const { name, namespace, existing, before, after } = change
  const spec = after ?? before
  const file = existing?.object.file?.path
  return {
    op,
    name,
    namespace,
    ...(op === 'rename' && existing !== undefined && { oldName: existing.name }),
    ...(file !== undefined && { file }),
    upstream: describeUpstream(spec),
    downstream: namePackage(spec, 'downstream'),
    ...(spec !== undefined && { spec }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    reason: reason.text,
    cause: reason.cause,
    ...(reason.why && { why: reason.why }),
    fields: fieldsOf(change),
  }
}

function fieldsOf(change: VariantChange): readonly FieldView[] {
  const { op, before, after, why } = change
  if (op === 'remove') return []
  const sources = why === undefined ? new Map() : sourcesOf(why)
  const fields = diffFields(before, after, ['spec']).map((field): FieldView => {
    const path = formatFieldPath(field.path)
    const source = sources.get(path)
    return { ...field, path, ...(source !== undefined && { expression: { text: source.text, path: formatFieldPath(source.path) } }) }
  })
  return op === 'create' ? fields.filter(({ expression }) => expression !== undefined) : fields
}

function describeUpstream(spec: JsonValue | undefined): string {
  const upstream = memberOf(spec, 'upstream')
  const version = scalarText(memberOf(upstream, 'revision') ?? memberOf(upstream, 'workspaceName'))
  return `${namePackage(spec, 'upstream')}${version === '' ? '' : `@${version}`}`
}

function namePackage(spec: JsonValue | undefined, side: 'upstream' | 'downstream'): string {
  const found = memberOf(spec, side)
  return ['repo', 'package'].map((key) => scalarText(memberOf(found, key))).join('/')
}
