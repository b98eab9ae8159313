import { formatResult } from '../../src/result.ts'
import { code, escapeText, fencedBlock } from '../print/markdown.ts'
import { printValue } from '../print/print-value.ts'
import { type ChangeView, type FieldView, type GroupView, isGroup, type PlanView, type SetView } from './plan-view.ts'
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

/** Returns a plan as a comment on a pull request. */
export function planMarkdown(view: PlanView): string {
  const notes = [nameOthers(view), nameLeftOut(view)].flatMap((note) => (note === undefined ? [] : [`*… ${note}*\n`]))
  const parts = [
    `### Package variants: ${summarize(view)}\n`,
    ...(view.results.length === 0 ? [] : [fencedBlock('text', view.results.map((result) => `${formatResult(result)}\n`).join(''))]),
    ...listedSets(view).map(setMarkdown),
    ...notes,
  ]
  return parts.join('\n')
}

function setMarkdown(set: SetView): string {
  const place = set.place === undefined ? '' : ` ${code(set.place)}`
  const unchanged = set.unchanged === 0 ? noVariants(set) : `, ${set.unchanged} unchanged`
  return `**${code(nameSet(set))}**${place}${unchanged}\n${set.changes.length === 0 ? '' : '\n'}${set.changes.map((entry) => (isGroup(entry) ? groupMarkdown(entry) : changeMarkdown(entry))).join('')}`
}

function changeMarkdown(change: ChangeView): string {
  const note = change.op === 'rename' ? ' **(remove + create)**' : ''
  const head = `- ${code(SIGNS[change.op])} **${change.op}** ${code(nameVariant(change))}${note} ${escapeText(change.upstream)} → ${escapeText(change.downstream)}\n`
  return `${head}  <br>${escapeText(change.reason)}\n${change.fields.map(fieldMarkdown).join('')}`
}

/** Returns a group of changes. A single field is printed on the line of the change. */
function groupMarkdown(group: GroupView): string {
  const { op, upstream, cause, fields } = group
  const note = op === 'rename' ? ' **(remove + create)**' : ''
  const head = `- ${code(SIGNS[op])} **${op}** ${nameVariants(group)}${note}`
  const names = escapeText(nameMembers(group))
  const [only, ...more] = fields
  if (op === 'update' && only !== undefined && more.length === 0) return `${head}: ${code(only.path)}: ${valuesMarkdown(only)}${names}\n`
  const of = op === 'update' ? '' : ` of ${escapeText(upstream)}`
  return `${head}${of}${names}\n${cause === '' ? '' : `  <br>each: ${escapeText(cause)}\n`}${fields.map(fieldMarkdown).join('')}`
}

function fieldMarkdown(field: FieldView): string {
  const { path, before, after } = field
  const sign = before === undefined ? '+' : after === undefined ? '-' : '~'
  return `  - ${code(`${sign} ${path}`)}: ${valuesMarkdown(field)}\n`
}

function valuesMarkdown({ before, after, expression }: FieldView): string {
  const source = expression === undefined ? '' : `, from ${code(expression.text)}`
  const values = [before, after].flatMap((value) => (value === undefined ? [] : [code(printValue(value))]))
  return `${values.join(' → ')}${source}`
}
