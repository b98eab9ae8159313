import { closedMap, type Infer, type Schema } from '../schema/schema.ts'
import { STRING_LIST, STRING_MAP } from './object-meta-schema.ts'
import { INJECTION_POINT } from './package-variant-schema.ts'
import { MUTATORS, PIPELINE_FUNCTION_FIELDS, VALIDATORS } from './pipeline-schema.ts'
import { ADOPTION_POLICY, DELETION_POLICY } from './upstream-schema.ts'

const EXPRESSION = {
  title: 'Expression',
  description: 'A CEL expression. Variables: repoDefault, packageDefault, upstream, target, and (not in repoExpr) repository.',
  type: 'string',
  format: 'cel',
} as const satisfies Schema

const MAP_EXPR = {
  title: 'MapExpr',
  description: 'One entry of a map: key or keyExpr, and value or valueExpr.',
  ...closedMap({
    key: { description: 'The key, as it is.', type: 'string' },
    keyExpr: EXPRESSION,
    value: { description: 'The value, as it is.', type: 'string' },
    valueExpr: EXPRESSION,
  }),
} as const satisfies Schema

const MAP_EXPRS = {
  title: 'MapExprs',
  description: 'Computed entries; they win over fixed ones.',
  type: 'array',
  items: MAP_EXPR,
} as const satisfies Schema

// Seed 000 writes labelExprs and injectors as one map: accepted as a list with one entry, with a warning.
const MAP_EXPRS_OR_ONE = { ...MAP_EXPR, ...MAP_EXPRS, title: 'MapExprsOrOne', type: ['array', 'object'] } as const satisfies Schema

const INJECTOR_TEMPLATE = {
  title: 'InjectorTemplate',
  description: 'An injector of the variant; name or nameExpr must be set.',
  ...closedMap({
    group: { description: "The API group; '' is the core group.", type: 'string' },
    version: { description: 'The version.', type: 'string' },
    kind: { description: 'The kind.', type: 'string' },
    name: { description: 'The name, as it is.', type: 'string' },
    nameExpr: EXPRESSION,
    point: INJECTION_POINT,
  }),
} as const satisfies Schema

const INJECTORS_OR_ONE = {
  ...INJECTOR_TEMPLATE,
  title: 'InjectorTemplates',
  type: ['array', 'object'],
  items: INJECTOR_TEMPLATE,
} as const satisfies Schema

const FUNCTION_TEMPLATE = {
  title: 'FunctionTemplate',
  description: 'A function of the pipeline, with computed options.',
  type: 'object',
  properties: { ...PIPELINE_FUNCTION_FIELDS, image: { ...PIPELINE_FUNCTION_FIELDS.image, minLength: 1 }, configMapExprs: MAP_EXPRS },
  required: ['image'],
  additionalProperties: false,
} as const satisfies Schema

/** The template of the variants of a target. */
export const TEMPLATE = {
  title: 'Template',
  description: 'The PackageVariant that each target becomes.',
  ...closedMap({
    downstream: {
      description: 'Where the variant goes, if not to the repository and package that the target names.',
      ...closedMap({
        repo: { description: 'The Repository.', type: 'string' },
        repoExpr: EXPRESSION,
        package: { description: 'The package in it.', type: 'string' },
        packageExpr: EXPRESSION,
      }),
    },
    adoptionPolicy: ADOPTION_POLICY,
    deletionPolicy: DELETION_POLICY,
    labels: { ...STRING_MAP, description: 'spec.labels of the variant.' },
    labelExprs: MAP_EXPRS_OR_ONE,
    annotations: { ...STRING_MAP, description: 'spec.annotations of the variant.' },
    annotationExprs: MAP_EXPRS_OR_ONE,
    packageContext: {
      description: 'Changes to the data of the ConfigMap kptfile.kpt.dev; not to name and package-path, which kpt sets.',
      ...closedMap({
        data: { ...STRING_MAP, description: 'Keys to set.' },
        dataExprs: MAP_EXPRS,
        removeKeys: { ...STRING_LIST, description: 'Keys to take out.' },
        removeKeyExprs: { description: 'Keys to take out, computed.', type: 'array', items: EXPRESSION },
      }),
    },
    injectors: INJECTORS_OR_ONE,
    injectorExprs: { ...INJECTORS_OR_ONE, title: 'InjectorExprs', deprecated: true },
    pipeline: {
      description: "Functions to put in front of those of the package's Kptfile.",
      ...closedMap({ mutators: { ...MUTATORS, items: FUNCTION_TEMPLATE }, validators: { ...VALIDATORS, items: FUNCTION_TEMPLATE } }),
    },
  }),
} as const satisfies Schema

export type TemplateFields = Infer<typeof TEMPLATE>
export type MapExprFields = Infer<typeof MAP_EXPR>
export type InjectorTemplateFields = Infer<typeof INJECTOR_TEMPLATE>
export type FunctionTemplateFields = Infer<typeof FUNCTION_TEMPLATE>
