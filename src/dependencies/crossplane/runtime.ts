import { definedEntries } from '../../group-by.ts'
import { isRecord, type JsonRecord, lookup, recordsOf, scalarText } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../result.ts'
import { didYouMean } from '../../schema/nearest-name.ts'
import { type Finding, quote } from '../finding.ts'
import type { ControllerStep, ObjectEdit, Reconciliation } from '../reading/ecosystem.ts'
import { fieldAt, type ObjectField, placeOfField, textAt, textOfField } from '../reading/field.ts'
import { groupKind, ownersOf } from '../reading/object-metadata.ts'
import type { CrossplanePackage } from './objects.ts'
import type { CrossplaneState } from './ownership.ts'
import { packageFinding } from './package-finding.ts'
import { activeAfter, type ReconciledPackage, type RevisionObject, revisionsAfter } from './revisions.ts'
import { type Cluster, clusterKey, controllerReference, NAMESPACE, rolePrefix, roleSteps } from './roles.ts'

/** The container of the program in a Deployment that Crossplane makes. */
const CONTAINER = 'package-runtime'

/**
 * Returns the steps on what runs a Provider or Function: a Deployment with its ServiceAccount and Service, and for a Provider the
 * ClusterRoles and their binding (internal/controller/pkg/runtime, internal/controller/rbac/provider). An Active revision runs if it has
 * its dependencies and objects. An Inactive one loses its Deployment; in seed 003 also its ServiceAccount and permissions. The Secrets with
 * certificates are left out.
 *
 * @param unhealthy  the sources of packages that lack a dependency or an object
 */
export function runtimeSteps(
  reconciled: readonly ReconciledPackage[],
  state: CrossplaneState,
  unhealthy: ReadonlySet<string>,
): Pick<Reconciliation, 'findings'> & { readonly steps: readonly ControllerStep[] } {
  const { objects } = state
  const cluster = new Map(state.cluster.map((object) => [clusterKey(object.kind ?? '', object.namespace, object.name ?? ''), object]))
  const configs = new Map(objects.flatMap((object) => (groupKind(object) === RUNTIME_CONFIG ? [[object.name ?? '', object] as const] : [])))
  const runOf = (each: ReconciledPackage, revision: RevisionObject): Run => {
    return { ...each, revision, cluster, state, holders, config: configs.get(configNameOf(each, state).name) }
  }
  const running = reconciled.filter(({ package: { kind } }) => kind === 'Provider' || kind === 'Function')
  const holders = activeOwners(running)
  const steps = running.flatMap((each) => {
    const after = new Map(revisionsAfter(each).map((revision) => [revision.name, revision.state]))
    const isHealthy = !unhealthy.has(each.package.reference.source) && configFault(each, configs, state) === undefined
    return each.revisions.flatMap((revision) => {
      const { name } = revision.revision
      if (!after.has(name) || revision.owner.uid === '') return []
      const run = runOf(each, revision)
      if (after.get(name) !== 'Active') return stopSteps(run)
      return isHealthy ? startSteps(run) : []
    })
  })
  const faults = running.flatMap((each) => configFault(each, configs, state) ?? [])
  const shared = running.flatMap((each) => {
    const revision = activeAfter(each)
    return revision === undefined || unhealthy.has(each.package.reference.source) ? [] : fights(runOf(each, revision))
  })
  return { steps, findings: [...faults, ...shared] }
}

/** Returns the package of each revision that is Active after a reconcile, by the name of the revision. */
function activeOwners(reconciled: readonly ReconciledPackage[]): ReadonlyMap<string, CrossplanePackage> {
  return definedEntries(
    reconciled.map((each) => {
      const active = activeAfter(each)
      return [active?.owner.name ?? '', active && each.package]
    }),
  )
}

/** Returns the other package whose Active revision controls an object; undefined if there is none. */
function otherHolder(there: KrmObject, { holders, package: parent }: Run): CrossplanePackage | undefined {
  const [holder] = ownersOf(there).flatMap(({ controller, name }) => (controller ? (holders.get(name) ?? []) : []))
  return holder === undefined || holder.object === parent.object ? undefined : holder
}

/**
 * Reports a Deployment or Service that two packages write: each reconcile gives it the image and the owner of another one. A ServiceAccount
 * has no content of its own, so packages may share it (internal/controller/pkg/runtime, applySA).
 */
