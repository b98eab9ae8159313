import { type JsonRecord, lookup } from '../json.ts'
import { parseInt64 } from '../versions/go-text.ts'
import { OWNED_FUNCTION_PREFIX } from '../well-known.ts'

/** The name of a variant and those of the other known variants, which decide which variant owns a function of a pipeline. */
export interface Owners {
  /** The name of the variant whose functions are prepended. */
  readonly owner: string
  /** The names of all other known PackageVariants. */
  readonly others: readonly string[]
}

/** Returns `PackageVariant.OWNER.FUNCTION.POSITION`. FUNCTION may be empty (seed 000, Kptfile Function Pipeline Editing). */
export function ownedName(owner: string, functionName: string, position: number): string {
  return `${OWNED_FUNCTION_PREFIX}${owner}.${functionName}.${position}`
}

/**
 * Returns true if an earlier run added a function for the owner. Owners and function names may contain dots; if a name can be read as
 * that of several owners, the longest known owner has the function (docs/porch.md 29, 30).
 * Example: `PackageVariant.a.b.fn.0` belongs to `a.b` if `a` and `a.b` are known.
 */
export function isOwned(name: string, { owner, others }: Owners): boolean {
  const longest = [owner, ...others].filter((candidate) => couldBeOf(name, candidate)).sort((a, b) => b.length - a.length)[0]
  return longest === owner
}

function couldBeOf(name: string, owner: string): boolean {
  const start = `${OWNED_FUNCTION_PREFIX}${owner}.`
  if (!name.startsWith(start)) return false
  const rest = name.slice(start.length)
  const dot = rest.lastIndexOf('.')
  // Go's Atoi decides which texts are positions (docs/porch.md 31).
  return dot !== -1 && parseInt64(rest.slice(dot + 1)) !== undefined
}

/**
 * Returns the pipeline list after a variant's functions were prepended. Functions that an earlier run added for the same owner are
 * removed first, so that a second run gives the same list. Other entries are returned as the same objects, in their order.
 *
 * @param existing  `pipeline.mutators` or `.validators` of the downstream Kptfile
 * @param wanted    the functions of the variant, in order, with the names of `ownedName`
 */
export function prependOwned(existing: readonly JsonRecord[], wanted: readonly JsonRecord[], owners: Owners): readonly JsonRecord[] {
  return [...wanted, ...existing.filter((entry) => !isOwned(nameOf(entry), owners))]
}

/** The removals and moves that precede the insertion of new entries. */
export interface OwnedMoves {
  /** Positions of the owner's functions that are no longer wanted. */
  readonly dropped: readonly number[]
  /** Moves of the owner's functions that are still wanted, each from its position to its place at the front, after the removals. */
  readonly moves: readonly { readonly from: number; readonly to: number }[]
}

/**
 * Returns the steps with which functions that are still wanted keep their comments: the functions are moved to the front and not written
 * anew.
 */
export function ownedMoves(existing: readonly JsonRecord[], wanted: readonly JsonRecord[], owners: Owners): OwnedMoves {
  const names = existing.map(nameOf)
  const wantedNames = wanted.map(nameOf)
  const dropped = names.flatMap((name, position) => {
    const isKept = wantedNames.includes(name) && names.indexOf(name) === position
    return isOwned(name, owners) && !isKept ? [position] : []
  })
  const left = names.filter((_, position) => !dropped.includes(position))
  const front = wantedNames.filter((name) => left.includes(name))
  return { dropped, moves: front.flatMap((name, to) => moveTo(left, name, to)) }
}

/** Moves a name within `left`, which the next move starts from, and returns the move; an empty list if the name is already in place. */
function moveTo(left: string[], name: string, to: number): OwnedMoves['moves'] {
  const from = left.indexOf(name)
  if (from === to) return []
  left.splice(to, 0, ...left.splice(from, 1))
  return [{ from, to }]
}

function nameOf(entry: JsonRecord): string {
  const name = lookup(entry, 'name')
  return typeof name === 'string' ? name : ''
}
