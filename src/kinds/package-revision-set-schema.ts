import { closedMap, closedMapWith, FILLED_TEXT, type Infer, type Schema } from '../schema/schema.ts'
import { FLEET_API } from '../well-known.ts'
import { headOfKind, STATUS } from './object-meta-schema.ts'
import { UPSTREAM_SCHEMA } from './upstream-schema.ts'

const { repo, package: packageName, revision, workspaceName } = UPSTREAM_SCHEMA.properties

/** The fields of an entry of `upstreams`: a package revision, or a PackageRevisionSet. */
export const UPSTREAM_ENTRY_FIELDS = {
  repo,
  package: packageName,
  revision,
  workspaceName,
  packageRevisionSet: {
    description: 'A PackageRevisionSet of this namespace, in place of repo and package: all its upstreams.',
    ...FILLED_TEXT,
  },
} as const satisfies Record<string, Schema>

const UPSTREAM_ENTRY = {
  title: 'UpstreamEntry',
  description: 'A package revision (repo, package, and revision or workspaceName), or a PackageRevisionSet.',
  ...closedMap(UPSTREAM_ENTRY_FIELDS),
} as const satisfies Schema

/** PackageRevisionSet, fleet.krm-variants.dev/v1alpha1. */
export const PACKAGE_REVISION_SET_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/package-revision-set.json',
  title: 'PackageRevisionSet',
  description: 'A list of package revisions that PackageVariantMatrices and other PackageRevisionSets name.',
  examples: [
    {
      apiVersion: FLEET_API,
      kind: 'PackageRevisionSet',
      metadata: { name: 'observability' },
      spec: { upstreams: [{ repo: 'catalog', package: 'metrics', revision: 2 }, { packageRevisionSet: 'logging' }] },
    },
  ],
  ...closedMapWith(['apiVersion', 'kind', 'metadata', 'spec'], {
    ...headOfKind(FLEET_API, 'PackageRevisionSet'),
    spec: {
      description: 'What the set holds.',
      ...closedMapWith(['upstreams'], {
        upstreams: { description: 'The package revisions, and further sets of them.', type: 'array', minItems: 1, items: UPSTREAM_ENTRY },
      }),
    },
    status: STATUS,
  }),
} as const satisfies Schema

export type UpstreamEntryFields = Infer<typeof UPSTREAM_ENTRY>
