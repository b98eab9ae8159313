import { printable } from '../../src/printable.ts'
import { printValue } from '../print/print-value.ts'
import type { Style, Styles } from '../print/styles.ts'
import { type ChangeView, type FieldView, type GroupView, isGroup, type Operation, type PlanView, type SetView } from './plan-view.ts'
import {
  listedSets,
  nameLeftOut,
  nameMembers,
  nameOthers,
  nameSet,
  nameVariant,
  nameVariants,
  noVariants,
  SIGNS,
  summarize,
} from './plan-wording.ts'

/** Returns a plan for a terminal. Findings are not included: they are printed to stderr. */
export function planText(view: PlanView, styles: Styles): string {
  const notes = [nameOthers(view), nameLeftOut(view)].flatMap((note) => (note === undefined ? [] : [`… ${note}\n`]))
  const parts = [`${styles.strong(`Plan: ${summarize(view)}`)}\n`, ...listedSets(view).map((set) => setText(set, styles)), ...notes]
  return parts.join('\n')
}

function setText(set: SetView, styles: Styles): string {
  const place = set.place === undefined ? '' : styles.faint(` ${printable(set.place)}`)
  const unchanged = set.unchanged === 0 ? noVariants(set) : `, ${set.unchanged} unchanged`
  return `${styles.strong(printable(nameSet(set)))}${place}${unchanged === '' ? '' : styles.faint(unchanged)}\n${set.changes.map((entry) => (isGroup(entry) ? groupText(entry, styles) : changeText(entry, styles))).join('')}`
}

function changeText(change: ChangeView, styles: Styles): string {
  const style = styleOf(change.op, styles)
  const note = change.op === 'rename' ? ' (remove + create)' : ''
  const file = change.file === undefined ? '' : styles.faint(`  ${printable(change.file)}`)
  const head = `  ${style(`${SIGNS[change.op]} ${printable(nameVariant(change))}${note}`)}${file}\n`
  const way = `      ${printable(`${change.upstream} → ${change.downstream}`)}\n`
  return `${head}${way}      ${printable(change.reason)}\n${change.fields.map((field) => fieldText(field, styles)).join('')}`
}

/** Returns a group of changes. A single field is printed on the line of the change. */
function groupText(group: GroupView, styles: Styles): string {
  const { op, upstream, cause, fields } = group
  const style = styleOf(op, styles)
  const note = op === 'rename' ? ' (remove + create)' : ''
  const [only, ...more] = fields
  if (op === 'update' && only !== undefined && more.length === 0)
    return `  ${style(`${SIGNS[op]} ${nameVariants(group)}:`)} ${valuesText(only, styles)}${printable(nameMembers(group))}\n`
  const of = op === 'update' ? '' : ` of ${upstream}`
  const why = cause === '' ? '' : `      each: ${printable(cause)}\n`
  return `  ${style(`${SIGNS[op]} ${nameVariants(group)}${printable(of)}${note}`)}${printable(nameMembers(group))}\n${why}${fields.map((field) => fieldText(field, styles)).join('')}`
}

function styleOf(op: Operation, { added, changed, renamed, removed }: Styles): Style {
  return { create: added, update: changed, rename: renamed, remove: removed }[op]
}

function fieldText(field: FieldView, styles: Styles): string {
  return `      ${signOf(field, styles)} ${valuesText(field, styles)}\n`
}

function signOf({ before, after }: FieldView, { added, changed, removed }: Styles): string {
  if (before === undefined) return added('+')
  return after === undefined ? removed('-') : changed('~')
}

/** Returns a changed field, `spec.upstream.revision: 2 → 3`, with the expression that gave the value. */
function valuesText({ path, before, after, expression }: FieldView, { faint }: Styles): string {
  const values = [before, after].flatMap((value) => (value === undefined ? [] : [printValue(value)]))
  return `${printable(path)}: ${values.join(' → ')}${expression === undefined ? '' : faint(` ← ${printable(expression.text)}`)}`
}
