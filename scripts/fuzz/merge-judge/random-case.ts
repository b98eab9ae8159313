import { Document, isMap, isPair, isScalar, isSeq, type Node, type Pair, parseDocument, Scalar, type YAMLMap, type YAMLSeq } from 'yaml'
import type { Random } from '../random.ts'
import { documentsIn, holdsResources } from './documents.ts'
import type { MergeCase, Strategy, Texts } from './judge.ts'

const STRATEGIES: readonly Strategy[] = [
  'resource-merge',
  'resource-merge',
  'resource-merge',
  'fast-forward',
  'force-delete-replace',
  'copy-merge',
]

/**
 * Returns an update of a random package. Each side makes up to five changes, of fields, list entries, comments, resources and files, often
 * in the same place and sometimes the same change.
 */
export function randomCase(random: Random): MergeCase {
  const base = randomPackage(random)
  const strategy = random.pick(STRATEGIES)
  const isUntouched = strategy === 'fast-forward' && random.oneIn(2)
  return { strategy, base, theirs: edited(random, base, 'theirs', 5), ours: edited(random, base, 'ours', isUntouched ? 0 : 5) }
}

function randomPackage(random: Random): Texts {
  const files: Record<string, string> = { Kptfile: kptfile(random, 'app') }
  if (!random.oneIn(4)) files['deploy.yaml'] = [deployment(random), ...(random.oneIn(2) ? [service(random)] : [])].join('---\n')
  if (!random.oneIn(3))
    files['config.yaml'] = ['one', 'two', 'three']
      .slice(0, 1 + random.below(3))
      .map((name) => config(random, name))
      .join('---\n')
  if (!random.oneIn(3)) files['thing.yaml'] = thing(random)
  if (random.oneIn(2)) files['README.md'] = 'An app.\n\nIt runs.\n'
  if (random.oneIn(3)) Object.assign(files, { 'sub/Kptfile': kptfile(random, 'sub'), 'sub/config.yaml': config(random, 'inner') })
  return files
}

/** Returns a document as the `yaml` package prints it: a text that it printed keeps each line that an edit does not change. */
function print(document: Document): string {
  return document.toString({ lineWidth: 0 })
}

function block(value: unknown): string {
  return print(new Document(value))
}

function some<T>(random: Random, values: readonly T[]): readonly T[] {
  return values.filter(() => !random.oneIn(3))
}

function kptfile(random: Random, name: string): string {
  const isNamed = random.oneIn(3)
  const fn = (image: string) => ({
    image: `ghcr.io/x/${image}:v1`,
    ...(isNamed && { name: `run-${image}` }),
    ...(random.oneIn(2) && { configMap: { app: name, tier: 'web' } }),
  })
  const value = {
    apiVersion: 'kpt.dev/v1',
    kind: 'Kptfile',
    metadata: { name, ...(random.oneIn(2) && { labels: { team: 'a', tier: 'b' } }), annotations: { note: 'one', other: 'two' } },
    info: { description: `the ${name}`, keywords: ['a', 'b'] },
    pipeline: { mutators: some(random, ['set-labels', 'set-namespace', 'search']).map(fn), validators: some(random, ['kubeval']).map(fn) },
  }
  return block(value)
}

function deployment(random: Random): string {
  const container = (name: string) => ({
    name,
    image: `ghcr.io/x/${name}:1.0`,
    ...(random.oneIn(2) && { args: some(random, ['--fast', '--log=info', '--port=80']) }),
    env: some(random, ['MODE', 'LEVEL', 'HOST']).map((each) => ({ name: each, value: 'one' })),
    ports: some(random, [80, 443, 9090]).map((containerPort) => ({ containerPort, ...(random.oneIn(2) && { protocol: 'TCP' }) })),
    volumeMounts: some(random, ['/a', '/b']).map((mountPath) => ({ mountPath, name: 'data' })),
  })
  return block({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', labels: { app: 'web', tier: 'front' }, ...(random.oneIn(3) && { finalizers: ['x.dev/a', 'x.dev/b'] }) },
    spec: {
      replicas: 1,
      template: {
        spec: { containers: some(random, ['web', 'proxy', 'log']).map(container), volumes: [{ name: 'data', emptyDir: {} }] },
      },
    },
  })
}

function service(random: Random): string {
  const port = (name: string, number: number) => ({ name, port: number, targetPort: number, ...(random.oneIn(3) && { protocol: 'TCP' }) })
  const ports = some(random, ['http', 'https', 'metrics']).map((name, at) => port(name, 80 + at))
  return block({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports } })
}

function config(random: Random, name: string): string {
  const data = Object.fromEntries(some(random, ['mode', 'level', 'host', 'text']).map((key) => [key, key === 'text' ? 'a\nb\n' : 'one']))
  return block({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })
}

/** A resource of a kind that has no schema: its lists are one value each. */
function thing(random: Random): string {
  const rules = some(random, ['a', 'b', 'c']).map((name) => ({ name, hosts: [`${name}.dev`], weight: 1 }))
  return block({
    apiVersion: 'x.dev/v1',
    kind: 'Thing',
    metadata: { name: 'thing' },
    spec: { rules, words: ['x', 'y', 'z'], limits: { cpu: 1, memory: '1Gi' } },
  })
}

function edited(random: Random, base: Texts, side: string, most: number): Texts {
  const files: Record<string, string> = { ...base }
  for (let n = random.below(most + 1); n > 0; n--) editPackage(random, files, `${side}${n}`)
  return files
}

