import type { FieldPath } from '../field-path.ts'
import type { Fault } from '../schema/fault.ts'
import { type Entry, entriesOf, isList } from './entries.ts'
import { functionTemplateFaults } from './function-template-rules.ts'
import { exclusiveFault, mapExprFaults } from './map-expr-rules.ts'
import { metadataFaults } from './metadata-rules.ts'
import { reservedKeyFaults, reservedNameFaults } from './reserved-context-key.ts'
import { notInApi, refused, singleEntryFault } from './rule-fault.ts'
import type { InjectorTemplateFields, TemplateFields } from './template-schema.ts'

/** The rules for a target's template that the schema cannot say (seed 001, Template validation). */
export function templateFaults(template: TemplateFields, path: FieldPath): Fault[] {
  const { downstream = {}, labelExprs, annotationExprs, packageContext = {}, pipeline = {} } = template
  return [
    ...exclusiveFault(downstream, 'repo', 'repoExpr', [...path, 'downstream']),
    ...exclusiveFault(downstream, 'package', 'packageExpr', [...path, 'downstream']),
    ...metadataFaults(template, path),
    ...entriesOf(labelExprs, [...path, 'labelExprs']).flatMap(mapExprFaults),
    ...entriesOf(annotationExprs, [...path, 'annotationExprs']).flatMap(mapExprFaults),
    ...contextFaults(packageContext, [...path, 'packageContext']),
    ...injectorEntries(template, path).flatMap(injectorFaults),
    ...entriesOf(pipeline.validators, [...path, 'pipeline', 'validators']).flatMap(functionTemplateFaults),
    ...entriesOf(pipeline.mutators, [...path, 'pipeline', 'mutators']).flatMap(functionTemplateFaults),
    ...seedShapeFaults(template, path),
  ]
}

/** The injectors of a template with where each is written: `injectors`, then the `injectorExprs` of seed 000. */
export function injectorEntries({ injectors, injectorExprs }: TemplateFields, path: FieldPath): Entry<InjectorTemplateFields>[] {
  return [...entriesOf(injectors, [...path, 'injectors']), ...entriesOf(injectorExprs, [...path, 'injectorExprs'])]
}

function contextFaults(context: NonNullable<TemplateFields['packageContext']>, path: FieldPath): Fault[] {
  return [
    ...reservedKeyFaults(context, path),
    ...entriesOf(context.dataExprs, [...path, 'dataExprs']).flatMap((entry) => [
      ...mapExprFaults(entry),
      ...reservedNameFaults(entry.value.key, [...entry.path, 'key']),
    ]),
  ]
}

function injectorFaults({ path, value }: Entry<InjectorTemplateFields>): Fault[] {
  const named = value.name !== undefined || value.nameExpr !== undefined
  return [
    ...exclusiveFault(value, 'name', 'nameExpr', path),
    ...(named ? [] : [refused('injector-name', path, "must have 'name' or 'nameExpr'")]),
  ]
}

/** Shapes that only seed 000's examples have (docs/porch.md 2). */
function seedShapeFaults({ labelExprs, annotationExprs, injectors, injectorExprs }: TemplateFields, path: FieldPath): Fault[] {
  return [
    ...Object.entries({ labelExprs, annotationExprs, injectors, injectorExprs }).flatMap(([key, field]) =>
      field === undefined || isList(field) ? [] : [singleEntryFault([...path, key], field)],
    ),
    ...(injectorExprs ? [notInApi([...path, 'injectorExprs'], "its entries are taken as entries of 'injectors'")] : []),
  ]
}
