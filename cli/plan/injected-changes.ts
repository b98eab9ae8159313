import type { VariantChange } from '../../src/fleet/change.ts'
import { equalJson, isRecord, type JsonValue, lookup, scalarText } from '../../src/json.ts'
import { groupOf } from '../../src/resource-list/identity.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'

/** The variants that sets ask for, and the objects now and at an earlier revision. */
export interface InjectedObjects {
  readonly variants: readonly VariantChange[]
  readonly items: readonly KrmObject[]
  readonly earlier?: { readonly items: readonly KrmObject[] }
}

/** Counts the variants that name an object in their injectors whose `spec` or `data` is another one than it was. */
export function injectingOf({ variants, items, earlier }: InjectedObjects): { readonly injecting?: number } {
  if (earlier === undefined) return {}
  const injectors = variants.map(({ after }) => injectorsOf(after))
  const names = new Set(injectors.flatMap((each) => each.map(({ name }) => name)))
  const [before, now] = [configurations(earlier.items, names), configurations(items, names)]
  const changed = [...new Map([...before, ...now])].flatMap(([key, { object }]) =>
    equalJson(before.get(key)?.value, now.get(key)?.value) ? [] : [object],
  )
  const injecting = injectors.filter((each) => each.some((injector) => changed.some((object) => isNamed(injector, object)))).length
  return injecting === 0 ? {} : { injecting }
}

interface Injector {
  readonly group: JsonValue | undefined
  readonly kind: JsonValue | undefined
  readonly name: string
}

function injectorsOf(spec: JsonValue | undefined): readonly Injector[] {
  const list = isRecord(spec) ? lookup(spec, 'injectors') : undefined
  if (!Array.isArray(list)) return []
  return list.filter(isRecord).map((each) => ({
    group: lookup(each, 'group'),
    kind: lookup(each, 'kind'),
    name: scalarText(lookup(each, 'name')),
  }))
}

function isNamed({ group, kind, name }: Injector, object: KrmObject): boolean {
  return (
    object.name === name &&
    (kind === undefined || kind === object.kind) &&
    (group === undefined || group === groupOf(object.apiVersion ?? ''))
  )
}

interface Configuration {
  readonly object: KrmObject
  readonly value: JsonValue | undefined
}

/** Returns the configuration that would be injected of each object with one of the names. */
function configurations(items: readonly KrmObject[], names: ReadonlySet<string>): ReadonlyMap<string, Configuration> {
  const found = items.filter(({ name = '' }) => names.has(name))
  return new Map(
    found.map((object) => {
      const { apiVersion, kind, name, namespace } = object
      const value = object.get([kind === 'ConfigMap' ? 'data' : 'spec'])
      return [JSON.stringify([apiVersion, kind, namespace, name]), { object, value }]
    }),
  )
}
