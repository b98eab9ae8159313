import { extendVariables, prepareVariables, type Variables, type VisibleObject } from '../cel/variables.ts'
import type { JsonValue } from '../json.ts'
import type { UnrolledTarget } from './unroll-targets.ts'

/** What an expression may use before the downstream repository is known: in `downstream.repoExpr` (seed 000, PackageVariant Template). */
export const SCOPE_OF_REPO_EXPR: readonly string[] = ['repoDefault', 'packageDefault', 'upstream', 'target']

/** What every other expression of a template may use. */
export const SCOPE: readonly string[] = [...SCOPE_OF_REPO_EXPR, 'repository']

/**
 * The variables of one place before its downstream repository is known. An object that the list cannot hold is left out: only an
 * expression that uses it fails.
 *
 * @param upstream  the upstream PackageRevision
 */
export function variablesOf({ repoDefault, packageDefault, object }: UnrolledTarget, upstream: VisibleObject | undefined): Variables {
  const defaults: [string, JsonValue][] = [
    ['repoDefault', repoDefault],
    ['packageDefault', packageDefault],
  ]
  const listed: [string, JsonValue] = ['target', { repo: repoDefault, package: packageDefault }]
  const values = prepareVariables(new Map(object === undefined ? [...defaults, listed] : defaults))
  return withObject(withObject(values, 'target', object), 'upstream', upstream)
}

/** With the downstream Repository, where there is one: what every expression but repoExpr may use. */
export function withRepository(variables: Variables, repository: VisibleObject | undefined): Variables {
  return withObject(variables, 'repository', repository)
}

function withObject(variables: Variables, name: string, object: VisibleObject | undefined): Variables {
  return object === undefined ? variables : extendVariables(variables, name, object)
}
