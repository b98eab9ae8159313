import type { FieldPath } from '../../field-path.ts'
import { asList, asRecord, isRecord, type JsonRecord, type JsonValue, lookup, scalarText } from '../../json.ts'
import { isDns1123Subdomain } from '../../kubernetes/names.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError, type Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { type GeneratorData, generatedParams } from './generators.ts'
import { refusedFields, setFault } from './set-fields.ts'
import { TemplateFault } from './template-functions.ts'
import { withTemplatePatch } from './template-patch.ts'
import { FieldFault, renderValue, type TemplateDialect } from './template-text.ts'

export interface GeneratedApplication {
  readonly set: KrmObject
  /** `metadata` and `spec`, with one `source`. */
  readonly metadata: JsonRecord
  readonly spec: JsonRecord
  readonly name: string
  /** Returns an error at a field of the template that the Application has been made of. */
  readonly fault: (field: FieldPath, message: string) => Result
}

/**
 * Returns the Applications that an ApplicationSet generates from the data of a folder.
 *
 * @throws FunctionError with the fields that convert does not follow
 */
export function expandSet(set: KrmObject, data: GeneratorData): readonly GeneratedApplication[] {
  const faults = refusedFields(set)
  if (faults.length > 0) throw new FunctionError(faults)
  const goTemplate = set.get(['spec', 'goTemplate']) === true
  const options = set.get(['spec', 'goTemplateOptions'])
  const dialect: TemplateDialect = { goTemplate, isStrict: Array.isArray(options) && options.includes('missingkey=error') }
  const unknown = asList(options).findIndex((each) => !/^missingkey=(?:default|error|invalid|zero)$/.test(scalarText(each)))
  if (goTemplate && unknown !== -1) throw new FunctionError([setFault(set, ['spec', 'goTemplateOptions', unknown], UNKNOWN_OPTION)])
  const generators = set.get(['spec', 'generators'])
  if (!Array.isArray(generators) || generators.length === 0)
    throw new FunctionError([setFault(set, ['spec', 'generators'], 'must be a list of generators')])
  return generators.flatMap((each, index) => ofGenerator(set, asRecord(each), index, dialect, data))
}

const UNKNOWN_OPTION = 'must be one of missingkey=default, missingkey=error, missingkey=invalid, missingkey=zero'

function ofGenerator(
  set: KrmObject,
  generator: JsonRecord,
  index: number,
  dialect: TemplateDialect,
  data: GeneratorData,
): readonly GeneratedApplication[] {
  const path = ['spec', 'generators', index]
  const kind = Object.keys(generator).find((key) => key !== 'selector') ?? ''
  const own = asRecord(asRecord(generator[kind]).template)
  const template = filled(own, asRecord(set.get(['spec', 'template'])))
  const placeOf = (asked: FieldPath) => {
    const isListed = asked[1] === 'source' && asRecord(template.spec).sources !== undefined
    const field = isListed ? ['spec', 'sources', 0, ...asked.slice(2)] : asked
    const inGenerator = [...path, kind, 'template', ...field]
    return set.get(inGenerator) === undefined || set.get(inGenerator) === '' ? ['spec', 'template', ...field] : inGenerator
  }
  const fault = (field: FieldPath, message: string) => setFault(set, placeOf(field), message)
  try {
    return generatedParams(generator, path, dialect, data).map((params) => {
      const { metadata, spec } = patched(rendered(template, params, dialect, placeOf), params, set, dialect)
      const name = scalarText(metadata.name)
      if (!isDns1123Subdomain(name))
        throw new FieldFault(placeOf(['metadata', 'name']), `must give a name of a-z0-9, '-' and '.', got ${quoteText(name)}`)
      return { set, name, metadata, spec: withOneSource(spec, placeOf), fault }
    })
  } catch (error) {
    if (error instanceof FieldFault) throw new FunctionError([setFault(set, error.path, error.message)])
    if (error instanceof TemplateFault) throw new FunctionError([setFault(set, path, error.message)])
    throw error
  }
}

/** Returns metadata with the finalizer, and the spec, with the changes of `templatePatch`. */
function patched({ metadata, spec }: Rendered, params: JsonRecord, set: KrmObject, dialect: TemplateDialect): Rendered {
  const made = withTemplatePatch({ metadata: withFinalizer(metadata, set), spec }, params, set, dialect)
  return { metadata: asRecord(made.metadata), spec: asRecord(made.spec) }
}

interface Rendered {
  readonly metadata: JsonRecord
  readonly spec: JsonRecord
}

function rendered(template: JsonRecord, params: JsonRecord, dialect: TemplateDialect, placeOf: (field: FieldPath) => FieldPath): Rendered {
  try {
    const value = asRecord(renderValue(template, params, dialect))
    return { metadata: asRecord(value.metadata), spec: asRecord(value.spec) }
  } catch (error) {
    throw error instanceof FieldFault ? new FieldFault(placeOf(error.path), error.message) : error
  }
}

/**
 * Returns metadata with the finalizer by which Argo CD deletes the resources with the Application: the set gives it to a template without
 * finalizers, unless `preserveResourcesOnDeletion` is true (RenderTemplateParams).
 */
function withFinalizer(metadata: JsonRecord, set: KrmObject): JsonRecord {
  const { finalizers } = metadata
  if (Array.isArray(finalizers) && finalizers.length > 0) return metadata
  if (set.get(['spec', 'syncPolicy', 'preserveResourcesOnDeletion']) === true) return metadata
  return { ...metadata, finalizers: ['resources-finalizer.argocd.argoproj.io'] }
}

/** Returns a spec with `source`, also of one that has a list with one source. */
function withOneSource({ sources, ...spec }: JsonRecord, placeOf: (field: FieldPath) => FieldPath): JsonRecord {
  if (!Array.isArray(sources) || sources.length === 0) return spec
  const [only, ...others] = sources
  if (others.length > 0 || !isRecord(only))
    throw new FieldFault(
      placeOf(['spec', 'sources']),
      `must be one source, got ${sources.length}: convert follows no values of another source`,
    )
  return { ...spec, source: only }
}

/** Adds what is missing or empty in a template, in inner maps too. */
function filled(value: JsonRecord, more: JsonRecord): JsonRecord {
  const added = Object.entries(more).map(([key, each]): [string, JsonValue] => {
    const own = lookup(value, key)
    if (isRecord(own) && isRecord(each)) return [key, filled(own, each)]
    const isUnset =
      own === undefined || own === null || own === '' || own === false || own === 0 || (Array.isArray(own) && own.length === 0)
    return [key, isUnset ? each : own]
  })
  return { ...value, ...Object.fromEntries(added) }
}
