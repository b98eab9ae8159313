import type { Ecosystem } from '../reading/ecosystem.ts'
import type { CarvelOptions } from './options.ts'
import { readCarvel } from './read-carvel.ts'
import { CARVEL_RULES } from './rules/carvel-rules.ts'

/** Packages of kapp-controller (seed 002). Namespaces, of the core group, say which of them they do not want to see. */
export const CARVEL: Ecosystem<CarvelOptions> = {
  id: 'carvel',
  groups: /^((data\.|internal\.)?packaging\.carvel\.dev|kappctrl\.k14s\.io)$/,
  groupsBeside: new Set(['']),
  rules: CARVEL_RULES,
  read: readCarvel,
}
