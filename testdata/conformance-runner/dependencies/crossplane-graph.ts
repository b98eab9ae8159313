import { createHash } from 'node:crypto'
import type { JsonRecord } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { check, resolve, textIn } from './commands.ts'
import { catalog, entry, packageObject, packagesAmong, parents, partsOf, withoutRegistry, withRegistry } from './crossplane-objects.ts'
import { sourceOf } from './crossplane-resolve.ts'
import { differ, list, record, records, text, texts } from './vectors.ts'

/** A name: of a revision, of a generated object, or of the source of a package. */
export function judgeName(vector: JsonRecord): readonly Difference[] {
  const [first = '', second = ''] = texts(vector, 'in')
  const fn = text(vector, 'fn')
  if (fn === 'friendlyID') return differ('beginning of the name', revisionPrefix(first), beginning(text(vector, 'out'), second))
  const name = fn === 'toDNSLabel' ? generatedName(first) : sourceOf(first)
  return differ(fn, name, vector.out)
}

// Which hash ends the name of a revision is the package manager's choice: 12 digits of a hash, a hyphen before them.
const HASH_LENGTH = 12

function beginning(name: string, hash: string): string {
  return name.slice(0, -(hash.slice(0, HASH_LENGTH).replace(/[.-]+$/, '').length + 1))
}

/** The name of a revision without its hash. */
function revisionPrefix(name: string): string {
  const digest = `sha256:${createHash('sha256').update(name).digest('hex')}`
  const { items } = resolve([packageObject('Provider', name, `registry.example.org/acme/named@${digest}`)], { lifecycle: true })
  const revision = items.find(({ kind }) => kind === 'ProviderRevision')
  return revision === undefined ? '' : textIn(revision, 'metadata', 'name').slice(0, -(HASH_LENGTH + 1))
}

/** The name of the object that is made for a dependency with a path. */
function generatedName(path: string): string {
  const source = withRegistry(path)
  const { objects, entries } = parents([[{ provider: source, version: '>=v1.0.0' }]])
  const { items } = resolve([...objects, catalog([...entries, entry(source, 'Provider', ['v1.0.0'])])], { strategy: 'native' })
  const made = packagesAmong(items).find(({ kind }) => kind === 'Provider')
  return made === undefined ? '' : textIn(made, 'metadata', 'name')
}

/**
 * A graph: its cycles and its missing nodes as check-dependencies reports them. A node must come after everything that resolve-dependencies
 * installs for it.
 */
export function judgeDag(vector: JsonRecord): readonly Difference[] {
  const nodes = records(vector, 'nodes')
  const expected = record(vector, 'expect')
  const known = catalogOfNodes(nodes)
  const results = check([...nodes.map(nodeObject), known])
  const isCyclic = results.some(({ tags }) => tags.rule === 'dependency-cycle')
  const missing = new Set(results.flatMap(({ tags }) => (tags.rule === 'dependency-missing' ? [tags.dependency] : [])))
  const before = (a: string, b: string): boolean => !installedFor(a, known).has(b)
  const pairs = [
    ...pairsOf(texts(expected, 'order')),
    ...list(expected, 'before').flatMap((pair) => (Array.isArray(pair) ? [pair.map(String)] : [])),
  ]
  const [first] = nodes
  return [
    ...differ('sort', isCyclic ? 'error' : 'ok', text(expected, 'sort') === 'ok' ? 'ok' : 'error'),
    ...(expected.impliedCount === undefined ? [] : differ('impliedCount', missing.size, expected.impliedCount)),
    ...pairs.flatMap(([a = '', b = '']) => (before(a, b) ? [] : [{ what: `${a} must come before ${b}`, actual: `${a} requires ${b}` }])),
    ...(expected.dependenciesOfFirst === undefined
      ? []
      : differ(
          'dependenciesOfFirst',
          first === undefined ? 0 : installedFor(text(first, 'identifier'), known).size,
          expected.dependenciesOfFirst,
        )),
  ]
}

/** Every pair of an order, the earlier one first. */
function pairsOf(order: readonly string[]): readonly (readonly string[])[] {
  return order.flatMap((a, i) => order.slice(i + 1).map((b) => [a, b]))
}

function nodeObject(node: JsonRecord): JsonRecord {
  const id = text(node, 'identifier')
  return packageObject('Configuration', id.replace(/[^a-z0-9-]/g, '-'), `${withRegistry(id)}:v1.0.0`)
}

/** A Catalog of all nodes, those that are only neighbors too. */
function catalogOfNodes(nodes: readonly JsonRecord[]): JsonRecord {
  const neighbors = new Map<string, readonly string[]>(nodes.flatMap((node) => texts(node, 'neighbors').map((id) => [id, []])))
  for (const node of nodes) neighbors.set(text(node, 'identifier'), texts(node, 'neighbors'))
  return catalog(
    [...neighbors].map(([id, required]) => {
      const dependencies = required.map((each) => ({ configuration: withRegistry(each), version: 'v1.0.0' }))
      return entry(withRegistry(id), 'Configuration', [{ version: 'v1.0.0', dependencies }])
    }),
  )
}

/** The nodes that are installed for a node, when it is the only one that is there. */
function installedFor(id: string, known: JsonRecord): ReadonlySet<string> {
  const rules = { 'dependency-cycle': 'warning' }
  const { items } = resolve([nodeObject({ identifier: id }), known], { rules })
  const sources = packagesAmong(items).map((item) => withoutRegistry(partsOf(textIn(item, 'spec', 'package')).source))
  return new Set(sources.filter((source) => source !== id))
}
