import { DemandsOn, demandsByTarget, describeKind } from './demands.ts'
import { type Finding, nameSome } from './finding.ts'
import { jointUpdateFinder } from './joint-update.ts'
import { judgePackage, type Policy } from './judge.ts'
import { formatPlace } from './place.ts'
import type {
  AlternativesRequirement,
  Dependent,
  GvkRequirement,
  KindProvider,
  PackageTarget,
  Requirement,
  ServedKinds,
  Universe,
} from './universe.ts'

/**
 * Returns one finding for each requirement of one ecosystem that is not fulfilled.
 *
 * @param universe  the packages of the ecosystem, as its reader found them
 * @param kinds     the kinds that are served, and the packages that provide kinds
 * @returns findings in the order of dependents and their requirements
 */
export function checkRequirements(universe: Universe, kinds: ServedKinds, policy: Policy): Finding[] {
  const demands = demandsByTarget(universe)
  const alone = { universe, kinds, policy, demands, together: () => undefined }
  const isMet = (requirement: Requirement, dependent: Dependent) => judge(requirement, { ...alone, dependent }) === undefined
  const together = jointUpdateFinder({ universe, demands, downgrades: policy.downgrades, isMet })
  return universe.dependents.flatMap((dependent) =>
    dependent.requirements.flatMap((requirement) => judge(requirement, { ...alone, together, dependent }) ?? []),
  )
}

interface Context {
  readonly universe: Universe
  readonly kinds: ServedKinds
  readonly policy: Policy
  readonly demands: ReadonlyMap<PackageTarget, DemandsOn>
  readonly together: ReturnType<typeof jointUpdateFinder>
  readonly dependent: Dependent
}

function judge(requirement: Requirement, context: Context): Finding | undefined {
  if (requirement.type === 'gvk') return judgeKind(requirement, context)
  if (requirement.type === 'alternatives') return judgeAlternatives(requirement, context)
  // The rules on the objects themselves report platforms.
  if (requirement.type === 'platform') return undefined
  const { universe, policy, demands, together, dependent } = context
  return judgePackage({
    universe,
    policy,
    together,
    demand: { dependent, requirement },
    demands: demands.get(requirement.target) ?? new DemandsOn(),
  })
}

function judgeKind(requirement: GvkRequirement, context: Context): Finding | undefined {
  const { wanted, optional, place } = requirement
  if (context.kinds.serves(wanted)) return undefined
  const name = describeKind(wanted)
  const providers = context.kinds.providersOf(wanted)
  const unknown = providers.length === 0 && !context.universe.closed
  const what = `${context.dependent.name} requires ${name} (${formatPlace(place)})`
  const served =
    providers.length === 0 ? 'no known package provides it' : `it is provided by ${nameSome(providers, describeProvider).join(', ')}`
  const tags = { ...kindTags(context), dependency: name }
  if (optional) return { rule: 'optional-unfulfilled', message: `${what}, which is optional and not served; ${served}`, place, tags }
  if (unknown) return { rule: 'dependency-unverified', message: `${what}, which is not seen to be served; ${served}`, place, tags }
  return { rule: 'gvk-missing', message: `${what}, which is not served; ${served}`, place, tags }
}

function describeProvider({ by, place }: KindProvider): string {
  return `${by} (${formatPlace(place())})`
}

// One fulfilled alternative is enough. If one alternative is unknown, the finding is `dependency-unverified`. The message lists all
// branches.
function judgeAlternatives(requirement: AlternativesRequirement, context: Context): Finding | undefined {
  const branches = requirement.alternatives.map((each) => judge(each, context))
  const [first] = branches
  if (branches.length === 0 || branches.some((branch) => branch === undefined)) return undefined
  const reasons = branches.map((branch, i) => `${i + 1}. ${branch?.message}`).join('; ')
  const unverified = branches.some((branch) => branch?.rule === 'dependency-unverified')
  const rule = requirement.optional ? 'optional-unfulfilled' : unverified ? 'dependency-unverified' : 'alternatives-unfulfilled'
  const message = `${context.dependent.name} requires one of ${branches.length} alternatives (${formatPlace(requirement.place)}), none of which is fulfilled: ${reasons}`
  return first && { rule, message, place: requirement.place, tags: kindTags(context) }
}

function kindTags({ universe, dependent }: Context): Finding['tags'] {
  return { ecosystem: universe.ecosystem, dialect: universe.dialect, package: dependent.id }
}
