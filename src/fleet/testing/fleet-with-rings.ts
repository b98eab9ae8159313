import type { JsonRecord } from '../../json.ts'
import { kptfileOf, repository, type Written } from './fleet-of-objects.ts'

/** A ring of a matrix: the repositories that it has, and its own revision. */
export interface WrittenRing {
  readonly name: string
  readonly repos?: readonly string[]
  readonly revision?: number
}

/**
 * Returns a matrix of the package `catalog/app` with rings, each for the Repositories whose name is among its own; the last one has all
 * others.
 */
export function matrixWithRings(rings: readonly WrittenRing[], revision: number | string = 1, name = 'm'): JsonRecord {
  return {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name },
    spec: {
      upstreams: [{ repo: 'catalog', package: 'app', revision }],
      targets: [{ repositorySelector: {} }],
      rings: rings.map((ring) => ({
        name: ring.name,
        ...(ring.repos && { where: `target.name in [${ring.repos.map((repo) => `'${repo}'`).join(', ')}]` }),
        ...(ring.revision !== undefined && { revisions: { app: ring.revision } }),
      })),
    },
  }
}

/** Returns Repositories, and the Kptfiles of those packages that are locked to a revision. */
export function clusters(refs: Readonly<Record<string, string>>): readonly Written[] {
  return Object.entries(refs).flatMap(([name, ref]): readonly Written[] => {
    const lock = { upstreamLock: { type: 'git', git: { repo: 'r', directory: 'app', ref, commit: 'c' } } }
    return [repository(name), ...(ref === '' ? [] : [[`${name}/app/Kptfile`, kptfileOf(lock)] as const])]
  })
}
