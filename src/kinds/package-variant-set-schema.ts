import { closedMap, closedMapWith, FILLED_TEXT, FILLED_TEXTS, type Infer, type Schema } from '../schema/schema.ts'
import { PACKAGE_VARIANT_SET_API } from '../well-known.ts'
import { headOfKind, STATUS, STRING_LIST, STRING_MAP } from './object-meta-schema.ts'
import { TEMPLATE } from './template-schema.ts'
import { UPSTREAM_SCHEMA } from './upstream-schema.ts'

const LABEL_REQUIREMENT = {
  title: 'LabelRequirement',
  description: 'What must hold of one label.',
  ...closedMapWith(['key', 'operator'], {
    key: { description: 'The label that the requirement is about.', ...FILLED_TEXT },
    operator: {
      description: 'In and NotIn need values, Exists and DoesNotExist must have none.',
      enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'],
    },
    values: { ...STRING_LIST, description: 'For In and NotIn: one of them.' },
  }),
} as const satisfies Schema

/** The fields of metav1.LabelSelector, which other kinds inline. */
const LABEL_SELECTOR_FIELDS = {
  matchLabels: { ...STRING_MAP, description: 'Labels that an object must have, with these values.' },
  matchExpressions: { description: 'Further requirements; all must hold.', type: 'array', items: LABEL_REQUIREMENT },
} as const satisfies Record<string, Schema>

const PACKAGE_NAMES = {
  description: "Names of the packages in the repository; none: the upstream's package name.",
  ...FILLED_TEXTS,
} as const satisfies Schema

// Seed 000 has packageNames beside a selector, the API does not: accepted with a warning.
const SELECTED_PACKAGE_NAMES = { ...PACKAGE_NAMES, deprecated: true } as const satisfies Schema

export const TARGET = {
  title: 'Target',
  description: 'What variants are made for: exactly one of repositories, repositorySelector and objectSelector.',
  ...closedMap({
    repositories: {
      description: 'Repositories by name.',
      type: 'array',
      minItems: 1,
      items: closedMapWith(['name'], {
        name: { description: 'The Repository.', ...FILLED_TEXT },
        packageNames: PACKAGE_NAMES,
      }),
    },
    repositorySelector: {
      description: 'Repositories by label.',
      ...closedMap({ ...LABEL_SELECTOR_FIELDS, packageNames: SELECTED_PACKAGE_NAMES }),
    },
    objectSelector: {
      description: 'Objects of any kind, by label; each names a repository unless the template says otherwise.',
      ...closedMapWith(['apiVersion', 'kind'], {
        apiVersion: {
          description: 'The group and version of the objects.',
          ...FILLED_TEXT,
          pattern: '^([^/]+(/[^/]+)?)?$',
          examples: ['v1', 'apps/v1'],
        },
        kind: { description: 'The kind of the objects.', ...FILLED_TEXT },
        name: { description: "Only the object of this name. Porch's controller ignores it.", type: 'string' },
        ...LABEL_SELECTOR_FIELDS,
        packageNames: SELECTED_PACKAGE_NAMES,
      }),
    },
    packageNames: SELECTED_PACKAGE_NAMES,
    template: TEMPLATE,
  }),
} as const satisfies Schema

/** PackageVariantSet, config.porch.kpt.dev/v1alpha2. */
export const PACKAGE_VARIANT_SET_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/package-variant-set.json',
  title: 'PackageVariantSet',
  description: 'Makes one PackageVariant for each target, all from one upstream package.',
  examples: [
    {
      apiVersion: PACKAGE_VARIANT_SET_API,
      kind: 'PackageVariantSet',
      metadata: { name: 'tills' },
      spec: {
        upstream: { repo: 'catalog', package: 'tills', revision: 3 },
        targets: [
          {
            repositorySelector: { matchLabels: { env: 'prod' } },
            template: { labelExprs: [{ key: 'region', valueExpr: 'repository.labels.region' }] },
          },
        ],
      },
    },
  ],
  ...closedMapWith(['apiVersion', 'kind', 'metadata', 'spec'], {
    ...headOfKind(PACKAGE_VARIANT_SET_API, 'PackageVariantSet'),
    spec: {
      description: 'What the variants are made from, and for what.',
      ...closedMapWith(['upstream', 'targets'], {
        upstream: UPSTREAM_SCHEMA,
        targets: { description: 'What variants are made for, and what each becomes.', type: 'array', minItems: 1, items: TARGET },
      }),
    },
    status: STATUS,
  }),
} as const satisfies Schema

export type PackageVariantSetFields = Infer<typeof PACKAGE_VARIANT_SET_SCHEMA>
export type TargetFields = Infer<typeof TARGET>
