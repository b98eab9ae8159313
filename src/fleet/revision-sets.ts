import type { FieldPath } from '../field-path.ts'
import { firstOfEach } from '../group-by.ts'
import { decodePackageRevisionSet, type PackageRevisionSet } from '../kinds/package-revision-set.ts'
import type { PackageVariantMatrix } from '../kinds/package-variant-matrix.ts'
import type { Upstream } from '../kinds/variant-set.ts'
import type { Kinds } from '../kubernetes/kinds.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { collectFaults, type Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { asQuestion, nearestNames } from '../schema/nearest-name.ts'
import { FLEET_API } from '../well-known.ts'
import { inLine, nameFirst } from '../wording.ts'

/** The PackageRevisionSets of a list, with the faults of them all. */
export interface RevisionSets {
  /**
   * Returns the upstreams of a matrix: its own, and those of the PackageRevisionSets that it names, in their order, each once for an
   * entry. Returns the faults of entries that name a set that the list does not have.
   */
  upstreamsOf(matrix: PackageVariantMatrix, namespace: string): ResolvedUpstreams
  /** The faults and warnings of every PackageRevisionSet: of its text, of the sets that it names, and of sets that name each other. */
  readonly results: readonly Result[]
}

/** The upstreams of a matrix; undefined if one of the named PackageRevisionSets is missing or has faults, or if there are too many. */
interface ResolvedUpstreams {
  readonly upstreams?: readonly Upstream[]
  readonly results: readonly Result[]
}

/** A PackageRevisionSet of the list; `set` is undefined if the set has faults. */
interface FoundRevisionSet {
  readonly object: KrmObject
  readonly namespace: string
  readonly set?: PackageRevisionSet
  readonly results: readonly Result[]
}

const NAMED_SETS = 10

/** Reads the PackageRevisionSets of a list. Of two with one namespace and name the first counts. */
export function readRevisionSets(items: readonly KrmObject[], kinds: Kinds): RevisionSets {
  const all = items.filter(({ apiVersion, kind }) => kind === 'PackageRevisionSet' && apiVersion === FLEET_API)
  const found = all.map((object) => ({ object, namespace: kinds.namespaceOf(object), ...decoded(object) }))
  const byName = firstOfEach(found, ({ namespace, object }): string => nameKey(namespace, object.name ?? ''))
  const nearestAmong = nearestNames()
  const unknown = (holder: KrmObject, path: FieldPath, name: string, namespace: string): Result => {
    const names = [...byName.values()].filter((each) => each.namespace === namespace).map(({ object }) => object.name ?? '')
    const there = describeSets(found, names, name)
    return faultToResult(holder, {
      severity: 'error',
      rule: 'revision-set-not-found',
      path: [...path, 'packageRevisionSet'],
      message: `must name a PackageRevisionSet of namespace '${namespace}', got ${quoteText(name)}; ${there}${asQuestion(nearestAmong(names)(name))}`,
    })
  }
  const missingIn = (object: KrmObject, namespace: string, entries: PackageVariantMatrix['upstreams'] | PackageRevisionSet['upstreams']) =>
    entries.flatMap((entry) =>
      'packageRevisionSet' in entry && !byName.has(nameKey(namespace, entry.packageRevisionSet))
        ? [unknown(object, entry.path, entry.packageRevisionSet, namespace)]
        : [],
    )
  const inSets = found.flatMap(({ namespace, object, set, results }) => [...results, ...missingIn(object, namespace, set?.upstreams ?? [])])
  const circles = findCircles(byName)
  const results = [...inSets, ...circles]
  return {
    results,
    upstreamsOf: ({ set: { object, maxVariants = 0 }, upstreams }, namespace) => {
      const missing = missingIn(object, namespace, upstreams)
      if (missing.length > 0 || results.some(({ severity }) => severity === 'error')) return { results: missing }
      const resolved: Upstream[] = []
      for (const { template, ...entry } of upstreams) {
        const own = 'upstream' in entry ? [entry.upstream] : expand(byName, nameKey(namespace, entry.packageRevisionSet))
        for (const upstream of own) resolved.push({ ...upstream, ...(template && { template }) })
        if (resolved.length > maxVariants) return { results: [tooManyUpstreams(object, maxVariants)] }
      }
      return { upstreams: resolved, results: [] }
    },
  }
}

