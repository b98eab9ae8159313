import type { Prereleases } from '../../versions/selection.ts'
import type { KindOfApi } from '../package-index.ts'
import type { Collector } from '../reading/collector.ts'
import { childField, hasValue, type ObjectField } from '../reading/field.ts'

/** The versions that a `versionSelection` admits. */
interface SelectionFields {
  readonly constraints: string | undefined
  readonly constraintsField: ObjectField
  /** `prereleases: {}` admits all, an absent field admits none. */
  readonly prereleases: Prereleases | undefined
}

/** Reads a `versionSelection` and reports its faults. Packages, PackageInstalls and overrides share the form (seed 002). */
export function readSelection(field: ObjectField, collector: Collector): SelectionFields {
  collector.map(field, ['constraints', 'prereleases'])
  const constraintsField = childField(field, 'constraints')
  return { constraints: collector.text(constraintsField), constraintsField, prereleases: readPrereleases(field, collector) }
}

function readPrereleases(selection: ObjectField, collector: Collector): Prereleases | undefined {
  const prereleases = childField(selection, 'prereleases')
  if (!collector.map(prereleases, ['identifiers']) || prereleases.value === undefined) return undefined
  return { identifiers: collector.items(childField(prereleases, 'identifiers')).flatMap((each) => collector.text(each) ?? []) }
}

const KIND_KEYS = ['apiVersion', 'kind', 'group', 'version'] as const

/** Reads a kind written as `{apiVersion, kind}` or `{group, version, kind}`. Reports any other form and returns undefined. */
export function readKindFields(gvk: ObjectField, collector: Collector): KindOfApi | undefined {
  if (!collector.map(gvk, KIND_KEYS)) return undefined
  const [apiVersion, kind, group = '', version = ''] = KIND_KEYS.map((key) => collector.text(childField(gvk, key)))
  const split = group === '' ? version : version === '' ? '' : `${group}/${version}`
  const written = apiVersion || split
  if (written !== '' && kind !== undefined && kind !== '') return { apiVersion: written, kind }
  // A value of the wrong type is reported already.
  if (!KIND_KEYS.some((key) => hasValue(gvk, key) && typeof childField(gvk, key).value !== 'string'))
    collector.form(gvk, `must have 'apiVersion' and 'kind', or 'group', 'version' and 'kind'`)
  return undefined
}

/** Reads `provides`: plain kinds, or kinds wrapped in `gvk:` as in the second example of seed 002. Reports any other form. */
export function readProvides(provides: ObjectField, collector: Collector): KindOfApi[] {
  return collector.items(provides).flatMap((item) => {
    const wrapped = childField(item, 'gvk')
    if (wrapped.value === undefined) return readKindFields(item, collector) ?? []
    collector.unknownKeys(item, ['gvk'])
    return readKindFields(wrapped, collector) ?? []
  })
}
