import { SHARED_OPTIONS } from '../../src/dependencies/config/options.ts'
import { type Infer, ownKind, ownObject, type Schema } from '../../src/schema/schema.ts'

const OPTIONS = {
  ...SHARED_OPTIONS,
  strategy: {
    description: 'satisfy: versions that meet all requirements together. native: what the operator of each system would do.',
    enum: ['satisfy', 'native'],
    default: 'satisfy',
  },
  upgrades: {
    description:
      'none: a generated object moves only if a requirement fails. generated: generated objects go to the highest version allowed. all: objects of users move too, if a requirement fails.',
    enum: ['none', 'generated', 'all'],
    default: 'none',
  },
  downgrades: {
    description: 'Whether an object may go below the version it has, if there is no answer without.',
    type: 'boolean',
    default: false,
  },
  prune: { description: 'Whether generated objects that nothing requires are removed.', type: 'boolean', default: false },
  maxSteps: { description: 'How long versions are looked for.', type: 'integer', minimum: 1, default: 1_000_000 },
  lifecycle: {
    description: 'Whether what the controllers do of themselves is done: revisions, owners, PackageInfos, status.dependencies.',
    type: 'boolean',
    default: false,
  },
  inheritPullSettings: {
    description: 'Crossplane: whether what is installed for a package gets its packagePullSecrets and packagePullPolicy.',
    type: 'boolean',
    default: false,
  },
} as const satisfies Readonly<Record<string, Schema>>

/** `ResolveDependencies`: the options of resolve-dependencies as an object of its own. */
export const RESOLVE_DEPENDENCIES_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/resolve-dependencies.json',
  title: 'ResolveDependencies',
  description: 'Options of the function resolve-dependencies, which adds what packages require.',
  examples: [{ ...ownObject('ResolveDependencies'), spec: { strategy: 'satisfy', upgrades: 'generated', prune: true } }],
  type: 'object',
  properties: {
    ...ownKind('ResolveDependencies'),
    spec: { description: 'The options.', type: 'object', properties: OPTIONS, additionalProperties: false },
  },
  required: ['apiVersion', 'kind'],
  additionalProperties: false,
} as const satisfies Schema

/** The options as they are written. */
export type ResolveDependenciesFields = { readonly [Name in keyof typeof OPTIONS]?: Infer<(typeof OPTIONS)[Name]> }
