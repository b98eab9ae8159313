import { extendVariables, prepareVariables, type Variables } from '../../src/cel/variables.ts'
import type { JsonRecord, JsonValue } from '../../src/json.ts'
import type { FleetObject } from './fleet.ts'
import type { UnrolledTarget } from './unroll-targets.ts'

/** What an expression may use before the downstream repository is known: in `downstream.repoExpr` (seed 000, PackageVariant Template). */
export const SCOPE_OF_REPO_EXPR: readonly string[] = ['repoDefault', 'packageDefault', 'upstream', 'target']

/** What every other expression of a template may use. */
export const SCOPE: readonly string[] = [...SCOPE_OF_REPO_EXPR, 'repository']

/**
 * The variables of one place before its downstream repository is known. An object that the list cannot hold is left out: only an
 * expression that uses it fails.
 *
 * @param upstream  what expressions may see of the upstream PackageRevision
 */
export function variablesOf({ repoDefault, packageDefault, object }: UnrolledTarget, upstream: JsonRecord | undefined): Variables {
  const values = new Map<string, JsonValue>([
    ['repoDefault', repoDefault],
    ['packageDefault', packageDefault],
    ['target', object?.visible ?? { repo: repoDefault, package: packageDefault }],
  ])
  if (upstream !== undefined) values.set('upstream', upstream)
  return prepareVariables(values)
}

/** With the downstream Repository, where there is one: what every expression but repoExpr may use. */
export function withRepository(variables: Variables, repository: FleetObject | undefined): Variables {
  return repository === undefined ? variables : extendVariables(variables, 'repository', repository.visible)
}
