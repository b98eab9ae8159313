import { DELETION_LIMIT } from '../../src/fleet/deletion-guard.ts'
import { UPDATE_STRATEGIES } from '../../src/kinds/kptfile-upstream.ts'
import { PIPELINE_MODES } from '../../src/render/options.ts'
import {
  closedMap,
  closedMapWith,
  FILLED_TEXT,
  FILLED_TEXTS,
  type Infer,
  OFF_BY_DEFAULT,
  ownKind,
  ownObject,
  type Schema,
} from '../../src/schema/schema.ts'
import { CLONE_FLAVOURS } from '../../src/upstream/repository-options.ts'

const REVISION = {
  title: 'Revision',
  description: 'Facts about one revision of the packages of a repository.',
  ...closedMap({
    path: { description: 'The folder of the package at this revision.', ...FILLED_TEXT },
    ref: { description: 'Its ref in git, as a Kptfile names it. Default: v and the number, or the name.', ...FILLED_TEXT },
    resolvedRef: { description: 'The tag of this package alone, where it has one: upf/v3.', ...FILLED_TEXT },
    commit: {
      description: 'Its commit: git is read there, whatever the tag says. Of a folder without one there is no upstreamLock.',
      ...FILLED_TEXT,
    },
  }),
} as const satisfies Schema

const REPOSITORY = {
  title: 'Repository',
  description: 'Where the packages of a repository are.',
  ...closedMap({
    path: { description: 'The folder that holds its packages. Default: its name.', ...FILLED_TEXT },
    git: {
      description: 'The git repository. The tool reads revisions from it; both write it into Kptfiles.',
      ...closedMapWith(['repo'], {
        repo: { description: 'A URL, or the path of a repository.', ...FILLED_TEXT },
        directory: { description: 'The folder in it below which its packages are. Default: its top.', type: 'string' },
      }),
    },
    trusted: {
      description:
        'Whether the tool reads the git repository even when it is part of the files that the git around it tracks: a clone of the fleet brings such a repository with its configuration.',
      ...OFF_BY_DEFAULT,
    },
    revisions: { description: 'By the names that variants use.', type: 'object', additionalProperties: REVISION },
    tags: {
      description: 'Floating tags, and the revision that each points to.',
      type: 'object',
      additionalProperties: { type: ['string', 'integer'] },
      examples: [{ stable: 3 }],
    },
  }),
} as const satisfies Schema

const IGNORED = {
  title: 'Ignored changes',
  description: 'Changes that `krm-variants diff` leaves out.',
  ...closedMapWith(['reason'], {
    kinds: { description: 'The kinds of objects. Default: all.', ...FILLED_TEXTS },
    fields: { description: 'The fields, with what is below them: metadata.annotations. Default: whole objects.', ...FILLED_TEXTS },
    reason: { description: 'Why people need not see them.', ...FILLED_TEXT },
  }),
} as const satisfies Schema

export const BUILTIN_VERSIONS = ['any-version'] as const

/** `RenderVariants`: the options of render-variants as an object of its own. */
export const RENDER_VARIANTS_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/render-variants.json',
  title: 'RenderVariants',
  description: 'Options of the function render-variants, which makes a package for every PackageVariant and keeps it up to date.',
  examples: [
    {
      ...ownObject('RenderVariants'),
      spec: { repositories: { catalog: { git: { repo: 'https://git.example.com/catalog.git' } } }, out: 'clusters' },
    },
  ],
  ...closedMapWith(['apiVersion', 'kind'], {
    ...ownKind('RenderVariants'),
    spec: {
      description: 'The options.',
      ...closedMap({
        repositories: {
          description: 'Where upstream packages are, by the names of their repositories.',
          type: 'object',
          additionalProperties: REPOSITORY,
        },
        clone: {
          description: 'How a package is made: kpt as `kpt pkg get --for-deployment` makes it, porch as Porch does.',
          enum: CLONE_FLAVOURS,
          default: 'kpt',
        },
        updateStrategy: {
          description: "How a package follows its upstream. Default: what its Kptfile says, else 'resource-merge'.",
          enum: UPDATE_STRATEGIES,
        },
        diff: {
          description: 'What `krm-variants diff` leaves out.',
          ...closedMap({
            ignore: {
              description: 'Changes that reviewers need not see. They are counted, and dangerous ones are shown all the same.',
              type: 'array',
              items: IGNORED,
            },
          }),
        },
        out: { description: 'The folder below which downstream packages are. Default: that of the set of the variant.', type: 'string' },
        followRenames: {
          description: 'Whether the package of a variant whose downstream is another now moves there, with what people did to it.',
          ...OFF_BY_DEFAULT,
        },
        fleet: {
          description:
            'The name of the fleet, which its packages carry. Default: in the tool the address of its git repository and the folder in it, else none.',
          ...FILLED_TEXT,
        },
        allowMoved: {
          description:
            'Lets packages follow a published tag (v3, tenant/v3) that points to another commit than when they were made. Otherwise such a tag is an error.',
          ...OFF_BY_DEFAULT,
        },
        discardEdits: {
          description:
            'Whether a package may be removed, or replaced by force-delete-replace, together with what people made or changed in it.',
          ...OFF_BY_DEFAULT,
        },
        allowEmpty: {
          description:
            'Whether every package may be removed when there is no PackageVariant at all, or none of them is of one. Otherwise that is an error.',
          ...OFF_BY_DEFAULT,
        },
        maxDeletions: {
          description:
            'The most packages that a run may remove: a number, or a percentage of the existing packages. Default: 5, or 20 percent if that is more.',
          ...DELETION_LIMIT,
        },
        status: {
          description:
            'Whether to write the status of each PackageVariant, as the controller would (the function alone), and, where functions run, renderStatus and the condition Rendered into the Kptfile of each package, as kpt does.',
          ...OFF_BY_DEFAULT,
        },
        pipeline: {
          description:
            'Whether the functions of packages run, in the order of `kpt fn render`, or are left to kpt or Porch. Default: leave in the function, run in the tool.',
          enum: PIPELINE_MODES,
        },
        builtin: {
          description:
            'any-version: images of versions that are not built in run with the nearest older version that is, with a warning. Default: such an image needs something else that runs it.',
          enum: BUILTIN_VERSIONS,
        },
        functions: {
          description:
            'Programs of this machine that run the functions of images, by image: with a tag, or without one for all tags. The caller must allow programs with --allow-exec.',
          type: 'object',
          additionalProperties: FILLED_TEXT,
          examples: [{ 'gcr.io/kpt-fn/starlark': './starlark --quiet' }],
        },
        containers: {
          description: 'Whether images that nothing else runs are run in containers, by docker, podman or nerdctl as KRM_FN_RUNTIME says.',
          ...OFF_BY_DEFAULT,
        },
      }),
    },
  }),
} as const satisfies Schema

/** The options as they are written. */
export type RenderVariantsFields = NonNullable<Infer<typeof RENDER_VARIANTS_SCHEMA>['spec']>
