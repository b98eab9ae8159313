// The names of other projects and our own that stand in users' files: API groups, labels, annotations. Those of the wire between an
// orchestrator and a function are in src/resource-list/wire-annotations.ts.

/** The API of PackageVariantSets, PackageVariants and Repositories (Porch v1.5). */
export const PORCH_CONFIG_GROUP = 'config.porch.kpt.dev'
export const PACKAGE_VARIANT_API = 'config.porch.kpt.dev/v1alpha1'
export const REPOSITORY_API = 'config.porch.kpt.dev/v1alpha1'
export const PACKAGE_VARIANT_SET_API = 'config.porch.kpt.dev/v1alpha2'

/** The API of PackageRevisions (Porch v1.5). */
export const PORCH_GROUP = 'porch.kpt.dev'

/** The API of our own functionConfigs. */
export const OWN_API = 'fn.krm-variants.dev/v1alpha1'

/** The label by which Porch's controller finds the variants of a set; its value is the set's uid (Porch v1.5, PackageVariantSet controller). */
export const OWNER_LABEL = 'config.porch.kpt.dev/packagevariantset'

/** Keeps a deleted variant until Porch has cleaned up after it (seed 001, PackageVariant Creation). */
export const FINALIZER = 'config.porch.kpt.dev/packagevariants'

/** The set of a variant where no API server gave the set a uid: NAMESPACE/NAME. */
export const OWNER_ANNOTATION = 'krm-variants.dev/package-variant-set'

/** Which PackageVariant a package was made for, as `NAMESPACE/NAME`. */
export const VARIANT_ANNOTATION = 'krm-variants.dev/package-variant'

/** How the names of the functions begin that a variant puts into a pipeline (seed 000, Kptfile Function Pipeline Editing). */
export const OWNED_FUNCTION_PREFIX = 'PackageVariant.'

/** By which a package author says that a resource takes configuration from outside (seed 000, Configuration Injection Details). */
export const INJECTION_ANNOTATION = 'kpt.dev/config-injection'

/** What was injected last, as Porch writes it; the seed's name for it is read as well (docs/porch.md 1). */
export const INJECTED_ANNOTATION = 'kpt.dev/injected-resource'
export const SEED_INJECTED_ANNOTATION = 'kpt.dev/injected-resource-name'
