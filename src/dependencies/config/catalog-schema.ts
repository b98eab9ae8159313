import { closedMap, closedMapWith, FILLED_TEXT, ownKind, ownObject, type Schema } from '../../schema/schema.ts'
import { ECOSYSTEMS } from '../ecosystems.ts'

/** A kind by its apiVersion and name. */
export const KIND = {
  ...closedMapWith(['apiVersion', 'kind'], {
    apiVersion: { description: 'The group and version of the kind.', ...FILLED_TEXT },
    kind: { description: 'The name of the kind.', ...FILLED_TEXT },
  }),
} as const satisfies Schema

const BROUGHT_OBJECT = {
  ...closedMapWith(['kind', 'name'], {
    apiVersion: { description: 'The group and version of the kind.', type: 'string' },
    kind: { description: 'The kind of the object.', ...FILLED_TEXT },
    name: { description: 'The name of the object.', ...FILLED_TEXT },
  }),
} as const satisfies Schema

const VERSION_FIELDS = {
  version: { description: 'The version, or the tag of the image.', ...FILLED_TEXT },
  digest: {
    description: 'sha256: and 64 hex digits.',
    type: 'string',
    pattern: '^sha256:[0-9a-f]{64}$',
    examples: [`sha256:${'0'.repeat(64)}`],
  },
  dependencies: {
    description: 'The dependencies of the version, in the form of its ecosystem. Absent: not known. Empty: none.',
    type: ['array', 'object'],
  },
  components: { description: 'Glasskube: as in the manifest.', type: 'array' },
  scope: { description: 'Glasskube: the scope of the manifest.', enum: ['Cluster', 'Namespaced'] },
  defaultNamespace: { description: 'Glasskube: the namespace of components.', type: 'string' },
  installationType: {
    description: 'Carvel: how often the package may be installed.',
    enum: ['onePerCluster', 'onePerNamespace', 'noRestrictions'],
  },
  provides: { description: 'The kinds that the cluster serves with this version.', type: 'array', items: KIND },
  brings: { description: 'The objects that the version brings. Each can have one owner only.', type: 'array', items: BROUGHT_OBJECT },
  constraints: {
    description: 'Ranges of platform versions.',
    ...closedMap({
      crossplane: { description: 'Versions of Crossplane that the package runs on.', type: 'string', examples: ['>=v1.20.0'] },
      kubernetes: { description: 'Versions of Kubernetes that the package runs on.', type: 'string', examples: ['>=1.29.0'] },
      kappController: { description: 'Versions of kapp-controller that the package runs on.', type: 'string', examples: ['>=0.50.0'] },
    }),
  },
} as const satisfies Readonly<Record<string, Schema>>

/** One package in a catalog. */
export const PACKAGE = {
  title: 'CatalogPackage',
  ...closedMapWith(['ecosystem', 'id'], {
    ecosystem: { description: 'The package manager or registry of the package.', enum: ECOSYSTEMS.map(({ id }) => id) },
    id: { description: 'Source, refName, name of the manifest, or image of the function.', ...FILLED_TEXT },
    kind: { description: 'Crossplane: the kind of the object that installs the package.', enum: ['Provider', 'Configuration', 'Function'] },
    namespace: { description: 'Carvel: the namespace of the Package. Absent: every namespace sees it.', type: 'string' },
    repository: { description: 'Glasskube: repositoryName.', type: 'string' },
    latest: {
      description: 'Glasskube: latestVersion of versions.yaml, to which updates and packages without a version go. Absent: the highest.',
      ...FILLED_TEXT,
    },
    versions: {
      description: 'A text: the version exists, its dependencies are not known.',
      type: 'array',
      items: { type: ['string', 'object'], properties: VERSION_FIELDS, additionalProperties: false },
    },
  }),
} as const satisfies Schema

/** `Catalog`: packages that may be installed, as an object among the items. */
export const CATALOG_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/catalog.json',
  title: 'Catalog',
  description: 'Packages and versions that may be installed, for check-dependencies and resolve-dependencies.',
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
  ...closedMapWith(['apiVersion', 'kind'], {
    ...ownKind('Catalog'),
    spec: {
      description: 'The packages that may be installed.',
      type: 'object',
      properties: { packages: { description: 'The packages, each with its versions.', type: 'array', items: PACKAGE } },
      additionalProperties: false,
    },
  }),
} as const satisfies Schema
