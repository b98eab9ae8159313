import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { attempt, quietly } from '../../src/attempt.ts'
import { formerDownstreamFinder } from '../../src/fleet/former-downstreams.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { type PlannedVariant, plannedVariants, upstreamOfPlanned } from '../../src/fleet/planned-variants.ts'
import { topOf } from '../../src/git/git.ts'
import { GitError, type GitRepository, runGit } from '../../src/git/run-git.ts'
import { readKptfileUpstream } from '../../src/kinds/kptfile-upstream.ts'
import { readOwnerAnnotation } from '../../src/lifecycle/owner-annotation.ts'
import { once } from '../../src/remember.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { joinPath, KPTFILE } from '../../src/resource-list/package-of.ts'
import type { Deployment } from '../../src/sync/options.ts'
import { bareFolder } from '../../src/upstream/origin.ts'
import { variantObject } from '../fleet/variants-in-memory.ts'

/**
 * Returns a function that says if the package of a deployment was in another folder of the Repository before: `render` would find the
 * package there, or git has a package there that is not there any more, and of that package `render` would find that it is of the same
 * variant, of the same upstream package, or was at this place while the upstream package of the set had another name.
 *
 * @param dir       the path of the fleet on disk
 * @param items     the objects of the fleet
 * @param toRename  returns the present folders of the packages that the next `render` finds, by those of their variants
 */
export function movedPackages(
  dir: string,
  plan: FleetPlan,
  items: readonly KrmObject[],
  toRename: () => ReadonlyMap<string, string>,
): (deployment: Deployment, folder: string) => boolean {
  const repository: GitRepository = { dir }
  const top = once(() => topOf(repository))
  const fleet = once(() => variantsOf(plan, items))
  const willMove = once(toRename)
  const isMoved = (deployment: Deployment, folder: string): boolean => {
    const name = nameIn(deployment, folder)
    const { repository: repo, packageName = '' } = deployment
    if (name !== undefined && willMove().get(`${repo}/${packageName}`) === `${repo}/${name}`) return true
    const places = placesOf(deployment, name)
    if (places === undefined || existsSync(join(top(), places.before, KPTFILE))) return false
    const former = lastKptfile(repository, joinPath(places.before, KPTFILE))
    const present = kptfileOf(items, places.items)
    const planned = fleet().byPlace.get(`${deployment.repository}/${deployment.packageName}`)
    return (
      former !== undefined &&
      present !== undefined &&
      planned !== undefined &&
      isSamePackage({ former, present, planned, name: places.name }, fleet())
    )
  }
  return (deployment, folder) => attempt(() => isMoved(deployment, folder), GitError) === true
}

interface PlannedObject {
  readonly variant: PlannedVariant
  readonly object: KrmObject
}

interface VariantsOfPlan {
  /** By `REPOSITORY/PACKAGE`. */
  readonly byPlace: ReadonlyMap<string, PlannedObject>
  /** `NAMESPACE/NAME` of each variant. */
  readonly names: ReadonlySet<string>
  readonly formerDownstream: ReturnType<typeof formerDownstreamFinder>
}

function variantsOf(plan: FleetPlan, items: readonly KrmObject[]): VariantsOfPlan {
  const planned = plannedVariants(plan).map((variant) => ({ variant, object: variantObject(variant) }))
  return {
    byPlace: new Map(planned.map((each) => [`${each.variant.repo}/${each.variant.packageName}`, each])),
    names: new Set(planned.map(({ variant }) => fullName(variant))),
    formerDownstream: formerDownstreamFinder([...items, ...planned.map(({ object }) => object)]),
  }
}

function fullName({ namespace, name }: PlannedVariant): string {
  return `${namespace}/${name}`
}

/**
 * The name that a package would have had in a folder of its Repository, its folder from the top of git, and that of the present package.
 */
interface PackagePlaces {
  readonly name: string
  readonly before: string
  /** The folder of the present package, as the items have paths. */
  readonly items: string
}

/**
 * Returns the name that a package in a folder has in the Repository of a deployment; undefined if the folder is not one of the Repository.
 */
function nameIn({ packageName, folder: path }: Deployment, folder: string): string | undefined {
  if (packageName === undefined) return undefined
  const directory = path.slice(0, -packageName.length)
  return folder.startsWith(directory) && folder !== directory ? folder.slice(directory.length) : undefined
}

/** Returns the places of the rendered package of a deployment that had another name; undefined if the package is not rendered. */
function placesOf({ packageName, contents: [content] }: Deployment, name: string | undefined): PackagePlaces | undefined {
  if (packageName === undefined || content?.isRendered !== true || content.inGit?.endsWith(packageName) !== true) return undefined
  // The name is read from an annotation, where any text may be. No path has a NUL, and no program can be asked about one.
  if (name === undefined || name.includes('\0')) return undefined
  return { name, before: content.inGit.slice(0, -packageName.length) + name, items: content.folder }
}

interface Packages {
  /** The Kptfile of the package that git had, and the name of the package. */
  readonly former: KrmObject
  readonly name: string
  /** The Kptfile of the package that is there, and its variant. */
  readonly present: KrmObject
  readonly planned: PlannedObject
}

/** Returns true if `render` takes two packages for one that moved, by the rules of `findRenames` (`src/lifecycle`). */
function isSamePackage(
  { former, name, present, planned: { variant, object } }: Packages,
  { names, formerDownstream }: VariantsOfPlan,
): boolean {
  const owner = readOwnerAnnotation(former)?.variant
  if (owner === fullName(variant)) return true
  const [before, now] = [directoryOf(former), directoryOf(present)]
  if (owner === undefined || names.has(owner) || before === undefined || now === undefined) return false
  if (before === now) return true
  const upstream = upstreamOfPlanned(variant).package
  const above = now.slice(0, -upstream.length)
  if (!now.endsWith(upstream) || !before.startsWith(above)) return false
  const downstream = formerDownstream(object, before.slice(above.length))
  return downstream?.repo === variant.repo && downstream.package === name
}

/** Returns the Kptfile that git had last at a path from the top of the repository. */
function lastKptfile(repository: GitRepository, path: string): KrmObject | undefined {
  const read = (commit: string) => attempt(() => runGit(repository, ['cat-file', 'blob', `${commit}:${path}`]).toString('utf8'), GitError)
  const text = read('HEAD') ?? read(`${lastChange(repository, path)}^`)
  return text === undefined ? undefined : quietly(() => KrmObject.fromDocument(text))
}

/** Returns the last commit that changed a file; '' if no commit did. */
function lastChange(repository: GitRepository, path: string): string {
  return runGit(repository, ['log', '-1', '--format=%H', '--', `:(top,literal)${path}`])
    .toString('utf8')
    .trim()
}

function kptfileOf(items: readonly KrmObject[], folder: string): KrmObject | undefined {
  return items.find(({ kind, file }) => kind === KPTFILE && file?.path === joinPath(folder, KPTFILE))
}

function directoryOf(kptfile: KrmObject): string | undefined {
  const directory = readKptfileUpstream(kptfile).value.upstream?.directory
  return directory === undefined ? undefined : bareFolder(directory)
}