function fights(run: Run): readonly Finding[] {
  const program = programOf(run)
  const { cluster, config, package: parent } = run
  return (['Deployment', 'Service'] as const).flatMap((kind) => {
    const name = kind === 'Deployment' ? program.deployment : program.service
    const there = cluster.get(clusterKey(kind, NAMESPACE, name))
    const other = there && otherHolder(there, run)
    if (there === undefined || other === undefined || config === undefined) return []
    const field = fieldAt(config, ['spec', kind === 'Deployment' ? 'deploymentTemplate' : 'serviceTemplate', 'metadata', 'name'])
    const message = `${formatResourceRef(parent.object.ref)} and ${formatResourceRef(other.object.ref)} both write ${formatResourceRef(there.ref)}, again and again: each gives it its own content. ${formatResourceRef(config.ref)} must not name it for several packages`
    return [packageFinding('controllers-fight', message, placeOfField(field), parent.reference.source)]
  })
}

const RUNTIME_CONFIG = 'pkg.crossplane.io/DeploymentRuntimeConfig'
/** Crossplane makes the DeploymentRuntimeConfig of this name itself. */
const DEFAULT_CONFIG = 'default'

/** Returns the name of the DeploymentRuntimeConfig of a package, and the field with the name: that of an ImageConfig comes first. */
function configNameOf(
  { package: { object, field: image } }: ReconciledPackage,
  { rewrites }: CrossplaneState,
): { readonly name: string; readonly field: ObjectField } {
  const field = rewrites.runtimeConfigOf(scalarText(image.value)) ?? fieldAt(object, ['spec', 'runtimeConfigRef', 'name'])
  return { name: textOfField(field) || DEFAULT_CONFIG, field }
}

function configFault(each: ReconciledPackage, configs: ReadonlyMap<string, KrmObject>, state: CrossplaneState): Finding | undefined {
  const { object, reference } = each.package
  const { name, field } = configNameOf(each, state)
  if (name === DEFAULT_CONFIG || configs.has(name)) return undefined
  const message = `${formatResourceRef(object.ref)} runs nothing: no DeploymentRuntimeConfig is named ${quote(name)}${didYouMean(name, [...configs.keys()])}`
  return packageFinding('revision-unhealthy', message, placeOfField(field), reference.source)
}

/** A revision of a Provider or Function, and the objects that run it. */
interface Run extends ReconciledPackage {
  readonly revision: RevisionObject
  readonly cluster: Cluster
  readonly state: CrossplaneState
  /** The packages of Active revisions, by the names of the revisions. */
  readonly holders: ReadonlyMap<string, CrossplanePackage>
  /** The DeploymentRuntimeConfig, if the list has it. */
  readonly config: KrmObject | undefined
}

function startSteps(run: Run): ControllerStep[] {
  const program = programOf(run)
  return [...programSteps(run, program), ...(run.package.kind === 'Provider' ? roleSteps(run, program.serviceAccount) : [])]
}

/** The names of the objects that run a revision, as its DeploymentRuntimeConfig may say. */
interface Program {
  readonly deployment: string
  readonly serviceAccount: string
  /** False if the Deployment runs as another ServiceAccount, which is the user's. */
  readonly makesServiceAccount: boolean
  readonly service: string
  readonly image: string
}

function programOf({ package: parent, revision, state, config }: Run): Program {
  const { name } = revision.revision
  const text = (...path: readonly string[]): string => (config === undefined ? '' : textAt(config, 'spec', ...path))
  const own = text('serviceAccountTemplate', 'metadata', 'name') || name
  const serviceAccount = text('deploymentTemplate', 'spec', 'template', 'spec', 'serviceAccountName') || own
  return {
    deployment: text('deploymentTemplate', 'metadata', 'name') || name,
    serviceAccount,
    makesServiceAccount: serviceAccount === own,
    service: text('serviceTemplate', 'metadata', 'name') || parent.name,
    image: imageIn(config) || (state.rewrites.rewrite(revision.image)?.image ?? revision.image),
  }
}

/** Returns the image that a DeploymentRuntimeConfig names for the program. */
function imageIn(config: KrmObject | undefined): string {
  const containers = config?.get(['spec', 'deploymentTemplate', 'spec', 'template', 'spec', 'containers'])
  return scalarText(recordsOf(containers).find((each) => lookup(each, 'name') === CONTAINER)?.image)
}

