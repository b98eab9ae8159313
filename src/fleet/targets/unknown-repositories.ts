import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { nearestName } from '../../schema/nearest-name.ts'
import type { FleetPlan } from '../plan-fan-out.ts'

/**
 * Returns a warning for each listed repository without a template that is no Repository of the fleet while another one has nearly its name.
 * Porch looks up the repository of a template only, where a missing one is an error. A fleet need not have the objects of all repositories,
 * so names of siblings are no warning: `edge-01` beside `edge-02` or `prod-us` beside `prod-eu`, and a name beside one that the set lists.
 */
export function unknownRepositories({ fleet, sets }: FleetPlan): readonly Result[] {
  return sets.flatMap(({ object, owner, draft }) => {
    const known = fleet.repositories(owner.namespace)
    if (draft === undefined || known.size === 0) return []
    const nearest = fleet.nearestAmong([...known.keys()])
    const listed = draft.rendered.filter(({ place }) => place.object === undefined)
    const names = new Set(listed.map(({ repo }) => repo))
    const unknown = new Map(
      listed.flatMap(({ repo, place }) => (place.template !== undefined || known.has(repo) ? [] : [[repo, place] as const])),
    )
    return [...unknown].flatMap(([repo, { path, target }]) => {
      const near = nearest(repo)
      if (near === undefined || names.has(near) || areSiblings(near, repo)) return []
      const field = [...path.slice(0, target.path.length + 2), 'name']
      const message = `must name a Repository of the list in the set's namespace, got ${quoteText(repo)}; did you mean ${quoteText(near)}?`
      return [faultToResult(object, { severity: 'warning', rule: 'repository-not-found', path: field, message })]
    })
  })
}

/**
 * Returns true if two names differ as those of two repositories do: in digits alone, in a part between dashes or dots that is another word,
 * or by an added part.
 *
 * @example  `edge-01` and `edge-02`, `us-east` and `us-west`, `eu` and `eu-2`; but not `edge-north` and `egde-north`
 */
function areSiblings(one: string, other: string): boolean {
  if (withoutDigits(one) === withoutDigits(other)) return true
  const [shorter, longer] = [one.split(/[-.]/), other.split(/[-.]/)].sort((a, b) => a.length - b.length)
  if (shorter === undefined || longer === undefined) return false
  if (shorter.length < longer.length) return isWithin(shorter, longer)
  return shorter.some((part, index) => isAnotherWord(part, longer[index] ?? ''))
}

function withoutDigits(name: string): string {
  return name.replace(/\d+/g, '')
}

/** Returns true if a list has all parts of a shorter one in their order. */
function isWithin(shorter: readonly string[], longer: readonly string[]): boolean {
  let found = 0
  for (const part of longer) if (part === shorter[found]) found++
  return found === shorter.length
}

/** Returns true if a part is no misspelling of another one: the letters of short parts say too little. */
function isAnotherWord(part: string, other: string): boolean {
  return withoutDigits(part) !== withoutDigits(other) && nearestName(part, [other]) === undefined
}
