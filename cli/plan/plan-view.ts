import { compareText, formatFieldPath } from '../../src/field-path.ts'
import type { VariantChange } from '../../src/fleet/change.ts'
import { type Earlier, type Reason, reasonByHand, reasonOf, type Why } from '../../src/fleet/change-reason.ts'
import type { SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { overrideOf } from '../../src/fleet/templates/layered-template.ts'
import { sourcesOf } from '../../src/fleet/templates/render-template.ts'
import { groupBy } from '../../src/group-by.ts'
import { type JsonValue, memberOf, scalarText } from '../../src/json.ts'
import type { Result } from '../../src/result.ts'
import { placed } from '../print/print-results.ts'
import { diffFields } from './field-diff.ts'
import type { PackageChanges } from './package-changes.ts'

/** Something that a plan would do, most dangerous first. */
export const OPERATIONS = ['remove', 'rename', 'update', 'create'] as const
export type Operation = (typeof OPERATIONS)[number]

/** The number of package variants for each operation. */
export type Counts = Readonly<Record<Operation | 'unchanged', number>>

/** A plan as all formats show it. */
export interface PlanView {
  /** The counts of the whole plan, even if this view leaves parts out. */
  readonly counts: Counts
  readonly sets: readonly SetView[]
  /** The changes of each cluster, sorted by name. Absent when the plan shows only a part of the fleet. */
  readonly clusters?: readonly ClusterView[]
  readonly results: readonly Result[]
  /** The changes of `render` to the packages, if they were compared. */
  readonly packages?: PackageChanges
  /** The counts of the changes outside the part that was asked for. */
  readonly others?: Counts
  /** The counts of findings, changes and details of shown changes that were cut. */
  readonly leftOut?: Counts & { readonly details: number; readonly results: number }
}

/** The changes of the variants of a cluster. */
export interface ClusterView {
  readonly name: string
  readonly counts: Counts
}

export interface SetView {
  readonly name: string
  readonly namespace?: string
  /** `FILE:LINE` of the set. */
  readonly place?: string
  /** Who makes the changes in a cluster: `by Porch's controller`. */
  readonly by?: string
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
  /** The reason, as a sentence that fits all of them. */
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
  /** The former name of a renamed variant. */
  readonly oldName?: string
  /** The file of a variant that exists. */
  readonly file?: string
  readonly upstream: string
  readonly downstream: string
  /** `spec` after the change; of a removed variant the present one. */
  readonly spec?: JsonValue
  /** The whole `spec` before the change; `after` is the whole `spec` after it. */
  readonly before?: JsonValue
  readonly after?: JsonValue
  /** The reason, in a sentence: the target and the clause that matched, or the object that no longer asks for the variant. */
  readonly reason: string
  /** The reason without the parts that are this variant's own: equal for all variants with the same cause. */
  readonly cause: string
  /** The reason as data, for other programs. */
  readonly why?: Why
  readonly fields: readonly FieldView[]
}

/** A field that differs; of a new variant, one that an expression or an override gave. */
export interface FieldView {
  readonly path: string
  readonly before?: JsonValue
  readonly after?: JsonValue
  /** The expression that gave the value, and its place in the set. */
  readonly expression?: { readonly text: string; readonly path: string }
  /** The override of the matrix that has the value: `override big`. */
  readonly override?: string
}

/** Returns the view of a whole plan. */
export function viewPlan(sets: readonly SetView[], results: readonly Result[]): PlanView {
  const unchanged = sets.reduce((sum, set) => sum + set.unchanged, 0)
  return { counts: { ...countChanges(sets.flatMap(({ changes }) => changes)), unchanged }, sets, results }
}

/** Returns the number of changes on each cluster, as a part of a view; nothing without variants. */
export function viewClusters(changes: readonly VariantChange[], clusterOf: (change: VariantChange) => string): Pick<PlanView, 'clusters'> {
  if (changes.length === 0) return {}
  const byCluster = [...groupBy(changes, clusterOf)].sort(([a], [b]) => compareText(a, b))
  const clusters = byCluster.map(([name, own]) => {
    const count = (op: VariantChange['op']) => own.filter((change) => change.op === op).length
    const [remove, rename, update] = [count('remove'), count('rename'), count('update')]
    return { name, counts: { remove, rename, update, create: count('create'), unchanged: count('unchanged') } }
  })
  return { clusters }
}

/** Returns the number of changes for each operation. */
export function countChanges(changes: readonly EntryView[]): Counts {
  const count = (op: Operation) => changes.reduce((sum, entry) => sum + (entry.op !== op ? 0 : isGroup(entry) ? entry.count : 1), 0)
  return { remove: count('remove'), rename: count('rename'), update: count('update'), create: count('create'), unchanged: 0 }
}

/** Returns the view of the changes of one set. */
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

/** Returns the view of the changes of variants that no set asks for; empty without changes. */
export function viewByHand(changes: readonly VariantChange[]): readonly SetView[] {
  const view = viewChanges(changes, reasonByHand)
  return view.changes.length === 0 ? [] : [{ name: 'without a set', ...view }]
}

/** Returns the changes that have an effect, most dangerous first, and the number of unchanged variants. */
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
    const override = field.after === undefined ? undefined : overrideOf(why?.place.template, field.path, field.after)
    return {
      ...field,
      path,
      ...(source !== undefined && { expression: { text: source.text, path: formatFieldPath(source.path) } }),
      ...(source === undefined && override !== undefined && { override }),
    }
  })
  return op === 'create' ? fields.filter(({ expression, override }) => expression !== undefined || override !== undefined) : fields
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
