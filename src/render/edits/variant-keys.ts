import { compareText } from '../../field-path.ts'
import type { PackageVariant } from '../../kinds/package-variant.ts'
import { VARIANT_KEYS_ANNOTATION } from '../../lifecycle/owner-annotation.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'

/** The maps of a package in which a variant writes keys: the data of the package context, and the metadata of the Kptfile. */
const MAPS = ['data', 'labels', 'annotations'] as const

/** The keys that a variant wrote into a package, by map. All others are of upstream, of functions, or of people. */
export type VariantKeys = Readonly<Record<(typeof MAPS)[number], ReadonlySet<string>>>

export function keysOfVariant({ packageContext, labels, annotations }: PackageVariant): VariantKeys {
  return {
    data: new Set(packageContext.data.keys()),
    labels: new Set(labels.keys()),
    annotations: new Set(annotations.keys()),
  }
}

/**
 * Returns the keys that a Kptfile records as written by the variant; none without a record, so that every other key counts as people's.
 *
 * @example  `data.region labels.team` → the key `region` of the package context and the label `team`
 */
export function readVariantKeys({ annotations }: Pick<KrmObject, 'annotations'>): VariantKeys {
  const recorded = (annotations.get(VARIANT_KEYS_ANNOTATION) ?? '').split(/\s+/)
  const keysIn = (map: string): ReadonlySet<string> =>
    new Set(recorded.flatMap((entry) => (entry.startsWith(`${map}.`) ? [entry.slice(map.length + 1)] : [])))
  return { data: keysIn('data'), labels: keysIn('labels'), annotations: keysIn('annotations') }
}

export function unitedKeys(some: VariantKeys, others: VariantKeys): VariantKeys {
  return {
    data: new Set([...some.data, ...others.data]),
    labels: new Set([...some.labels, ...others.labels]),
    annotations: new Set([...some.annotations, ...others.annotations]),
  }
}

/**
 * Records in a Kptfile the keys that its variant wrote, beside those recorded earlier: a key stays in the package after the variant has
 * stopped to ask for it, and the variant is gone when the package is removed. Labels and annotations are written at creation only, so
 * later ones with another value are not the variant's.
 */
export function recordVariantKeys(kptfile: KrmObject, variant: PackageVariant): void {
  const { data, ...asked } = keysOfVariant(variant)
  const written = (map: 'labels' | 'annotations') =>
    new Set([...asked[map]].filter((key) => kptfile[map].get(key) === variant[map].get(key)))
  const keys = unitedKeys(readVariantKeys(kptfile), { data, labels: written('labels'), annotations: written('annotations') })
  const entries = MAPS.flatMap((map) => [...keys[map]].sort(compareText).map((key) => `${map}.${key}`))
  if (entries.length > 0) kptfile.set(['metadata', 'annotations', VARIANT_KEYS_ANNOTATION], entries.join(' '))
}
