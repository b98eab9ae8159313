import type { ChangeView, FieldView, Operation, PlanView, SetView } from './plan-view.ts'
import { listedSets, nameLeftOut, nameSet, nameVariant, SIGNS, summarize } from './plan-wording.ts'
import { printValue } from './print-value.ts'
import type { Style, Styles } from './styles.ts'

/** A plan for a terminal. Findings are not in it: they go to stderr. */
export function planText(view: PlanView, styles: Styles): string {
  const leftOut = nameLeftOut(view)
  const parts = [
    `${styles.strong(`Plan: ${summarize(view)}`)}\n`,
    ...listedSets(view).map((set) => setText(set, styles)),
    ...(leftOut === undefined ? [] : [`… ${leftOut}\n`]),
  ]
  return parts.join('\n')
}

function setText(set: SetView, styles: Styles): string {
  const place = set.place === undefined ? '' : styles.faint(` ${set.place}`)
  const unchanged = set.unchanged === 0 ? '' : styles.faint(`, ${set.unchanged} unchanged`)
  return `${styles.strong(nameSet(set))}${place}${unchanged}\n${set.changes.map((change) => changeText(change, styles)).join('')}`
}

function changeText(change: ChangeView, styles: Styles): string {
  const style = styleOf(change.op, styles)
  const note = change.op === 'rename' ? ' (remove + create)' : ''
  const file = change.file === undefined ? '' : styles.faint(`  ${change.file}`)
  const head = `  ${style(`${SIGNS[change.op]} ${nameVariant(change)}${note}`)}${file}\n`
  const way = `      ${change.upstream} → ${change.downstream}\n`
  return `${head}${way}      ${change.reason}\n${change.fields.map((field) => fieldText(field, styles)).join('')}`
}

function styleOf(op: Operation, { added, changed, renamed, removed }: Styles): Style {
  return { create: added, update: changed, rename: renamed, remove: removed }[op]
}

function fieldText({ path, before, after, expression }: FieldView, styles: Styles): string {
  const value = after === undefined ? '' : printValue(after)
  const source = expression === undefined ? '' : styles.faint(` ← ${expression.text}`)
  if (before === undefined) return `      ${styles.added('+')} ${path}: ${value}${source}\n`
  if (after === undefined) return `      ${styles.removed('-')} ${path}: ${printValue(before)}\n`
  return `      ${styles.changed('~')} ${path}: ${printValue(before)} → ${value}${source}\n`
}
