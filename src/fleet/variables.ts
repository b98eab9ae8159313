import { extendVariables, prepareVariables, type Variables, type VisibleObject } from '../cel/variables.ts'
import type { JsonValue } from '../json.ts'
import type { UnrolledTarget } from './unroll-targets.ts'

/**
 * The variables of an expression before the downstream repository is known, in `downstream.repoExpr` (seed 000, PackageVariant Template).
 */
export const SCOPE_OF_REPO_EXPR: readonly string[] = ['repoDefault', 'packageDefault', 'upstream', 'target']

/** The variables of every other expression of a template. */
export const SCOPE: readonly string[] = [...SCOPE_OF_REPO_EXPR, 'repository']

/**
 * Returns the variables of one place before its downstream repository is known. A missing object has no variable: only an expression that
 * uses the variable fails.
 *
 * @param upstream  the upstream PackageRevision, if known
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

/** Returns variables with the downstream Repository added, if known: the variables of every expression except repoExpr. */
export function withRepository(variables: Variables, repository: VisibleObject | undefined): Variables {
  return withObject(variables, 'repository', repository)
}

function withObject(variables: Variables, name: string, object: VisibleObject | undefined): Variables {
  return object === undefined ? variables : extendVariables(variables, name, object)
}
