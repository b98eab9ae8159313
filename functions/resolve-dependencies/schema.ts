import { SHARED_OPTIONS } from '../../src/dependencies/config/options.ts'
import { closedMapWith, FILLED_TEXT, type Infer, OFF_BY_DEFAULT, ownKind, ownObject, type Schema } from '../../src/schema/schema.ts'

/** Matches the name of a package that gets what is missing. */
export const PACKAGE_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

const OPTIONS = {
  ...SHARED_OPTIONS,
  strategy: {
    description: 'satisfy: versions that meet all requirements together. native: the steps that the controller of each system would take.',
    enum: ['satisfy', 'native'],
    default: 'satisfy',
  },
  upgrades: {
    description:
      'none: a generated object moves only if a requirement fails. generated: generated objects go to the highest version allowed. all: objects of users move too, if a requirement fails.',
    enum: ['none', 'generated', 'all'],
    default: 'none',
  },
  downgrades: { description: 'True if an object may move to a lower version, if there is no solution without.', ...OFF_BY_DEFAULT },
  prune: { description: 'True if generated objects that no package requires are removed.', ...OFF_BY_DEFAULT },
  partial: {
    description:
      'True if what can be resolved is written although the requirements of other packages cannot be met, which are then warnings.',
    ...OFF_BY_DEFAULT,
  },
  into: {
    description:
      'The package of each cluster that gets what is missing there: a folder in the folder of the cluster, made with a Kptfile if it is not there. Absent: the package that requires it.',
    type: 'string',
    pattern: PACKAGE_NAME.source,
    examples: ['dependencies'],
  },
  update: {
    description: 'Installed packages that move to another version, as `glasskube update` moves them.',
    type: 'array',
    items: {
      ...closedMapWith(['name'], {
        name: {
          description: 'The name of the object (NAME, NAMESPACE/NAME, KIND/NAME, KIND/NAMESPACE/NAME), source or refName.',
          ...FILLED_TEXT,
        },
        version: { description: 'The version to move to. Absent: the latest.', ...FILLED_TEXT },
      }),
    },
    examples: [[{ name: 'shop' }, { name: 'cert-manager', version: 'v1.14.0+1' }]],
  },
  maxSteps: { description: 'The most steps of the search.', type: 'integer', minimum: 1, default: 1_000_000 },
  lifecycle: {
    description: 'True to take the steps of the controllers: revisions, owners, PackageInfos, status.dependencies.',
    ...OFF_BY_DEFAULT,
  },
  inheritPullSettings: {
    description: 'Crossplane: true if a dependency gets the packagePullSecrets and packagePullPolicy of the package that requires it.',
    ...OFF_BY_DEFAULT,
  },
} as const satisfies Readonly<Record<string, Schema>>

/** `ResolveDependencies`: the options of resolve-dependencies as an object of its own. */
export const RESOLVE_DEPENDENCIES_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/resolve-dependencies.json',
  title: 'ResolveDependencies',
  description: 'Options of the function resolve-dependencies, which adds the packages that packages require.',
  examples: [{ ...ownObject('ResolveDependencies'), spec: { strategy: 'satisfy', upgrades: 'generated', prune: true } }],
  ...closedMapWith(['apiVersion', 'kind'], {
    ...ownKind('ResolveDependencies'),
    spec: { description: 'The options.', type: 'object', properties: OPTIONS, additionalProperties: false },
  }),
} as const satisfies Schema

/** The options as they are written. */
export type ResolveDependenciesFields = { readonly [Name in keyof typeof OPTIONS]?: Infer<(typeof OPTIONS)[Name]> }
