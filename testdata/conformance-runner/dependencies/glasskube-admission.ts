import type { JsonRecord, JsonValue } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { check, resolve, textIn, unmet, type WireResult } from './commands.ts'
import { isSame, ownManifest, packageObjects, repositoryCatalog } from './glasskube-packages.ts'
import { differ, record, records, text } from './vectors.ts'

type Outcome = 'ok' | 'resolvable' | 'conflict' | 'error'

/** A change of the installed packages, as check-dependencies sees it: the list before and after. */
interface Change {
  readonly outcome: Outcome
  /** The results that are new after the change. */
  readonly added: readonly WireResult[]
}

/**
 * Compares what check-dependencies reports before and after a change. Only what is new counts, as in Glasskube's Validate.
 *
 * @param changed  the packages that the change adds or updates
 */
function compareChecks(before: readonly object[], after: readonly object[], changed: readonly JsonRecord[]): Change {
  const known = new Set(unmet(before).map(({ message }) => message))
  const added = unmet(after).filter(({ message }) => !known.has(message))
  const knownUnverified = new Set(unverified(before).map(({ message }) => message))
  const isUnknown = unverified(after).some(
    ({ message, tags }) => !knownUnverified.has(message) && changed.some((each) => idOf(each) === tags.package),
  )
  return { outcome: outcomeOf(added, isUnknown), added }
}

function outcomeOf(added: readonly WireResult[], changedIsUnknown: boolean): Outcome {
  if (changedIsUnknown) return 'error'
  if (added.some(({ tags }) => tags.rule === 'dependency-conflict')) return 'conflict'
  if (added.some(({ tags }) => tags.candidate === undefined)) return 'error'
  return added.length > 0 ? 'resolvable' : 'ok'
}

/** The results about installed packages of which it is not known what they require. */
function unverified(objects: readonly object[]): readonly WireResult[] {
  return check(objects).filter(({ tags }) => tags.rule === 'dependency-unverified' && tags.dependency === undefined)
}

function idOf(each: JsonRecord): string {
  const [name, namespace] = [text(each, 'name'), text(each, 'namespace')]
  return namespace === '' ? text(each, 'package') || name : `${namespace}/${name}`
}

/** An admission: what the change breaks that was not broken before. */
export function judgeWebhook(vector: JsonRecord): readonly Difference[] {
  const changed = record(vector, 'package')
  const installed = records(vector, 'installed')
  const others = installed.filter((each) => !isSame(each, changed))
  const isDeletion = text(vector, 'op') === 'delete'
  const after = isDeletion ? others : [...others, changed]
  const { outcome } = compareChecks(inRepository(vector, installed), inRepository(vector, after), isDeletion ? [] : [changed])
  // What would have to be installed is no fault of a change, and one of a deletion.
  const admission = isDeletion ? (outcome === 'ok' ? 'ok' : 'conflict') : outcome === 'resolvable' ? 'ok' : outcome
  return differ('admission', admission, vector.expect)
}

// Only what the repository has has a manifest.
function inRepository(vector: JsonRecord, packages: readonly JsonRecord[]): readonly object[] {
  const repo = record(vector, 'repo')
  const objects = packages.flatMap((each) => {
    const manifest = record(repo, text(each, 'package') || text(each, 'name'))[text(each, 'version')]
    const [object, info] = packageObjects(each, record({ manifest: manifest ?? null }, 'manifest'))
    return manifest === undefined ? [object ?? {}] : [object ?? {}, info ?? {}]
  })
  return [...objects, repositoryCatalog(repo)]
}

/**
 * One package, new or updated, against what is installed: what has to be installed with it, what is in conflict, what is no longer needed.
 */
