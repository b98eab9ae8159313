import type { FieldPath } from '../field-path.ts'
import type { JsonRecord } from '../json.ts'
import type { LabelSelector } from '../kubernetes/label-selector.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { check } from '../schema/generated/package-variant-set.js'
import { decode } from '../schema/validate.ts'
import type { Validator } from '../schema/validator.ts'
import { decodeTarget } from './decode-target.ts'
import { objectNameFaults } from './object-name-rule.ts'
import { PACKAGE_VARIANT_SET_SCHEMA, type PackageVariantSetFields } from './package-variant-set-schema.ts'
import { refused, VALIDATION_ERROR } from './rule-fault.ts'
import { targetFaults } from './target-rules.ts'
import { namesRevision, REVISION_PATH, stringRevisionFaults, UPSTREAM_PATH } from './upstream-rules.ts'
import { olderSetFault } from './v1alpha1-set.ts'

/** A PackageVariantSet (config.porch.kpt.dev/v1alpha2), decoded and valid. Accepted odd shapes are already in their regular form. */
export interface PackageVariantSet {
  /** Where it came from: positions, file, annotations. */
  readonly object: KrmObject
  readonly name: string
  readonly namespace?: string
  readonly uid?: string
  readonly upstream: Upstream
  readonly targets: readonly Target[]
}

/** The upstream package. A revision `vN` stands as the seed writes it and is looked up as N; any other text as workspaceName. */
export interface Upstream {
  readonly repo: string
  readonly package: string
  readonly revision?: number | string
  readonly workspaceName?: string
  /** `spec.upstream` as written: what the variant gets. */
  readonly written: JsonRecord
}

/** One entry of `spec.targets`: what it matches, and the template for each match. */
export interface Target {
  readonly path: FieldPath
  readonly criteria: RepositoryList | RepositoryCriteria | ObjectCriteria
  /** undefined: none was written (the downstream Repository is then not looked up, docs rule porch.md 14). */
  readonly template?: Template
}

export interface RepositoryList {
  readonly type: 'repositories'
  readonly repositories: readonly { readonly name: string; readonly packageNames: readonly string[] }[]
}

/** Repositories by label; `packageNames` as seed 000 has them, empty: the upstream's package. */
export interface RepositoryCriteria {
  readonly type: 'repositorySelector'
  readonly selector: LabelSelector
  readonly packageNames: readonly string[]
}

export interface ObjectCriteria {
  readonly type: 'objectSelector'
  readonly apiVersion: string
  readonly kind: string
  readonly name?: string
  readonly selector: LabelSelector
  readonly packageNames: readonly string[]
}

/** A CEL expression and the field that holds it, for messages. */
export interface Expression {
  readonly text: string
  readonly path: FieldPath
}

export type StringMap = ReadonlyMap<string, string>

/** A value that is fixed or computed for each target, with the field that holds it. */
export type Computed = { readonly value: string; readonly path: FieldPath } | { readonly expression: Expression }

/** One entry of labelExprs, annotationExprs, dataExprs, configMapExprs. */
export interface MapExpr {
  readonly key: Computed
  readonly value: Computed
}

export interface Template {
  readonly downstream: { readonly repo?: Computed; readonly package?: Computed }
  readonly adoptionPolicy?: string
  readonly deletionPolicy?: string
  readonly labels: StringMap
  readonly labelExprs: readonly MapExpr[]
  readonly annotations: StringMap
  readonly annotationExprs: readonly MapExpr[]
  readonly packageContext?: PackageContextTemplate
  readonly injectors: readonly InjectorTemplate[]
  readonly pipeline?: { readonly validators: readonly FunctionTemplate[]; readonly mutators: readonly FunctionTemplate[] }
}

export interface PackageContextTemplate {
  readonly data: StringMap
  readonly dataExprs: readonly MapExpr[]
  readonly removeKeys: readonly string[]
  readonly removeKeyExprs: readonly Expression[]
}

export interface InjectorTemplate {
  readonly group?: string
  readonly version?: string
  readonly kind?: string
  readonly name: Computed
}

/** A pipeline function. `written` is the entry as it stands, without configMap and configMapExprs. */
export interface FunctionTemplate {
  readonly written: JsonRecord
  readonly configMap: StringMap
  readonly configMapExprs: readonly MapExpr[]
}

const VALIDATOR: Validator<typeof PACKAGE_VARIANT_SET_SCHEMA> = {
  schema: PACKAGE_VARIANT_SET_SCHEMA,
  check,
  reason: VALIDATION_ERROR,
  // v1alpha1 and what public files write
  formerNames: {
    repoName: 'repositories',
    repository: 'repositories',
    repo: 'repositories',
    objects: 'objectSelector',
    labelSelector: 'matchLabels',
  },
  refuse: olderSetFault,
  rules: setFaults,
}

/**
 * A PackageVariantSet as the fan-out uses it, accepted odd shapes in their regular form, with the warnings about them.
 * Throws FunctionError with every fault: those of strict decoding, of the controller's validation (seed 001, Validation), and
 * what docs/porch.md 16, 18, 20, 21 add.
 */
export function decodePackageVariantSet(object: KrmObject): { set: PackageVariantSet; warnings: Result[] } {
  const { value, warnings } = decode(object, VALIDATOR)
  const { name, namespace, uid } = value.metadata
  const { upstream, targets } = value.spec
  const set: PackageVariantSet = {
    object,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    upstream: { ...upstream, written: { ...upstream } },
    targets: targets.map((target, index) => decodeTarget(target, [...TARGETS_PATH, index])),
  }
  return { set, warnings }
}

const TARGETS_PATH: FieldPath = ['spec', 'targets']

function setFaults({ metadata, spec: { upstream, targets } }: PackageVariantSetFields) {
  const missing = "must have 'revision' or 'workspaceName'"
  return [
    ...objectNameFaults(metadata),
    ...stringRevisionFaults(upstream),
    ...(namesRevision(upstream) ? [] : [refused('upstream-revision', UPSTREAM_PATH, missing, REVISION_PATH)]),
    ...targets.flatMap((target, index) => targetFaults(target, [...TARGETS_PATH, index])),
  ]
}
