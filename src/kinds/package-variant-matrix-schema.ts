import type { Infer, Schema } from '../schema/schema.ts'
import { FLEET_API } from '../well-known.ts'
import { OBJECT_META, STATUS } from './object-meta-schema.ts'
import { UPSTREAM_ENTRY_FIELDS } from './package-revision-set-schema.ts'
import { TARGET } from './package-variant-set-schema.ts'
import { TEMPLATE } from './template-schema.ts'

/** The number of variants that a matrix may have if the matrix does not say. */
export const MOST_VARIANTS = 10_000

const MATRIX_UPSTREAM = {
  title: 'MatrixUpstream',
  description: 'A package revision or a PackageRevisionSet, and what the template of its variants has beside the common one.',
  type: 'object',
  properties: {
    ...UPSTREAM_ENTRY_FIELDS,
    template: { ...TEMPLATE, title: 'UpstreamTemplate', description: 'Lies over spec.template for the variants of this upstream.' },
  },
  additionalProperties: false,
} as const satisfies Schema

/** PackageVariantMatrix, fleet.krm-variants.dev/v1alpha1. */
export const PACKAGE_VARIANT_MATRIX_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/package-variant-matrix.json',
  title: 'PackageVariantMatrix',
  description: 'Makes one PackageVariant for each upstream and target.',
  examples: [
    {
      apiVersion: FLEET_API,
      kind: 'PackageVariantMatrix',
      metadata: { name: 'base' },
      spec: {
        upstreams: [
          { repo: 'catalog', package: 'cert-manager', revision: 3, template: { labels: { tier: 'platform' } } },
          { packageRevisionSet: 'observability' },
        ],
        targets: [{ repositorySelector: { matchLabels: { env: 'prod' } } }],
        template: { labelExprs: [{ key: 'region', valueExpr: 'repository.labels.region' }] },
      },
    },
  ],
  type: 'object',
  properties: {
    apiVersion: { description: 'The version of the kind.', const: FLEET_API },
    kind: { description: 'The kind.', const: 'PackageVariantMatrix' },
    metadata: OBJECT_META,
    spec: {
      description: 'What the variants are made from, and for what.',
      type: 'object',
      properties: {
        upstreams: {
          description: 'The package revisions; each is combined with every target.',
          type: 'array',
          minItems: 1,
          items: MATRIX_UPSTREAM,
        },
        targets: { description: 'What variants are made for, as in a PackageVariantSet.', type: 'array', minItems: 1, items: TARGET },
        template: { ...TEMPLATE, description: 'What all variants have; templates of upstreams and targets lie over it.' },
        maxVariants: {
          description: 'The most variants that the matrix may have; more are refused before anything is worked out.',
          type: 'integer',
          minimum: 1,
          default: MOST_VARIANTS,
        },
      },
      required: ['upstreams', 'targets'],
      additionalProperties: false,
    },
    status: STATUS,
  },
  required: ['apiVersion', 'kind', 'metadata', 'spec'],
  additionalProperties: false,
} as const satisfies Schema

export type PackageVariantMatrixFields = Infer<typeof PACKAGE_VARIANT_MATRIX_SCHEMA>
