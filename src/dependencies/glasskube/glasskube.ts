import type { Ecosystem } from '../reading/ecosystem.ts'
import { readGlasskube } from './read-glasskube.ts'
import { GLASSKUBE_RULES } from './rules/glasskube-rules.ts'

/** Packages of Glasskube (seed 004). */
export const GLASSKUBE: Ecosystem = {
  id: 'glasskube',
  groups: /^packages\.glasskube\.dev$/,
  rules: GLASSKUBE_RULES,
  read: readGlasskube,
}
