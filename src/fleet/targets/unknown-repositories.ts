import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { FleetPlan } from '../plan-fan-out.ts'

/**
 * Returns a warning for each listed repository without a template that is no Repository of the fleet while another one has nearly its name.
 * Porch looks up the repository of a template only, where a missing one is an error. A name that differs in digits alone, `edge-01` and
 * `edge-02`, is that of another repository, and a fleet need not have the objects of all.
 */
export function unknownRepositories({ fleet, sets }: FleetPlan): readonly Result[] {
  return sets.flatMap(({ object, owner, draft }) => {
    const known = fleet.repositories(owner.namespace)
    if (draft === undefined || known.size === 0) return []
    const nearest = fleet.nearestAmong([...known.keys()])
    const listed = new Map(
      draft.rendered.flatMap(({ repo, place }) =>
        place.object !== undefined || place.template !== undefined || known.has(repo) ? [] : [[repo, place] as const],
      ),
    )
    return [...listed].flatMap(([repo, { path, target }]) => {
      const near = nearest(repo)
      if (near === undefined || withoutDigits(near) === withoutDigits(repo)) return []
      const field = [...path.slice(0, target.path.length + 2), 'name']
      const message = `must name a Repository of the list in the set's namespace, got ${quoteText(repo)}; did you mean ${quoteText(near)}?`
      return [faultToResult(object, { severity: 'warning', rule: 'repository-not-found', path: field, message })]
    })
  })
}

function withoutDigits(name: string): string {
  return name.replace(/\d+/g, '')
}
