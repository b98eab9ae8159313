import { closedMap, closedMapWith, FILLED_TEXT, type Infer, type Schema } from '../schema/schema.ts'
import { STRING_MAP } from './object-meta-schema.ts'

const RESOURCE_SELECTOR = {
  title: 'ResourceSelector',
  description: 'Which resources of the package a function gets. Every field that is set must match.',
  ...closedMap({
    apiVersion: { description: 'Their group and version.', type: 'string' },
    kind: { description: 'Their kind.', type: 'string' },
    name: { description: 'Their name.', type: 'string' },
    namespace: { description: 'Their namespace.', type: 'string' },
    labels: { ...STRING_MAP, description: 'Labels that they must have.' },
    annotations: { ...STRING_MAP, description: 'Annotations that they must have.' },
  }),
} as const satisfies Schema

const CONFIG_REF = {
  title: 'ConfigRef',
  description: 'The resource of the package that is the functionConfig, instead of configPath or configMap.',
  ...closedMapWith(['kind', 'name'], {
    apiVersion: { description: 'Its group and version; any without one.', type: 'string' },
    kind: { description: 'Its kind.', ...FILLED_TEXT },
    name: { description: 'Its name.', ...FILLED_TEXT },
    namespace: { description: 'Its namespace; any without one.', type: 'string' },
  }),
} as const satisfies Schema

/** The fields of a function in a Kptfile's pipeline (kpt.dev/v1). `configRef` and `when` are those of the newest PackageVariant CRD. */
export const PIPELINE_FUNCTION_FIELDS = {
  image: { description: 'The container image of the function.', type: 'string' },
  exec: { description: 'The executable of the function, instead of an image.', type: 'string' },
  tag: { description: 'The tag of the image, or a constraint on it.', type: 'string' },
  name: {
    description: 'The PackageVariant controller recognises its own functions by the dots in their names, so no dot is allowed here.',
    type: 'string',
  },
  configPath: { description: 'The file of the package that holds the functionConfig.', type: 'string' },
  configMap: { ...STRING_MAP, description: 'The data of a ConfigMap as functionConfig.' },
  configRef: CONFIG_REF,
  selectors: { description: 'Only these resources are given to the function.', type: 'array', items: RESOURCE_SELECTOR },
  exclude: { description: 'These resources are not given to the function.', type: 'array', items: RESOURCE_SELECTOR },
  when: {
    description: 'A condition in CEL on `resources`, those that the function would get; it runs where this is true.',
    type: 'string',
  },
} as const satisfies Record<string, Schema>

export const PIPELINE_FUNCTION = {
  title: 'PipelineFunction',
  description: 'A function of the pipeline.',
  ...closedMap(PIPELINE_FUNCTION_FIELDS),
} as const satisfies Schema

/** The two lists of a pipeline, in the order in which `kpt fn render` runs them. */
export const MUTATORS = { description: 'Functions that change resources, in order.', type: 'array' } as const satisfies Schema
export const VALIDATORS = {
  description: 'Functions that look at what the mutators left, in order.',
  type: 'array',
} as const satisfies Schema

/** A KRM function in the pipeline of a Kptfile, with its fields in the order in which the user wrote them. */
export type PipelineFunction = Infer<typeof PIPELINE_FUNCTION>