function editPackage(random: Random, files: Record<string, string>, mark: string): void {
  const path = random.pick(Object.keys(files))
  const way = random.below(12)
  if (way === 0) files[`${random.oneIn(2) ? mark : 'new'}.yaml`] = config(random, mark)
  else if (way === 1 && path !== 'Kptfile') delete files[path]
  else if (!holdsResources(path)) files[path] = `${files[path]}${random.oneIn(3) ? 'More.' : mark}\n`
  else files[path] = editFile(random, path, files[path] ?? '', mark)
}

function editFile(random: Random, path: string, text: string, mark: string): string {
  const documents = documentsIn(text).map((document) => document.text)
  const at = random.below(documents.length)
  if (path.endsWith('config.yaml') && random.oneIn(5)) {
    if (random.oneIn(2) && documents.length > 1) return documents.toSpliced(at, 1).join('---\n')
    if (random.oneIn(4)) return documents.toReversed().join('---\n')
    return documents.toSpliced(at, 0, config(random, random.oneIn(2) ? mark : 'added')).join('---\n')
  }
  const document = parseDocument(documents[at] ?? '{}')
  editDocument(random, document, mark)
  return documents.with(at, print(document)).join('---\n')
}

/** The keys by which a resource is known, and its lists distinguished: changed now and then alone. */
const IDENTITY = ['apiVersion', 'kind', 'metadata', 'name', 'image', 'port', 'containerPort', 'mountPath', 'spec', 'pipeline']

function editDocument(random: Random, document: Document, mark: string): void {
  const collections = collectionsIn(document.contents)
  if (collections.length === 0) return
  const collection = random.pick(collections)
  if (random.oneIn(4)) comment(random, collection, mark)
  else if (isSeq(collection)) editList(random, document, collection, mark)
  else editMap(random, document, collection, mark)
}

function collectionsIn(node: unknown): readonly (YAMLMap | YAMLSeq)[] {
  if (!isMap(node) && !isSeq(node)) return []
  const inside = node.items.flatMap((item) => collectionsIn(isPair(item) ? item.value : item))
  return [...(node.items.length > 0 ? [node as YAMLMap | YAMLSeq] : []), ...inside]
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : ''
}

function editMap(random: Random, document: Document, map: YAMLMap, mark: string): void {
  const pairs = (map.items as Pair[]).filter((pair) => !IDENTITY.includes(keyOf(pair)) || random.oneIn(15))
  if (random.oneIn(3) || pairs.length === 0) {
    map.set(random.oneIn(3) ? 'both' : mark, newValue(random, document, mark))
    return
  }
  const pair = random.pick(pairs)
  if (random.oneIn(3) && !IDENTITY.includes(keyOf(pair))) map.delete(keyOf(pair))
  else if (isScalar(pair.value)) pair.value.value = isNumber(pair.value) ? 2 + random.below(3) : value(random, mark)
  else if (random.oneIn(8)) map.set(keyOf(pair), newValue(random, document, mark))
}

function isNumber({ value }: Scalar): boolean {
  return typeof value === 'number'
}

function value(random: Random, mark: string): string {
  return random.oneIn(4) ? random.pick(['alike', 'yes', '0644', 'a: b']) : `of ${mark}`
}

function newValue(random: Random, document: Document, mark: string): Node {
  const text = value(random, mark)
  return document.createNode(random.oneIn(4) ? { made: text, more: { deep: mark } } : random.oneIn(6) ? [text, 'x'] : text) as Node
}

function editList(random: Random, document: Document, list: YAMLSeq, mark: string): void {
  const at = random.below(list.items.length)
  const way = random.below(6)
  if (way < 2) list.items.splice(at, 1)
  else if (way === 2) list.items.reverse()
  else if (way < 5) list.items.splice(random.oneIn(2) ? at : list.items.length, 0, newEntry(random, document, list.items[0], mark))
  else if (isScalar(list.items[at])) list.items[at] = document.createNode(value(random, mark))
}

/** An entry with the fields of another one, and keys of its own. */
function newEntry(random: Random, document: Document, like: unknown, mark: string): unknown {
  if (!isMap(like)) return document.createNode(random.oneIn(3) ? 'both' : mark)
  const own: Readonly<Record<string, unknown>> = {
    name: random.oneIn(4) ? 'both' : mark,
    image: `ghcr.io/x/${random.oneIn(4) ? 'both' : mark}:v1`,
    mountPath: `/${mark}`,
    port: 1000 + random.below(9),
    containerPort: 1000 + random.below(9),
  }
  const keys = (like.items as Pair[]).map(keyOf).filter((key) => key !== 'configMap')
  return document.createNode(Object.fromEntries(keys.map((key) => [key, own[key] ?? (key === 'protocol' ? 'TCP' : `of ${mark}`)])))
}

/** Writes a comment above an entry or behind a scalar, or takes one away. */
function comment(random: Random, collection: YAMLMap | YAMLSeq, mark: string): void {
  const item = random.pick<unknown>(collection.items)
  const above = isPair(item) ? item.key : item
  const behind = isPair(item) ? item.value : item
  const target = random.oneIn(2) && isScalar(behind) ? behind : above
  if (isScalar(target) && target.comment && random.oneIn(2)) target.comment = null
  else if (isScalar(target) && target.commentBefore && random.oneIn(2)) target.commentBefore = null
  else if (target === behind && target instanceof Scalar && !String(target.value).includes('\n')) target.comment = ` ${mark}`
  else if (isScalar(target) || isMap(target)) target.commentBefore = ` ${mark}`
}
