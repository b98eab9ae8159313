import { asRecord, memberOf } from '../../src/json.ts'
import { hideKnownIn } from '../../src/known-secrets.ts'
import { printable } from '../../src/printable.ts'
import { formatResult, resultToJson } from '../../src/result.ts'
import { withEqualViolations } from '../print/equal-violations.ts'
import { code, escapeText, fencedBlock } from '../print/markdown.ts'
import { printDocument, printValue } from '../print/print-value.ts'
import { signed, signOf } from '../print/signs.ts'
import type { Styles } from '../print/styles.ts'
import { type ChangeView, type EntryView, type FieldView, type GroupView, isGroup, type PlanView, type SetView } from './plan-view.ts'
import {
  clusterLines,
  listedSets,
  nameLeftOut,
  nameMaker,
  nameMembers,
  nameOthers,
  nameSet,
  nameVariant,
  nameVariants,
  noVariants,
  subpackageLines,
  summarize,
} from './plan-wording.ts'

/** Returns a plan for a terminal. Findings are not included: they are printed to stderr. */
export function planText(view: PlanView, styles: Styles): string {
  const notes = [nameOthers(view), nameLeftOut(view)].flatMap((note) => (note === undefined ? [] : [`… ${note}\n`]))
  const clusters = clusterLines(view).map((line) => `  ${printable(line)}\n`)
  const perCluster = clusters.length === 0 ? [] : [`${styles.strong('Clusters')}\n${clusters.join('')}`]
  const sets = listedSets(view).map((set) => setText(set, styles))
  const raised = subpackageLines(view).map((line) => `  ${styles.changed('~')} ${printable(line)}\n`)
  const subpackages = raised.length === 0 ? [] : [`${styles.strong('Subpackages')}\n${raised.join('')}`]
  const parts = [`${styles.strong(`Plan: ${summarize(view)}`)}\n`, ...sets, ...subpackages, ...perCluster, ...notes]
  return parts.join('\n')
}

function setText(set: SetView, styles: Styles): string {
  const place = set.place === undefined ? '' : styles.faint(` ${printable(set.place)}`)
  const note = `${set.unchanged === 0 ? noVariants(set) : `, ${set.unchanged} unchanged`}${nameMaker(set)}`
  return `${styles.strong(printable(nameSet(set)))}${place}${note === '' ? '' : styles.faint(note)}\n${set.changes.map((entry) => (isGroup(entry) ? groupText(entry, styles) : changeText(entry, styles))).join('')}`
}

function changeText(change: ChangeView, styles: Styles): string {
  const note = change.op === 'rename' ? ' (remove + create)' : ''
  const file = change.file === undefined ? '' : styles.faint(`  ${printable(change.file)}`)
  const head = `  ${signed(change.op, `${printable(nameVariant(change))}${note}`, styles)}${file}\n`
  const way = `      ${printable(`${change.upstream} → ${change.downstream}`)}\n`
  return `${head}${way}      ${printable(change.reason)}\n${change.fields.map((field) => fieldText(field, styles)).join('')}`
}

/** Returns a group of changes. A single field is printed on the line of the change. */
function groupText(group: GroupView, styles: Styles): string {
  const { op, upstream, cause, fields } = group
  const note = op === 'rename' ? ' (remove + create)' : ''
  const [only, ...more] = fields
  if (op === 'update' && only !== undefined && more.length === 0)
    return `  ${signed(op, `${nameVariants(group)}:`, styles)} ${valuesText(only, styles)}${printable(nameMembers(group))}\n`
  const of = op === 'update' ? '' : ` of ${upstream}`
  const why = cause === '' ? '' : `      each: ${printable(cause)}\n`
  return `  ${signed(op, `${nameVariants(group)}${printable(of)}${note}`, styles)}${printable(nameMembers(group))}\n${why}${fields.map((field) => fieldText(field, styles)).join('')}`
}

function fieldText(field: FieldView, styles: Styles): string {
  return `      ${signOfField(field, styles)} ${valuesText(field, styles)}\n`
}

function signOfField({ before, after }: FieldView, { added, changed, removed }: Styles): string {
  if (before === undefined) return added('+')
  return after === undefined ? removed('-') : changed('~')
}

/** Returns a field without the values of Secrets that were read: another value after the change says so. */
function shownField(field: FieldView): FieldView {
  const { before, after } = field
  return {
    ...field,
    ...(before !== undefined && { before: hideKnownIn(before) }),
    ...(after !== undefined && { after: hideKnownIn(after, before) }),
  }
}

