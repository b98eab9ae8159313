import { SHARED_OPTIONS } from '../../src/dependencies/config/options.ts'
import { closedMap, closedMapWith, ownKind, ownObject, type Schema } from '../../src/schema/schema.ts'

/** `CheckDependencies`: the options of check-dependencies as an object of its own. */
export const CHECK_DEPENDENCIES_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/check-dependencies.json',
  title: 'CheckDependencies',
  description:
    'Options of the function check-dependencies, which reports missing dependencies, version conflicts and objects with two owners.',
  examples: [
    {
      ...ownObject('CheckDependencies'),
      spec: { universe: 'closed', cluster: { kubernetesVersion: '1.31.2' }, rules: { 'dependency-unused': 'off' } },
    },
  ],
  ...closedMapWith(['apiVersion', 'kind'], {
    ...ownKind('CheckDependencies'),
    spec: {
      description: 'The options.',
      ...closedMap(SHARED_OPTIONS),
    },
  }),
} as const satisfies Schema
