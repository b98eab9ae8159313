import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { type JsonRecord, recordsOf, scalarText } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../result.ts'
import { dependencyGraph } from '../check-graph.ts'
import { checkRequirements } from '../check-requirements.ts'
import type { Finding } from '../finding.ts'
import { dependenciesOf, impliedNodes } from '../graph.ts'
import type { PackageIndex } from '../package-index.ts'
import { type ControllerStep, type PackageSummary, type Reconciliation, setStep } from '../reading/ecosystem.ts'
import { fieldAt, textAt } from '../reading/field.ts'
import { NO_KINDS } from '../reading/served-kinds.ts'
import { describeWanted, directRequirements } from '../requirements.ts'
import { lockSteps } from './lock-steps.ts'
import { type CrossplanePackage, keyOfPackage, readLock } from './objects.ts'
import { type CrossplaneState, establishSteps, ownershipSteps } from './ownership.ts'
import { findingAt } from './package-finding.ts'
import { hasChange } from './releases.ts'
import {
  activeAfter,
  type CrossplaneRevision,
  currentRevisionName,
  numberOf,
  type ObservedCrossplanePackage,
  ownerOf,
  PACKAGE_LABEL,
  type ReconciledPackage,
  type RevisionObject,
  type RevisionStep,
  reconcileCurrent,
  reconcileSeed,
  seedRevisionName,
} from './revisions.ts'
import { checkSingleLock } from './rules/lock.ts'
import { checkObserved } from './rules/revisions.ts'
import { runtimeSteps } from './runtime.ts'

/** Returns the outcome of one reconcile of every package, sorted by kind and name. */
export function reconcilePackages(state: CrossplaneState): ReconciledPackage[] {
  const byPackage = groupBy(state.revisions, ({ packageKey }) => packageKey)
  const observe = observer(state)
  const sorted = [...state.packages].sort((a, b) => compareText(keyOfPackage(a), keyOfPackage(b)))
  return sorted.map((each) => {
    const revisions = byPackage.get(keyOfPackage(each)) ?? []
    const observed = observe(each, revisions)
    const reconcile = observed && (state.semantics === 'seed' ? reconcileSeed : reconcileCurrent)(observed)
    return { package: each, revisions, observed, reconcile }
  })
}

// The CRD's default; a limit below 0 is reported as a fault.
const DEFAULT_LIMIT = 1

function observer(
  state: CrossplaneState,
): (each: CrossplanePackage, own: readonly RevisionObject[]) => ObservedCrossplanePackage | undefined {
  const missingOf = missingFinder(state.index)
  const named = groupBy(state.revisions, ({ revision }) => revision.name)
  return (each, own) => {
    const wanted = wantedRevision(each, state)
    if (wanted === undefined) return undefined
    return {
      wanted,
      // As in Crossplane, any other text than Automatic activates nothing.
      policy: ['', 'Automatic'].includes(textAt(each.object, 'spec', 'revisionActivationPolicy')) ? 'Automatic' : 'Manual',
      limit: numberOf(fieldAt(each.object, ['spec', 'revisionHistoryLimit'])) ?? DEFAULT_LIMIT,
      current: textAt(each.object, 'status', 'currentRevision') || undefined,
      revisions: own.map(({ revision }) => revision),
      obstacles: [...missingOf(each), ...state.conflictsOf(each), ...nameTaken(each, named.get(wanted) ?? [])],
    }
  }
}

// Two packages of one image: in seed 003 their revisions have one name.
function nameTaken(each: CrossplanePackage, named: readonly RevisionObject[]): string[] {
  const others = named.filter(({ packageKey }) => packageKey !== keyOfPackage(each))
  return others.map(({ revision, packageKey }) => `${revision.name} is a revision of ${packageKey} already`)
}

