import { CelError } from '../cel/cel-error.ts'
import { compile, type Program } from '../cel/program.ts'
import type { Computed, Expression, MapExpr, Template } from '../kinds/package-variant-set.ts'
import { SCOPE, SCOPE_OF_REPO_EXPR } from './variables.ts'

/** The expressions of a template, compiled, and those that do not compile. */
export interface TemplatePrograms {
  readonly programs: ReadonlyMap<Expression, Program>
  readonly broken: ReadonlyMap<Expression, CelError>
}

/** Compiles templates, each when it is first asked for. */
export function templateCompiler(): (template: Template) => TemplatePrograms {
  const compiled = new Map<Template, TemplatePrograms>()
  return (template) => {
    const programs = compiled.get(template) ?? compileTemplate(template)
    compiled.set(template, programs)
    return programs
  }
}

function compileTemplate(template: Template): TemplatePrograms {
  const programs = new Map<Expression, Program>()
  const broken = new Map<Expression, CelError>()
  for (const expression of expressionsOf(template)) {
    const scope = isRepoExpr(expression, template) ? SCOPE_OF_REPO_EXPR : SCOPE
    try {
      programs.set(expression, compile(expression.text, scope))
    } catch (error) {
      if (!(error instanceof CelError)) throw error
      broken.set(expression, error)
    }
  }
  return { programs, broken }
}

function isRepoExpr(expression: Expression, { downstream: { repo } }: Template): boolean {
  return repo !== undefined && 'expression' in repo && repo.expression === expression
}

/** The expressions of a template in the order of evaluation (seed 001, Evaluation Process). */
function expressionsOf(template: Template): readonly Expression[] {
  const { downstream, labelExprs, annotationExprs, packageContext, injectors, pipeline } = template
  const functions = [...(pipeline?.validators ?? []), ...(pipeline?.mutators ?? [])]
  return [
    ...[downstream.repo, downstream.package].flatMap((name) => (name === undefined ? [] : ofComputed(name))),
    ...labelExprs.flatMap(ofMapExpr),
    ...annotationExprs.flatMap(ofMapExpr),
    ...(packageContext?.dataExprs ?? []).flatMap(ofMapExpr),
    ...(packageContext?.removeKeyExprs ?? []),
    // an empty nameExpr is as none (docs/porch.md 16)
    ...injectors.flatMap(({ name }) => ofComputed(name).filter(({ text }) => text !== '')),
    ...functions.flatMap(({ configMapExprs }) => configMapExprs.flatMap(ofMapExpr)),
  ]
}

function ofMapExpr({ key, value }: MapExpr): Expression[] {
  return [...ofComputed(key), ...ofComputed(value)]
}

function ofComputed(computed: Computed): Expression[] {
  return 'expression' in computed ? [computed.expression] : []
}