export function judgeValidate(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const candidate = record(vector, 'validate')
  const installed = records(vector, 'installed')
  const kept = installed.filter((each) => !isSame(each, candidate))
  const after = withManifests(vector, [...kept, candidate])
  const { outcome, added } = compareChecks(withManifests(vector, installed), after, [candidate])
  const conflicts = added.filter(({ tags }) => tags.rule === 'dependency-conflict')
  const resolved = resolve(after, { strategy: 'native', prune: true })
  const made = resolved.items.filter((item) => isPackage(item) && !after.some((each) => isSameObject(each as JsonRecord, item)))
  const gone = after.filter(
    (each) => isPackage(each as JsonRecord) && !resolved.items.some((item) => isSameObject(each as JsonRecord, item)),
  )
  const direct = new Set(unmet(after).map(({ tags }) => tags.dependency))
  const isFailed = resolved.exitCode !== 0
  const answers: Readonly<Record<string, () => readonly JsonRecord[]>> = {
    requirements: () =>
      outcome === 'resolvable'
        ? isFailed
          ? plannedRequirements(resolved.results, direct)
          : made.map((item) => requirementOf(item, direct))
        : [],
    conflicts: () =>
      conflicts.map(({ tags: { dependency = '', installed: actual = '', required = '' } }) => ({ name: dependency, actual, required })),
    pruned: () => gone.map((each) => prunedOf(each as JsonRecord)),
  }
  return [
    ...(expected.status === undefined ? [] : differ('status', outcome.toUpperCase(), expected.status)),
    ...(expected.error === undefined ? [] : differ('error', outcome === 'error', true)),
    ...(expected.conflictCount === undefined ? [] : differ('conflictCount', conflicts.length, expected.conflictCount)),
    ...Object.entries(answers).flatMap(([key, answer]) => (expected[key] === undefined ? [] : differSome(key, answer(), expected))),
  ]
}

function withManifests(vector: JsonRecord, packages: readonly JsonRecord[]): readonly object[] {
  return [...packages.flatMap((each) => packageObjects(each, ownManifest(each))), repositoryCatalog(record(vector, 'repo'))]
}

function isPackage({ kind }: JsonRecord): boolean {
  return kind === 'ClusterPackage' || kind === 'Package'
}

function isSameObject(a: JsonRecord, b: JsonRecord): boolean {
  const isEqual = (...path: readonly string[]) => textIn(a, ...path) === textIn(b, ...path)
  return isEqual('kind') && isEqual('metadata', 'namespace') && isEqual('metadata', 'name')
}

function requirementOf(item: JsonRecord, direct: ReadonlySet<string | undefined>): JsonRecord {
  const component = componentOf(item)
  const key = component === undefined ? textIn(item, 'metadata', 'name') : `${component.namespace}/${component.name}`
  return {
    name: textIn(item, 'spec', 'packageInfo', 'name'),
    version: textIn(item, 'spec', 'packageInfo', 'version'),
    ...(component && { component: { ...component } }),
    transitive: !direct.has(key),
  }
}

/** The packages that would be installed if everything could be resolved: another package than the changed one may be in conflict. */
function plannedRequirements(results: readonly WireResult[], direct: ReadonlySet<string | undefined>): readonly JsonRecord[] {
  const planned = results.filter(({ message, tags }) => tags.rule === 'resolution' && message.includes(' would be installed as '))
  return planned.map(({ tags: { dependency = '', candidate = '' } }) => ({
    name: dependency,
    version: candidate,
    transitive: !direct.has(dependency),
  }))
}

function prunedOf(item: JsonRecord): JsonRecord {
  const component = componentOf(item)
  return component === undefined
    ? { name: textIn(item, 'metadata', 'name') }
    : { name: `${component.namespace}/${component.name}`, component: { ...component } }
}

/** The name and namespace of a package in a namespace. */
function componentOf(item: JsonRecord): { readonly name: string; readonly namespace: string } | undefined {
  return item.kind === 'Package' ? { name: textIn(item, 'metadata', 'name'), namespace: textIn(item, 'metadata', 'namespace') } : undefined
}

/** The same objects in any order; of each only what is recorded counts. */
function differSome(key: string, actual: readonly JsonRecord[], expected: JsonRecord): readonly Difference[] {
  const wanted = records(expected, key)
  const seen = actual.map((each) => {
    const recorded = wanted.find((one) => text(one, 'name') === text(each, 'name')) ?? each
    return Object.fromEntries(Object.entries(each).filter(([name]) => Object.hasOwn(recorded, name)))
  })
  return differ(key, sorted(seen), sorted(wanted))
}

function sorted(values: readonly JsonRecord[]): JsonValue {
  const printed = values.map((value) => JSON.stringify(Object.fromEntries(Object.entries(value).sort()))).sort()
  return printed.map((each): JsonValue => JSON.parse(each))
}
