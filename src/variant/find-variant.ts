import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, formatResourceRef } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { PORCH_CONFIG_GROUP, VARIANT_ANNOTATION } from '../well-known.ts'
import type { VariantPackage } from './variant-package.ts'

/** Returns true if an object is a PackageVariant of Porch, of any version. */
export function isPackageVariant({ apiVersion = '', kind }: KrmObject): boolean {
  return kind === 'PackageVariant' && groupOf(apiVersion) === PORCH_CONFIG_GROUP
}

/**
 * Returns the PackageVariant among the items whose downstream is the package: the variant that the owner annotation of the Kptfile names,
 * else the variant whose `downstream.package` ends in the name of the Kptfile.
 *
 * @throws FunctionError  if no variant or more than one is found
 */
export function findVariant(items: readonly KrmObject[], { kptfile }: VariantPackage): KrmObject {
  const variants = items.filter(isPackageVariant)
  const owner = kptfile.annotations.get(VARIANT_ANNOTATION)
  const found = variants.filter((variant) =>
    owner === undefined ? endsIn(variant, kptfile.name ?? '') : owner === namespacedName(variant),
  )
  const [variant] = found
  if (variant !== undefined && found.length === 1) return variant
  throw found.length > 1 ? ambiguous(kptfile, found) : missing(kptfile, variants, owner)
}

/** Returns `NAMESPACE/NAME` of a PackageVariant, the text of the owner annotation; the namespace is `default` if the object names none. */
export function namespacedName({ namespace, name }: Pick<KrmObject, 'namespace' | 'name'>): string {
  return `${namespace || 'default'}/${name}`
}

function endsIn(variant: KrmObject, name: string): boolean {
  return downstreamOf(variant).split('/').at(-1) === name
}

function downstreamOf(variant: KrmObject): string {
  const name = variant.get(['spec', 'downstream', 'package'])
  return typeof name === 'string' ? name : ''
}

function ambiguous(kptfile: KrmObject, found: readonly KrmObject[]): FunctionError {
  const message = `must be the downstream of one PackageVariant, is that of ${listVariants(found)}; name one as functionConfig`
  return new FunctionError([faultToResult(kptfile, { severity: 'error', rule: 'variant-ambiguous', path: ['metadata', 'name'], message })])
}

function missing(kptfile: KrmObject, variants: readonly KrmObject[], owner: string | undefined): FunctionError {
  const wanted = owner === undefined ? `whose downstream.package ends in ${quoteText(kptfile.name ?? '')}` : `named ${quoteText(owner)}`
  const there = variants.length === 0 ? 'there is no PackageVariant' : `there is ${listVariants(variants)}`
  const message = `needs a functionConfig, or a PackageVariant among the items ${wanted}; ${there}`
  const path = owner === undefined ? ['metadata', 'name'] : ['metadata', 'annotations', VARIANT_ANNOTATION]
  return new FunctionError([faultToResult(kptfile, { severity: 'error', rule: 'variant-missing', path, message })])
}

function listVariants(variants: readonly KrmObject[]): string {
  return variants.map((variant) => `${formatResourceRef(variant.ref)} (downstream ${quoteText(downstreamOf(variant))})`).join(', ')
}
