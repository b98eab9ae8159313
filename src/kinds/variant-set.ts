import type { FieldPath } from '../field-path.ts'
import type { JsonRecord } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Target } from './target.ts'
import type { Computed, Template, TemplateExpression } from './template.ts'

/** A set in the form in which variants are planned: decoded and valid, accepted irregular shapes in their regular form. */
export interface VariantSet {
  /** The decoded object, with its positions, file and annotations. */
  readonly object: KrmObject
  /** The upstreams, each of which is combined with every target. A PackageVariantSet has one. */
  readonly upstreams: readonly Upstream[]
  readonly targets: readonly Target[]
  /** The template that lies below those of upstreams and targets; a PackageVariantSet has none. */
  readonly template?: Template
  /** The places that get no variant, and the templates that lie over the others; a PackageVariantSet has none. */
  readonly exclusions: readonly PlaceExclusion[]
  readonly overrides: readonly TemplateOverride[]
  /** The objects that expressions read for each target. */
  readonly inputs: readonly MatrixInput[]
  /** The rings in order of trust; a set without rings has one revision of an upstream for all targets. */
  readonly rings: readonly Ring[]
  /** The most variants that the set may ask for; a PackageVariantSet has no limit. */
  readonly maxVariants?: number
}

/** An upstream package of a set. A text revision keeps its text: `v3` is looked up as revision 3, any other text as workspaceName. */
export interface Upstream {
  readonly repo: string
  readonly package: string
  readonly revision?: number | string
  readonly workspaceName?: string
  /** `spec.upstream` of the set's variants: the fields of the set, with a revision such as `v3` or `'3'` as a number. */
  readonly written: JsonRecord
  /** The object that names the upstream, and the path of the map with the fields above. */
  readonly object: KrmObject
  readonly path: FieldPath
  /** The field with the revision, if a ring gives the revision. */
  readonly revisionAt?: { readonly object: KrmObject; readonly path: FieldPath }
  /** The template of the variants of this upstream; the upstream of a PackageVariantSet has none. */
  readonly template?: Template
}

/** An entry of `spec.inputs`: an object of the fleet that expressions read for each target. */
export interface MatrixInput {
  /** The name in expressions, `inputs.NAME`. */
  readonly name: string
  readonly apiVersion: string
  readonly kind: string
  readonly objectName: Computed
  /** True if a target may be without the object. */
  readonly optional: boolean
}

/** An entry of `spec.rings`: the targets that get a revision at the same time. */
export interface Ring {
  readonly path: FieldPath
  readonly name: string
  /** Undefined for a ring that holds for every target. */
  readonly where?: TemplateExpression
  /** The revisions of upstream packages, by the name of the package. */
  readonly revisions: ReadonlyMap<string, number>
}

/** An entry of `spec.exclude`: the places that get no variant. */
export interface PlaceExclusion {
  readonly path: FieldPath
  readonly criteria: Target['criteria']
  /** The upstream packages whose variants are left out; empty for all. */
  readonly packages: ReadonlySet<string>
  readonly reason?: string
}

/** An entry of `spec.overrides`: a template for the variants for which the condition holds. */
export interface TemplateOverride {
  readonly path: FieldPath
  readonly name: string
  /** Undefined for an override that holds everywhere. */
  readonly where?: TemplateExpression
  /** The upstream packages of the variants; empty for all. */
  readonly packages: ReadonlySet<string>
  readonly template: Template
}
