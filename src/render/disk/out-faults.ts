import type { FleetVariant } from '../../fleet/fleet-variants.ts'
import { realFolder, realPlace } from '../../folder/inside-folder.ts'
import type { NamedFolder } from '../../folder/named-folder.ts'
import { type CheckoutGap, CheckoutGaps } from '../../git/checkout-gaps.ts'
import { isRemote, localPath } from '../../git/git-address.ts'
import type { LeftoverStep, VariantStep } from '../../lifecycle/package-steps.ts'
import { remember } from '../../remember.ts'
import { folderOf, foldersAbove } from '../../resource-list/package-of.ts'
import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { UpstreamFolders } from '../../upstream/upstream-library.ts'
import { nameFirst } from '../../wording.ts'
import type { RenderPlan } from '../plan-render.ts'

/** The places of an upstream on disk, without symbolic links. */
interface UpstreamPlaces {
  /** The folder of the repository, where it exists. */
  readonly repository: string | undefined
  /** The folder of the package at an unnamed revision, which need not exist; undefined for a package in git. */
  readonly package: string | undefined
}

/**
 * Returns an error for each repository of upstream packages whose own folder is the one that packages are written to, and for each
 * variant whose package would be written into, or around, the folder of its own upstream package: the next run would take what this run
 * wrote for upstream.
 *
 * @param dir  the folder of the fleet, in which upstream folders begin
 */
export function outFaults(
  { steps, renderContext }: RenderPlan,
  { dir, out }: { readonly dir: NamedFolder; readonly out: NamedFolder },
): readonly Result[] {
  const root = realPlace(out.disk)
  const known = new Map<FleetVariant['upstream'], UpstreamPlaces>()
  const repositories = new Map<string, Result>()
  const variants: Result[] = []
  for (const { variant, folder } of steps) {
    const { upstream, downstream, object } = variant
    const places = remember(known, upstream, () => placesOf(renderContext.upstreams.folders(variant), dir))
    if (places.repository === root) repositories.set(upstream.repo, ownFolder(upstream.repo, out))
    else if (overlaps(`${root}/${folder}`, places.package)) {
      const message = `must not be the folder of its own upstream package, got ${quoteText(`${downstream.repo}/${downstream.package}`)} below ${quoteText(out.shown)}`
      variants.push(faultToResult(object, { severity: 'error', rule: 'out-in-upstream', path: ['spec', 'downstream'], message }))
    }
  }
  return [...repositories.values(), ...variants]
}

interface PlannedFolders {
  readonly steps: readonly Pick<VariantStep, 'folder' | 'movedFrom'>[]
  readonly leftovers: readonly Pick<LeftoverStep, 'place'>[]
}

/**
 * Returns an error for the packages below `out` that the checkout leaves out, whole or in part: they would be made anew, and files that are
 * not there would count as deleted. A run on a part of the fleet asks for its own packages only.
 */
export function packageGaps(
  { steps, leftovers }: PlannedFolders,
  { out, selection }: { readonly out: NamedFolder; readonly selection?: unknown },
): readonly Result[] {
  const gaps = new CheckoutGaps().below(out.disk)
  if (gaps.length === 0) return []
  const own = new Set([
    ...steps.flatMap(({ folder, movedFrom }) => [folder, movedFrom ?? folder]),
    ...leftovers.map(({ place }) => place.folder),
  ])
  const isOwn = ({ path }: CheckoutGap) => selection === undefined || own.has(path) || foldersAbove(path).some((folder) => own.has(folder))
  const paths = gaps.filter(isOwn).map(({ path }) => path)
  if (paths.length === 0) return []
  const packages = [...new Set(paths.map((path) => foldersAbove(path).find((folder) => own.has(folder)) ?? folderOf(path)))]
  const message = `are not wholly in this checkout, although git has them: ${nameFirst(packages.map(quoteText), 3)}; \`git sparse-checkout add\` with their folders (of submodules, \`git submodule update --init\`) brings them, and --only renders a part of the fleet`
  return [{ severity: 'error', message: `packages below ${quoteText(out.shown)} ${message}`, tags: { rule: 'not-checked-out' } }]
}

function placesOf({ repository, package: packageFolder, git }: UpstreamFolders, dir: NamedFolder): UpstreamPlaces {
  if (git !== undefined) {
    const checkout = isRemote(git.repo) ? undefined : realFolder(dir.disk, localPath(git.repo), git.directory ?? '')
    return { repository: unlessAround(dir, checkout), package: undefined }
  }
  const place = realFolder(dir.disk, repository)
  return {
    repository: unlessAround(dir, place),
    package: place && `${place}/${packageFolder.slice(repository.length).replace(/^\/+/, '')}`,
  }
}

/** Returns the place of a repository; undefined for one that holds the fleet too, where packages are beside upstream packages. */
function unlessAround(dir: NamedFolder, place: string | undefined): string | undefined {
  return place === undefined || `${realPlace(dir.disk)}/`.startsWith(`${place}/`) ? undefined : place
}

/** Returns true if one of two folders is in the other, or a revision of it: `catalog/web@v1` of `catalog/web`. */
function overlaps(place: string, upstream: string | undefined): boolean {
  if (upstream === undefined) return false
  return place === upstream || place.startsWith(`${upstream}/`) || place.startsWith(`${upstream}@`) || upstream.startsWith(`${place}/`)
}

function ownFolder(repo: string, out: NamedFolder): Result {
  const message = `\`out\` must not be the folder of upstream packages, got ${quoteText(out.shown)}, which is that of repository ${quoteText(repo)}`
  return { severity: 'error', message, tags: { rule: 'out-in-upstream' } }
}
