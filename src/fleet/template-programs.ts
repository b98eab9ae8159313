import { RunBudget } from '../cel/budget.ts'
import { CelError } from '../cel/cel-error.ts'
import { compile, type Program, type Scope } from '../cel/program.ts'
import type { Expression, Template } from '../kinds/template.ts'
import { type Evaluate, renderTemplate } from './render-template.ts'
import { SCOPE, SCOPE_OF_REPO_EXPR } from './variables.ts'

/** The expressions of a template, compiled, and those that do not compile. */
export interface TemplatePrograms {
  readonly programs: ReadonlyMap<Expression, Program>
  readonly broken: ReadonlyMap<Expression, CelError>
}

/** Compiles the templates of one run, each when it is first asked for. Their evaluations have one budget together. */
export function templateCompiler(): (template: Template) => TemplatePrograms {
  const run = new RunBudget()
  const compiled = new Map<Template, TemplatePrograms>()
  return (template) => {
    const programs = compiled.get(template) ?? compileTemplate(template, run)
    compiled.set(template, programs)
    return programs
  }
}

/** Rendering for no place at all leads to every expression, in the order of evaluation. */
function compileTemplate(template: Template, run: RunBudget): TemplatePrograms {
  const programs = new Map<Expression, Program>()
  const broken = new Map<Expression, CelError>()
  const compileIn =
    (scope: Scope): Evaluate =>
    (expression) => {
      try {
        programs.set(expression, compile(expression.text, scope, run))
      } catch (error) {
        if (!(error instanceof CelError)) throw error
        broken.set(expression, error)
      }
      return undefined
    }
  renderTemplate(
    template,
    { repoDefault: '', packageDefault: '' },
    { repoExpr: compileIn(SCOPE_OF_REPO_EXPR), others: () => compileIn(SCOPE) },
  )
  return { programs, broken }
}
