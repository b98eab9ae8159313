import { type JsonRecord, lookup, recordsOf, scalarText } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { countOf } from '../../wording.ts'
import { type ControllerStep, type ObjectEdit, setStep } from '../reading/ecosystem.ts'
import type { ObjectOwner } from '../reading/object-metadata.ts'
import { RBAC } from './objects.ts'
import type { CrossplaneState } from './ownership.ts'
import { parseReference } from './reference.ts'
import type { ReconciledPackage, RevisionObject } from './revisions.ts'

/** The namespace of Crossplane's Helm chart: no object of a list names another one. */
export const NAMESPACE = 'crossplane-system'

/** The objects in a cluster that run packages, by kind, namespace and name. */
export type Cluster = ReadonlyMap<string, KrmObject>

/** Returns the key of an object in a cluster. */
export function clusterKey(kind: string, namespace: string | undefined, name: string): string {
  return `${kind} ${namespace ?? ''} ${name}`
}

/** A revision of a Provider, and the cluster that has its roles. */
interface RoleRun extends ReconciledPackage {
  readonly revision: RevisionObject
  readonly cluster: Cluster
  readonly state: CrossplaneState
}

export function controllerReference(owner: ObjectOwner): JsonRecord {
  return { ...owner, controller: true, blockOwnerDeletion: true }
}

/** Returns the steps of the RBAC manager: the ClusterRoles for the kinds that a revision brings, and the binding of its ServiceAccount. */
export function roleSteps(run: RoleRun, serviceAccount: string): ControllerStep[] {
  const { revision, package: parent } = run
  const prefix = rolePrefix(revision)
  const resources = resourcesOf(run)
  const rules = [...new Set(resources.map(({ group }) => group))].map((group) => ({
    apiGroups: [group],
    resources: resources.flatMap((each) => (each.group === group ? [each.plural, `${each.plural}/status`] : [])),
  }))
  const metadata = (suffix: string) => ({ name: `${prefix}${suffix}`, ownerReferences: [controllerReference(revision.owner)] })
  const missing = Object.entries(VERBS).filter(([suffix]) => !run.cluster.has(clusterKey('ClusterRole', undefined, `${prefix}${suffix}`)))
  const edits = missing.map(([suffix, verbs]): ObjectEdit => {
    const rulesOf = rules.map((rule) => ({ ...rule, verbs }))
    const object = { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: metadata(suffix), rules: rulesOf }
    return { type: 'add', object, near: parent.object }
  })
  const names = missing.map(([suffix]) => suffix).join(', ')
  const what = `${countOf(edits.length, 'ClusterRole')} of ${prefix.slice(0, -1)} ${edits.length === 1 ? 'is' : 'are'} made: ${names}`
  const why = `the RBAC manager grants the ${countOf(resources.length, 'kind')} that the revision brings`
  return [...(rules.length === 0 || edits.length === 0 ? [] : [{ what, why, edits }]), ...bindingSteps(run, serviceAccount)]
}

/** The ends of the names of ClusterRoles, with the verbs that each grants. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  'aggregate-to-edit': ['*'],
  'aggregate-to-view': ['get', 'list', 'watch'],
  system: ['get', 'list', 'watch', 'update', 'patch', 'create'],
}

export function rolePrefix({ revision }: RevisionObject): string {
  return `crossplane:provider:${revision.name}:`
}

/** Returns the resources that a revision defines, by the names of its definitions: `buckets.s3.aws.io`. */
function resourcesOf({ revision, state: { known } }: RoleRun): readonly { readonly plural: string; readonly group: string }[] {
  const contents = known.ofImage(parseReference(revision.image))?.contents() ?? []
  return contents.flatMap(({ object }) => {
    const [, plural, group] = /^CustomResourceDefinition ([^.]+)\.(.+)$/.exec(object) ?? []
    return plural === undefined || group === undefined ? [] : [{ plural, group }]
  })
}

function bindingSteps({ cluster, revision, package: parent }: RoleRun, serviceAccount: string): ControllerStep[] {
  const name = `${rolePrefix(revision)}system`
  const subjects = [{ kind: 'ServiceAccount', name: serviceAccount, namespace: NAMESPACE }]
  const there = cluster.get(clusterKey('ClusterRoleBinding', undefined, name))
  const what = `ClusterRoleBinding ${name} binds ServiceAccount ${NAMESPACE}/${serviceAccount}`
  const why = 'the RBAC manager binds what the Deployment of the revision runs as'
  const [bound] = recordsOf(there?.get(['subjects']))
  if (bound !== undefined && scalarText(lookup(bound, 'name')) === serviceAccount) return []
  if (there !== undefined) return [setStep(there, [{ path: ['subjects'], value: subjects }], what, why)]
  const object = {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name, ownerReferences: [controllerReference(revision.owner)] },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
    subjects,
  }
  return [{ what, why, edits: [{ type: 'add', object, near: parent.object }] }]
}