function programSteps(run: Run, program: Program): ControllerStep[] {
  const { cluster, revision, config, package: parent } = run
  const metadata = (name: string) => ({ name, namespace: NAMESPACE, ownerReferences: [controllerReference(revision.owner)] })
  const there = cluster.get(clusterKey('Deployment', NAMESPACE, program.deployment))
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(program.deployment),
    spec: {
      template: { spec: { serviceAccountName: program.serviceAccount, containers: [{ name: CONTAINER, image: program.image }] } },
    },
  }
  const beside = [
    ...(program.makesServiceAccount ? [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata(program.serviceAccount) }] : []),
    { apiVersion: 'v1', kind: 'Service', metadata: metadata(program.service) },
  ]
  const edits = beside.flatMap((object) => addOrOwn(object, run))
  const why = config
    ? `${formatResourceRef(config.ref)} says how an Active revision runs`
    : 'an Active revision runs the program in its image'
  if (there !== undefined && otherHolder(there, run) !== undefined) return []
  if (there !== undefined) return changedProgram(there, program, edits, why)
  const account = program.makesServiceAccount
    ? `with ServiceAccount ${program.serviceAccount} and`
    : `as ServiceAccount ${program.serviceAccount}, with`
  const what = `Deployment ${NAMESPACE}/${program.deployment} is made ${account} Service ${program.service}`
  return [{ what, why, edits: [...edits, { type: 'add', object: deployment, near: parent.object }] }]
}

/** Returns the step that gives an existing Deployment another image or ServiceAccount. */
function changedProgram(
  there: KrmObject,
  { serviceAccount, image }: Program,
  beside: readonly ObjectEdit[],
  why: string,
): ControllerStep[] {
  const pod = ['spec', 'template', 'spec']
  const containers = there.get([...pod, 'containers'])
  const index = Array.isArray(containers) ? containers.findIndex((each) => isRecord(each) && lookup(each, 'name') === CONTAINER) : -1
  const imagePath = [...pod, 'containers', Math.max(index, 0), 'image']
  const fields = [
    { path: [...pod, 'serviceAccountName'], value: serviceAccount },
    { path: imagePath, value: image },
  ].filter(({ path, value }) => index >= 0 && there.get(path) !== value)
  if (fields.length === 0 && beside.length === 0) return []
  const what = `${formatResourceRef(there.ref)} runs ${image} as ServiceAccount ${serviceAccount}`
  return [{ what, why, edits: [...beside, ...(fields.length === 0 ? [] : [{ type: 'set' as const, object: there, fields }])] }]
}

/** Adds an object, or makes the revision the controller of the existing one. */
function addOrOwn(object: JsonRecord & { readonly kind: string; readonly metadata: JsonRecord }, run: Run): ObjectEdit[] {
  const { cluster, revision, package: parent } = run
  const there = cluster.get(clusterKey(object.kind, NAMESPACE, scalarText(object.metadata.name)))
  if (there === undefined) return [{ type: 'add', object, near: parent.object }]
  if (otherHolder(there, run) !== undefined) return []
  if (isControlledBy(there, revision)) return []
  return [{ type: 'set', object: there, fields: [{ path: ['metadata', 'ownerReferences'], value: [controllerReference(revision.owner)] }] }]
}

function isControlledBy(object: KrmObject, { owner }: RevisionObject): boolean {
  return ownersOf(object).some(({ controller, name }) => controller && name === owner.name)
}

/** Returns the steps after a revision turned Inactive. */
function stopSteps(run: Run): ControllerStep[] {
  const { cluster, revision, state } = run
  const program = programOf(run)
  const deployment = cluster.get(clusterKey('Deployment', NAMESPACE, program.deployment))
  if (state.semantics === 'seed') return seedStopSteps(run)
  if (deployment === undefined || !isControlledBy(deployment, revision)) return []
  const binding = cluster.get(clusterKey('ClusterRoleBinding', undefined, `${rolePrefix(revision)}system`))
  const edits: ObjectEdit[] = [{ type: 'remove', object: deployment }]
  if (binding !== undefined) edits.push({ type: 'set', object: binding, fields: [{ path: ['subjects'], value: [] }] })
  const why = 'an Inactive revision runs nothing; its ServiceAccount and ClusterRoles stay as long as the revision'
  return [{ what: `${formatResourceRef(deployment.ref)} is deleted`, why, edits }]
}

function seedStopSteps({ cluster, revision }: Run): ControllerStep[] {
  const objects = [...cluster.values()].filter((object) => isControlledBy(object, revision) && object.kind !== 'Service')
  const why = 'an Inactive revision has no Deployment, no ServiceAccount and no permissions'
  return objects.map((object) => ({ what: `${formatResourceRef(object.ref)} is deleted`, why, edits: [{ type: 'remove', object }] }))
}