/**
 * Returns what the list has in the place of a PackageRevisionSet that it does not have: a set of its name in another namespace, or others.
 */
function describeSets(found: readonly FoundRevisionSet[], names: readonly string[], name: string): string {
  const elsewhere = found.filter((each) => each.object.name === name).map((each) => `'${inLine(each.namespace)}'`)
  if (elsewhere.length > 0) return `one of this name is in namespace ${nameFirst(elsewhere, NAMED_SETS)}`
  return names.length === 0 ? 'the list has none there' : `the list has ${nameFirst(names.map(inLine), NAMED_SETS)}`
}

function nameKey(namespace: string, name: string): string {
  return `${namespace}/${name}`
}

function decoded(object: KrmObject): Pick<FoundRevisionSet, 'set' | 'results'> {
  const faults: Result[] = []
  const found = collectFaults(faults, () => decodePackageRevisionSet(object))
  return found === undefined ? { results: faults } : { set: found.set, results: found.warnings }
}

function tooManyUpstreams(object: KrmObject, maxVariants: number): Result {
  return faultToResult(object, {
    severity: 'error',
    rule: 'max-variants',
    path: ['spec', 'upstreams'],
    message: `must not give more than ${maxVariants} upstreams, the limit of variants; raise \`spec.maxVariants\` if that is meant`,
  })
}

/** Returns the upstreams of a set and of the sets that it names, each set once, in the order of the entries. */
function expand(byName: ReadonlyMap<string, FoundRevisionSet>, start: string): readonly Upstream[] {
  const upstreams: Upstream[] = []
  const seen = new Set<string>([start])
  const stack = [...entriesOf(byName, start)].reverse()
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    if ('upstream' in entry) upstreams.push(entry.upstream)
    else if (!seen.has(entry.key)) {
      seen.add(entry.key)
      stack.push(...[...entriesOf(byName, entry.key)].reverse())
    }
  }
  return upstreams
}

type Entry = { readonly upstream: Upstream } | { readonly key: string; readonly path: FieldPath }

function entriesOf(byName: ReadonlyMap<string, FoundRevisionSet>, key: string): readonly Entry[] {
  const found = byName.get(key)
  return (found?.set?.upstreams ?? []).map((entry) =>
    'upstream' in entry ? entry : { key: nameKey(found?.namespace ?? '', entry.packageRevisionSet), path: entry.path },
  )
}

/**
 * Returns an error for each entry that closes a circle of sets, with the circle: `a → b → a`. A walk through all sets, depth first, whose
 * stack is the chain of sets that led to the present one.
 */
function findCircles(byName: ReadonlyMap<string, FoundRevisionSet>): readonly Result[] {
  const results: Result[] = []
  const entered = new Set<string>()
  const chain: { readonly key: string; readonly left: Entry[] }[] = []
  const inChain = new Set<string>()
  const enter = (key: string): void => {
    if (entered.has(key)) return
    entered.add(key)
    inChain.add(key)
    chain.push({ key, left: [...entriesOf(byName, key)].reverse() })
  }
  const visit = (key: string, entry: Entry): void => {
    if (!('key' in entry)) return
    if (!inChain.has(entry.key)) {
      enter(entry.key)
      return
    }
    const names = chain.map((each) => each.key)
    results.push(...circleFault(byName.get(key), entry.path, [...names.slice(names.indexOf(entry.key)), entry.key]))
  }
  for (const start of byName.keys()) {
    enter(start)
    for (let top = chain.at(-1); top !== undefined; top = chain.at(-1)) {
      const entry = top.left.pop()
      if (entry !== undefined) visit(top.key, entry)
      else inChain.delete(chain.pop()?.key ?? '')
    }
  }
  return results
}

const NAMED_IN_CIRCLE = 20

function circleFault(found: FoundRevisionSet | undefined, path: FieldPath, circle: readonly string[]): readonly Result[] {
  if (found === undefined) return []
  const names = circle.map((key) => inLine(key.slice(found.namespace.length + 1)))
  const shown = names.length > NAMED_IN_CIRCLE ? [...names.slice(0, NAMED_IN_CIRCLE), '…'] : names
  return [
    faultToResult(found.object, {
      severity: 'error',
      rule: 'revision-set-circle',
      path: [...path, 'packageRevisionSet'],
      message: `must not lead back to the set itself: ${shown.join(' → ')}`,
    }),
  ]
}
