import { ownKind } from '../../schema/own-kind.ts'
import type { Schema } from '../../schema/schema.ts'
import { ECOSYSTEMS } from '../ecosystems.ts'

/** A kind by its apiVersion and name. */
export const KIND = {
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

/** One package in a catalog. */
export const PACKAGE = {
  title: 'CatalogPackage',
  type: 'object',
  properties: {
    ecosystem: { enum: ECOSYSTEMS.map(({ id }) => id) },
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
