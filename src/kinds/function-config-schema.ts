import { closedMap, closedMapWith, FILLED_TEXT, type Schema } from '../schema/schema.ts'
import { PORCH_FUNCTION_CONFIG_API } from '../well-known.ts'
import { headOfKind, STATUS, STRING_LIST } from './object-meta-schema.ts'

const TAGS = {
  description: 'The versions that it runs, as tags or semver constraints: `>= v0.4.0 < v0.5.0`.',
  type: 'array',
  minItems: 1,
  items: FILLED_TEXT,
} as const satisfies Schema

/** FunctionConfig, config.porch.kpt.dev/v1alpha1, of Porch's main branch (CRD of August 2026). */
export const FUNCTION_CONFIG_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/function-config.json',
  title: 'FunctionConfig',
  description:
    "Says where Porch runs a function: in its own process, as a program of the function runner, or in a pod. Porch's main branch has the kind.",
  examples: [
    {
      apiVersion: PORCH_FUNCTION_CONFIG_API,
      kind: 'FunctionConfig',
      metadata: { name: 'fan-out', namespace: 'porch-fn-system' },
      spec: { image: 'fan-out', prefixes: ['ghcr.io/krm-variants'], podExecutor: { tags: ['v0.1.0'], timeToLive: '30m' } },
    },
  ],
  ...closedMapWith(['apiVersion', 'kind', 'metadata', 'spec'], {
    ...headOfKind(PORCH_FUNCTION_CONFIG_API, 'FunctionConfig'),
    spec: {
      description: 'The image, and at least one of the three executors.',
      ...closedMapWith(['image'], {
        image: { description: 'The name of the image, without registry and tag.', ...FILLED_TEXT },
        prefixes: { ...STRING_LIST, description: "Registries and paths of the image; '' is a name without a registry." },
        goExecutor: {
          description: "Runs the function in Porch's own process.",
          ...closedMapWith(['tags'], {
            id: { description: 'The name of the function in Porch; absent: image.', type: 'string' },
            tags: TAGS,
          }),
        },
        binaryExecutor: {
          description: 'Runs a program in the container of the function runner.',
          ...closedMapWith(['path', 'tags'], {
            path: { description: 'The file of the program.', ...FILLED_TEXT },
            tags: TAGS,
          }),
        },
        podExecutor: {
          description: 'Runs the image in a pod.',
          ...closedMap({
            tags: { ...STRING_LIST, description: TAGS.description },
            timeToLive: { description: 'How long the pod waits for the next call.', type: 'string', default: '30m' },
            maxParallelExecutions: { description: 'The most calls of one pod at a time.', type: 'integer' },
            preferredMaxQueueLength: { description: 'The calls that wait before a further pod is started.', type: 'integer' },
            templateOverrides: { description: 'What the pod has beside the template of the function runner.', type: 'object' },
          }),
        },
      }),
    },
    status: STATUS,
  }),
} as const satisfies Schema