function wantedRevision(
  { name, object, reference }: CrossplanePackage,
  { known, semantics, crossplaneVersion }: CrossplaneState,
): string | undefined {
  const digest = reference.digest || known.digestOf(reference.source, reference.tag)
  if (digest === '') return undefined
  if (semantics === 'seed') return seedRevisionName(digest)
  const generation = numberOf(fieldAt(object, ['metadata', 'generation'])) ?? 1
  return currentRevisionName(name, digest, hasChange('generation-in-names', crossplaneVersion) ? generation : undefined)
}

/**
 * Returns the steps of the package manager in one reconcile of each package: first the revisions, then the owners of the objects that they
 * bring. Faults that make the steps uncertain are returned instead of steps.
 */
export function reconcileCrossplane(state: CrossplaneState): Reconciliation {
  const reconciled = reconcilePackages(state)
  const blocking = [...checkSingleLock(state.objects), ...checkObserved(state.revisions, reconciled)]
  const packages = reconciled.map(stateOf)
  if (blocking.length > 0) return { steps: [], findings: blocking, packages }
  const locked = new Set(readLock(state.objects).map(({ name }) => name))
  const resolve = revisionResolver(state.index)
  const steps = reconciled.flatMap((each) => [
    ...pullSteps(each, state),
    ...revisionSteps(each),
    ...(state.semantics === 'seed' ? [] : imageSteps(each)),
    ...currentStep(each),
    // A revision without an entry in the Lock is new.
    ...countSteps(each, (name) => resolve({ source: each.package.reference.source, isNew: !locked.has(name), isActive: true })),
  ])
  const owned = ownershipSteps(reconciled, state)
  const findings = [...reconciled.flatMap(faultsOf), ...owned.findings]
  const runtime = runtimeSteps(reconciled, state, unhealthyIn(findings))
  const established = establishSteps(reconciled, state, unhealthyIn([...findings, ...runtime.findings]))
  const clusterSteps = [...(state.semantics === 'seed' ? [] : lockSteps(reconciled, state)), ...established, ...runtime.steps]
  return { steps: [...steps, ...owned.steps], clusterSteps, findings, clusterFindings: runtime.findings, packages }
}

/** Returns the sources of packages that lack a dependency or an object. */
function unhealthyIn(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(findings.flatMap(({ rule, tags }) => (rule === 'revision-unhealthy' ? (tags.package ?? []) : [])))
}

function stateOf({ package: { object, field }, revisions, observed }: ReconciledPackage): PackageSummary {
  const parts = revisions.map(({ revision: { name, number, state } }) => {
    const isCurrent = observed?.current === name
    const waits =
      isCurrent && state !== 'Active' ? `; ${observed.policy === 'Manual' ? 'a person must activate it' : 'not Active yet'}` : ''
    return `${name} ${state ?? 'Inactive'}, revision ${number}${isCurrent ? ', current' : ''}${waits}`
  })
  const unknown = observed === undefined ? ['its revisions are not known, since nothing says the digest of its image'] : []
  return { name: formatResourceRef(object.ref), at: scalarText(field.value), parts: [...parts, ...unknown] }
}

const RESOLVED = ['status', 'resolvedPackage']
const APPLIED = ['status', 'appliedImageConfigRefs']
const REWRITE = 'RewriteImage'

/**
 * Returns the step that records where a package is pulled from, if an ImageConfig says so or no longer does. `spec.package` stays
 * (internal/controller/pkg/manager/reconciler.go).
 */
function pullSteps({ package: { object, field } }: ReconciledPackage, { rewrites }: CrossplaneState): ControllerStep[] {
  const image = scalarText(field.value)
  const found = rewrites.rewrite(image)
  const before = textAt(object, ...RESOLVED)
  const resolved = found?.image ?? image
  if (object.kind === 'Package' || before === resolved || (before === '' && found === undefined)) return []
  const others = recordsOf(object.get(APPLIED)).filter(({ reason }) => reason !== REWRITE)
  const refs = found === undefined ? others : [...others, { name: found.config.name, reason: REWRITE }]
  const what = `${formatResourceRef(object.ref)} is pulled from ${resolved}`
  const why = found === undefined ? 'no ImageConfig rewrites it' : `${formatResourceRef(found.config.object.ref)} rewrites ${image}`
  const fields = [
    { path: RESOLVED, value: resolved },
    { path: APPLIED, value: refs.length === 0 ? undefined : refs },
  ]
  return [setStep(object, fields, what, why)]
}

