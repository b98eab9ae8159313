import type { FieldPath } from '../field-path.ts'
import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import { isList, type ListEntry, listEntries } from './entries.ts'
import { metadataFaults } from './metadata-rules.ts'
import { reservedKeyFaults, reservedNameFaults } from './reserved-context-key.ts'
import { notInApi, refusedField, singleEntryFault, tolerated } from './rule-fault.ts'
import type { FunctionTemplateFields, InjectorTemplateFields, MapExprFields, TemplateFields } from './template-schema.ts'

const BOTH_CONFIGS = "must not have both 'configPath' and a config map: kpt refuses to run such a function"

const CONFIG_REF_ALONE = "must not be set beside 'configPath' or a config map: a function takes one functionConfig"

const EXEC_ALONE =
  "names a program of the machine that runs the pipeline: Porch refuses it in a template, and kpt runs it with --allow-exec only; name an 'image', or put the function into the Kptfile of the upstream package"
const EXEC_BESIDE_IMAGE = "must not be set beside 'image': kpt refuses to run such a function"

/** Returns the faults of a target's template that the schema cannot express (seed 001, Template validation). */
export function templateFaults(template: TemplateFields, path: FieldPath): Fault[] {
  const { downstream = {}, labelExprs, annotationExprs, packageContext = {}, pipeline = {} } = template
  return [
    ...exclusiveFault(downstream, 'repo', 'repoExpr', [...path, 'downstream']),
    ...exclusiveFault(downstream, 'package', 'packageExpr', [...path, 'downstream']),
    ...metadataFaults(template, path),
    ...listEntries(labelExprs, [...path, 'labelExprs']).flatMap(mapExprFaults),
    ...listEntries(annotationExprs, [...path, 'annotationExprs']).flatMap(mapExprFaults),
    ...contextFaults(packageContext, [...path, 'packageContext']),
    ...injectorEntries(template, path).flatMap(injectorFaults),
    ...listEntries(pipeline.validators, [...path, 'pipeline', 'validators']).flatMap(functionTemplateFaults),
    ...listEntries(pipeline.mutators, [...path, 'pipeline', 'mutators']).flatMap(functionTemplateFaults),
    ...seedShapeFaults(template, path),
    ...plainExpressionFaults(downstream, ['repo', 'package'], [...path, 'downstream']),
  ]
}

/** Returns the injectors of a template with their paths: first `injectors`, then the `injectorExprs` of seed 000. */
export function injectorEntries({ injectors, injectorExprs }: TemplateFields, path: FieldPath): ListEntry<InjectorTemplateFields>[] {
  return [...listEntries(injectors, [...path, 'injectors']), ...listEntries(injectorExprs, [...path, 'injectorExprs'])]
}

function contextFaults(context: NonNullable<TemplateFields['packageContext']>, path: FieldPath): Fault[] {
  return [
    ...reservedKeyFaults(context, path),
    ...listEntries(context.dataExprs, [...path, 'dataExprs']).flatMap((entry) => [
      ...mapExprFaults(entry),
      ...reservedNameFaults(entry.value.key, [...entry.path, 'key']),
    ]),
  ]
}

function injectorFaults({ path, value }: ListEntry<InjectorTemplateFields>): Fault[] {
  const named = value.name !== undefined || value.nameExpr !== undefined
  return [
    ...exclusiveFault(value, 'name', 'nameExpr', path),
    ...plainExpressionFaults(value, ['name'], path),
    ...(named ? [] : [refusedField('injector-name', path, "must have 'name' or 'nameExpr'")]),
  ]
}

/** Returns warnings about shapes that only the examples of seed 000 have (docs/porch.md 2). */
function seedShapeFaults({ labelExprs, annotationExprs, injectors, injectorExprs }: TemplateFields, path: FieldPath): Fault[] {
  return [
    ...Object.entries({ labelExprs, annotationExprs, injectors, injectorExprs }).flatMap(([key, field]) =>
      field === undefined || isList(field) ? [] : [singleEntryFault([...path, key], field)],
    ),
    ...(injectorExprs ? [notInApi([...path, 'injectorExprs'], "its entries are taken as entries of 'injectors'")] : []),
  ]
}

