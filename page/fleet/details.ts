import { element } from '../element.ts'
import type { FieldOrigin, PageField, PageVariant } from './page-data.ts'

/** Returns the details of a variant: its change, then each of its values with the origin of the value. */
export function describe(variant: PageVariant, origins: readonly FieldOrigin[]): readonly Node[] {
  const { op, name, oldName, namespace, place, set, target, object, ring, reason, fields } = variant
  const facts = [
    ['change', op],
    ...(oldName === undefined ? [] : [['was', oldName]]),
    ...(set === undefined ? [] : [['set', set]]),
    ...(target === undefined ? [] : [['target', target]]),
    ...(object === undefined ? [] : [['object', object]]),
    ...(ring === undefined ? [] : [['ring', ring]]),
    ['because', reason],
    ...(place === undefined ? [] : [['file', place]]),
  ] as const
  const changed = fields.filter(({ before }) => before !== undefined)
  return [
    element('h2', {}, `${namespace}/${name}`),
    element('dl', {}, ...facts.flatMap(([term = '', text = '']) => [element('dt', {}, term), element('dd', {}, text)])),
    ...(changed.length === 0 ? [] : [element('h3', {}, 'Changes'), table(changed, origins)]),
    ...(fields.length === 0 ? [] : [element('h3', {}, 'Where each value comes from'), table(fields, origins)]),
  ]
}

function table(fields: readonly PageField[], origins: readonly FieldOrigin[]): HTMLElement {
  return element('div', { class: 'fields' }, ...fields.map((field) => entry(field, origins[field.origin])))
}

function entry({ value, before, reads = [] }: PageField, origin: FieldOrigin | undefined): HTMLElement {
  const values = before === undefined ? [value] : [element('del', {}, before), ' → ', element('ins', {}, value)]
  return element(
    'div',
    { class: 'field' },
    element('div', { class: 'value' }, element('code', {}, origin?.path ?? ''), ' ', ...values),
    element('div', { class: 'origin' }, `${origin?.source ?? ''} `, element('span', { class: 'place' }, origin?.place ?? '')),
    ...reads.map((read) => element('div', { class: 'read' }, read)),
  )
}
