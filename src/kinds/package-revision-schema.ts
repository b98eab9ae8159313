import { closedMap, closedMapWith, FILLED_TEXT, type Schema } from '../schema/schema.ts'
import { OBJECT_META, STRING_LIST, STRING_MAP } from './object-meta-schema.ts'

const NAMED = (description: string) =>
  ({
    description,
    ...closedMapWith(['name'], { name: { description: 'Its name, in the namespace of this object.', ...FILLED_TEXT } }),
  }) as const satisfies Schema

const LOCK = {
  description: 'The commit of git that a package was made from.',
  type: 'object',
  properties: {
    type: { description: 'git.', type: 'string' },
    git: {
      description: 'Where in git.',
      type: 'object',
      properties: {
        repo: { description: 'The address of the repository.', type: 'string' },
        directory: { description: 'The folder in it.', type: 'string' },
        ref: { description: 'The branch or tag.', type: 'string' },
        commit: { description: 'The commit.', type: 'string' },
      },
    },
  },
} as const satisfies Schema

const CLONE = {
  description: 'A clone of a PackageRevision or of a folder in git.',
  ...closedMap({
    type: { description: 'git, for a folder in git.', enum: ['git'] },
    upstreamRef: NAMED('The PackageRevision.'),
    git: {
      description: 'The folder in git.',
      ...closedMapWith(['repo', 'directory', 'ref'], {
        repo: { description: 'The address of the repository.', type: 'string' },
        directory: { description: 'The folder in it.', type: 'string' },
        ref: { description: 'The branch or tag.', type: 'string' },
        secretRef: NAMED('The Secret with the credentials.'),
      }),
    },
  }),
} as const satisfies Schema

const UPGRADE = {
  description: 'An upgrade of a PackageRevision to another upstream.',
  ...closedMap({
    currentPackage: NAMED('The PackageRevision that is upgraded.'),
    oldUpstream: NAMED('The PackageRevision that it was made from.'),
    newUpstream: NAMED('The PackageRevision that it is brought to.'),
    strategy: { description: 'How it is merged.', enum: ['resource-merge', 'fast-forward', 'force-delete-replace', 'copy-merge'] },
  }),
} as const satisfies Schema

/** PackageRevision, porch.kpt.dev/v1alpha2, with the revision in its status, and v1alpha1, with the revision in its spec. */
export const PACKAGE_REVISION_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/package-revision.json',
  title: 'PackageRevision',
  description: 'A revision of a package in a repository of Porch.',
  examples: [
    {
      apiVersion: 'porch.kpt.dev/v1alpha2',
      kind: 'PackageRevision',
      metadata: { name: 'catalog.tills.v3' },
      spec: {
        repository: 'catalog',
        packageName: 'tills',
        workspaceName: 'v3',
        lifecycle: 'Published',
        source: { cloneFrom: { upstreamRef: { name: 'blueprints.tills.v1' } } },
      },
      status: { revision: 3 },
    },
  ],
  ...closedMapWith(['apiVersion', 'kind', 'metadata', 'spec'], {
    apiVersion: { description: 'The version of the kind.', enum: ['porch.kpt.dev/v1alpha1', 'porch.kpt.dev/v1alpha2'] },
    kind: { description: 'The kind.', const: 'PackageRevision' },
    metadata: OBJECT_META,
    spec: {
      description: 'What and where the revision is.',
      ...closedMapWith(['repository', 'packageName', 'lifecycle'], {
        repository: { description: 'The Repository, in the namespace of this object.', ...FILLED_TEXT },
        packageName: { description: 'The package in it, with its folders.', ...FILLED_TEXT },
        workspaceName: { description: 'What an upstream names beside its revision.', ...FILLED_TEXT },
        revision: { description: 'v1alpha1: the number of the revision; 0 for a draft.', type: ['integer', 'string'] },
        lifecycle: { description: 'How far the revision is.', enum: ['Draft', 'Proposed', 'Published', 'DeletionProposed'] },
        source: {
          description: 'v1alpha2: what the revision was made from, exactly one of the four.',
          ...closedMap({
            init: {
              description: 'A new package.',
              ...closedMap({
                description: { description: 'What the package is.', type: 'string' },
                keywords: { ...STRING_LIST, description: 'Words to find it by.' },
                site: { description: 'Its page.', type: 'string' },
              }),
            },
            cloneFrom: CLONE,
            copyFrom: NAMED('The PackageRevision of the same package that is edited.'),
            upgrade: UPGRADE,
          }),
        },
        packageMetadata: {
          description: 'v1alpha2: labels and annotations of the Kptfile.',
          ...closedMap({
            labels: { ...STRING_MAP, description: 'The labels.' },
            annotations: { ...STRING_MAP, description: 'The annotations.' },
          }),
        },
        parent: { description: 'v1alpha1: the package that the revision belongs to.', type: 'object' },
        tasks: { description: 'v1alpha1: what the revision was made from.', type: 'array', items: { type: 'object' } },
        readinessGates: {
          description: 'Conditions that must hold before the revision is proposed.',
          type: 'array',
          items: { type: 'object', properties: { conditionType: { description: 'The condition.', type: 'string' } } },
        },
        subpackageOperation: { description: 'v1alpha2: a clone into a folder of the package, or its upgrade.', type: 'object' },
      }),
    },
    status: {
      description: 'Written by the controller.',
      type: 'object',
      properties: {
        revision: { description: 'v1alpha2: the number of the revision; none or 0 for a draft.', type: 'integer' },
        upstreamLock: LOCK,
        selfLock: LOCK,
      },
    },
  }),
} as const satisfies Schema
