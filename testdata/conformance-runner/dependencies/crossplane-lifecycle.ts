import { establish, release, withoutOwner } from '../../../src/dependencies/crossplane/ownership.ts'
import {
  afterSteps,
  type CrossplaneRevision,
  currentRevisionName,
  type DesiredState,
  type ObservedCrossplanePackage,
  type Reconciler,
  type RevisionStep,
  reconcileCurrent,
  reconcileSeed,
} from '../../../src/dependencies/crossplane/revisions.ts'
import type { ObjectOwner, OwnerReference } from '../../../src/dependencies/reading/object-metadata.ts'
import { reconcileObjects } from '../../../src/dependencies/resolve-objects.ts'
import { isRecord, type JsonRecord } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { planOn, readInput } from './plans.ts'
import { differ, lacksText, list, record, records, text, texts } from './vectors.ts'

/** One reconcile of a package, and what repeating it comes to. */
export function judgeReconcile(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const observed = observe(vector)
  const { steps, current } = reconcileCurrent(observed)
  const after = afterSteps(observed.revisions, steps).find(({ name }) => name === current)
  const inactivated = steps.filter(({ op, revision }) => op === 'update' && revision.name !== current)
  const deleted = steps.find(({ op }) => op === 'delete')
  return [
    ...differ('currentRevision', current, expected.currentRevision),
    ...differ('inactivate', names(inactivated).sort(), [...texts(expected, 'inactivate')].sort()),
    ...differ('delete', deleted?.revision.name ?? null, expected.delete ?? null),
    ...differ('apply', { revision: after?.number, desiredState: after?.state ?? null }, expected.apply),
    ...(expected.condition === undefined
      ? []
      : differ('condition', after?.state === 'Active' ? 'ActivePackageRevision' : 'InactivePackageRevision', expected.condition)),
    ...(vector.settled === undefined
      ? []
      : differ('settled', settledNames(observed, reconcileCurrent), [...texts(vector, 'settled')].sort())),
  ]
}

function observe(vector: JsonRecord): ObservedCrossplanePackage {
  const each = record(vector, 'package')
  const wanted = currentRevisionName(text(each, 'name'), text(each, 'digest'), Number(each.generation ?? 0))
  return {
    wanted,
    policy: each.revisionActivationPolicy === 'Manual' ? 'Manual' : 'Automatic',
    limit: limitOf(each.revisionHistoryLimit),
    current: undefined,
    revisions: revisionsOf(vector),
    obstacles: [],
  }
}

function limitOf(value: unknown): number | undefined {
  return value === undefined || value === null ? undefined : Number(value)
}

function revisionsOf(vector: JsonRecord): CrossplaneRevision[] {
  return records(vector, 'revisions').map((each) => ({
    name: text(each, 'name'),
    number: Number(each.revision),
    state: (text(each, 'desiredState') || undefined) as DesiredState | undefined,
  }))
}

function names(steps: readonly RevisionStep[]): string[] {
  return steps.map(({ revision }) => revision.name)
}

/** The steps of every reconcile until nothing changes. */
function settle(
  observed: ObservedCrossplanePackage,
  reconcile: Reconciler,
): { readonly steps: RevisionStep[]; readonly revisions: readonly CrossplaneRevision[] } {
  const all: RevisionStep[] = []
  let now = observed
  for (let round = 0; round <= observed.revisions.length + 2; round++) {
    const { steps, current } = reconcile(now)
    if (steps.length === 0) break
    all.push(...steps)
    now = { ...now, current, revisions: afterSteps(now.revisions, steps) }
  }
  return { steps: all, revisions: now.revisions }
}

function settledNames(observed: ObservedCrossplanePackage, reconcile: Reconciler): string[] {
  return settle(observed, reconcile)
    .revisions.map(({ name }) => name)
    .sort()
}

/** The owners of one object after a revision came or turned Inactive. */
export function judgeEstablish(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const before = Array.isArray(vector.before) ? records(vector, 'before').map(ownerReference) : null
  const revision = owner(record(vector, 'revision'))
  const rules = { uidsMayDiffer: false }
  if (text(vector, 'op') === 'release') {
    const after = before && release(before, revision, rules)
    return [
      ...differ('after', after?.map(shown) ?? null, expected.after),
      ...(expected.update === undefined ? [] : differ('update', after !== before, expected.update)),
    ]
  }
  const parent = isRecord(vector.package) ? owner(vector.package) : undefined
  const object = text(vector, 'object') || 'object'
  const made = establish(object, before, { revision, package: parent, control: vector.control === true, ...rules })
  if (expected.error !== undefined) return differ('error', 'error' in made ? made.error : undefined, expected.error)
  return differ('after', 'owners' in made ? (made.owners?.map(shown) ?? null) : made, expected.after)
}

function owner(each: JsonRecord): ObjectOwner {
  return { apiVersion: 'pkg.crossplane.io/v1', kind: text(each, 'kind'), name: text(each, 'name'), uid: text(each, 'uid') }
}

function ownerReference(each: JsonRecord): OwnerReference {
  return { ...owner(each), controller: each.controller === true }
}

