import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import type { Fault } from '../schema/fault.ts'
import type { Infer } from '../schema/schema.ts'
import { decode } from '../schema/validate.ts'
import type { Validator } from '../schema/validator.ts'
import { isList, listEntries } from './entries.ts'
import { metadataFaults, objectNameFaults } from './metadata-rules.ts'
import { type INJECTOR, PACKAGE_VARIANT_SCHEMA, type PackageVariantFields } from './package-variant-schema.ts'
import type { PipelineFunction } from './pipeline-schema.ts'
import { reservedKeyFaults } from './reserved-context-key.ts'
import { singleEntryFault, tolerated, VALIDATION_ERROR } from './rule-fault.ts'
import { namesRevision, OTHER_WORDS, REVISION_PATH, UPSTREAM_PATH, upstreamFaults } from './upstream-rules.ts'
import type { UpstreamFields } from './upstream-schema.ts'

/** A decoded and valid PackageVariant (config.porch.kpt.dev/v1alpha1). Missing maps and lists are empty. */
export interface PackageVariant {
  /** The decoded object, with its positions, file and annotations. */
  readonly object: KrmObject
  readonly name: string
  readonly namespace?: string
  /** The upstream fields as written: a string `revision` remains a string. */
  readonly upstream: UpstreamFields
  readonly downstream: { readonly repo: string; readonly package: string }
  readonly adoptionPolicy?: 'adoptNone' | 'adoptExisting'
  readonly deletionPolicy?: 'delete' | 'orphan'
  readonly labels: ReadonlyMap<string, string>
  readonly annotations: ReadonlyMap<string, string>
  readonly packageContext: { readonly data: ReadonlyMap<string, string>; readonly removeKeys: readonly string[] }
  readonly pipeline: { readonly mutators: readonly PipelineFunction[]; readonly validators: readonly PipelineFunction[] }
  readonly injectors: readonly Injector[]
}

/** Selects the object for an injection point: every field that the injector has must match (seed 000, Configuration Injection Details). */
export type Injector = Infer<typeof INJECTOR>

const VALIDATOR: Validator<typeof PACKAGE_VARIANT_SCHEMA> = {
  schema: PACKAGE_VARIANT_SCHEMA,
  reasonAt: () => VALIDATION_ERROR,
  // Field names of public files.
  formerNames: {
    adoption: ['adoptionPolicy'],
    deletion: ['deletionPolicy'],
    resourceName: ['name'],
    removedKeys: ['removeKeys'],
    ...OTHER_WORDS,
  },
  rules: variantFaults,
}

/**
 * Decodes a PackageVariant and returns the variant with the warnings about the object.
 *
 * @throws FunctionError  with every fault
 */
export function decodePackageVariant(object: KrmObject): { variant: PackageVariant; warnings: Result[] } {
  const { value, warnings } = decode(object, VALIDATOR)
  const { name, namespace } = value.metadata
  const {
    upstream,
    downstream,
    adoptionPolicy,
    deletionPolicy,
    labels,
    annotations,
    packageContext = {},
    pipeline = {},
    injectors,
  } = value.spec
  const variant: PackageVariant = {
    object,
    name,
    ...(namespace !== undefined && { namespace }),
    upstream,
    downstream,
    ...(adoptionPolicy !== undefined && { adoptionPolicy }),
    ...(deletionPolicy !== undefined && { deletionPolicy }),
    labels: textsOf(labels),
    annotations: textsOf(annotations),
    packageContext: { data: textsOf(packageContext.data), removeKeys: packageContext.removeKeys ?? [] },
    pipeline: { mutators: pipeline.mutators ?? [], validators: pipeline.validators ?? [] },
    injectors: listEntries(injectors, []).map((entry) => entry.value),
  }
  return { variant, warnings }
}

const NO_TEXTS: ReadonlyMap<string, string> = new Map()

/** Returns a record as a map. All variants share one empty map, since a fleet may have ten thousands of variants. */
function textsOf(record: Readonly<Record<string, string>> | undefined): ReadonlyMap<string, string> {
  return record === undefined ? NO_TEXTS : new Map(Object.entries(record))
}

function variantFaults({ metadata, spec }: PackageVariantFields): Fault[] {
  const { upstream, packageContext = {}, injectors } = spec
  return [
    ...objectNameFaults(metadata),
    ...metadataFaults(spec, ['spec']),
    ...upstreamFaults(upstream, UPSTREAM_PATH),
    ...(namesRevision(upstream) ? [] : [{ ...tolerated('upstream-revision', UPSTREAM_PATH, NO_REVISION), place: REVISION_PATH }]),
    ...reservedKeyFaults(packageContext, ['spec', 'packageContext']),
    ...(injectors === undefined || isList(injectors) ? [] : [singleEntryFault(['spec', 'injectors'], injectors)]),
  ]
}

const NO_REVISION = "must have 'revision' or 'workspaceName' to say what it follows; Porch takes it without and then finds no upstream"
