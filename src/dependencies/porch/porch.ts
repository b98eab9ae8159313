import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { outsideRevisions } from '../../resource-list/revision-folders.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import { OWN_API } from '../../well-known.ts'
import { rangeReader } from '../range.ts'
import type { CatalogPackage } from '../reading/catalog.ts'
import { Collector } from '../reading/collector.ts'
import type { Ecosystem, ReadEcosystem, ReadOptions } from '../reading/ecosystem.ts'
import { MASTERMINDS_TRAPS } from '../reading/written-constraint.ts'
import { isRendered, readPorchRevisions, readPorchVariants, readTaggedFunctions } from './objects.ts'
import { checkFunctionTags, isTagRange } from './rules/function-tags.ts'
import { checkDownstreams, checkUpstreams } from './rules/variants.ts'

/** PackageVariants of Porch and pipelines of kpt (seeds 000 and 001). */
export const PORCH: Ecosystem = {
  id: 'kpt',
  groups: /^(.+\.)?kpt\.dev$/,
  // The API group of the configs of `render`, which makes the packages where Porch does not.
  groupsBeside: new Set([groupOf(OWN_API)]),
  read: readPorch,
}

/**
 * Returns the findings between PackageVariants, PackageRevisions and Kptfiles (seeds 000 and 001). A derivation is no requirement of a
 * version in a range, so the result has no package index.
 */
function readPorch(objects: readonly KrmObject[], catalog: readonly CatalogPackage[], options: ReadOptions): ReadEcosystem {
  const fleet = outsideRevisions(objects)
  const variants = readPorchVariants(fleet)
  const revisions = readPorchRevisions(fleet)
  const functions = readTaggedFunctions(objects)
  const collector = new Collector('kpt', rangeReader(DIALECTS.kpt), MASTERMINDS_TRAPS)
  for (const { tag, tagField } of functions) {
    if (isTagRange(tag)) collector.constraint(tag, () => ({ field: tagField, known: () => [] }))
  }
  const findings = [
    ...collector.findings,
    ...checkDownstreams(variants, revisions),
    ...checkUpstreams(variants, revisions, { closed: options.closed, isRendered: isRendered(objects) }),
    ...checkFunctionTags(functions, catalog, options),
  ]
  return { findings: () => findings, faults: () => findings, provided: [], brought: [] }
}
