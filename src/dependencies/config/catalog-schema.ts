import { ownKind, ownObject, type Schema } from '../../schema/schema.ts'
import { ECOSYSTEMS } from '../ecosystems.ts'

/** A kind by its apiVersion and name. */
export const KIND = {
  type: 'object',
  properties: {
    apiVersion: { description: 'Its group and version.', type: 'string', minLength: 1 },
    kind: { description: 'Its name.', type: 'string', minLength: 1 },
  },
  required: ['apiVersion', 'kind'],
  additionalProperties: false,
} as const satisfies Schema

const BROUGHT_OBJECT = {
  type: 'object',
  properties: {
    apiVersion: { description: 'Its group and version.', type: 'string' },
    kind: { description: 'Its kind.', type: 'string', minLength: 1 },
    name: { description: 'Its name.', type: 'string', minLength: 1 },
  },
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
    properties: {
      crossplane: { description: 'Versions of Crossplane that it runs on.', type: 'string', examples: ['>=v1.20.0'] },
      kubernetes: { description: 'Versions of Kubernetes that it runs on.', type: 'string', examples: ['>=1.29.0'] },
      kappController: { description: 'Versions of kapp-controller that it runs on.', type: 'string', examples: ['>=0.50.0'] },
    },
    additionalProperties: false,
  },
} as const satisfies Readonly<Record<string, Schema>>

/** One package in a catalog. */
export const PACKAGE = {
  title: 'CatalogPackage',
  type: 'object',
  properties: {
    ecosystem: { description: 'By whose rules it is installed.', enum: ECOSYSTEMS.map(({ id }) => id) },
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
  examples: [
    {
      ...ownObject('Catalog'),
      spec: {
        packages: [
          {
            ecosystem: 'glasskube',
            id: 'shop',
            versions: [{ version: 'v2.0.0+1', dependencies: [{ name: 'postgres', version: '>=1.27.0' }] }, 'v1.9.0+1'],
          },
        ],
      },
    },
  ],
  type: 'object',
  properties: {
    ...ownKind('Catalog'),
    spec: {
      description: 'What may be installed.',
      type: 'object',
      properties: { packages: { description: 'Each with its versions.', type: 'array', items: PACKAGE } },
      additionalProperties: false,
    },
  },
  required: ['apiVersion', 'kind'],
  additionalProperties: false,
} as const satisfies Schema