function shown({ kind, name, uid, controller }: OwnerReference): JsonRecord {
  return { kind, name, uid, controller }
}

/** The rules of seed 003 on revisions, and on the objects of one that is deleted. */
export function judgeSeedLifecycle(vector: JsonRecord): readonly Difference[] {
  const event = text(vector, 'event')
  if (event.startsWith('delete revision ')) return judgeDeleted(vector, event.replace('delete revision ', ''))
  if (event.startsWith('install ')) return judgeInstalled(vector, event.replace('install ', ''))
  return judgeSeedRevisions(vector, event)
}

function judgeDeleted(vector: JsonRecord, revision: string): readonly Difference[] {
  const gone = Object.entries(record(vector, 'objects')).flatMap(([object, owners]) => {
    const before = (Array.isArray(owners) ? owners : []).map((name) => ownerReference({ kind: 'PackageRevision', name }))
    return withoutOwner(before, owner({ kind: 'PackageRevision', name: revision }), { uidsMayDiffer: true }).length === 0 ? [object] : []
  })
  return differ('objectsDeleted', gone.sort(), [...texts(record(vector, 'expect'), 'objectsDeleted')].sort())
}

function judgeSeedRevisions(vector: JsonRecord, event: string): readonly Difference[] {
  const expected = record(vector, 'expect')
  const [, chosen = ''] = /^user sets (\S+) Active$/.exec(event) ?? []
  const given = revisionsOf(vector)
  const wasActive = given.find(({ state }) => state === 'Active')?.name
  const revisions = given.map((each): CrossplaneRevision => (each.name === chosen ? { ...each, state: 'Active' } : each))
  const [, back] = /^spec\.package back to (\S+)$/.exec(event) ?? []
  const isCollection = event === 'gc'
  const observed: ObservedCrossplanePackage = {
    wanted: chosen || back || (isCollection ? (wasActive ?? '') : 'new'),
    policy: isCollection || text(vector, 'policy') === 'Manual' ? 'Manual' : 'Automatic',
    limit: limitOf(vector.limit),
    current: wasActive,
    revisions,
    obstacles: [],
  }
  const { steps, revisions: after } = settle(observed, reconcileSeed)
  const created = steps.find(({ op }) => op === 'create')?.revision
  const inactivated = steps.filter(({ op, revision }) => op === 'update' && revision.state === 'Inactive')
  const deleted = steps.filter(({ op }) => op === 'delete')
  const renumbered = after.filter(({ name, number }) => given.some((each) => each.name === name && each.number !== number))
  const answers: Readonly<Record<string, unknown>> = {
    created: created && { desiredState: created.state, revision: created.number },
    inactivated: names(inactivated).sort(),
    deleted: names(deleted).sort(),
    renumbered: Object.fromEntries(renumbered.map(({ name, number }) => [name, number])),
    active: after.find(({ state }) => state === 'Active')?.name ?? null,
    deletedNever: list(expected, 'deletedNever').filter((name) => !names(deleted).includes(String(name))),
  }
  return Object.entries(expected).flatMap(([key, value]) => differ(key, answers[key], value))
}

/** What is installed with a package, and whether its own revision is made without what it requires. */
function judgeInstalled(vector: JsonRecord, name: string): readonly Difference[] {
  const expected = record(vector, 'expect')
  const wanted = texts(record(record(vector, 'packages'), name), 'dependsOn').map((each) => {
    const [source = '', ...range] = each.split(' ')
    return { source, range: range.join(' ') }
  })
  const known = Object.entries(record(vector, 'available')).map(([id, versions]) => ({
    ecosystem: 'crossplane',
    id,
    kind: 'Provider',
    versions,
  }))
  const entry = {
    ecosystem: 'crossplane',
    id: name,
    kind: 'Configuration',
    versions: [
      {
        version: 'v1.0.0',
        digest: DIGEST,
        dependencies: wanted.map(({ source, range }) => ({ package: source, ...(range !== '' && { version: range }) })),
      },
    ],
  }
  const objects = [
    { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'known' }, spec: { packages: [entry, ...known] } },
    { apiVersion: 'pkg.crossplane.io/v1', kind: 'Configuration', metadata: { name: 'self' }, spec: { package: `${name}:v1.0.0` } },
  ]
  if (expected.creates !== undefined) {
    const { plan } = planOn(objects, { upgrades: 'none' }, [], 'seed')
    return differ(
      'creates',
      Object.fromEntries(plan.steps.filter(({ op }) => op === 'create').map(({ id, version }) => [id, version])),
      expected.creates,
    )
  }
  const { steps, findings } = reconcileObjects(readInput(objects, [], 'seed'))
  const said = findings.map(({ message }) => message.replaceAll('"', '')).join('\n')
  return [
    ...differ(
      'revisionCreated',
      steps.some(({ edits }) => edits.some(({ type }) => type === 'add')),
      expected.revisionCreated,
    ),
    ...lacksText([text(expected, 'status')], said),
  ]
}

const DIGEST = `sha256:${'a'.repeat(64)}`
