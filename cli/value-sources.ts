import { type FieldPath, formatFieldPath } from '../src/field-path.ts'
import type { RenderedVariant } from '../src/fleet/render-variant.ts'
import type { Computed, Expression, FunctionTemplate, MapExpr, Template } from '../src/kinds/package-variant-set.ts'

/** Which expression of the template gave a field of the variant, by the field's printed path. */
export type ValueSources = ReadonlyMap<string, Expression>

type Source = readonly [path: FieldPath, computed: Computed | undefined]

/** The fields of a rendered variant that an expression gave, and where in the template it stands. */
export function valueSources({ place, evaluations }: RenderedVariant): ValueSources {
  const { template } = place.target
  if (template === undefined) return new Map()
  const values = new Map(evaluations.map(({ expression, value }) => [expression, value]))
  const resolve = (computed: Computed) => ('value' in computed ? computed.value : (values.get(computed.expression) ?? ''))
  const computed = sourcesOf(template, resolve).flatMap(([path, source]): [string, Expression][] =>
    source !== undefined && 'expression' in source ? [[formatFieldPath(['spec', ...path]), source.expression]] : [],
  )
  return new Map(computed)
}

function sourcesOf(template: Template, resolve: (computed: Computed) => string): readonly Source[] {
  const { downstream, labelExprs, annotationExprs, packageContext, injectors, pipeline } = template
  const entries = (path: FieldPath, exprs: readonly MapExpr[]) =>
    exprs.map(({ key, value }): Source => [[...path, resolve(key)], 'expression' in value ? value : key])
  const functions = (stage: string, list: readonly FunctionTemplate[]) =>
    list.flatMap(({ configMapExprs }, i) => entries(['pipeline', stage, i, 'configMap'], configMapExprs))
  return [
    [['downstream', 'repo'], downstream.repo],
    [['downstream', 'package'], downstream.package],
    ...entries(['labels'], labelExprs),
    ...entries(['annotations'], annotationExprs),
    ...entries(['packageContext', 'data'], packageContext?.dataExprs ?? []),
    ...injectors.map(({ name }, i): Source => [['injectors', i, 'name'], name]),
    ...functions('validators', pipeline?.validators ?? []),
    ...functions('mutators', pipeline?.mutators ?? []),
  ]
}
