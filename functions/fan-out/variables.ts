import { prepareVariables, type Variables } from '../../src/cel/variables.ts'
import type { JsonValue } from '../../src/json.ts'
import type { FleetObject } from './fleet.ts'
import type { UnrolledTarget } from './unroll-targets.ts'

/** What an expression may use before the downstream repository is known: in `downstream.repoExpr` (seed 000, PackageVariant Template). */
export const SCOPE_OF_REPO_EXPR: readonly string[] = ['repoDefault', 'packageDefault', 'upstream', 'target']

/** What every other expression of a template may use. */
export const SCOPE: readonly string[] = [...SCOPE_OF_REPO_EXPR, 'repository']

/**
 * The variables of one place. An object that the list cannot hold is left out: only an expression that uses it fails.
 *
 * @param upstream    the upstream PackageRevision
 * @param repository  the downstream Repository, once it is known
 */
export function variablesOf(place: UnrolledTarget, upstream: FleetObject | undefined, repository?: FleetObject): Variables {
  const { repoDefault, packageDefault, object } = place
  const values = new Map<string, JsonValue>([
    ['repoDefault', repoDefault],
    ['packageDefault', packageDefault],
    ['target', object?.visible ?? { repo: repoDefault, package: packageDefault }],
  ])
  if (upstream !== undefined) values.set('upstream', upstream.visible)
  if (repository !== undefined) values.set('repository', repository.visible)
  return prepareVariables(values)
}
