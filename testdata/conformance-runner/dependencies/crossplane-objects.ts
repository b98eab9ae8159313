import type { JsonRecord, JsonValue } from '../../../src/json.ts'
import { isRecord } from '../../../src/json.ts'

/** A registry for sources that name none: what is generated must have one. The names of objects leave it out. */
const REGISTRY = 'registry.example.org'

/** A source with a registry. */
export function withRegistry(source: string): string {
  const [first = ''] = source.split('/')
  return first.includes('.') || first.includes(':') ? source : `${REGISTRY}/${source}`
}

/** A source or reference as the vector has it. */
export function withoutRegistry(reference: string): string {
  return reference.startsWith(`${REGISTRY}/`) ? reference.slice(REGISTRY.length + 1) : reference
}

/** The source of a reference, and its tag or digest. */
export function partsOf(reference: string): { readonly source: string; readonly version: string } {
  const at = reference.indexOf('@')
  if (at >= 0) return { source: reference.slice(0, at), version: reference.slice(at + 1) }
  const colon = reference.lastIndexOf(':')
  return colon > reference.lastIndexOf('/')
    ? { source: reference.slice(0, colon), version: reference.slice(colon + 1) }
    : { source: reference, version: '' }
}

export function referenceTo(source: string, version: string): string {
  return `${source}${version.startsWith('sha256:') ? '@' : ':'}${version}`
}

/** An installed package. */
export function packageObject(kind: string, name: string, reference: string, spec: JsonRecord = {}): JsonRecord {
  return { apiVersion: 'pkg.crossplane.io/v1', kind, metadata: { name }, spec: { package: reference, ...spec } }
}

/** A package of a Catalog, with its versions: texts, or maps with what is known of the version. */
export function entry(id: string, kind: string, versions: readonly JsonValue[]): JsonRecord {
  return { ecosystem: 'crossplane', id, kind, versions: [...versions] }
}

export function catalog(packages: readonly JsonRecord[]): JsonRecord {
  return { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'known' }, spec: { packages: [...packages] } }
}

/** A Configuration of version v1.0.0 for each list of requirements, installed and in the entries of a Catalog. */
export function parents(requirements: readonly (readonly JsonRecord[])[]): {
  readonly objects: readonly JsonRecord[]
  readonly entries: readonly JsonRecord[]
} {
  const sourceOf = (i: number) => `${REGISTRY}/parents/parent-${String(i).padStart(3, '0')}`
  return {
    objects: requirements.map((_, i) => packageObject('Configuration', `parent-${i}`, `${sourceOf(i)}:v1.0.0`)),
    entries: requirements.map((dependencies, i) =>
      entry(sourceOf(i), 'Configuration', [{ version: 'v1.0.0', dependencies: [...dependencies] }]),
    ),
  }
}

/** The packages among some items: those with a `spec.package`. */
export function packagesAmong(items: readonly JsonRecord[]): readonly JsonRecord[] {
  return items.filter(({ spec }) => isRecord(spec) && typeof spec.package === 'string')
}
