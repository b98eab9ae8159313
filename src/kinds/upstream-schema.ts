import { closedMapWith, FILLED_TEXT, type Infer, type Schema } from '../schema/schema.ts'

export const UPSTREAM_SCHEMA = {
  title: 'Upstream',
  description: 'The package revision that the variants are made from.',
  ...closedMapWith(['repo', 'package'], {
    repo: { description: 'The Repository, in the namespace of this object.', ...FILLED_TEXT },
    package: { description: 'The package in that repository, with its folders.', ...FILLED_TEXT },
    revision: {
      description:
        'The number of the revision. Older documentation writes v1: taken as 1, with a warning, and any other text as workspaceName.',
      type: ['integer', 'string'],
      examples: [1],
    },
    workspaceName: { description: 'The workspace of the revision, instead of its number.', type: 'string' },
  }),
} as const satisfies Schema

export type UpstreamFields = Infer<typeof UPSTREAM_SCHEMA>

export const ADOPTION_POLICY = {
  description: 'Whether a package that is already there is taken over.',
  enum: ['adoptNone', 'adoptExisting'],
  default: 'adoptNone',
} as const satisfies Schema

export const DELETION_POLICY = {
  description: 'What becomes of the package when its variant goes.',
  enum: ['delete', 'orphan'],
  default: 'delete',
} as const satisfies Schema
