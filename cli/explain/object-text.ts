import { printable } from '../../src/printable.ts'
import { printValue } from '../print/print-value.ts'
import type { Styles } from '../print/styles.ts'
import { fieldText, nameObject, placeText } from './explain-text.ts'
import type { ExplainedValue, ObjectExplanation } from './object-explanation.ts'

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
  const rendered = edit?.rendered === undefined ? '' : `; rendered, it is ${printValue(edit.rendered)}`
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
