import { element, find } from '../element.ts'
import { answerKeys } from '../keyboard.ts'
import { shortMiddle } from '../short-text.ts'
import { type ListRow, VirtualList } from '../virtual-list.ts'
import { describe } from './details.ts'
import { type Filter, labelChoices, variantFinder } from './filter.ts'
import { drawFleet } from './fleet-drawing.ts'
import type { PageData, PageVariant } from './page-data.ts'

const data: PageData = JSON.parse(find('data', HTMLScriptElement).textContent ?? '')
const search = find('search', HTMLInputElement)
const cluster = find('cluster', HTMLSelectElement)
const label = find('label', HTMLSelectElement)
const op = find('op', HTMLSelectElement)
const count = find('count', HTMLElement)
const graph = find('graph', HTMLElement)
const details = find('details', HTMLElement)
const box = find('list', HTMLElement)

const findVariants = variantFinder(data.variants)
const list = new VirtualList<PageVariant>(box, variantRow, (variant) => details.replaceChildren(...describe(variant, data.origins)))

const SIGNS: Readonly<Record<string, string>> = { create: '+', update: '~', rename: '→', remove: '−', unchanged: '=' }

function variantRow({ op, name, oldName, set = 'no set', ring }: PageVariant): ListRow {
  const title = oldName === undefined ? name : `${oldName} → ${name}`
  return {
    label: `${op} ${title}`,
    className: op,
    children: [
      element('span', { class: 'sign' }, SIGNS[op] ?? '·'),
      element('span', { class: 'name' }, title),
      element('span', { class: 'set' }, `${shortMiddle(set, LONGEST_SET)}${ring === undefined ? '' : ` · ring ${ring}`}`),
    ],
  }
}

/** The most characters of a set with its place that a row shows. */
const LONGEST_SET = 60

/** Returns the filter as the form has it. */
function filter(): Filter {
  return { text: search.value, cluster: cluster.value, label: label.value, op: op.value }
}

function refresh(): void {
  const found = findVariants(filter())
  list.show(found)
  count.textContent = `${found.length} of ${data.variants.length}`
}

let isDrawn = false

function showGraph(isShown: boolean): void {
  graph.hidden = !isShown
  find('graph-button', HTMLButtonElement).setAttribute('aria-expanded', String(isShown))
  if (!isShown || isDrawn) return
  isDrawn = true
  void drawFleet(graph, data.graph, (text) => {
    search.value = text
    refresh()
  })
}

const KEYS: Readonly<Record<string, () => void>> = {
  '/': () => search.focus(),
  g: () => showGraph(graph.hidden !== false),
  ArrowDown: () => list.move(1),
  ArrowUp: () => list.move(-1),
  j: () => list.move(1),
  k: () => list.move(-1),
}

function clear(): void {
  search.value = ''
  cluster.value = ''
  label.value = ''
  op.value = ''
  refresh()
}

/** Returns an option for each text, in their order, with the number of variants that have it. */
function optionsOf(texts: readonly string[]): readonly HTMLElement[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return Array.from(counts, ([value, number]) => element('option', { value }, `${value} (${number})`))
}

document.title = data.title
find('title', HTMLElement).textContent = data.title
find('summary', HTMLElement).textContent = data.summary
find('findings', HTMLElement).append(...data.findings.map((finding) => element('li', {}, finding)))
find('findings', HTMLElement).hidden = data.findings.length === 0
op.append(...optionsOf(data.variants.map((variant) => variant.op)))
cluster.append(...optionsOf(data.variants.flatMap((variant) => (variant.cluster === '' ? [] : variant.cluster)).sort()))
cluster.hidden = cluster.options.length < 3
label.append(
  ...labelChoices(data.variants).map((choice) => element('option', { value: choice.label }, `${choice.label} (${choice.count})`)),
)
search.addEventListener('input', refresh)
cluster.addEventListener('change', refresh)
label.addEventListener('change', refresh)
op.addEventListener('change', refresh)
find('graph-button', HTMLButtonElement).addEventListener('click', () => showGraph(graph.hidden !== false))
answerKeys({
  search,
  keys: KEYS,
  enterList: () => {
    box.focus()
    list.move(0)
  },
  clear,
})
refresh()
if (data.first === 'changes') list.select(0)
showGraph(data.first === 'graph')
