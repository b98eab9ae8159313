import { realpathSync } from 'node:fs'
import { Causes } from '../../src/diff/causes/causes.ts'
import { ChainLinks } from '../../src/diff/causes/chain-links.ts'
import { diffFleets } from '../../src/diff/diff-fleets.ts'
import type { PackageStep } from '../../src/diff/fleet-state.ts'
import type { ChangeCause, ChangeGroup } from '../../src/diff/report.ts'
import { compareText } from '../../src/field-path.ts'
import { topOf } from '../../src/git/git.ts'
import { GitError, type GitRepository, runGit } from '../../src/git/run-git.ts'
import { answered } from '../../src/pipeline/calls.ts'
import { printable } from '../../src/printable.ts'
import type { CommittedFolder } from '../../src/render/disk/draft-changes.ts'
import { FunctionError } from '../../src/result.ts'
import { countOf, nameFirst } from '../../src/wording.ts'
import { advance } from '../advance.ts'
import { causeText, groupText } from '../diff/diff-text.ts'
import { type FleetStates, readStates } from '../diff/read-states.ts'
import { WORKING_TREE } from '../diff/revisions.ts'
import type { Host } from '../host.ts'
import { stylesFor } from '../print/styles.ts'
import { UsageError } from '../usage-error.ts'
import type { FleetRenderRequest } from './fleet-render-request.ts'

/** A package that a branch changes. */
export interface DraftedPackage {
  readonly op: 'create' | 'move' | 'update' | 'remove' | 'orphan'
  /** REPOSITORY/PACKAGE. */
  readonly folder: string
  /** The upstream with its revision; unset for a package whose variant is gone. */
  readonly upstream?: string
}

interface DraftsToExplain {
  readonly request: FleetRenderRequest
  readonly repository: GitRepository
  readonly committed: CommittedFolder
  readonly changed: readonly DraftedPackage[]
}

/** Returns the message of the commit with some of the changed packages. */
type DraftMessage = (packages: readonly DraftedPackage[]) => string

/** The causes of changes: of packages, and of the ways in which objects of clusters change in the packages that are updated. */
interface DraftCauses {
  readonly ofPackage: (drafted: DraftedPackage) => readonly ChangeCause[]
  readonly groups: readonly ChangeGroup[]
}

/**
 * Returns a function that writes the messages of drafts. They name the causes that `diff` finds between the last commit that changed the
 * Kptfile of a package, and the fleet as it is. Where nothing is known of that commit, a message lists the packages alone.
 */
export async function draftMessages(dir: string, drafts: DraftsToExplain, host: Host): Promise<DraftMessage> {
  const causes = await causesOf(dir, drafts, host)
  const styles = stylesFor({ environment: {}, isTerminal: false }, {})
  return (packages) => {
    const folders = new Set(packages.map(({ folder }) => folder))
    const groups = (causes?.groups ?? []).flatMap((group) => groupIn(group, folders))
    const parts = [
      subjectOf(packages),
      ...OPERATIONS.flatMap(([op, verb]) =>
        partOf(
          packages.filter((each) => each.op === op),
          verb,
          causes,
        ),
      ),
    ]
    const shown = groups.slice(0, MOST_GROUPS).map((group) => groupText(group, styles).trimEnd())
    const more = groups.length > MOST_GROUPS ? [`and ${groups.length - MOST_GROUPS} more ways; krm-variants diff shows all`] : []
    return [...parts, ...shown, ...more].join('\n\n')
  }
}

/** The most ways in which objects change that a message shows, the most dangerous first. */
const MOST_GROUPS = 50

const OPERATIONS = [
  ['create', 'Created'],
  ['move', 'Moved'],
  ['update', 'Updated'],
  ['remove', 'Removed'],
  ['orphan', 'Left to itself'],
] as const

function subjectOf(packages: readonly DraftedPackage[]): string {
  const counts = OPERATIONS.flatMap(([op, verb]) => {
    const count = packages.filter((each) => each.op === op).length
    return count === 0 ? [] : [`${count} ${verb.toLowerCase()}`]
  })
  return `Render ${countOf(packages.length, 'package')}: ${counts.join(', ')}`
}

