import type { Ecosystem } from '../reading/ecosystem.ts'
import { readPorch } from './read-porch.ts'
import { PORCH_RULES } from './rules/porch-rules.ts'

/** PackageVariants of Porch and pipelines of kpt (seeds 000 and 001). */
export const PORCH: Ecosystem = {
  id: 'kpt',
  groups: /^(.+\.)?kpt\.dev$/,
  rules: PORCH_RULES,
  read: readPorch,
}
