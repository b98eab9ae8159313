import type { ChangePlace } from '../../src/diff/report.ts'
import { element, find } from '../element.ts'
import { answerKeys } from '../keyboard.ts'
import { shortMiddle } from '../short-text.ts'
import { type ListRow, VirtualList } from '../virtual-list.ts'
import type { DiffPageData } from './diff-data.ts'
import { choicesOf, type DiffFilter, FILTER_FIELDS, filterOf, fragmentOf, groupFinder, type ShownGroup } from './filter.ts'
import { changeOf, describeGroup, isDangerous, nameOfGroup, signOfGroup } from './group-details.ts'

const { title, summary, findings, report }: DiffPageData = JSON.parse(find('data', HTMLScriptElement).textContent ?? '')
const search = find('search', HTMLInputElement)
const selects = new Map(FILTER_FIELDS.map((field) => [field, find(field, HTMLSelectElement)]))
const count = find('count', HTMLElement)
const details = find('details', HTMLElement)
const box = find('list', HTMLElement)
const clusters = find('clusters', HTMLElement)
const clusterCount = find('cluster-count', HTMLElement)

/** A printed page has no list to scroll: the groups are printed one after the other, as far as a reader would turn pages. */
const MOST_PRINTED = 300
const LONGEST_FOLDER = 60

const findGroups = groupFinder(report)
let shown: readonly ShownGroup[] = []
let chosen: ShownGroup | undefined

const list = new VirtualList<ShownGroup>(box, groupRow, choose)
const places = new VirtualList<ChangePlace>(clusters, placeRow, (place) => {
  details.replaceChildren(...detailsOf(place))
  // A row is as wide as its column: the whole name of the chosen package is above the list.
  clusterCount.textContent = `${countOfPlaces()}: ${place.package}`
})

// By keyboard, a row is chosen at once, so that its whole name is read; the pointer chooses the row that it presses.
clusters.addEventListener('focus', () => {
  if (clusters.matches(':focus-visible')) places.move(0)
})

function groupRow({ group, places: left }: ShownGroup): ListRow {
  const { size } = new Set(left.map(({ cluster }) => cluster))
  const where = `${size} ${size === 1 ? 'cluster' : 'clusters'}`
  const name = nameOfGroup(group)
  return {
    label: `${isDangerous(group) ? 'danger: ' : ''}${group.op} ${name}, ${where}, ${changeOf(group)}`,
    className: group.op,
    children: [
      element('span', { class: 'sign' }, signOfGroup(group)),
      element('span', { class: 'name' }, ...(isDangerous(group) ? [element('b', { class: 'mark' }, '! ')] : []), name),
      element('span', { class: 'set' }, `${where} · ${changeOf(group)}`),
    ],
  }
}

function placeRow({ cluster, package: folder, set = '', ring }: ChangePlace): ListRow {
  return {
    label: `${cluster} ${folder}`,
    className: 'place-row',
    children: [
      element('span', { class: 'name' }, cluster),
      element(
        'span',
        { class: 'set' },
        shortMiddle([folder, set, ...(ring === undefined ? [] : [`ring ${ring}`])].join(' · '), LONGEST_FOLDER),
      ),
    ],
  }
}

function detailsOf(place: ChangePlace | undefined): readonly Node[] {
  return chosen === undefined ? [element('p', {}, 'No group of changes matches.')] : describeGroup(chosen.group, place)
}

/** Shows a group with its clusters, and writes it into the address. */
function choose(group: ShownGroup): void {
  chosen = group
  clusterCount.textContent = countOfPlaces()
  places.show(group.places)
  details.replaceChildren(...detailsOf(group.places[0]))
  details.scrollTop = 0
  writeAddress()
}

function countOfPlaces(): string {
  const count = chosen?.places.length ?? 0
  return `${count} ${count === 1 ? 'package' : 'packages'}`
}

/** Returns the filter as the form has it. */
function filter(): DiffFilter {
  const given = Object.fromEntries([...selects].map(([field, select]) => [field, select.value]))
  return { ...filterOf(''), ...given, text: search.value }
}

function writeAddress(): void {
  history.replaceState(null, '', fragmentOf(filter(), chosen?.group.id ?? '') || location.pathname + location.search)
}

/** Shows what the form asks for, with the group of this id if it is among them, else with the first one. */
function refresh(id = chosen?.group.id): void {
  shown = findGroups(filter())
  list.show(shown)
  count.textContent = `${shown.length} of ${report.groups.length} ways`
  const index = Math.max(
    0,
    shown.findIndex(({ group }) => group.id === id),
  )
  if (shown.length > 0) {
    list.select(index)
    return
  }
  chosen = undefined
  places.show([])
  clusterCount.textContent = ''
  details.replaceChildren(...detailsOf(undefined))
  writeAddress()
}

/** Fills the form from the address. A value that the report does not have is no choice of the form, and so is ignored. */
function readAddress(): void {
  const { text, ...given } = filterOf(location.hash)
  search.value = text
  for (const [field, select] of selects) select.value = [...select.options].some(({ value }) => value === given[field]) ? given[field] : ''
  refresh(new URLSearchParams(location.hash.slice(1)).get('group') ?? undefined)
}

function clear(): void {
  search.value = ''
  for (const select of selects.values()) select.value = ''
  refresh()
}

function chooseDanger(rule: string): void {
  const select = selects.get('danger')
  if (select !== undefined) select.value = select.value === rule ? '' : rule
  refresh()
}

const KEYS: Readonly<Record<string, () => void>> = {
  '/': () => search.focus(),
  ArrowDown: () => list.move(1),
  ArrowUp: () => list.move(-1),
  j: () => list.move(1),
  k: () => list.move(-1),
  n: () => places.move(1),
  p: () => places.move(-1),
}

function printGroups(): void {
  const printed = shown.slice(0, MOST_PRINTED).map(({ group, places: left }) => {
    const names = element('p', { class: 'places' }, left.map(({ package: folder }) => folder).join(', '))
    return element('article', {}, ...describeGroup(group, left[0]), names)
  })
  const rest = shown.length - printed.length
  find('print', HTMLElement).replaceChildren(...printed, ...(rest > 0 ? [element('p', {}, `and ${rest} more ways`)] : []))
}

document.title = title
find('title', HTMLElement).textContent = title
find('summary', HTMLElement).textContent = summary
find('findings', HTMLElement).append(...findings.map((finding) => element('li', {}, finding)))
find('findings', HTMLElement).hidden = findings.length === 0
find('dangers', HTMLElement).append(
  ...report.dangers.map(({ rule, severity, text, groups }) => {
    const button = element(
      'button',
      { type: 'button', title: rule, class: severity ?? 'danger' },
      severity === 'notice' ? text : `! ${text}`,
    )
    button.disabled = groups.length === 0
    button.addEventListener('click', () => chooseDanger(rule))
    return element('li', {}, button)
  }),
)
const choices = choicesOf(report)
for (const [field, select] of selects) {
  select.append(...Array.from(choices[field], ([value, number]) => element('option', { value }, `${value} (${number})`)))
  select.disabled = choices[field].size === 0
  select.addEventListener('change', () => refresh())
}
search.addEventListener('input', () => refresh())
addEventListener('hashchange', readAddress)
addEventListener('beforeprint', printGroups)
answerKeys({ search, keys: KEYS, enterList: () => box.focus(), clear })
readAddress()
