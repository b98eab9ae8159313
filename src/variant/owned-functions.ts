import { type JsonRecord, lookup } from '../json.ts'
import { parseInt64 } from '../versions/go-text.ts'
import { OWNED_FUNCTION_PREFIX } from '../well-known.ts'

/** A variant's name, and those of others in sight, by which functions of a pipeline are told apart. */
export interface Owners {
  /** The variant whose functions are put in front. */
  readonly owner: string
  /** Every other PackageVariant that is known. */
  readonly others: readonly string[]
}

/** `PackageVariant.OWNER.FUNCTION.POSITION`; FUNCTION may be empty (seed 000, Kptfile Function Pipeline Editing). */
export function ownedName(owner: string, functionName: string, position: number): string {
  return `${OWNED_FUNCTION_PREFIX}${owner}.${functionName}.${position}`
}

/**
 * Whether an earlier run put a function there for the owner. Owner and function name may hold dots; where the name can be read
 * as that of several owners, the longest known one has it (docs/porch.md 29, 30).
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
  // A position is what Go's Atoi takes (docs/porch.md 31).
  return dot !== -1 && parseInt64(rest.slice(dot + 1)) !== undefined
}

/**
 * The pipeline list after one variant's functions were put at its front. What an earlier run put there for the same owner is
 * taken out first, so a second run gives the same list. Entries of others are returned as the same objects, in their order.
 *
 * @param existing  `pipeline.mutators` or `.validators` of the downstream Kptfile
 * @param wanted    what the variant asks for, in order, with the names of `ownedName`
 */
export function prependOwned(existing: readonly JsonRecord[], wanted: readonly JsonRecord[], owners: Owners): readonly JsonRecord[] {
  return [...wanted, ...existing.filter((entry) => !isOwned(nameOf(entry), owners))]
}

/** How entries of a list get to their places, before new ones are put between them. */
export interface OwnedMoves {
  /** Positions of own functions that are no longer wanted. */
  readonly dropped: readonly number[]
  /** Own functions that are wanted again, each from its position to that at the front, once the dropped ones are gone. */
  readonly moves: readonly { readonly from: number; readonly to: number }[]
}

/** The steps by which own functions that are wanted again keep their comments: they are moved to the front, not made anew. */
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

/** Moves a name within `left`, which later moves start from. */
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
