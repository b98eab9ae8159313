import { asList, asRecord, isRecord, type JsonRecord, type JsonValue, lookup } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError } from '../../result.ts'
import { readArgoYaml } from './argocd-yaml.ts'
import { refusedPatchFields } from './set-fields.ts'
import { FieldFault, renderValue, type TemplateDialect } from './template-text.ts'

/** The field with a text that changes each Application. */
const TEMPLATE_PATCH = ['spec', 'templatePatch']

/**
 * Returns an Application with the changes of `templatePatch` (applyTemplatePatch of Argo CD): maps are merged, lists and scalars replaced,
 * null takes a field away, and the project stays. Only the list of finalizers is joined.
 *
 * @throws FieldFault for a patch that is no YAML; FunctionError for its fields that convert does not follow
 */
export function withTemplatePatch(application: JsonRecord, params: JsonRecord, set: KrmObject, dialect: TemplateDialect): JsonRecord {
  const text = set.get(TEMPLATE_PATCH)
  if (typeof text !== 'string' || text === '') return application
  const patch = patchOf(String(renderValue(text, params, dialect, TEMPLATE_PATCH)))
  const faults = refusedPatchFields(set, patch)
  if (faults.length > 0) throw new FunctionError(faults)
  const [before, after] = [application, merged(application, patch)].map(partsOf)
  if (before === undefined || after === undefined) return application
  const { project } = before.spec
  const finalizers = joined(asList(before.metadata.finalizers), asList(asRecord(patch.metadata).finalizers))
  return {
    metadata: { ...after.metadata, ...(after.metadata.finalizers !== undefined && { finalizers }) },
    spec: { ...after.spec, ...(project !== undefined && { project }) },
  }
}

function partsOf({ metadata, spec }: JsonRecord) {
  return { metadata: asRecord(metadata), spec: asRecord(spec) }
}

/**
 * Returns the entries of a list of texts with those of a patch, as a strategic merge patch orders them: those of the patch in their order,
 * each other one behind those that are in front of it in the list.
 */
function joined(list: readonly JsonValue[], patch: readonly JsonValue[]): readonly JsonValue[] {
  const rest = list.filter((each) => !patch.includes(each))
  const out = patch.flatMap((each) => {
    const at = list.indexOf(each)
    const before = rest.filter((other) => list.indexOf(other) < at)
    rest.splice(0, before.length)
    return [...before, each]
  })
  return [...out, ...rest]
}

function patchOf(text: string): JsonRecord {
  if (/^\s*(?:#.*\s*)*$/.test(text)) return {}
  let value: JsonValue
  try {
    value = readArgoYaml(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : ''
    throw new FieldFault(TEMPLATE_PATCH, `must give YAML for each Application: ${reason}`)
  }
  if (value === null) return {}
  if (!isRecord(value)) throw new FieldFault(TEMPLATE_PATCH, 'must give a map of fields for each Application')
  return value
}

/** Matches the keys with which a strategic merge patch says how it is merged. */
const DIRECTIVE = /^\$(?:patch$|retainKeys$|deleteFromPrimitiveList\/|setElementOrder\/)/

function merged(value: JsonRecord, patch: JsonRecord): JsonRecord {
  const kept = Object.entries(value).filter(([key]) => !Object.hasOwn(patch, key))
  const changed = Object.entries(patch).flatMap(([key, each]): (readonly [string, JsonValue])[] => {
    const own = lookup(value, key)
    if (DIRECTIVE.test(key)) throw new FieldFault(TEMPLATE_PATCH, `must not have '${key}', which convert does not follow: write the fields`)
    if (each === null) return []
    return [[key, isRecord(each) ? merged(isRecord(own) ? own : {}, each) : each]]
  })
  return Object.fromEntries([...kept, ...changed])
}
