import type { FleetVariant, SetOf } from '../fleet/fleet-variants.ts'
import { compileGlob, type NameMatcher } from '../folder/glob.ts'
import { quoteNames, quoteText } from '../schema/describe-value.ts'
import { didYouMean } from '../schema/nearest-name.ts'
import { nameFirst } from '../wording.ts'
import type { RenderSelection } from './plan-render.ts'

/** The user's selection of variants. */
export interface SelectionTerms {
  /** Terms such as `set=edge`; a variant must meet all. */
  readonly only: readonly SelectionTerm[]
  readonly shard: Shard | undefined
  /** Returns true for the Repositories of a chosen cluster; undefined if none is chosen. */
  readonly inCluster?: ((repository: string) => boolean) | undefined
}

/** A condition on a variant; `*` in its value matches any text. */
export type SelectionTerm =
  | { readonly field: 'set' | 'repository' | 'variant'; readonly value: string }
  | { readonly field: 'label'; readonly key: string; readonly value: string }

/** One of several parts of a fleet, counted from 1: `{ part: 1, of: 4 }`. */
export interface Shard {
  readonly part: number
  readonly of: number
}

/**
 * Returns the selection of the given terms; undefined if everything is selected. A package whose variant is gone is selected only by
 * its repository: with a term on another field, no such package may be removed.
 *
 * @param setOf  returns `NAMESPACE/NAME` of the set that a variant belongs to
 */
export function selectVariants({ only, shard, inCluster }: SelectionTerms, setOf: SetOf): RenderSelection | undefined {
  if (only.length === 0 && shard === undefined && inCluster === undefined) return undefined
  const tests = only.map((term) => ({ term, matches: compileGlob(term.value) }))
  const inShard = (repo: string): boolean =>
    (shard === undefined || shardOf(repo, shard.of) === shard.part) && (inCluster === undefined || inCluster(repo))
  return {
    has: (variant) => inShard(variant.downstream.repo) && tests.every(({ term, matches }) => holds(term, matches, variant, setOf)),
    mayGo: (_, repo) => inShard(repo) && tests.every(({ term, matches }) => term.field === 'repository' && matches(repo)),
  }
}

/**
 * Returns the reason why no variant is selected, for messages: a term that no variant meets, with the nearest existing value; undefined
 * if a variant is selected.
 *
 * @param setOf  as for `selectVariants`
 */
export function emptySelection(
  { only }: Pick<SelectionTerms, 'only'>,
  variants: readonly FleetVariant[],
  setOf: SetOf,
): string | undefined {
  const tests = only.map((term) => ({ term, matches: compileGlob(term.value) }))
  const passing = tests.map(({ term, matches }) => variants.filter((variant) => holds(term, matches, variant, setOf)))
  const unmet = only.find((_, index) => passing[index]?.length === 0)
  if (unmet !== undefined) {
    const known = valuesOf(unmet, variants, setOf)
    const near = didYouMean(unmet.value, known) || (known.length === 0 ? '' : `; there is ${nameFirst(known, NAMED)}`)
    return `${quoteText(nameTerm(unmet))} selects none${near}`
  }
  const [first = variants, ...others] = passing
  const isMet = first.some((variant) => others.every((each) => each.includes(variant)))
  return isMet ? undefined : `none is selected by all of ${quoteNames(only.map(nameTerm))}`
}

const NAMED = 10

function nameTerm(term: SelectionTerm): string {
  return term.field === 'label' ? `label=${term.key}=${term.value}` : `${term.field}=${term.value}`
}

/** Returns the values that variants have in the field of a term. */
function valuesOf(term: SelectionTerm, variants: readonly FleetVariant[], setOf: SetOf): readonly string[] {
  const values = variants.flatMap((variant) => {
    if (term.field === 'label') return labelsOf(variant, term.key)
    if (term.field === 'set') return setOf(variant)?.replace(/^.*\//, '') ?? []
    return term.field === 'variant' ? variant.name : variant.downstream.repo
  })
  return [...new Set(values)]
}

function holds(term: SelectionTerm, matches: NameMatcher, variant: FleetVariant, setOf: SetOf): boolean {
  switch (term.field) {
    case 'set':
      return matchesName(matches, setOf(variant))
    case 'variant':
      return matchesName(matches, `${variant.namespace ?? 'default'}/${variant.name}`)
    case 'repository':
      return matches(variant.downstream.repo)
    case 'label':
      return labelsOf(variant, term.key).some(matches)
  }
}

/** Returns the values of a label of the variant itself and of its package. */
function labelsOf({ object, labels }: FleetVariant, key: string): readonly string[] {
  return [object.labels.get(key), labels.get(key)].flatMap((value) => value ?? [])
}

/** Returns true if a pattern matches `NAME` or `NAMESPACE/NAME`. */
function matchesName(matches: NameMatcher, name: string | undefined): boolean {
  return name !== undefined && (matches(name) || matches(name.slice(name.indexOf('/') + 1)))
}

/**
 * Returns the part, from 1, that a repository belongs to: the same in every run and on every machine, whatever other repositories there
 * are.
 */
export function shardOf(repo: string, of: number): number {
  let hash = FNV_OFFSET
  for (const byte of new TextEncoder().encode(repo)) hash = Math.imul(hash ^ byte, FNV_PRIME) >>> 0
  return (hash % of) + 1
}

/** FNV-1a, 32 bits. */
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