function revisionSteps({ package: parent, revisions, reconcile }: ReconciledPackage): ControllerStep[] {
  const kind = `${parent.kind}Revision`
  return (reconcile?.steps ?? []).map((step) => {
    const object = revisions.find(({ revision }) => revision.name === step.revision.name)?.object
    return { what: describeStep(kind, step), why: step.why, edits: editsOf(step, object, parent) }
  })
}

/** Returns the step that gives the wanted revision the image of the package, where another image with its digest made the revision. */
function imageSteps({ package: { kind, field }, revisions, reconcile }: ReconciledPackage): ControllerStep[] {
  const image = scalarText(field.value)
  const there = revisions.find(({ revision }) => revision.name === reconcile?.current)
  const isGone = reconcile?.steps.some(({ op, revision }) => op === 'delete' && revision.name === there?.revision.name)
  if (there === undefined || isGone || there.image === image || kind === 'Package') return []
  const fields = [{ path: ['spec', 'image'], value: image }]
  const what = `${kind}Revision ${there.revision.name} has the image ${image}`
  return [setStep(there.object, fields, what, `${there.image || 'its image'} has the same digest`)]
}

function describeStep(kind: string, { op, revision }: RevisionStep): string {
  const name = `${kind} ${revision.name}`
  if (op === 'delete') return `${name} (revision ${revision.number}) is deleted`
  const state = `${revision.state ?? 'Inactive'}, revision ${revision.number}`
  return op === 'create' ? `${name} is made: ${state}` : `${name} becomes ${state}`
}

function editsOf({ op, revision }: RevisionStep, object: KrmObject | undefined, parent: CrossplanePackage): ControllerStep['edits'] {
  // Kinds of the seed are read, never written.
  if (parent.kind === 'Package') return []
  if (op === 'create') return [{ type: 'add', object: revisionObject(revision, parent), near: parent.object }]
  if (object === undefined) return []
  if (op === 'delete') return [{ type: 'remove', object }]
  const fields = [
    { path: ['spec', 'desiredState'], value: revision.state ?? 'Inactive' },
    { path: ['spec', 'revision'], value: revision.number },
  ]
  return [{ type: 'set', object, fields }]
}

function revisionObject(
  { name, number, state }: CrossplaneRevision,
  { kind, name: packageName, object, field }: CrossplanePackage,
): JsonRecord {
  const { uid, ...owner } = ownerOf(object)
  return {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: `${kind}Revision`,
    metadata: {
      name,
      labels: { [PACKAGE_LABEL]: packageName },
      ...(uid !== '' && { ownerReferences: [{ ...owner, uid, controller: true, blockOwnerDeletion: true }] }),
    },
    spec: { desiredState: state ?? 'Inactive', image: scalarText(field.value), revision: number },
  }
}

function currentStep({ package: { object, kind, name }, reconcile }: ReconciledPackage): ControllerStep[] {
  const path = ['status', 'currentRevision']
  const current = reconcile?.current
  if (current === undefined || textAt(object, ...path) === current || kind === 'Package') return []
  const what = `${kind} ${name} has ${current} as its current revision`
  return [setStep(object, [{ path, value: current }], what, 'it is the revision that the package is at')]
}

const COUNTS = ['foundDependencies', 'installedDependencies', 'invalidDependencies'] as const

