import type { Ecosystem } from '../reading/ecosystem.ts'
import { contentName, DEFINITIONS } from './contents.ts'
import type { CrossplaneOptions } from './options.ts'
import { readCrossplane } from './read-crossplane.ts'
import { CROSSPLANE_RULES } from './rules/crossplane-rules.ts'

/** Packages of Crossplane, of today and of seed 003. CustomResourceDefinitions beside a package's metadata are what it brings. */
export const CROSSPLANE: Ecosystem<CrossplaneOptions> = {
  id: 'crossplane',
  groups: /^((meta\.)?pkg\.crossplane\.io|packages\.crossplane\.io|apiextensions\.crossplane\.io|meta\.dev\.upbound\.io)$/,
  groupsBeside: new Set(['apiextensions.k8s.io']),
  rules: CROSSPLANE_RULES,
  definitions: DEFINITIONS,
  contentName,
  read: readCrossplane,
}
