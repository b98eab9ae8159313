import { cyclesAmong } from '../check-graph.ts'
import { type Finding, formatPlace, listNames, listSome, wholeObject } from '../finding.ts'
import { type Need, needsMetBy, needsOf } from '../needs.ts'
import { type Dependent, type Install, type PackageIndex, requirementsOf, type ServedKinds } from '../package-index.ts'
import { clauseOf, ownerName, type Plan, type PlanFailure, type Step } from './plan.ts'

/** Returns a finding for each failure of a plan, and one for each step that would be taken if everything could be resolved. */
export function failureFindings({ failures, steps }: Plan, maxSteps: number): Finding[] {
  return [...failures.map((failure) => failureFinding(failure, maxSteps)), ...steps.map(stepFinding)]
}

function failureFinding(failure: PlanFailure, maxSteps: number): Finding {
  const { ecosystem, packages, reason, place } = failure
  const who = listNames(listSome(packages))
  const tags = { ecosystem, ...(packages[0] !== undefined && { package: packages[0] }) }
  if (reason === 'exceeded') {
    const message = `no versions were found in ${maxSteps} steps that meet what ${who} ${packages.length === 1 ? 'requires' : 'require'}; \`maxSteps\` limits the search`
    return { rule: 'resolution-exceeded', message, place, tags }
  }
  return { rule: 'unresolvable', message: `${who} cannot get what is required: ${clauseOf(failure)}`, place, tags }
}

const VERBS = { create: 'would be installed', update: 'would be moved', remove: 'would be removed' } as const

function stepFinding({ op, ecosystem, version, name, package: pkg, install, parents }: Step): Finding {
  const [parent] = parents
  const place = install?.place ?? parent?.requirement.place ?? { ref: { apiVersion: '', kind: '', name }, path: [], isOwnReading: false }
  const why = parent === undefined ? '' : `, which ${parent.name} requires (${formatPlace(parent.requirement.place)})`
  const owner = parent && ownerName(parent)
  const isKept = op === 'update' && version === install?.text
  const what = `${pkg.name} ${version} ${isKept ? `would belong to ${owner}` : `${VERBS[op]} as ${name}`}`
  const tags = { ecosystem, package: owner ?? pkg.id, dependency: pkg.id, candidate: version }
  const message = `${what}${why}, if everything could be resolved`
  return { rule: 'resolution', message, place: { ...place, currentValue: undefined }, tags }
}

/**
 * Reports the cycles that a plan would make: packages that require each other, at least one of which a step installs or moves. A cycle of
 * packages that stay as they are is for `check-dependencies` to report.
 *
 * Example: Configuration a requires Provider b, which is not installed and requires a: installing b would close the cycle a -> b -> a.
 */
export function plannedCycles({ steps }: Plan, indexes: readonly PackageIndex[]): Finding[] {
  return indexes.flatMap((index) => {
    const own = steps.filter(({ ecosystem }) => ecosystem === index.ecosystem)
    const moved = new Set(own.map(({ package: pkg }) => pkg.key))
    if (moved.size === 0) return []
    const changed = new Set(own.flatMap(({ install }) => install ?? []))
    const unchanged = index.dependents.filter(({ install }) => install === undefined || !changed.has(install))
    const cycles = cyclesAmong([...unchanged, ...own.flatMap(dependentAfter)], index)
    return cycles.filter(({ keys }) => keys.some((key) => moved.has(key))).map(({ finding }) => finding)
  })
}

/** Returns a package as a step leaves it, with what its new version requires; nothing for a removal. */
function dependentAfter({ op, package: pkg, version, install, parents }: Step): Dependent[] {
  const place = install?.place ?? parents[0]?.requirement.place
  if (op === 'remove' || place === undefined) return []
  return [{ name: `${pkg.name} ${version}`, id: pkg.id, package: pkg, place, requirements: requirementsOf(pkg, version) ?? [] }]
}

/**
 * Returns, for each generated object, a finding that names a package which requires it. Describes the state, so a second run says the
 * same.
 */
export function generatedFindings(indexes: readonly PackageIndex[], kinds: ServedKinds): Finding[] {
  return indexes.flatMap((index) => {
    const generated = index.installs.filter((install) => install.generated)
    if (generated.length === 0) return []
    const needs = needsOf(index, kinds)
    return generated.flatMap((install) => describe(install, needsMetBy(install, needs), index))
  })
}

function describe({ package: pkg, text, place }: Install, met: readonly Need[], { ecosystem }: PackageIndex): Finding[] {
  const [first] = met
  if (first === undefined) return []
  const more = met.length - 1
  const others = more === 0 ? '' : `, as ${more === 1 ? 'does 1' : `do ${more}`} more`
  const what = `${place.ref.kind} ${place.ref.name} installs ${pkg.name}${text === '' ? '' : ` ${text}`}`
  const message = `${what}, which ${first.dependent.name} requires (${formatPlace(first.requirement.place)})${others}`
  return [{ rule: 'resolution', message, place: wholeObject(place), tags: { ecosystem, package: pkg.id, installed: text } }]
}
