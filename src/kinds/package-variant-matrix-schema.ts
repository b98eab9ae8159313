import { closedMap, closedMapWith, FILLED_TEXT, type Infer, OFF_BY_DEFAULT, type Schema } from '../schema/schema.ts'
import { FLEET_API } from '../well-known.ts'
import { headOfKind, STATUS } from './object-meta-schema.ts'
import { UPSTREAM_ENTRY_FIELDS } from './package-revision-set-schema.ts'
import { TARGET } from './package-variant-set-schema.ts'
import { TEMPLATE } from './template-schema.ts'

/** The number of variants that a matrix may have if the matrix does not say. */
export const MOST_VARIANTS = 10_000

const MATRIX_UPSTREAM = {
  title: 'MatrixUpstream',
  description: 'A package revision or a PackageRevisionSet, and what the template of its variants has beside the common one.',
  ...closedMap({
    ...UPSTREAM_ENTRY_FIELDS,
    template: { ...TEMPLATE, title: 'UpstreamTemplate', description: 'Lies over spec.template for the variants of this upstream.' },
  }),
} as const satisfies Schema

const { repositorySelector, objectSelector } = TARGET.properties
const { packageNames: _inSelector, ...repositoryFields } = repositorySelector.properties
const { packageNames: _inObjects, ...objectFields } = objectSelector.properties

/** Names of upstream packages, as `exclude` and `overrides` have them. */
const UPSTREAM_PACKAGES = {
  description: 'Only the variants of upstream packages with these names. Absent: of all.',
  type: 'array',
  minItems: 1,
  items: FILLED_TEXT,
} as const satisfies Schema

const EXCLUSION = {
  title: 'Exclusion',
  description: 'Places without variants: exactly one of repositories, repositorySelector and objectSelector.',
  ...closedMap({
    repositories: {
      description: 'Repositories by name.',
      type: 'array',
      minItems: 1,
      items: closedMapWith(['name'], { name: { description: 'The Repository.', ...FILLED_TEXT } }),
    },
    repositorySelector: { ...repositorySelector, properties: repositoryFields },
    objectSelector: { ...objectSelector, description: 'Objects that targets match, by label.', properties: objectFields },
    packages: UPSTREAM_PACKAGES,
    reason: { description: 'Why, for people; plan, diff and explain show it.', ...FILLED_TEXT },
  }),
} as const satisfies Schema

const CONDITION = {
  description: 'A CEL expression that gives true or false. Variables: those of a template. Absent: it always holds.',
  examples: ["target.labels.ring == 'canary'"],
  type: 'string',
  format: 'cel',
} as const satisfies Schema

const OVERRIDE = {
  title: 'Override',
  description: 'A template that overrides those of the matrix, the upstream and the target, where its condition holds.',
  ...closedMapWith(['name', 'template'], {
    name: { description: 'Unique in the matrix; explain names the layer by it.', ...FILLED_TEXT },
    where: { ...CONDITION, description: `${CONDITION.description} repository is the one of the templates below all overrides.` },
    packages: UPSTREAM_PACKAGES,
    template: { ...TEMPLATE, title: 'OverrideTemplate', description: 'The fields that override those of the other templates.' },
  }),
} as const satisfies Schema

const INPUT = {
  title: 'Input',
  description: 'An object of the fleet that expressions read as inputs.NAME, whole, with its spec and data.',
  ...closedMapWith(['name', 'object'], {
    name: {
      description: 'The name in expressions; unique in the matrix.',
      type: 'string',
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      examples: ['region'],
    },
    object: {
      description: 'The object, in the namespace of the matrix.',
      ...closedMapWith(['apiVersion', 'kind'], {
        apiVersion: { description: 'Its group and version.', ...FILLED_TEXT },
        kind: { description: 'Its kind.', ...FILLED_TEXT },
        name: { description: 'Its name, as it is.', ...FILLED_TEXT },
        nameExpr: {
          description: 'Its name, as a CEL expression. Variables: repoDefault, target, and repository, the one that the target names.',
          type: 'string',
          format: 'cel',
        },
      }),
    },
    optional: { description: 'Whether a target may be without the object; test has(inputs.NAME) then.', ...OFF_BY_DEFAULT },
  }),
} as const satisfies Schema

const RING = {
  title: 'Ring',
  description: 'Targets that get a revision at the same time.',
  ...closedMapWith(['name'], {
    name: { description: 'Unique in the matrix.', ...FILLED_TEXT },
    where: {
      ...CONDITION,
      description:
        'A CEL expression that gives true or false. Variables: repoDefault, target, and repository, the one that the target names. Absent: every target.',
    },
    revisions: {
      description: 'The revision of upstream packages in this ring and those before it, by the name of the package.',
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 1 },
    },
  }),
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
  ...closedMapWith(['apiVersion', 'kind', 'metadata', 'spec'], {
    ...headOfKind(FLEET_API, 'PackageVariantMatrix'),
    spec: {
      description: 'What the variants are made from, and for what.',
      ...closedMapWith(['upstreams', 'targets'], {
        upstreams: {
          description: 'The package revisions; each is combined with every target.',
          type: 'array',
          minItems: 1,
          items: MATRIX_UPSTREAM,
        },
        targets: { description: 'What variants are made for, as in a PackageVariantSet.', type: 'array', minItems: 1, items: TARGET },
        exclude: { description: 'Places of the targets that get no variant.', type: 'array', items: EXCLUSION },
        inputs: {
          description: 'Objects of the fleet that expressions read beside target, repository and upstream.',
          type: 'array',
          items: INPUT,
        },
        template: { ...TEMPLATE, description: 'What all variants have; templates of upstreams, targets and overrides lie over it.' },
        overrides: {
          description: 'Templates for some of the variants, in order: a later one overrides an earlier one.',
          type: 'array',
          items: OVERRIDE,
        },
        rings: {
          description:
            'Rings in order of trust: a target is in the first that holds for it. Without a revision of its own a ring has the revision of the next ring, and the last ring the revision of the upstream.',
          type: 'array',
          items: RING,
        },
        maxVariants: {
          description: 'The most variants that the matrix may have; more are refused before anything is worked out.',
          type: 'integer',
          minimum: 1,
          default: MOST_VARIANTS,
        },
      }),
    },
    status: STATUS,
  }),
} as const satisfies Schema

export type PackageVariantMatrixFields = Infer<typeof PACKAGE_VARIANT_MATRIX_SCHEMA>
export type ExclusionFields = Infer<typeof EXCLUSION>
export type InputFields = Infer<typeof INPUT>
export type RingFields = Infer<typeof RING>
export type OverrideFields = Infer<typeof OVERRIDE>
