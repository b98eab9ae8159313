import type { VariantChange } from '../../src/fleet/change.ts'
import type { PackageLocks } from '../../src/fleet/releases/behind.ts'
import {
  dividePackages,
  type LockedVariant,
  type RingedUpstream,
  type RingRevision,
  variantsInRing,
} from '../../src/fleet/releases/ring-revisions.ts'
import type { PackageInMemory } from '../../src/render/disk/render-in-memory.ts'
import type { Result } from '../../src/result.ts'
import { namespacedName } from '../../src/variant/find-variant.ts'
import { type MetPackage, UpdateOutcomes } from '../outdated/outdated-view.ts'
import { placed } from '../print/print-results.ts'
import type { AskedUpstream } from './ring-filters.ts'

/** The packages of one upstream in one ring, in the form of schemas/output/rings.json, but for findings. */
export type RingView = ReturnType<typeof viewRing>

/** The rings of a fleet with their packages, for all formats. */
export interface RingsView {
  readonly rings: readonly RingView[]
  readonly results: readonly Result[]
}

interface RenderedRing {
  readonly edited: readonly EditedPackage[]
  /** The packages in which the update of a render replaces an edit. */
  readonly conflicts: readonly MetPackage[]
  /** The packages that cannot be rendered, or whose functions fail. */
  readonly failing: readonly MetPackage[]
}

interface EditedPackage {
  readonly folder: string
  readonly files: readonly string[]
}

/** Collects what a render in memory finds in packages, by `NAMESPACE/NAME` of the variant. */
export class RingOutcomes {
  readonly #updates = new UpdateOutcomes()
  readonly #edited = new Map<string, EditedPackage>()

  take(rendered: PackageInMemory): void {
    this.#updates.take(rendered)
    const files = rendered.editedFiles() ?? []
    if (files.length > 0) this.#edited.set(namespacedName(rendered.step.variant.object), { folder: rendered.step.folder, files })
  }

  of(variants: readonly VariantChange[]): RenderedRing {
    const { losing, failing } = this.#updates.of(variants)
    return { edited: variants.flatMap((variant) => this.#edited.get(namespacedName(variant)) ?? []), conflicts: losing, failing }
  }
}

/** The known packages of a fleet. */
interface KnownPackages {
  readonly locks: PackageLocks
  readonly outcomes: RingOutcomes | undefined
  /** The folders that hold something else than a package: no package is made there. */
  readonly occupied: ReadonlySet<string>
}

/** Returns the view of the rings that the caller asked for. */
export function viewRings(
  upstreams: readonly AskedUpstream[],
  { results, ...known }: KnownPackages & { readonly results: readonly Result[] },
): RingsView {
  const rings = upstreams.flatMap((upstream) => upstream.asked.map((revision) => viewRing(upstream, revision, known)))
  return { rings, results }
}

function viewRing(
  { plan, upstream }: Pick<AskedUpstream, 'plan'> & Pick<RingedUpstream, 'upstream'>,
  { ring, revision, at, upstream: inRing }: RingRevision,
  { locks, outcomes, occupied }: KnownPackages,
) {
  const variants = variantsInRing(plan, upstream, ring)
  const { there, elsewhere, missing } = dividePackages(variants, { upstream: inRing, revision }, locks)
  return {
    matrix: plan.owner.name,
    namespace: plan.owner.namespace,
    upstream: `${upstream.repo}/${upstream.package}`,
    ring: ring.name,
    revision,
    ...placed(at.object, at.path),
    packages: variants.length,
    there: there.length,
    behind: elsewhere.map(({ variant, locked }: LockedVariant) => ({ folder: folderOf(variant), locked })),
    missing: missing.map(folderOf).filter((folder) => !occupied.has(folder)),
    ...(outcomes && { rendered: outcomes.of(variants) }),
  }
}

/** Returns the folder of a variant's package: REPOSITORY/PACKAGE of its downstream. */
function folderOf({ name, why }: VariantChange): string {
  return why === undefined ? name : `${why.repo}/${why.package}`
}
