import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { formatResourceRef, type Result } from '../result.ts'
import { resultsOf } from '../run.ts'
import type { Schema } from '../schema/schema.ts'
import { validate } from '../schema/validate.ts'
import { APPLY_REPLACEMENTS_SCHEMA } from './apply-replacements/replacements-schema.ts'
import type { CatalogFunction } from './catalog-function.ts'
import { ADDITIONAL_FIELDS_SCHEMA } from './catalog-kind.ts'
import { ENSURE_NAME_SUBSTRING_SCHEMA } from './ensure-name-substring/ensure-name-substring-schema.ts'
import { SET_ANNOTATIONS_SCHEMA } from './set-annotations/set-annotations-schema.ts'
import { SET_IMAGE_SCHEMA } from './set-image/set-image-schema.ts'
import { SET_LABELS_SCHEMA } from './set-labels/set-labels-schema.ts'
import { SET_NAMESPACE_SCHEMA } from './set-namespace/set-namespace-schema.ts'

/**
 * Returns what a function says about its functionConfig whatever the resources are: its own errors, and a warning for each field that it
 * does not know, which it ignores.
 */
export function configFindings(fn: CatalogFunction, version: string, config: KrmObject | undefined): readonly Result[] {
  const list = ResourceList.of([emptyPackage()], config)
  const isAboutConfig = ({ severity, resourceRef, tags }: Result) => {
    if (severity !== 'error' || ABOUT_RESOURCES.has(tags.rule)) return false
    if (config === undefined || resourceRef === undefined) return tags.rule === 'function-config'
    return formatResourceRef(resourceRef) === formatResourceRef(config.ref)
  }
  return [...resultsOf(fn.at(version), list).filter(isAboutConfig), ...(config === undefined ? [] : ignoredFields(fn, version, config))]
}

/** The rules of errors that functions place at their config, though the resources are at fault. */
const ABOUT_RESOURCES: ReadonlySet<string> = new Set(['no-setters', 'replacement-source', 'replacement-target'])

/** Returns a package without resources, to run a function on its config alone. */
export function emptyPackage(): KrmObject {
  return KrmObject.fromDocument('apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: empty}\n', { path: 'Kptfile', index: 0, line: 1 })
}

function ignoredFields({ name }: CatalogFunction, version: string, config: KrmObject): readonly Result[] {
  const schema = config.kind === 'ConfigMap' ? undefined : fieldsOf(name, version)
  if (schema === undefined) return []
  return validate(config, { schema }).flatMap((result): readonly Result[] =>
    result.tags.rule === 'unknown-field' ? [{ ...result, severity: 'warning', message: `${result.message}; ${name} ignores it` }] : [],
  )
}

/** The fields of the functions' own kinds, by function. */
const SCHEMAS: Readonly<Record<string, Schema>> = {
  'apply-replacements': APPLY_REPLACEMENTS_SCHEMA,
  'ensure-name-substring': ENSURE_NAME_SUBSTRING_SCHEMA,
  'set-annotations': SET_ANNOTATIONS_SCHEMA,
  'set-image': SET_IMAGE_SCHEMA,
  'set-labels': SET_LABELS_SCHEMA,
  'set-namespace': SET_NAMESPACE_SCHEMA,
}

/** Fields that the published schemas do not have: those of some versions only, and former names. */
const MORE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'ensure-name-substring': ['fieldSpecs'],
  'set-annotations': ['fieldSpecs'],
  'set-labels v0.1.5': ['additionalLabelFields', 'fieldSpecs'],
  'set-namespace master': ['namespaceMatcher'],
  'set-namespace v0.1.4': ['additionalNamespaceFields', 'fieldSpecs'],
  'set-namespace v0.2.0': ['additionalNamespaceFields', 'fieldSpecs'],
}

/**
 * Returns the schema of the fields that a version of a function reads, which allows no others; undefined for a function without a kind of
 * its own.
 */
function fieldsOf(name: string, version: string): Schema | undefined {
  const key = `${name} ${version}`
  const schema = SCHEMAS[name]
  if (schema === undefined || STRICT.has(key)) return STRICT.get(key)
  const more = [...(MORE_FIELDS[name] ?? []), ...(MORE_FIELDS[key] ?? [])]
  const added = more.map((field) => [field, field === 'namespaceMatcher' ? { type: 'string' } : ADDITIONAL_FIELDS_SCHEMA] as const)
  const made = strict({ ...schema, properties: { ...schema.properties, ...Object.fromEntries(added), metadata: {} } })
  STRICT.set(key, made)
  return made
}

/** The schemas that allow no other field, by function and version. */
const STRICT = new Map<string, Schema>()

/** Returns a schema that allows no field that it does not name, at any depth. */
function strict(schema: Schema): Schema {
  const { properties, items } = schema
  return {
    ...schema,
    ...(items !== undefined && { items: strict(items) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, strict(field)])),
      additionalProperties: false,
    }),
  }
}
