import { isRecord, lookup } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import type { Result } from '../../result.ts'
import { quoteNames, quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { didYouMean, nearestName } from '../../schema/nearest-name.ts'
import type { Finding } from '../finding.ts'
import { placeIn } from '../reading/field.ts'
import { groupKind } from '../reading/object-identity.ts'
import { isSameIdentity } from './cluster.ts'

/** The fields that `spec` of a kind may have, and those without which a new object of the kind is refused by its CRD. */
interface SpecFields {
  readonly fields: readonly string[]
  readonly required: readonly string[]
}

const OF_PACKAGES = [
  'commonAnnotations',
  'commonLabels',
  'ignoreCrossplaneConstraints',
  'package',
  'packagePullPolicy',
  'packagePullSecrets',
  'revisionActivationPolicy',
  'revisionHistoryLimit',
  'skipDependencyResolution',
]
const WITH_RUNTIME = [...OF_PACKAGES, 'controllerConfigRef', 'runtimeConfigRef']
const OF_GLASSKUBE = ['packageInfo', 'suspend', 'values']
const OF_INSTALLS = [
  'canceled',
  'cluster',
  'defaultNamespace',
  'noopDelete',
  'packageRef',
  'paused',
  'serviceAccountName',
  'syncPeriod',
  'values',
]

/** By group and kind: the CRDs of Crossplane 2, Glasskube and kapp-controller, and `dependencies` of seed 002. */
const SPECS: Readonly<Record<string, SpecFields>> = {
  'pkg.crossplane.io/Configuration': { fields: OF_PACKAGES, required: ['package'] },
  'pkg.crossplane.io/Function': { fields: WITH_RUNTIME, required: ['package'] },
  'pkg.crossplane.io/Provider': { fields: WITH_RUNTIME, required: ['package'] },
  'packages.glasskube.dev/ClusterPackage': { fields: OF_GLASSKUBE, required: ['packageInfo'] },
  'packages.glasskube.dev/Package': { fields: OF_GLASSKUBE, required: ['packageInfo'] },
  'packaging.carvel.dev/PackageInstall': { fields: [...OF_INSTALLS, 'dependencies'], required: ['packageRef'] },
}

/** Reports each field of `spec` that the kind of an object does not have, with the nearest that it has. */
export function unknownSpecFields(object: KrmObject): Result[] {
  const fields = SPECS[groupKind(object)]?.fields
  const spec = object.get(['spec'])
  if (fields === undefined || !isRecord(spec)) return []
  return Object.keys(spec)
    .filter((key) => !fields.includes(key))
    .map((key) => {
      const meant = nearestName(key, fields)
      const hint = meant === undefined ? `its fields are ${quoteNames(fields)}` : `did you mean '${meant}'?`
      const message = `is not a field of spec of a ${object.kind}; ${hint}`
      return faultToResult(object, { severity: 'error', rule: 'unknown-field', path: ['spec', key], message })
    })
}

/**
 * Returns the fault of a change that names an object which is missing: a deletion, or a part that is no whole object of its kind. A whole
 * object is added instead.
 */
export function findMissingObject(list: ResourceList, change: KrmObject): Finding | undefined {
  if (list.items.some((item) => isSameIdentity(item, change))) return undefined
  const isDeletion = change.get(['metadata', 'deletionTimestamp']) !== undefined
  const missing = (SPECS[groupKind(change)]?.required ?? []).filter((field) => !isGiven(change, field))
  if (!isDeletion && missing.length === 0) return undefined
  const names = list.items.filter((item) => groupKind(item) === groupKind(change)).flatMap(({ name }) => name ?? [])
  const hint = didYouMean(change.name ?? '', names) || (names.length === 0 ? '' : `; there are ${quoteNames(names)}`)
  const why = isDeletion ? ', so none can be deleted' : `; a new one must set ${quoteNames(missing.map((field) => `spec.${field}`))}`
  const where = change.namespace === undefined ? '' : ` in namespace '${change.namespace}'`
  return {
    rule: 'object-not-found',
    message: `no ${change.kind} is named ${quoteText(change.name ?? '')}${where}${why}${hint}`,
    place: placeIn(change, ['metadata', 'name'], change.name ?? ''),
    tags: {},
  }
}

function isGiven(change: KrmObject, field: string): boolean {
  const value = change.get(['spec', field])
  // `packageInfo: {version: …}` names no package.
  return value !== undefined && (field !== 'packageInfo' || (isRecord(value) && lookup(value, 'name') !== undefined))
}