/** Returns the steps that write the dependency counts of an Active revision. */
function countSteps(each: ReconciledPackage, countOf: (revision: string) => RevisionDependencies): ControllerStep[] {
  const { package: parent, reconcile } = each
  const active = activeAfter(each)
  if (active === undefined || reconcile === undefined || parent.kind === 'Package') return []
  const { object, revision } = active
  const counts = countOf(revision.name)
  const values = [counts.found, counts.installed, counts.invalid]
  const fields = COUNTS.map((key, i) => ({ path: ['status', key], value: values[i] ?? 0 }))
  const changed = fields.filter(({ path, value }) => (numberOf(fieldAt(object, path)) ?? 0) !== value)
  if (changed.length === 0) return []
  const what = `${formatResourceRef(object.ref)} finds ${counts.installed} of ${counts.found} dependencies, ${counts.invalid} in a wrong version`
  return [setStep(object, changed, what, 'it looks into the Lock')]
}

function faultsOf({ package: parent, observed, reconcile }: ReconciledPackage): Finding[] {
  if (observed === undefined) {
    const message = `nothing says the digest of ${scalarText(parent.field.value)} (a digest in \`spec.package\`, or \`digest\` in a Catalog): its revisions are not known`
    return [findingAt(parent, 'revision-unknown', message)]
  }
  const name = formatResourceRef(parent.object.ref)
  return (reconcile?.faults ?? []).map((fault) => findingAt(parent, 'revision-unhealthy', `${name}: ${fault}`))
}

/** A package revision that looks whether it has what it needs; it is new if the Lock has no entry of it yet. */
interface ResolvingRevision {
  readonly source: string
  readonly isNew: boolean
  readonly isActive: boolean
}

/** The counts of a revision: packages that it needs, those of them that are installed, and those that are installed in a wrong version. */
export interface RevisionDependencies {
  readonly found: number
  readonly installed: number
  readonly invalid: number
}

/** Returns a function that lists the missing required packages of a package: `missing dependency xpkg.example.org/a/b ">=v1.0.0" (AT)`. */
function missingFinder({ dependents, isProvided }: PackageIndex): (each: CrossplanePackage) => string[] {
  const bySource = groupBy(dependents, ({ package: pkg }) => pkg?.id)
  return ({ reference, object }) => {
    const own = (bySource.get(reference.source) ?? []).filter(({ install }) => install?.place.ref.name === object.name)
    return directRequirements(own).flatMap(({ requirement }) => {
      const { package: pkg, optional } = requirement
      const isMissing = !optional && pkg.installs.length === 0 && !isProvided(pkg)
      return isMissing ? [`missing dependency ${pkg.id}${describeWanted(requirement)}`] : []
    })
  }
}

/**
 * Returns a function that counts the dependencies of a revision in the Lock (internal/controller/pkg/revision/dependency.go, Resolve). An
 * Inactive revision counts none. A new revision with a missing direct dependency counts its direct dependencies, any other revision all
 * that it needs. Versions are compared when nothing is missing.
 */
export function revisionResolver(index: PackageIndex): (revision: ResolvingRevision) => RevisionDependencies {
  const graph = dependencyGraph(index)
  const missing = new Set(impliedNodes(graph))
  const violations = violationsBySource(index)
  return ({ source, isNew, isActive }) => {
    if (!isActive) return { found: 0, installed: 0, invalid: 0 }
    const direct = [...new Set(graph.get(source) ?? [])]
    const found = isNew && direct.some((each) => missing.has(each)) ? direct : dependenciesOf(graph, source)
    const absent = found.filter((each) => missing.has(each)).length
    const violated = violations.get(source) ?? []
    return { found: found.length, installed: found.length - absent, invalid: absent > 0 ? 0 : violated.length }
  }
}

/** Returns the violations by packages that are installed in a wrong version, grouped by the package that requires them. */
function violationsBySource(index: PackageIndex): ReadonlyMap<string | undefined, readonly Finding[]> {
  const all = checkRequirements(index, NO_KINDS, { downgrades: false })
  const violated = all.filter(({ tags, rule }) => tags.installed !== undefined && rule !== 'dependency-missing')
  return groupBy(violated, ({ tags }) => tags.package)
}
