import { compileGlob, type NameMatcher } from '../package/glob.ts'
import { quoteNames, quoteText } from '../schema/describe-value.ts'
import { didYouMean } from '../schema/nearest-name.ts'
import type { FleetVariant } from './fleet-variants.ts'
import type { RenderSelection } from './plan-render.ts'
import type { SetOf } from './variant-sets.ts'

/** Which variants of a fleet are rendered, as a caller says it. */
export interface SelectionTerms {
  /** `FIELD=VALUE`: all must hold. */
  readonly only: readonly SelectionTerm[]
  readonly shard: Shard | undefined
}

/** A condition on a variant; `*` stands for anything. */
export type SelectionTerm =
  | { readonly field: 'set' | 'repository' | 'variant'; readonly value: string }
  | { readonly field: 'label'; readonly key: string; readonly value: string }

/** One of some parts of equal size, counted from 1. */
export interface Shard {
  readonly part: number
  readonly of: number
}

/**
 * The variants that terms select. A package whose variant is gone may only go when that can be told from its folder: with a term that is not
 * about the repository, none does.
 *
 * @param setOf  `NAMESPACE/NAME` of the set that a variant belongs to
 */
export function selectVariants({ only, shard }: SelectionTerms, setOf: SetOf): RenderSelection | undefined {
  if (only.length === 0 && shard === undefined) return undefined
  const tests = only.map((term) => ({ term, matches: compileGlob(term.value) }))
  const inShard = (repo: string): boolean => shard === undefined || shardOf(repo, shard.of) === shard.part
  return {
    has: (variant) => inShard(variant.downstream.repo) && tests.every(({ term, matches }) => holds(term, matches, variant, setOf)),
    mayGo: (_, repo) => inShard(repo) && tests.every(({ term, matches }) => term.field === 'repository' && matches(repo)),
  }
}

/**
 * Why a selection is empty, for people: a term that no variant meets, with the nearest value that one has; undefined when it is not.
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
  if (unmet !== undefined) return `${quoteText(nameTerm(unmet))} selects none${didYouMean(unmet.value, valuesOf(unmet, variants, setOf))}`
  const [first = variants, ...others] = passing
  const isMet = first.some((variant) => others.every((each) => each.includes(variant)))
  return isMet ? undefined : `none is selected by all of ${quoteNames(only.map(nameTerm))}`
}

function nameTerm(term: SelectionTerm): string {
  return term.field === 'label' ? `label=${term.key}=${term.value}` : `${term.field}=${term.value}`
}

/** What variants have where a term looks. */
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

/** A label of the variant itself, or one that it gives to its package. */
function labelsOf({ object, labels }: FleetVariant, key: string): readonly string[] {
  return [object.labels.get(key), labels.get(key)].flatMap((value) => value ?? [])
}

/** By the name alone, or with its namespace. */
function matchesName(matches: NameMatcher, name: string | undefined): boolean {
  return name !== undefined && (matches(name) || matches(name.slice(name.indexOf('/') + 1)))
}

/** The part, from 1, that a repository is in: the same for every run and machine, whatever other repositories there are. */
function shardOf(repo: string, of: number): number {
  let hash = FNV_OFFSET
  for (const byte of new TextEncoder().encode(repo)) hash = Math.imul(hash ^ byte, FNV_PRIME) >>> 0
  return (hash % of) + 1
}

/** FNV-1a, 32 bits. */
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
