import { groupBy } from '../../src/group-by.ts'
import { hasErrors, type Result } from '../../src/result.ts'
import { countOf, nameFirst } from '../../src/wording.ts'
import { PACKAGE_OPERATIONS } from '../render/render-view.ts'
import { changesPackages, type PackageChanges } from './package-changes.ts'
import { type ChangeView, type Counts, type GroupView, OPERATIONS, type PlanView, type SetView } from './plan-view.ts'

/** Returns a summary of a plan, in one line. */
export function summarize({ counts, results, packages = {} }: PlanView): string {
  const planned = nameCounts(counts)
  const touched = namePackages(packages)
  if (hasErrors(results)) return `none, refused for errors${planned === '' ? '' : ` (would be ${planned})`}`
  const nothing = touched === '' ? 'nothing to do' : 'no variant to change'
  if (planned === '')
    return [[nothing, nameAll(counts)].filter((part) => part !== '').join(', '), touched].filter((part) => part !== '').join('; ')
  // Beside the packages, the counts say what they count.
  return touched === '' ? nameAll(counts) : `${nameAll(counts, 'variant')}; ${touched}`
}

/** Returns the changes, or possible changes, of packages; '' without any. */
function namePackages(packages: PackageChanges): string {
  const { counts, unknown, injecting = 0, fleetNames = 0 } = packages
  const injected = injecting === 0 ? '' : `${countOf(injecting, 'variant')} with another configuration to inject`
  if (counts !== undefined && changesPackages(packages)) {
    const found = PACKAGE_OPERATIONS.filter((op) => counts[op] > 0)
    // Where no package is rendered yet, diff renders both of its states in memory.
    const isFirst = counts.unchanged === 0 && found.every((op) => op === 'create')
    const shown = `(krm-variants ${isFirst ? 'render --dry-run' : 'diff'} shows them)`
    const some = fleetNames === counts.update ? '' : `${fleetNames} of them `
    const why = fleetNames === 0 ? '' : `, ${some}only in the name of the fleet, given by git's remote or first commit`
    return `packages: ${found.map((op) => `${counts[op]} to ${op}${op === 'update' ? why : ''}`).join(', ')} ${shown}`
  }
  return unknown === undefined ? injected : [injected, `packages not compared: ${unknown}`].filter((part) => part !== '').join(', ')
}

/** Returns the counts of operations, `1 to remove, 4 to create`, the first with a noun if one is given; '' without changes. */
function nameCounts(counts: Counts, noun?: string): string {
  return OPERATIONS.filter((op) => counts[op] > 0)
    .map((op, at) => `${noun === undefined || at > 0 ? counts[op] : countOf(counts[op], noun)} to ${op}`)
    .join(', ')
}

/** The most clusters with equal changes that a line names. */
const NAMED_CLUSTERS = 5

/** Returns a line for each group of clusters with equal numbers of changes, if clusters differ: `ber, ham: 1 to create, 2 unchanged`. */
export function clusterLines({ clusters = [], results }: PlanView): readonly string[] {
  const groups = [...groupBy(clusters, ({ counts }) => nameAll(counts)).entries()]
  if (groups.length < 2 || hasErrors(results)) return []
  return groups.map(([counts, members]) => `${nameFirst(members, NAMED_CLUSTERS, ({ name }) => name)}: ${counts}`)
}

/** Returns a line for each subpackage that gets another revision of an upstream of its own: `edge/shop/net: v1 → v2`. */
export function subpackageLines({ packages = {}, results }: PlanView): readonly string[] {
  const { subpackages = [] } = packages
  return hasErrors(results) ? [] : subpackages.map(({ folder, from, to }) => `${folder}: ${from} → ${to}`)
}

function nameAll(counts: Counts, noun?: string): string {
  return [nameCounts(counts, noun), counts.unchanged === 0 ? '' : `${counts.unchanged} unchanged`].filter((part) => part !== '').join(', ')
}

/** Returns the parts that a cut plan leaves out; undefined when the plan is whole. */
export function nameLeftOut({ leftOut }: PlanView): string | undefined {
  if (leftOut === undefined) return undefined
  const { results, details } = leftOut
  const findings = results === 0 ? '' : countOf(results, 'finding')
  const fields = details === 0 ? '' : `the details of ${countOf(details, 'change')}`
  return `left out for want of room: ${[findings, nameCounts(leftOut), fields].filter((part) => part !== '').join(', ')}`
}

/** Returns the counts of changes outside the part that was asked for; undefined when there are none. */
export function nameOthers({ others }: PlanView): string | undefined {
  const named = others === undefined ? '' : nameCounts(others)
  return named === '' ? undefined : `not asked for: ${named}`
}

/** Returns the numbers of errors and warnings; '' for none. */
export function countFindings(results: readonly Result[]): string {
  const count = (severity: Result['severity']) => results.filter((result) => result.severity === severity).length
  const counted = [countOf(count('error'), 'error'), countOf(count('warning'), 'warning')]
  return counted.filter((text) => !text.startsWith('0 ')).join(', ')
}

/** Returns the sets that a plan lists: all, but only those with changes if errors refuse the plan or a part was asked for. */
export function listedSets({ sets, results, others }: PlanView): readonly SetView[] {
  return hasErrors(results) || others !== undefined ? sets.filter(({ changes }) => changes.length > 0) : sets
}

/** Returns a set as `NAMESPACE/NAME`. */
export function nameSet({ namespace, name }: SetView): string {
  return namespace === undefined ? name : `${namespace}/${name}`
}

/** Returns a note for a set without variants before and after; else ''. */
export function noVariants({ changes }: SetView): string {
  return changes.length === 0 ? ', no variants' : ''
}

/** Returns who makes the changes of a set in a cluster; '' for a plan of files. */
export function nameMaker({ by, changes }: SetView): string {
  return by === undefined || changes.length === 0 ? '' : `; ${by}`
}

/** Returns the name of a variant, `old → new` for a renamed one. */
export function nameVariant({ name, oldName }: ChangeView): string {
  return oldName === undefined ? name : `${oldName} → ${name}`
}

/** Returns the number of variants in a group: `400 variants`. */
export function nameVariants({ count }: GroupView): string {
  return countOf(count, 'variant')
}

/** Returns the names of a group's variants in brackets, `a, b, c, and 397 more`; '' if the group shows no name. */
export function nameMembers({ count, names }: GroupView): string {
  const more = count - names.length
  return names.length === 0 ? '' : ` (${names.join(', ')}${more > 0 ? `, and ${more} more` : ''})`
}
