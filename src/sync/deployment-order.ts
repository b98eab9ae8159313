import { groupBy } from '../group-by.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import type { Deployment, DraftDeployment, SyncOptions } from './options.ts'
import { orderFromObjects, type PackageOrder } from './order-from-objects.ts'

/** The order of deployments. */
export interface DeploymentOrder {
  /** Returns the wave of a deployment, and the names of those that it waits for. */
  readonly of: (name: string) => Pick<Deployment, 'wave' | 'waitsFor'>
  readonly faults: readonly Result[]
}

/**
 * Orders deployments: by rank, and in one rank by the packages that packages need, after the option `dependsOn` and after their objects.
 * Example: dns needs cert-manager, and ring `world` comes after `canary`: cert-manager of a canary has wave 0, its dns 1, cert-manager of
 * the world 2, its dns 3. dns waits for cert-manager in the same repository, and each package of the world for that package in the
 * canaries.
 */
export function orderDeployments(
  { config, dependsOn: asked }: SyncOptions,
  all: readonly DraftDeployment[],
  catalogs: readonly KrmObject[] = [],
): DeploymentOrder {
  const known = orderFromObjects(all, catalogs)
  const dependsOn = new Map(
    [...new Set([...asked.keys(), ...known.keys()])].map((name) => {
      const needed = new Set([...(asked.get(name) ?? []), ...(known.get(name)?.keys() ?? [])])
      return [name, [...needed]]
    }),
  )
  const { depths, circle } = depthsOf(dependsOn)
  if (circle !== undefined) return { of: () => ({ wave: 0, waitsFor: [] }), faults: [circleFault(config, circle, known)] }
  const levels = Math.max(0, ...depths.values()) + 1
  const byPlace = new Map(all.map((draft) => [placeKey(draft, draft.packageName), draft]))
  const byPackage = groupBy(all, ({ packageName = '' }) => packageName)
  const order = new Map(
    all.map((draft) => {
      const { packageName = '', rank } = draft
      const needed = (dependsOn.get(packageName) ?? []).flatMap((name) => byPlace.get(placeKey(draft, name))?.name ?? [])
      const before = [...(byPackage.get(packageName) ?? [])].filter((other) => other.rank < rank)
      const last = Math.max(...before.map((other) => other.rank))
      // A cluster whose own controller reads git knows nothing of the objects of other clusters.
      const earlier = draft.destination === undefined ? [] : before.filter((other) => other.rank === last).map(({ name }) => name)
      return [draft.name, { wave: rank * levels + (depths.get(packageName) ?? 0), waitsFor: [...needed, ...earlier].toSorted() }]
    }),
  )
  return { of: (name) => order.get(name) ?? { wave: 0, waitsFor: [] }, faults: [] }
}

function placeKey({ namespace, repository }: DraftDeployment, packageName: string | undefined): string {
  return `${namespace}/${repository}/${packageName ?? ''}`
}

/** Returns how many packages each package needs one after the other, or a circle: `[a, b, a]`. */
function depthsOf(dependsOn: ReadonlyMap<string, readonly string[]>): {
  readonly depths: ReadonlyMap<string, number>
  readonly circle?: readonly string[]
} {
  const depths = new Map<string, number>()
  let circle: readonly string[] | undefined
  const visit = (name: string, way: readonly string[]): number => {
    const start = way.indexOf(name)
    if (start >= 0) {
      circle ??= [...way.slice(start), name]
      return 0
    }
    const known = depths.get(name)
    if (known !== undefined) return known
    const needed = dependsOn.get(name) ?? []
    const depth = needed.length === 0 ? 0 : 1 + Math.max(...needed.map((each) => visit(each, [...way, name])))
    depths.set(name, depth)
    return depth
  }
  for (const name of dependsOn.keys()) visit(name, [])
  return circle === undefined ? { depths } : { depths, circle }
}

function circleFault(config: SyncOptions['config'], circle: readonly string[], known: PackageOrder): Result {
  const reasons = circle.slice(1).flatMap((name, index) => {
    const reason = known.get(circle[index] ?? '')?.get(name)
    return reason === undefined ? [] : [`${name} has ${reason}`]
  })
  const why = reasons.length === 0 ? '' : ` (${reasons.join('; ')}): move these objects into a package of their own`
  const message = `must not go in a circle: ${circle.join(' needs ')}${why}`
  return faultToResult(config, { severity: 'error', rule: 'sync-circle', path: ['spec', 'dependsOn'], message })
}
