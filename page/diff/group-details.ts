import { namespacesInHeading, objectsInHeading } from '../../src/diff/object-names.ts'
import type { CauseInput, ChangeCause, ChangedField, ChangedObject, ChangeGroup, ChangePlace, ObjectName } from '../../src/diff/report.ts'
import { element } from '../element.ts'
import { shortMiddle } from '../short-text.ts'
import { type LinePart, type SideLine, type SideRow, sideBySide } from './side-by-side.ts'

const SIGNS = { create: '+', change: '~', rename: '→', delete: '−' } as const

/** The most characters of a path in a line of a list. */
const LONGEST_PATH = 64

/** Returns the sign of an operation, as the list shows it. */
export function signOfGroup({ op }: ChangeGroup): string {
  return SIGNS[op]
}

/** Returns true for a group with a danger that is more than a notice. */
export function isDangerous({ dangers }: ChangeGroup): boolean {
  return dangers.some(({ severity }) => severity !== 'notice')
}

/** Returns the objects of a group in one line: `Deployment tills/till-server`, `Deployment tills/till-server and 2 more`. */
export function nameOfGroup(group: ChangeGroup): string {
  const [first, ...others] = objectsInHeading(group)
  if (first === undefined) return 'files without objects'
  const name = first.was === undefined ? nameOf(first) : `${nameOf(first.was)} → ${nameOf(first)}`
  return `${name}${others.length === 0 ? '' : ` and ${others.length} more`}${namespacesInHeading(group)}`
}

function nameOf({ kind, namespace, name }: ObjectName): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

/** Returns the change of a group in one line: the first field with its values, or what happens to the objects. */
export function changeOf({ op, fields: [first, ...others] }: ChangeGroup): string {
  if (first === undefined) return { create: 'is created', delete: 'is deleted', rename: 'is renamed', change: 'changes' }[op]
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${shortMiddle(first.path, LONGEST_PATH)}: ${valueText(first.before)} → ${valueText(first.after)}${more}`
}

/** Returns a value in one line; `none` for a field that one side lacks. */
function valueText(value: unknown): string {
  if (value === undefined) return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Returns the details of a group: dangers, causes with their lines, changed fields, and the texts of its objects side by side.
 *
 * @param place  the place whose names and values are shown; the texts are those of the first place
 */
export function describeGroup(group: ChangeGroup, place: ChangePlace | undefined): readonly Node[] {
  const { dangers, causes, places, removal } = group
  const objects = place?.objects ?? group.objects
  const fields = place?.fields ?? group.fields
  const [first] = places
  const texts = group.objects.filter(({ before, after }) => before !== undefined || after !== undefined)
  return [
    ...objects.map((object) => element('h2', {}, `${signOfGroup(group)} ${object.was ? `${nameOf(object.was)} → ` : ''}${nameOf(object)}`)),
    ...(removal === undefined ? [] : [element('p', {}, removal.text)]),
    ...dangers.map(({ rule, severity, text, path }) =>
      element(
        'p',
        { class: severity ?? 'danger' },
        `${severity === 'notice' ? 'note:' : '!'} ${text} `,
        ...(path === undefined ? [] : [element('code', {}, path), ' ']),
        element('span', { class: 'rule' }, rule),
      ),
    ),
    ...(causes.length === 0 ? [] : [element('h3', {}, 'Because'), element('ul', { class: 'causes' }, ...causes.map(describeCause))]),
    ...(fields.length === 0 ? [] : [element('h3', {}, 'Fields'), describeFields(fields)]),
    ...(texts.length === 0
      ? []
      : [element('h3', {}, first === undefined ? 'Text' : `Text in ${first.package}`), ...texts.map(describeText)]),
  ]
}

function describeCause({ kind, text, file, line, expression, inputs = [], details = [] }: ChangeCause): HTMLElement {
  return element(
    'li',
    {},
    element('span', { class: 'kind' }, kind),
    ` ${text} `,
    ...placeOf({ file, line }),
    ...(expression === undefined ? [] : [element('div', { class: 'expression' }, element('code', {}, `← ${expression}`))]),
    ...[...inputs, ...details].map(describeInput),
  )
}

function describeInput(input: CauseInput): HTMLElement {
  return element('div', { class: 'input' }, `${input.text} `, ...placeOf(input))
}

/** Returns a place: its whole path on hovering, the ends of a long path in the text. */
function placeOf({ file, line }: { readonly file?: string | undefined; readonly line?: number | undefined }): readonly Node[] {
  if (file === undefined) return []
  const place = line === undefined ? file : `${file}:${line}`
  return [element('span', { class: 'place', title: place }, shortMiddle(place, LONGEST_PATH))]
}

function describeFields(fields: readonly ChangedField[]): HTMLElement {
  const rows = fields.map(({ path, before, after, isOrder, isComment }) =>
    element(
      'tr',
      {},
      element('td', {}, element('code', { title: path }, path), ...(isOrder ? [' (order)'] : isComment ? [' (comment)'] : [])),
      element('td', {}, ...(before === undefined ? [] : [element('del', {}, valueText(before))])),
      element('td', {}, ...(after === undefined ? [] : [element('ins', {}, valueText(after))])),
    ),
  )
  const head = element('tr', {}, ...['field', 'before', 'after'].map((name) => element('th', { scope: 'col' }, name)))
  return element('table', { class: 'values' }, element('thead', {}, head), element('tbody', {}, ...rows))
}

function describeText({ before = '', after = '' }: ChangedObject): HTMLElement {
  // A table of fixed layout takes its widths from here, since its first row may be one cell.
  const columns = ['number', '', 'number', ''].map((name) => element('col', { class: name }))
  return element(
    'table',
    { class: 'sides' },
    element('colgroup', {}, ...columns),
    element('tbody', {}, ...sideBySide(before, after).map(describeRow)),
  )
}

function describeRow(row: SideRow): HTMLElement {
  if (row.type === 'gap') return element('tr', { class: 'gap' }, element('td', { colspan: '4' }, `${row.lines} equal lines`))
  const before = 'before' in row ? describeLine(row.before, 'del') : empty()
  const after = 'after' in row ? describeLine(row.after, 'ins') : empty()
  return element('tr', { class: row.type }, ...before, ...after)
}

function describeLine({ number, parts }: SideLine, mark: 'del' | 'ins'): readonly Node[] {
  const shown = parts.map(({ text, isChanged }: LinePart) => (isChanged ? element(mark, {}, text) : text))
  return [element('td', { class: 'number' }, String(number)), element('td', { class: mark }, ...shown)]
}

function empty(): readonly Node[] {
  return [element('td', { class: 'number' }), element('td', {})]
}
