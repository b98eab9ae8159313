import type { JsonRecord } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { ResourceList } from '../../resource-list/resource-list.ts'
import { DEFAULT_OPTIONS, type FleetOptions } from '../options.ts'
import { type FleetPlan, planFanOut } from '../plan-fan-out.ts'

/** An object, in fleet/all.yaml, or an object in a file of its own. */
export type Written = JsonRecord | readonly [path: string, object: JsonRecord]

/** Returns the list of some objects. The objects are written as JSON, which is YAML. */
export function resourceListOf(objects: readonly Written[]): ResourceList {
  return ResourceList.of(
    objects.map((written, index) => {
      const [path, object]: readonly [string, JsonRecord] = isPlaced(written) ? written : ['fleet/all.yaml', written]
      return KrmObject.fromDocument(JSON.stringify(object), { path, index, line: 1 })
    }),
  )
}

function isPlaced(written: Written): written is readonly [string, JsonRecord] {
  return Array.isArray(written)
}

export function planOf(objects: readonly Written[], options: Partial<FleetOptions> = {}): FleetPlan {
  return planFanOut(resourceListOf(objects), { ...DEFAULT_OPTIONS, ...options })
}

/** Returns the set `default/fleet` of the package `catalog/app` at revision 2. */
export function setOf(targets: readonly JsonRecord[], upstream: JsonRecord = { repo: 'catalog', package: 'app', revision: 2 }): JsonRecord {
  return {
    apiVersion: 'config.porch.kpt.dev/v1alpha2',
    kind: 'PackageVariantSet',
    metadata: { name: 'fleet' },
    spec: { upstream, targets },
  }
}

export function repository(name: string, labels: JsonRecord = {}): JsonRecord {
  return { apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'Repository', metadata: { name, labels } }
}

/** Returns a target that lists repositories. */
export function list(...names: string[]): JsonRecord {
  return { repositories: names.map((name) => ({ name })) }
}

/** Returns a variant of the set, whose package is `app` in a repository. */
export function variant(name: string, repo: string, spec: JsonRecord = {}): JsonRecord {
  const upstream = { repo: 'catalog', package: 'app', revision: 2 }
  return {
    apiVersion: 'config.porch.kpt.dev/v1alpha1',
    kind: 'PackageVariant',
    metadata: { name, annotations: { 'krm-variants.dev/package-variant-set': 'default/fleet' } },
    spec: { upstream, downstream: { repo, package: 'app' }, ...spec },
  }
}

/** Returns a PackageRevision, with the upstream to which the revision was last updated. */
export function revision(repo: string, packageName: string, number: number, ref?: string): JsonRecord {
  const lock = ref === undefined ? {} : { status: { upstreamLock: { type: 'git', git: { repo: 'r', directory: 'app', ref } } } }
  return {
    apiVersion: 'porch.kpt.dev/v1alpha1',
    kind: 'PackageRevision',
    metadata: { name: `${repo}-${packageName}-${number}` },
    spec: { repository: repo, packageName, revision: number, workspaceName: `w${number}` },
    ...lock,
  }
}

/** Returns a Kptfile that names the upstream of its package. */
export function kptfileOf(upstream: JsonRecord, annotations: JsonRecord = {}): JsonRecord {
  return { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'app', annotations }, ...upstream }
}
