import { groupOf } from '../../resource-list/identity.ts'
import { OWN_API } from '../../well-known.ts'
import type { Ecosystem } from '../reading/ecosystem.ts'
import { readPorch } from './read-porch.ts'
import { PORCH_RULES } from './rules/porch-rules.ts'

/** PackageVariants of Porch and pipelines of kpt (seeds 000 and 001). */
export const PORCH: Ecosystem = {
  id: 'kpt',
  groups: /^(.+\.)?kpt\.dev$/,
  // Who renders the packages, if not Porch.
  groupsBeside: new Set([groupOf(OWN_API)]),
  rules: PORCH_RULES,
  read: readPorch,
}
