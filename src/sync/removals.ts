import { groupBy } from '../group-by.ts'
import { asList, asRecord, isRecord, type JsonRecord, scalarText } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { type Fault, faultToResult } from '../schema/fault.ts'
import { asQuestion, nearestName } from '../schema/nearest-name.ts'
import { countOf, nameFirst } from '../wording.ts'
import { isSettled } from './left-objects.ts'
import type { SyncOptions } from './options.ts'
import { referenceKey } from './successor-sources.ts'

/** The objects of a list for which removals are judged. */
export interface RemovalScene {
  /** The objects of the GenerateSync that the fleet does not need. */
  readonly left: readonly KrmObject[]
  /** The names of the objects that the fleet needs. */
  readonly wanted: ReadonlySet<string>
  /** The other objects as they will be, and those that are removed too. */
  readonly values: ReadonlyMap<KrmObject, JsonRecord>
}

/**
 * Returns an error for each object in the option `remove` that an object needs which stays, and a finding for each name of no object that
 * can be removed: a warning in the options, which keep the names of removed objects, an error for a name that the caller gave. Flux applies
 * nothing from a source that is gone, and waits for ever for a Kustomization that is gone.
 */
export function removalFaults({ left, wanted, values }: RemovalScene, options: SyncOptions): readonly Result[] {
  const goes = left.filter(({ name = '' }) => options.remove.has(name))
  const stays = [...values].filter(([object]) => !goes.includes(object)).map(([, value]) => value)
  const names = left.map(({ name = '' }) => name)
  return [
    ...neededObjects(goes, stays).map(({ object, users }) => neededFault(object, users, options)),
    ...[...options.remove].filter((name) => !names.includes(name)).map((name) => unknownName(name, { names, wanted }, options)),
  ]
}

/**
 * Returns an error for the objects that are removed while the last commit still has them with the power to delete, at the first of them: a
 * controller that applies the next commit removes an object as the last commit has it, with every resource that the object deployed.
 *
 * @param committed  the sync objects of the last commit; of two with one identity, the first counts
 */
export function earlyRemovals(removed: readonly KrmObject[], committed: readonly KrmObject[]): readonly Result[] {
  const byIdentity = groupBy(committed, identityOf)
  const formerOf = (object: KrmObject): KrmObject | undefined => byIdentity.get(identityOf(object))?.[0]
  const isEarly = (former: KrmObject | undefined): boolean => former !== undefined && !isSettled(former.toJson())
  const [first, ...others] = removed.filter((object) => isEarly(formerOf(object)))
  const former = first && formerOf(first)
  if (first === undefined || former === undefined) return []
  const rest = others.length === 0 ? '' : `, as for ${countOf(others.length, 'other object')}`
  const message = `must not be removed yet${rest}: the last commit has ${deletingFieldOf(former)}, with which the controller deletes every resource that the object deployed; commit and apply the present state first`
  return [faultToResult(first, { severity: 'error', rule: 'sync-removal-early', path: ['metadata', 'name'], message })]
}

function identityOf({ apiVersion = '', kind = '', namespace = '', name = '' }: KrmObject): string {
  return [groupOf(apiVersion), kind, namespace, name].join(' ')
}

function deletingFieldOf(object: KrmObject): string {
  if (object.kind === 'ApplicationSet') return 'it without `preserveResourcesOnDeletion`'
  if (object.kind !== 'Kustomization') return 'it with a finalizer, an annotation or `prune: true`'
  return object.get(['spec', 'prune']) === true
    ? 'it with `prune: true`'
    : `it with \`deletionPolicy: ${scalarText(object.get(['spec', 'deletionPolicy']))}\``
}

/** Returns the objects that go although objects need them that stay, with the names of the latter. */
export function neededObjects(
  goes: readonly KrmObject[],
  stays: readonly JsonRecord[],
): readonly { readonly object: KrmObject; readonly users: readonly string[] }[] {
  const needs = stays.map((value) => ({ name: nameOf(value), references: referencesOf(value) }))
  return goes.flatMap((object) => {
    const key = fluxKey(object.toJson())
    const users = needs.filter(({ references }) => references.includes(key)).map(({ name }) => name)
    return users.length === 0 ? [] : [{ object, users }]
  })
}

function neededFault({ name = '', kind = '' }: KrmObject, users: readonly string[], { config }: SyncOptions): Result {
  const message = `must not name ${kind} '${name}' without what needs it: ${users.join(', ')}`
  return aboutName(name, config, { severity: 'error', rule: 'sync-needed', message })
}

function unknownName(
  name: string,
  { names, wanted }: { readonly names: readonly string[]; readonly wanted: ReadonlySet<string> },
  { config }: SyncOptions,
): Result {
  const why = wanted.has(name) ? ', which the fleet needs' : asQuestion(nearestName(name, names))
  const known = names.length === 0 ? 'there is none' : nameFirst(names, MOST_NAMES)
  const message = `must be the name of a sync object that the fleet does not need (${known}), else nothing is removed; got ${quoteText(name)}${why}`
  const severity = asList(config.get(['spec', 'remove'])).includes(name) ? 'warning' : 'error'
  return aboutName(name, config, { severity, rule: 'sync-remove', message })
}

/** The most names of objects in a message. */
const MOST_NAMES = 10

/** Returns a finding about a name of the option `remove`, at its place in the options; one that the caller gave is in no file. */
function aboutName(name: string, config: KrmObject, { severity, rule, message }: Pick<Fault, 'severity' | 'rule' | 'message'>): Result {
  const index = asList(config.get(['spec', 'remove'])).indexOf(name)
  if (index === -1) return { severity, message: `\`--remove\` ${message}`, tags: { rule } }
  return faultToResult(config, { severity, rule, path: ['spec', 'remove', index], message })
}

/** Returns what an object of Flux needs: the source that it reads, and the objects of its kind that must be ready first. */
function referencesOf(value: JsonRecord): readonly string[] {
  const spec = asRecord(value.spec)
  const namespace = scalarText(asRecord(value.metadata).namespace)
  const chart = asRecord(asRecord(spec.chart).spec)
  const sources = [spec.sourceRef, spec.chartRef, chart.sourceRef].filter(isRecord)
  const others = asList(spec.dependsOn).map((other): JsonRecord => ({ ...asRecord(other), kind: scalarText(value.kind) }))
  if (!groupOf(scalarText(value.apiVersion)).endsWith(FLUX)) return []
  return [...sources, ...others].map((reference) => referenceKey(reference, { namespace, ...reference }))
}

const FLUX = '.toolkit.fluxcd.io'

function fluxKey(value: JsonRecord): string {
  return groupOf(scalarText(value.apiVersion)).endsWith(FLUX) ? referenceKey(value, asRecord(value.metadata)) : ''
}

function nameOf({ kind, metadata }: JsonRecord): string {
  return `${scalarText(kind)} '${scalarText(asRecord(metadata).name)}'`
}
