import { isDeepStrictEqual } from 'node:util'

/** Values as JSON.parse returns them. */
type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonMap = { [key: string]: Json }

/** The objects of clusters: by package, then by identity. */
export type ClusterObjects = Map<string, Map<string, JsonMap>>

interface Named {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  readonly was?: Named
  readonly value?: JsonMap
}

interface Field {
  readonly steps: readonly (string | number | Readonly<Record<string, string>>)[]
  readonly before?: Json
  readonly after?: Json
  readonly isOrder?: true
}

interface Report {
  readonly groups: readonly {
    readonly op: 'create' | 'delete' | 'change' | 'rename'
    readonly objects: readonly Named[]
    readonly fields: readonly Field[]
    readonly clusters: number
    readonly places: readonly {
      readonly cluster: string
      readonly package: string
      readonly objects?: readonly Named[]
      readonly fields?: readonly Field[]
    }[]
  }[]
  readonly counts: { readonly changed: number; readonly clusters: number; readonly groups: number }
}

export function identityOf({ apiVersion, kind, namespace = '', name }: Named): string {
  return [apiVersion.includes('/') ? apiVersion.split('/')[0] : '', kind, namespace, name].join(' ')
}

/**
 * Applies the changes of a report, as `diff --format json` prints it, to the objects of FROM. Knows nothing of how the report was made.
 *
 * @throws Error  for a change that is told twice, or does not fit the object
 */
export function applyReport(report: Report, from: ClusterObjects): ClusterObjects {
  const objects: ClusterObjects = new Map(
    [...from].map(([folder, own]) => [folder, new Map([...own].map(([id, value]) => [id, structuredClone(value)]))]),
  )
  const told = new Set<string>()
  for (const group of report.groups) {
    const { places, clusters, op } = group
    if (new Set(places.map(({ cluster }) => cluster)).size !== clusters) throw new Error('clusters must be those of the places')
    for (const place of places) {
      const own = objects.get(place.package) ?? new Map<string, JsonMap>()
      objects.set(place.package, own)
      const fields = place.fields ?? group.fields
      for (const object of place.objects ?? group.objects) {
        once(keysOf(op, identityOf(object), fields), place.package, told)
        applyObject(own, op, object, fields)
      }
    }
  }
  for (const [folder, own] of objects) if (own.size === 0) objects.delete(folder)
  return objects
}

function once(keys: readonly string[], folder: string, told: Set<string>): void {
  for (const key of keys) {
    if (told.has(`${folder} ${key}`)) throw new Error(`told twice: ${folder} ${key}`)
    told.add(`${folder} ${key}`)
  }
}

type Operation = Report['groups'][number]['op']

function keysOf(op: Operation, id: string, fields: readonly Field[]): readonly string[] {
  if (op === 'create' || op === 'delete') return [id]
  return fields.map(({ steps, isOrder }) => `${id} ${JSON.stringify(steps)} ${isOrder === true}`)
}

function applyObject(own: Map<string, JsonMap>, op: Operation, object: Named, fields: readonly Field[]): void {
  const id = identityOf(object)
  if (op === 'create') {
    if (own.has(id) || object.value === undefined) throw new Error(`cannot create ${id}`)
    own.set(id, structuredClone(object.value))
    return
  }
  const old = object.was === undefined ? id : identityOf(object.was)
  const value = own.get(old)
  if (value === undefined) throw new Error(`cannot ${op} ${old}`)
  own.delete(old)
  if (op === 'delete') return
  for (const field of fields) applyField(value, field)
  own.set(id, value)
}

function applyField(root: JsonMap, { steps, before, after, isOrder }: Field): void {
  const last = steps.at(-1)
  const parent = steps.slice(0, -1).reduce<Json | undefined>(step1, root)
  const present = last === undefined ? parent : step1(parent, last)
  if (isOrder === true) {
    if (!Array.isArray(present) || !Array.isArray(after)) throw new Error('an order is one of a list')
    const keys = new Map(present.map((entry) => [keyAmong(entry, after), entry]))
    present.splice(0, present.length, ...after.map((key) => keys.get(String(key)) ?? null))
    return
  }
  if (!isDeepStrictEqual(present, before))
    throw new Error(`${JSON.stringify(steps)} must be ${JSON.stringify(before)}, is ${JSON.stringify(present)}`)
  if (Array.isArray(parent)) putEntry(parent, last ?? 0, after)
  else if (parent !== null && typeof parent === 'object' && typeof last === 'string') {
    if (after === undefined) delete parent[last]
    else parent[last] = after
  } else throw new Error(`no field ${JSON.stringify(steps)}`)
}

function putEntry(list: Json[], step: Field['steps'][number], after: Json | undefined): void {
  if (typeof step === 'string') throw new Error('a key is one of a map')
  const at = typeof step === 'number' ? step : list.findIndex((entry) => isEntry(entry, step))
  if (after === undefined) list.splice(at, 1)
  else if (at === -1) list.push(after)
  else list[at] = after
}

function step1(value: Json | undefined, step: Field['steps'][number]): Json | undefined {
  if (value === null || typeof value !== 'object') return undefined
  if (Array.isArray(value))
    return typeof step === 'number' ? value[step] : typeof step === 'object' ? value.find((entry) => isEntry(entry, step)) : undefined
  return typeof step === 'string' && Object.hasOwn(value, step) ? value[step] : undefined
}

function isEntry(entry: Json, fields: Readonly<Record<string, string>>): boolean {
  if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) return false
  return Object.entries(fields).every(([field, text]) => Object.hasOwn(entry, field) && String(entry[field]) === text)
}

/** Returns the key of an entry: the value of one of its fields, or several joined, that is among the keys. */
function keyAmong(entry: Json, keys: readonly Json[]): string {
  const texts = entry !== null && typeof entry === 'object' && !Array.isArray(entry) ? Object.values(entry).map(String) : []
  const joined = texts.flatMap((a) => [a, ...texts.map((b) => `${a}/${b}`)])
  return String(keys.find((key) => joined.includes(String(key))) ?? '')
}
