// Names of other projects and of our own in users' files: API groups, labels, annotations. The annotations between an orchestrator and a
// function are in src/resource-list/wire-annotations.ts.

/** The API of PackageVariantSets, PackageVariants and Repositories (Porch v1.5). */
export const PORCH_CONFIG_GROUP = 'config.porch.kpt.dev'
export const PACKAGE_VARIANT_API = 'config.porch.kpt.dev/v1alpha1'
export const REPOSITORY_API = 'config.porch.kpt.dev/v1alpha1'
export const PACKAGE_VARIANT_SET_API = 'config.porch.kpt.dev/v1alpha2'

/** Returns true for a Repository of Porch, in any version. */
export function isRepository({
  apiVersion,
  kind,
}: {
  readonly apiVersion?: string | undefined
  readonly kind?: string | undefined
}): boolean {
  return kind === 'Repository' && apiVersion?.startsWith(`${PORCH_CONFIG_GROUP}/`) === true
}

/** The API of FunctionConfigs (Porch's main branch). */
export const PORCH_FUNCTION_CONFIG_API = 'config.porch.kpt.dev/v1alpha1'

/** The API of PackageRevisions (Porch v1.5). */
export const PORCH_GROUP = 'porch.kpt.dev'

/** The API of our own functionConfigs. */
export const OWN_API = 'fn.krm-variants.dev/v1alpha1'

/** The API of our own kinds that describe a fleet. */
export const FLEET_API = 'fleet.krm-variants.dev/v1alpha1'

/**
 * The label with which Porch's controller finds the variants of a set; the value is the set's uid (Porch v1.5, PackageVariantSet
 * controller).
 */
export const OWNER_LABEL = 'config.porch.kpt.dev/packagevariantset'

/** The finalizer that keeps a deleted variant until Porch has cleaned up (seed 001, PackageVariant Creation). */
export const FINALIZER = 'config.porch.kpt.dev/packagevariants'

/** The annotation of a variant with its set as NAMESPACE/NAME, for a set without a uid from an API server. */
export const OWNER_ANNOTATION = 'krm-variants.dev/package-variant-set'

/** The owner annotation: the PackageVariant that a package was made for, as `NAMESPACE/NAME`. */
export const VARIANT_ANNOTATION = 'krm-variants.dev/package-variant'

/**
 * The annotation of a package whose upstream another variant of the fleet makes: the id that git gives the folder of that upstream, as
 * it was when the package was last updated.
 */
export const UPSTREAM_TREE_ANNOTATION = 'krm-variants.dev/upstream-tree'

/** The annotation or label of a Repository with the cluster that gets its packages; without it, the cluster is the Repository. */
export const CLUSTER_KEY = 'krm-variants.dev/cluster'

/** The annotation of a sync object with the GenerateSync that the object was made for, by name. */
export const SYNC_ANNOTATION = 'krm-variants.dev/generate-sync'

/**
 * The annotation of a sync object with the object as it was last generated, in JSON, and of a generated PackageInstall with its `spec`: the
 * base of the next three-way merge.
 */
export const LAST_GENERATED_ANNOTATION = 'krm-variants.dev/last-generated'

/** The prefix of the names of functions that a variant adds to a pipeline (seed 000, Kptfile Function Pipeline Editing). */
export const OWNED_FUNCTION_PREFIX = 'PackageVariant.'

/** The annotation with which a package author marks a resource as an injection point (seed 000, Configuration Injection Details). */
export const INJECTION_ANNOTATION = 'kpt.dev/config-injection'

/**
 * The annotation with the name of the resource that was injected last, as Porch writes it. The name that seed 000 has for the annotation
 * is read as well (docs/porch.md 1).
 */
export const INJECTED_ANNOTATION = 'kpt.dev/injected-resource'
export const SEED_INJECTED_ANNOTATION = 'kpt.dev/injected-resource-name'

/** The version of Kptfiles that `render` reads and writes. */
export const KPTFILE_API = 'kpt.dev/v1'

/**
 * The annotation of a clone's resources with their upstream identity. The merge reads it only where `metadata` is in braces, and so has no
 * place for the comment; kpt does not read it (kpt resource_matcher.go).
 */
export const UPSTREAM_IDENTIFIER = 'internal.kpt.dev/upstream-identifier'

/** The annotation with the objects that must be applied before an object (cli-utils, Config Sync). */
export const DEPENDS_ON = 'config.kubernetes.io/depends-on'