/** Returns the faults of a function of a template's pipeline. The schema checks that the function has an image (docs/porch.md 20, 21). */
function functionTemplateFaults({ path, value }: ListEntry<FunctionTemplateFields>): Fault[] {
  const { name = '', image = '', exec = '', configPath, configMap, configRef, configMapExprs } = value
  return [
    ...(exec === '' ? [] : [tolerated('function-program', [...path, 'exec'], image === '' ? EXEC_ALONE : EXEC_BESIDE_IMAGE)]),
    ...(name.includes('.') ? [refusedField('function-name', [...path, 'name'], `must not contain '.', got ${quoteText(name)}`)] : []),
    ...(configPath !== undefined && (configMap ?? configMapExprs) !== undefined
      ? [tolerated('config-path-and-map', path, BOTH_CONFIGS)]
      : []),
    ...(configRef !== undefined && (configPath ?? configMap ?? configMapExprs) !== undefined
      ? [refusedField('function-configs', [...path, 'configRef'], CONFIG_REF_ALONE)]
      : []),
    ...listEntries(configMapExprs, [...path, 'configMapExprs']).flatMap(mapExprFaults),
  ]
}

/** Returns a fault if a fixed and a computed field are both set, empty strings included (docs/porch.md 16): `repo` and `repoExpr`. */
function exclusiveFault<K extends string>(fields: { readonly [key in K]?: string }, fixed: K, computed: K, path: FieldPath): Fault[] {
  if (fields[fixed] === undefined || fields[computed] === undefined) return []
  return [refusedField('exclusive-fields', path, `must not have both '${fixed}' and '${computed}'`, [...path, computed])]
}

/** Matches a text that begins with a variable of expressions, or joins one: `target.name`, `'store-' + target.name`. */
const EXPRESSION =
  /^\s*(?:(?:target|repository|upstream)\.(?:name|namespace|repo|package)|(?:repoDefault|packageDefault))\s*(?:$|\+)|\+\s*(?:target|repository|upstream)\.\w/

/** Returns a warning for each fixed field with the text of an expression, which is taken as it is: `repo: target.name`. */
function plainExpressionFaults<K extends string>(fields: { readonly [key in K]?: string }, names: readonly K[], path: FieldPath): Fault[] {
  return names.flatMap((name) =>
    EXPRESSION.test(fields[name] ?? '') || /\b(?:target|repository|upstream)\.(?:labels|annotations)\b/.test(fields[name] ?? '')
      ? [
          tolerated(
            'expression-as-text',
            [...path, name],
            `must be in '${name}Expr' to be evaluated: here ${quoteText(fields[name] ?? '')} is the text itself`,
          ),
        ]
      : [],
  )
}

/**
 * Returns the faults of an entry of labelExprs, annotationExprs, dataExprs or configMapExprs (seed 001, Template validation): the entry
 * must have `key` or `keyExpr`, and not both fields of a pair. An entry without `value` and `valueExpr` sets an empty string, as in Porch's
 * controller, with a warning. The controller also writes an empty key, which an API server refuses (docs/porch.md 18).
 */
function mapExprFaults({ path, value: entry }: ListEntry<MapExprFields>): Fault[] {
  const { key, keyExpr, value, valueExpr } = entry
  return [
    ...(key === undefined && keyExpr === undefined ? [refusedField('map-entry', path, "must have 'key' or 'keyExpr'")] : []),
    ...(value === undefined && valueExpr === undefined ? [tolerated('map-entry', path, NO_VALUE)] : []),
    ...exclusiveFault(entry, 'key', 'keyExpr', path),
    ...exclusiveFault(entry, 'value', 'valueExpr', path),
    ...plainExpressionFaults(entry, ['key', 'value'], path),
  ]
}

const NO_VALUE = "has neither 'value' nor 'valueExpr', so the value is an empty string; `value: ''` says so without this warning"
