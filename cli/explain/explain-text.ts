import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { printable } from '../../src/printable.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Result } from '../../src/result.ts'
import { printValue } from '../print/print-value.ts'
import type { Styles } from '../print/styles.ts'
import { wayText } from './explain-way.ts'
import type { ExplainedField, PlacedObject, VariantExplanation } from './explanation.ts'
import type { ExplainedValue, ObjectExplanation } from './object-explanation.ts'

const STANDINGS: Readonly<Record<VariantExplanation['op'], string>> = {
  create: 'to create',
  update: 'to update',
  rename: 'to rename (remove + create)',
  remove: 'to remove',
  unchanged: 'unchanged',
  'by-hand': 'left alone',
}

/** Returns an explanation for a terminal. */
export function explainText(explanation: VariantExplanation, styles: Styles): string {
  const { namespace, name, oldName, op, set, target, ring, object, reason, way, fields } = explanation
  const facts: readonly (readonly [string, string])[] = [
    ...(set === undefined ? [] : [['set', nameObject(set, styles)] as const]),
    ...(target === undefined ? [] : [['target', `${printable(target.path)}${placeText(target.place, styles)}`] as const]),
    ...(ring === undefined ? [] : [['ring', `${printable(`${ring.name}, ${ring.path}`)}${placeText(ring.place, styles)}`] as const]),
    ...(object === undefined ? [] : [['object', nameObject(object, styles)] as const]),
    ['because', printable(reason)],
    ...(way === undefined ? [] : [['way', printable(wayText(way))] as const]),
  ]
  const head = `${styles.strong(printable(`${namespace}/${oldName === undefined ? '' : `${oldName} → `}${name}`))}, ${STANDINGS[op]}${placeText(explanation.place, styles)}\n`
  const width = Math.max(...facts.map(([label]) => label.length))
  const lines = facts.map(([label, text]) => `  ${label.padEnd(width)}  ${text}\n`)
  return [head, ...lines, ...(fields.length > 0 ? ['\n'] : []), ...fields.map((field) => fieldText(field, styles))].join('')
}

/** Returns the name and place of an object: `PackageVariantSet fleet/tenants  FILE:LINE`. */
export function nameObject({ kind, namespace, name, place }: PlacedObject, styles: Styles): string {
  return `${printable(`${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`)}${placeText(place, styles)}`
}

/** Returns a place for the end of a line; '' without one. */
export function placeText(place: string | undefined, { faint }: Styles): string {
  return place === undefined ? '' : faint(`  ${printable(place)}`)
}

/** Returns a field of a variant, with its origin, for a terminal. */
function fieldText({ path, value, before, source, from, place, layer, covers = [], expressions }: ExplainedField, styles: Styles): string {
  const texts = (expressions ?? []).map(({ text, reads }) => {
    const read = reads.map(
      (each) =>
        `        ${printable(each.variable)} is ${each.value === undefined ? 'not there' : printValue(each.value)}${placeText(each.place, styles)}\n`,
    )
    return `      ← ${printable(text.trim())}${placeText(place, styles)}\n${read.join('')}`
  })
  const origin = texts.length > 0 ? '' : `      ${ORIGINS[source]} ${printable(from)}${placeText(place, styles)}\n`
  const values = [before, value].flatMap((each) => (each === undefined ? [] : [printValue(each)]))
  const layers = [
    ...(layer === undefined ? [] : [`      layer ${printable(layer)}\n`]),
    ...covers.map((each) => `      covers ${printable(`${each.path} of layer ${each.layer}`)}${placeText(each.place, styles)}\n`),
  ]
  return `  ${styles.strong(printable(path))}: ${values.join(' → ')}\n${origin}${texts.join('')}${layers.join('')}`
}

const ORIGINS: Readonly<Record<ExplainedField['source'], string>> = { static: 'static,', default: 'default,', expression: 'expression,' }

/** The planned fleet that a question is about. */
export interface Planned {
  /** Returns true for the repositories of the cluster that the caller chose; unset if none is chosen. */
  readonly isAsked: ((repository: string) => boolean) | undefined
  readonly plan: FleetPlan
  readonly items: readonly KrmObject[]
}

/** An answer as a plain value, and as text for people. */
export interface ExplainAnswer {
  readonly view: object
  readonly text: (styles: Styles) => string
  readonly results?: readonly Result[]
}

/** Returns the explanation of an object for a terminal. */
export function explainedObjectText(explained: ObjectExplanation, styles: Styles): string {
  const { rendered, package: folder, cluster, variant, set, target, reason, fields } = explained
  const facts: readonly (readonly [string, string])[] = [
    ['package', printable(folder)],
    ['cluster', printable(cluster)],
    ['variant', printable(variant)],
    ...(set === undefined ? [] : [['set', nameObject(set, styles)] as const]),
    ...(target === undefined ? [] : [['target', `${printable(target.path)}${placeText(target.place, styles)}`] as const]),
    ...(reason === undefined ? [] : [['because', printable(reason)] as const]),
  ]
  const lines = facts.map(([label, text]) => `  ${label.padEnd('package'.length)}  ${text}\n`)
  const same = fields.length > 0 ? '\n' : '\n  every field is as the upstream package has it\n'
  return [`${styles.strong(nameObject(rendered, styles))}\n`, ...lines, same, ...fields.map((field) => valueText(field, styles))].join('')
}

function valueText({ path, value, edit, variant, functions, upstream }: ExplainedValue, styles: Styles): string {
  const head = `  ${styles.strong(printable(path))}: ${value === undefined ? '(not shown)' : printValue(value)}\n`
  const absent = value === undefined ? '' : '; rendered, it is not there'
  const rendered = edit?.rendered === undefined ? absent : `; rendered, it is ${printValue(edit.rendered)}`
  const setters = (edit?.setters ?? []).map((each) => ({ ...each, by: ` by its setter ${printable(each.path)}` }))
  const ways = setters.length > 0 || edit === undefined ? setters : [{ ...edit, by: '' }]
  const edited = ways.map((each) => `      edited in the package${each.by}${rendered}${placeText(each.place, styles)}\n`)
  const given = variant.map((field) => fieldText(field, styles).replaceAll(/^(?=.)/gm, '    '))
  const run = functions.map(
    (each) => `      function ${printable(each.name)} of the upstream package, ${printable(each.path)}${placeText(each.place, styles)}\n`,
  )
  const has = upstream?.value === undefined ? 'does not have the field' : `has ${printValue(upstream.value)}`
  const above = upstream === undefined ? [] : [`      upstream ${printable(upstream.package)} ${has}${placeText(upstream.place, styles)}\n`]
  return [head, ...edited, ...given, ...run, ...above].join('')
}