/** Returns a part that lists the packages with one fate; those with the same cause are listed together. */
function partOf(packages: readonly DraftedPackage[], verb: string, causes: DraftCauses | undefined): readonly string[] {
  const styles = stylesFor({ environment: {}, isTerminal: false }, {})
  const alike = new Map<string, string[]>()
  for (const each of packages) {
    const from = each.upstream === undefined ? '' : ` from ${printable(each.upstream)}`
    const why = (causes?.ofPackage(each) ?? []).map((cause) => `\n${causeText(cause, styles).trimEnd()}`)
    const key = `${from}${why.join('')}`
    alike.set(key, [...(alike.get(key) ?? []), each.folder].sort(compareText))
  }
  return [...alike].map(([why, folders]) => `${verb} ${printable(nameFirst(folders, NAMED))}${why}`)
}

const NAMED = 20

/** Returns the part of a group that is in some packages; none if it is in no package of them. */
function groupIn(group: ChangeGroup, folders: ReadonlySet<string>): readonly ChangeGroup[] {
  const places = group.places.filter((place) => folders.has(place.package)).map(({ ring: _, ...place }) => place)
  const { rings: _, ...rest } = group
  return places.length === 0 ? [] : [{ ...rest, places, clusters: new Set(places.map(({ cluster }) => cluster)).size }]
}

async function causesOf(dir: string, drafts: DraftsToExplain, host: Host): Promise<DraftCauses | undefined> {
  const { request, repository, committed, changed } = drafts
  const fleet: GitRepository = { dir: host.locate(dir), seconds: request.gitTimeout }
  try {
    if (realpathSync(topOf(fleet)) !== realpathSync(topOf(repository))) return undefined
    const rendered = lastRendered(repository, committed)
    const commit = rendered ?? committed.commit
    const from = { name: commit.slice(0, SHORT), commit, packagesAt: committed.commit }
    const states = await readStates(dir, { from, to: WORKING_TREE, repository: fleet }, request, host)
    const isCompared = rendered !== undefined && changed.some(({ op }) => op === 'update' || op === 'move')
    const groups = isCompared ? await groupsOf(states, changed, host) : []
    return { ofPackage: packageCauses(states, groups), groups }
  } catch (error) {
    // The branches are as right without the reasons.
    if (error instanceof FunctionError || error instanceof UsageError || error instanceof GitError) return undefined
    throw error
  }
}

const SHORT = 12

/** Returns the last commit that changed the Kptfile of a package; undefined if none did. */
function lastRendered(repository: GitRepository, { prefix, commit }: CommittedFolder): string | undefined {
  const folder = prefix === '' ? '' : `${prefix.replace(/[\\*?[\]]/g, '\\$&')}/`
  const args = ['rev-list', '-1', '--end-of-options', commit, '--', `:(top,glob)${folder}**/Kptfile`]
  return runGit(repository, args).toString('utf8').trim() || undefined
}

async function groupsOf({ from, to }: FleetStates, changed: readonly DraftedPackage[], host: Host): Promise<readonly ChangeGroup[]> {
  const updated = new Set(changed.flatMap(({ op, folder }) => (op === 'update' || op === 'move' ? [folder] : [])))
  const report = await advance(diffFleets(from, to, { withComments: false }), 'package', host)
  return report.groups.flatMap((group) => groupIn(group, updated))
}

/** @param groups  the ways in which objects change; their packages have no other causes */
function packageCauses({ from, to }: FleetStates, groups: readonly ChangeGroup[]): DraftCauses['ofPackage'] {
  const causes = new Causes(from, to)
  const links = new ChainLinks(from, to)
  const inGroups = new Set(groups.flatMap(({ places }) => places.map((place) => place.package)))
  const [before, after] = [from, to].map(({ plan }) => new Map(plan.steps.map((step): [string, PackageStep] => [step.folder, step])))
  return ({ op, folder }) => {
    const [was, is] = [before?.get(folder), after?.get(folder)]
    if (op === 'create') return is === undefined ? [] : causes.targets.ofCreated(is)
    if (op === 'remove' || op === 'orphan') return was === undefined ? [] : causes.targets.ofRemoved(was)
    if (was === undefined || is === undefined || inGroups.has(folder)) return []
    return answered(causes.ofInputs(links.changed({ from: was, to: is, inputs: links.comparison.between(was, is) })))
  }
}
