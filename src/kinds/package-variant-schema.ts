import { closedMap, closedMapWith, FILLED_TEXT, type Infer, type Schema } from '../schema/schema.ts'
import { PACKAGE_VARIANT_API } from '../well-known.ts'
import { headOfKind, STRING_LIST, STRING_MAP, VARIANT_STATUS } from './object-meta-schema.ts'
import { MUTATORS, PIPELINE_FUNCTION, VALIDATORS } from './pipeline-schema.ts'
import { ADOPTION_POLICY, DELETION_POLICY, UPSTREAM_SCHEMA } from './upstream-schema.ts'

/** The field `point` of an injector. */
export const INJECTION_POINT = {
  description:
    'The name of the injection point in the package, where two of one kind take different objects. An own field: Porch does not know it.',
  ...FILLED_TEXT,
} as const satisfies Schema

export const INJECTOR = {
  title: 'Injector',
  description: 'Selects the object whose configuration goes into an injection point. Every field that is set must match.',
  ...closedMapWith(['name'], {
    group: { description: "The API group; '' is the core group.", type: 'string' },
    version: { description: 'The version.', type: 'string' },
    kind: { description: 'The kind.', type: 'string' },
    name: { description: 'The name, in the namespace of this object.', ...FILLED_TEXT },
    point: INJECTION_POINT,
  }),
} as const satisfies Schema

const SPEC = {
  description: 'What the package is made from, where it is, and what is changed in it.',
  ...closedMapWith(['upstream', 'downstream'], {
    upstream: UPSTREAM_SCHEMA,
    downstream: {
      description: 'The package that the variant is.',
      ...closedMapWith(['repo', 'package'], {
        repo: { description: 'The Repository, in the namespace of this object.', ...FILLED_TEXT },
        package: { description: 'The package in that repository, with its folders.', ...FILLED_TEXT },
      }),
    },
    adoptionPolicy: ADOPTION_POLICY,
    deletionPolicy: DELETION_POLICY,
    labels: { ...STRING_MAP, description: 'Labels of the PackageRevision, set when it is made.' },
    annotations: { ...STRING_MAP, description: 'Annotations of the PackageRevision, set when it is made.' },
    packageContext: {
      description: 'Changes to the data of the ConfigMap kptfile.kpt.dev.',
      ...closedMap({
        data: { ...STRING_MAP, description: 'Keys to set; not name and package-path, which kpt sets.' },
        removeKeys: { ...STRING_LIST, description: 'Keys to take out; not name and package-path.' },
      }),
    },
    pipeline: {
      description: "Functions to put in front of those of the package's Kptfile.",
      ...closedMap({ mutators: { ...MUTATORS, items: PIPELINE_FUNCTION }, validators: { ...VALIDATORS, items: PIPELINE_FUNCTION } }),
    },
    injectors: {
      ...INJECTOR,
      title: 'Injectors',
      description: 'In order: the first whose object exists wins.',
      type: ['array', 'object'],
      items: INJECTOR,
    },
  }),
} as const satisfies Schema

/** PackageVariant, config.porch.kpt.dev/v1alpha1. */
export const PACKAGE_VARIANT_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/package-variant.json',
  title: 'PackageVariant',
  description: 'One downstream package, made from an upstream package and kept up to date with it.',
  examples: [
    {
      apiVersion: PACKAGE_VARIANT_API,
      kind: 'PackageVariant',
      metadata: { name: 'tills-store-ham-01-tills' },
      spec: {
        upstream: { repo: 'catalog', package: 'tills', revision: 3 },
        downstream: { repo: 'store-ham-01', package: 'tills' },
        packageContext: { data: { region: 'north' } },
      },
    },
  ],
  ...closedMapWith(['apiVersion', 'kind', 'metadata', 'spec'], {
    ...headOfKind(PACKAGE_VARIANT_API, 'PackageVariant'),
    spec: SPEC,
    status: VARIANT_STATUS,
  }),
} as const satisfies Schema

export type PackageVariantFields = Infer<typeof PACKAGE_VARIANT_SCHEMA>