/** Returns a changed field, `spec.upstream.revision: 2 → 3`, with the expression or override that gave the value. */
function valuesText(field: FieldView, { faint }: Styles): string {
  const { path, before, after, expression, override } = shownField(field)
  const values = [before, after].flatMap((value) => (value === undefined ? [] : [printValue(value)]))
  const source = expression?.text ?? override
  return `${printable(path)}: ${values.join(' → ')}${source === undefined ? '' : faint(` ← ${printable(source)}`)}`
}

/**
 * Returns a plan for other programs: one JSON document by schemas/output/plan.json. `leftOut` is present only if the plan was cut, `others`
 * only if a part was asked for.
 */
export function planJson({ counts, sets, clusters, results, packages, others, leftOut }: PlanView): string {
  const shown = sets.map((set) => ({ ...set, changes: set.changes.map(entryJson) }))
  return printDocument({
    counts,
    sets: shown,
    ...(clusters && { clusters }),
    results: results.map(resultToJson),
    ...(packages && { packages }),
    others,
    leftOut,
  })
}

/** Returns an entry as JSON. A single change has its own reason, as a sentence and as data. Equal changes have their common cause. */
function entryJson(entry: EntryView): object {
  if (isGroup(entry)) {
    const { cause, spec, ...rest } = entry
    return { ...rest, upstream: asRecord(memberOf(spec, 'upstream')), ...(cause !== '' && { reason: cause }) }
  }
  const { cause: _, spec, before, after, fields, why, ...rest } = entry
  return {
    ...rest,
    upstream: asRecord(memberOf(spec, 'upstream')),
    downstream: asRecord(memberOf(spec, 'downstream')),
    why,
    before,
    after,
    fields: fields.map(shownField),
  }
}

/** Returns a plan as a comment on a pull request. */
export function planMarkdown(view: PlanView): string {
  const clusters = clusterLines(view).map((line) => `- ${escapeText(line)}\n`)
  const raised = subpackageLines(view).map((line) => `- ${code('~')} ${escapeText(line)}\n`)
  const notes = [nameOthers(view), nameLeftOut(view)].flatMap((note) => (note === undefined ? [] : [`*… ${note}*\n`]))
  const parts = [
    `### Package variants: ${summarize(view)}\n`,
    ...(view.results.length === 0
      ? []
      : [
          fencedBlock(
            'text',
            withEqualViolations(view.results)
              .map((result) => `${formatResult(result)}\n`)
              .join(''),
          ),
        ]),
    ...listedSets(view).map(setMarkdown),
    ...(raised.length === 0 ? [] : [`**Subpackages**\n\n${raised.join('')}`]),
    ...(clusters.length === 0 ? [] : [`**Clusters**\n\n${clusters.join('')}`]),
    ...notes,
  ]
  return parts.join('\n')
}

function setMarkdown(set: SetView): string {
  const place = set.place === undefined ? '' : ` ${code(set.place)}`
  const unchanged = set.unchanged === 0 ? noVariants(set) : `, ${set.unchanged} unchanged`
  return `**${code(nameSet(set))}**${place}${unchanged}${nameMaker(set)}\n${set.changes.length === 0 ? '' : '\n'}${set.changes.map((entry) => (isGroup(entry) ? groupMarkdown(entry) : changeMarkdown(entry))).join('')}`
}

function changeMarkdown(change: ChangeView): string {
  const note = change.op === 'rename' ? ' **(remove + create)**' : ''
  const head = `- ${code(signOf(change.op))} **${change.op}** ${code(nameVariant(change))}${note} ${escapeText(change.upstream)} → ${escapeText(change.downstream)}\n`
  return `${head}  <br>${escapeText(change.reason)}\n${change.fields.map(fieldMarkdown).join('')}`
}

/** Returns a group of changes. A single field is printed on the line of the change. */
function groupMarkdown(group: GroupView): string {
  const { op, upstream, cause, fields } = group
  const note = op === 'rename' ? ' **(remove + create)**' : ''
  const head = `- ${code(signOf(op))} **${op}** ${nameVariants(group)}${note}`
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

function valuesMarkdown(field: FieldView): string {
  const { before, after, expression, override } = shownField(field)
  const from = expression?.text ?? override
  const source = from === undefined ? '' : `, from ${code(from)}`
  const values = [before, after].flatMap((value) => (value === undefined ? [] : [code(printValue(value))]))
  return `${values.join(' → ')}${source}`
}
