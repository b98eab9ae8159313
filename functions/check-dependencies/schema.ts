import { ownKind } from '../../src/schema/own-kind.ts'
import type { Schema } from '../../src/schema/schema.ts'

const KIND = {
  type: 'object',
  properties: { apiVersion: { type: 'string', minLength: 1 }, kind: { type: 'string', minLength: 1 } },
  required: ['apiVersion', 'kind'],
  additionalProperties: false,
} as const satisfies Schema

const BROUGHT_OBJECT = {
  type: 'object',
  properties: { apiVersion: { type: 'string' }, kind: { type: 'string', minLength: 1 }, name: { type: 'string', minLength: 1 } },
  required: ['kind', 'name'],
  additionalProperties: false,
} as const satisfies Schema

const VERSION_FIELDS = {
  version: { description: 'The version, or the tag of the image.', type: 'string', minLength: 1 },
  digest: {
    description: 'sha256: and 64 hex digits.',
    type: 'string',
    pattern: '^sha256:[0-9a-f]{64}$',
    examples: [`sha256:${'0'.repeat(64)}`],
  },
  dependencies: {
    description: "What it requires, in the ecosystem's own form. Absent: unknown. Empty: nothing.",
    type: ['array', 'object'],
  },
  components: { description: 'Glasskube: as in the manifest.', type: 'array' },
  scope: { description: 'Glasskube.', enum: ['Cluster', 'Namespaced'] },
  defaultNamespace: { description: 'Glasskube.', type: 'string' },
  installationType: { description: 'Carvel.', enum: ['onePerCluster', 'onePerNamespace', 'noRestrictions'] },
  provides: { description: 'The kinds it makes the cluster serve.', type: 'array', items: KIND },
  brings: { description: 'The objects it brings, of which there can be one owner only.', type: 'array', items: BROUGHT_OBJECT },
  constraints: {
    description: 'Ranges of platform versions.',
    type: 'object',
    properties: { crossplane: { type: 'string' }, kubernetes: { type: 'string' }, kappController: { type: 'string' } },
    additionalProperties: false,
  },
} as const satisfies Readonly<Record<string, Schema>>

const PACKAGE = {
  title: 'CatalogPackage',
  type: 'object',
  properties: {
    ecosystem: { enum: ['carvel', 'crossplane', 'glasskube', 'kpt'] },
    id: { description: 'Source, refName, name of the manifest, or image of the function.', type: 'string', minLength: 1 },
    kind: { description: 'Crossplane.', enum: ['Provider', 'Configuration', 'Function'] },
    namespace: { description: 'Carvel; absent: visible everywhere.', type: 'string' },
    repository: { description: 'Glasskube: repositoryName.', type: 'string' },
    versions: {
      description: 'A text: the version exists, nothing else is known of it.',
      type: 'array',
      items: { type: ['string', 'object'], properties: VERSION_FIELDS, additionalProperties: false },
    },
  },
  required: ['ecosystem', 'id'],
  additionalProperties: false,
} as const satisfies Schema

/** `Catalog`: packages that may be installed, as an object among the items. */
export const CATALOG_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/catalog.json',
  title: 'Catalog',
  description: 'Packages that may be installed, with what is known of their versions, for check-dependencies.',
  type: 'object',
  properties: {
    ...ownKind('Catalog'),
    spec: { type: 'object', properties: { packages: { type: 'array', items: PACKAGE } }, additionalProperties: false },
  },
  required: ['apiVersion', 'kind'],
  additionalProperties: false,
} as const satisfies Schema

/** `CheckDependencies`: the options of check-dependencies as an object of its own. */
export const CHECK_DEPENDENCIES_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/check-dependencies.json',
  title: 'CheckDependencies',
  description: 'Options of the function check-dependencies, which says what is missing, in conflict or owned twice.',
  type: 'object',
  properties: {
    ...ownKind('CheckDependencies'),
    spec: {
      type: 'object',
      properties: {
        universe: {
          description:
            'open: other packages may be installed and other versions exist. closed: items, catalogs and cluster are all there is.',
          enum: ['open', 'closed'],
          default: 'open',
        },
        cluster: {
          description: 'What is known of the cluster.',
          type: 'object',
          properties: {
            kubernetesVersion: { type: 'string', examples: ['1.31.2'] },
            crossplaneVersion: { type: 'string', examples: ['v2.1.3'] },
            kappControllerVersion: { type: 'string', examples: ['0.54.0'] },
            apis: { description: 'Kinds it serves, beside the built-in ones.', type: 'array', items: KIND },
            globalPackageNamespace: {
              description: 'Where kapp-controller looks for Packages that every namespace sees.',
              type: 'string',
              default: 'kapp-controller-packaging-global',
            },
          },
          additionalProperties: false,
        },
        catalog: { description: 'Packages as in a Catalog.', type: 'array', items: PACKAGE },
        carvelSemver: { description: 'Which semver of kapp-controller reads ranges.', enum: ['2024', '2026'], default: '2024' },
        crossplaneSemantics: {
          description: 'Which forms of dependsOn are read: those of Crossplane today, or those of its package design.',
          enum: ['current', 'seed'],
          default: 'current',
        },
        rules: {
          description: 'The severity of a rule, by its id.',
          type: 'object',
          additionalProperties: { enum: ['error', 'warning', 'info', 'off'] },
        },
        strict: { description: 'Whether warnings are errors.', type: 'boolean', default: false },
      },
      additionalProperties: false,
    },
  },
  required: ['apiVersion', 'kind'],
  additionalProperties: false,
} as const satisfies Schema
