import type { FieldOrigin, PageData, PageField, PageVariant } from '../../page/fleet/page-data.ts'
import type { VariantChange } from '../../src/fleet/change.ts'
import { type Earlier, reasonByHand } from '../../src/fleet/change-reason.ts'
import type { SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { isRecord } from '../../src/json.ts'
import { formatResult, type Result } from '../../src/result.ts'
import { type ExplainedField, explainChange, type PlacedObject, type VariantExplanation } from '../explain/explanation.ts'
import { FLEET_PAGE_SCRIPT, FLEET_PAGE_STYLE } from '../generated/page.ts'
import { printValue } from '../print/print-value.ts'
import { collapseGraph } from './collapse-graph.ts'
import type { FleetGraph } from './fleet-graph.ts'
import { pageHtml } from './page-html.ts'

/** The inputs of a page. */
export interface PageInput {
  readonly title: string
  readonly summary: string
  readonly first: PageData['first']
  readonly sets: readonly SetPlan[]
  /** Changes of variants that no set asks for. */
  readonly byHand: readonly VariantChange[]
  readonly graph: FleetGraph
  readonly results: readonly Result[]
  readonly earlier?: Earlier | undefined
  /** Returns the cluster of a variant. */
  readonly clusterOf?: ((change: VariantChange) => string) | undefined
  /** Returns true for a variant that the page shows. */
  readonly isShown: (change: VariantChange) => boolean
}

/** The drawing is limited to this number of nodes, so that it stays readable. The list has every variant. */
const MOST_NODES = 30

/** Most dangerous first. */
const ORDER: readonly string[] = ['remove', 'rename', 'update', 'create', 'by-hand', 'unchanged']

/** Returns the page's data: every variant with its change and its explanation. Values that many variants share are stored once. */
export function pageData({
  title,
  summary,
  first,
  sets,
  byHand,
  graph,
  results,
  earlier,
  isShown,
  clusterOf = () => '',
}: PageInput): PageData {
  const origins = new Origins()
  const ofSets = sets.flatMap((set) =>
    set.changes
      .filter(isShown)
      .map((change) => ({ ...viewVariant(explainChange(change, set, earlier), change, origins), cluster: clusterOf(change) })),
  )
  const loose = byHand
    .filter((change) => change.op !== 'unchanged' && isShown(change))
    .map((change) => ({ ...viewLoose(change), cluster: clusterOf(change) }))
  const variants = [...ofSets, ...loose].sort((a, b) => ORDER.indexOf(a.op) - ORDER.indexOf(b.op))
  const { nodes, edges, rings } = collapseGraph(graph, MOST_NODES)
  const drawn = {
    nodes: nodes.map(({ id, type, label, ring }) => ({ id, type, label, ...(ring !== undefined && { ring }) })),
    edges,
    rings,
  }
  return { title, summary, first, findings: results.map(formatResult), origins: origins.all, variants, graph: drawn }
}

/** Returns the labels of the object that a variant is made for, overridden by the variant's own. */
function labelsOf({ why, after }: VariantChange): Readonly<Record<string, string>> {
  const own = after?.labels
  const pairs = isRecord(own) ? Object.entries(own) : []
  return Object.fromEntries([...(why?.place.object?.labels ?? []), ...pairs.map(([key, value]) => [key, String(value)] as const)])
}

function viewLoose(change: VariantChange): Omit<PageVariant, 'cluster'> {
  const { op, name, namespace } = change
  return { op, name, namespace, reason: reasonByHand(change).text, labels: {}, fields: [] }
}

function viewVariant(explanation: VariantExplanation, change: VariantChange, origins: Origins): Omit<PageVariant, 'cluster'> {
  const ring = change.why?.place.ring
  const { op, name, namespace, oldName, place, set, target, object, reason, fields } = explanation
  return {
    op,
    name,
    namespace,
    ...(oldName !== undefined && { oldName }),
    ...(place !== undefined && { place }),
    ...(set && { set: nameOf(set) }),
    ...(target && { target: [target.path, target.place ?? ''].join(' ').trim() }),
    ...(object && { object: nameOf(object) }),
    ...(ring && { ring: ring.name }),
    reason,
    labels: labelsOf(change),
    fields: fields.map((field) => viewField(field, origins)),
  }
}

function nameOf({ kind, namespace, name, place }: PlacedObject): string {
  return [`${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`, ...(place === undefined ? [] : [place])].join('  ')
}

function viewField(field: ExplainedField, origins: Origins): PageField {
  const { value, before, expressions = [] } = field
  const reads = expressions.flatMap((each) =>
    each.reads.map((read) =>
      [`${read.variable} is ${read.value === undefined ? 'not there' : printValue(read.value)}`, read.place ?? ''].join('  ').trim(),
    ),
  )
  return {
    origin: origins.indexOf(field),
    value: printValue(value),
    ...(before !== undefined && { before: printValue(before) }),
    ...(reads.length > 0 && { reads }),
  }
}

/** Every origin once. */
class Origins {
  readonly all: FieldOrigin[] = []
  readonly #indexes = new Map<string, number>()

  indexOf({ path, source, from, place = '', expressions = [] }: ExplainedField): number {
    const texts = expressions.map(({ text }) => `← ${text.trim()}`).join('  ')
    const origin: FieldOrigin = { path, source: texts === '' ? `${source}, ${from}` : texts, place }
    const key = JSON.stringify(origin)
    const index = this.#indexes.get(key) ?? this.all.push(origin) - 1
    this.#indexes.set(key, index)
    return index
  }
}

const BODY = `<header>
<h1 id="title"></h1>
<p id="summary"></p>
<form role="search">
<input id="search" type="search" placeholder="Search names, sets, objects, labels ( / )" aria-label="Search" autocomplete="off" spellcheck="false">
<select id="op" aria-label="Change"><option value="">every change</option></select>
<select id="cluster" aria-label="Cluster"><option value="">every cluster</option></select>
<select id="label" aria-label="Label"><option value="">every label</option></select>
<button id="graph-button" type="button" aria-controls="graph" aria-expanded="false">Graph</button>
<span id="count" role="status"></span>
</form>
<ul id="findings" hidden></ul>
</header>
<div id="graph" role="img" aria-label="What comes from what" hidden></div>
<main>
<div id="list" role="listbox" tabindex="0" aria-label="Variants"></div>
<section id="details" aria-live="polite"><p>Choose a variant to see its change and where each value comes from.</p></section>
</main>
<footer><kbd>/</kbd> search, <kbd>↑</kbd> <kbd>↓</kbd> or <kbd>k</kbd> <kbd>j</kbd> choose, <kbd>g</kbd> graph, <kbd>Esc</kbd> everything</footer>
`

/** Returns the page of a fleet: its variants, their changes and the graph. */
export function fleetPage(data: PageData): string {
  return pageHtml({ data, body: BODY, script: FLEET_PAGE_SCRIPT, style: FLEET_PAGE_STYLE })
}
