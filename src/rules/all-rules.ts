import { CARVEL_RECORDS } from './carvel.ts'
import { CATALOG_RECORDS } from './catalog.ts'
import { CROSSPLANE_RECORDS } from './crossplane.ts'
import { DEPENDENCIES_RECORDS } from './dependencies.ts'
import { FIELDS_RECORDS } from './fields.ts'
import { FILES_RECORDS } from './files.ts'
import { GLASSKUBE_RECORDS } from './glasskube.ts'
import { IMPORTS_RECORDS } from './imports.ts'
import { INJECTION_RECORDS } from './injection.ts'
import { KPTFILES_RECORDS } from './kptfiles.ts'
import { MATRICES_RECORDS } from './matrices.ts'
import { PIPELINES_RECORDS } from './pipelines.ts'
import { PLANS_RECORDS } from './plans.ts'
import { POLICIES_RECORDS } from './policies.ts'
import { RENDERING_RECORDS } from './rendering.ts'
import { RINGS_RECORDS } from './rings.ts'
import type { RuleFamily, RuleRecord } from './rule-record.ts'
import { SETS_RECORDS } from './sets.ts'
import { SYNC_RECORDS } from './sync.ts'
import { SYSTEMS_RECORDS } from './systems.ts'
import { TARGETS_RECORDS } from './targets.ts'
import { TEMPLATES_RECORDS } from './templates.ts'
import { TEXTS_RECORDS } from './texts.ts'
import { UPDATES_RECORDS } from './updates.ts'
import { UPSTREAMS_RECORDS } from './upstreams.ts'

/** Every rule, in the order of docs/rules.md. Functions import types of this folder only, so that their bundles have no texts of rules. */
export const RULE_FAMILIES = [
  { title: 'Fields', about: 'Values of any object: required fields, types, names, labels', rules: FIELDS_RECORDS },
  { title: 'Texts', about: 'YAML that an edit cannot change safely, and guards of the functions', rules: TEXTS_RECORDS },
  { title: 'Files', about: 'Files, folders and links on the disk and in git', rules: FILES_RECORDS },
  { title: 'Sets', about: 'PackageVariantSets: their upstream, and the variants that they make', rules: SETS_RECORDS },
  { title: 'Targets', about: 'Targets of sets: what they select, and what two of them give', rules: TARGETS_RECORDS },
  { title: 'Templates', about: 'Templates of targets, and the expressions in them', rules: TEMPLATES_RECORDS },
  { title: 'Matrices', about: 'PackageVariantMatrices and PackageRevisionSets', rules: MATRICES_RECORDS },
  { title: 'Rings', about: 'Rings of a matrix, and the revisions that go from ring to ring', rules: RINGS_RECORDS },
  { title: 'Kptfiles and package contexts', about: 'Kptfiles, package contexts, and the variant of a package', rules: KPTFILES_RECORDS },
  { title: 'Pipelines', about: 'Functions that packages run', rules: PIPELINES_RECORDS },
  { title: 'Functions of the catalog', about: 'The built-in functions of the catalog', rules: CATALOG_RECORDS },
  { title: 'Injection', about: 'Injection points of packages', rules: INJECTION_RECORDS },
  { title: 'Updates', about: 'The merge of a package with a new revision of its upstream', rules: UPDATES_RECORDS },
  { title: 'Upstream packages', about: 'Where the packages of upstreams are read from', rules: UPSTREAMS_RECORDS },
  { title: 'Rendering', about: 'What becomes of the packages of variants', rules: RENDERING_RECORDS },
  { title: 'Plans and clusters', about: 'Saved plans, and what a cluster has', rules: PLANS_RECORDS },
  { title: 'Policies', about: 'FleetPolicies', rules: POLICIES_RECORDS },
  { title: 'Imports', about: 'Packages that `import` makes of what vendors publish', rules: IMPORTS_RECORDS },
  {
    title: 'Versions of kpt and Porch',
    about: 'What a version of kpt or Porch does with the files: `check --target`',
    rules: SYSTEMS_RECORDS,
  },
  { title: 'Dependencies', about: 'Requirements of packages in every ecosystem', rules: DEPENDENCIES_RECORDS },
  { title: 'Carvel', about: 'Packages of kapp-controller', rules: CARVEL_RECORDS },
  { title: 'Crossplane', about: 'Packages of Crossplane, and archives of them (`catalog add`)', rules: CROSSPLANE_RECORDS },
  { title: 'Glasskube', about: 'Packages of Glasskube', rules: GLASSKUBE_RECORDS },
  { title: 'Sync', about: 'Objects of Flux, Argo CD and Config Sync (`sync`)', rules: SYNC_RECORDS },
] as const satisfies readonly RuleFamily[]

/** A rule with its id. */
export type Rule = RuleRecord & { readonly id: string }

/** Every rule by its id. */
export const RULES: ReadonlyMap<string, Rule> = new Map(
  RULE_FAMILIES.flatMap(({ rules }) => Object.entries<RuleRecord>(rules))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, rule]) => [id, { id, ...rule }]),
)

/** Returns the severities of a rule for people: `error, warning`. */
export function severityText({ severity, when }: RuleRecord): string {
  return when ?? [severity].flat().join(', ')
}

/** Returns what a rule means, in sentences without the last period. */
export function meaningOf({ summary, why }: RuleRecord): string {
  return why === undefined ? summary : `${summary}. ${why}`
}
