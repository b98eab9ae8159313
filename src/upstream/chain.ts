import { findCycles, formatCycle } from '../dependencies/graph.ts'
import { packageKey } from '../fleet/fleet.ts'
import type { FleetPlan } from '../fleet/plan-fan-out.ts'
import { plannedVariants } from '../fleet/planned-variants.ts'
import type { WholeFolder } from '../folder/whole-folder.ts'
import { gitTreeIdOf } from '../git/git-snapshot.ts'
import { asRecord, scalarText } from '../json.ts'
import type { PackageVariant } from '../kinds/package-variant.ts'
import type { UpstreamFields } from '../kinds/upstream-schema.ts'
import { DEFAULT_NAMESPACE } from '../kubernetes/kinds.ts'
import { printable } from '../printable.ts'
import { remember } from '../remember.ts'
import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { sourcePackageOf } from './disk-package-source.ts'
import type { CloneFlavour } from './repository-options.ts'
import type { SourcePackage } from './source-package.ts'
import { idOfValues } from './values-id.ts'

/** A variant that makes the upstream package of another variant. */
export type UpstreamMaker = Pick<PackageVariant, 'name' | 'namespace' | 'upstream' | 'downstream' | 'object'>

/** The packages of a fleet as they are before a run. */
export interface DownstreamFolders {
  /** Returns the package in a folder, REPOSITORY/PACKAGE; empty if there is none. */
  folder(folder: string): WholeFolder
  /**
   * Returns the content that a package had at a git tree; undefined if the repository of the folder does not have the tree. Unset where
   * packages have no history.
   */
  readonly tree?: (folder: string, id: string) => WholeFolder | undefined
  /** Returns the name of a folder, for findings. */
  shown(folder: string): string
  /** Returns the id of a package's content; unset for the id that git gives the folder. */
  readonly id?: (folder: WholeFolder) => string
}

/**
 * The chains of a fleet: upstreams that are themselves the packages of other variants (`platform/foo` → `edge/foo`), where no revision
 * of the upstream is published. Such an upstream is the package as the same run leaves it.
 */
export class Chain<Variant extends UpstreamMaker> {
  readonly #makers: ReadonlyMap<string, Variant>
  readonly #folders: DownstreamFolders
  readonly #flavour: CloneFlavour
  readonly #before = new Map<string, SourcePackage>()
  readonly #originals = new Map<string, SourcePackage | undefined>()

  constructor(variants: readonly Variant[], folders: DownstreamFolders, flavour: CloneFlavour) {
    // A package that would be written over its own upstream is another fault, with a better message.
    const makers = variants.filter(
      ({ upstream, downstream }) => upstream.repo !== downstream.repo || upstream.package !== downstream.package,
    )
    this.#makers = new Map(
      makers.map((variant) => [packageKey(namespaceOf(variant), variant.downstream.repo, variant.downstream.package), variant]),
    )
    this.#folders = folders
    this.#flavour = flavour
  }

  /** Returns the variant that makes an upstream package; undefined for a package that no variant of the fleet makes. */
  makerOf(upstream: UpstreamFields, namespace: string): Variant | undefined {
    return this.#makers.get(packageKey(namespace, upstream.repo, upstream.package))
  }

  /** Returns an error for each circle of the fleet. */
  circles(): readonly Result[] {
    return circlesOf([...this.#makers.values()]).flatMap((circle) => {
      const [first] = circle
      const fault = { severity: 'error', rule: 'upstream-cycle', path: ['spec', 'upstream'], message: circleMessage(circle) } as const
      return first === undefined ? [] : [faultToResult(first.object, fault)]
    })
  }

  /** Returns the package of a maker as it is before the run; without files if there is none. */
  before(maker: UpstreamMaker): SourcePackage {
    return this.#present(folderOfMaker(maker))
  }

  #present(folder: string): SourcePackage {
    return remember(this.#before, folder, () => this.source(this.#folders.folder(folder), folder))
  }

  /**
   * Returns a state of a package as an upstream package.
   *
   * @param folder  REPOSITORY/PACKAGE
   */
  source(content: WholeFolder, folder: string): SourcePackage {
    return sourcePackageOf(content, this.#folders.shown(folder), this.#flavour)
  }

  get hasHistory(): boolean {
    return this.#folders.tree !== undefined
  }

  /** Returns the id of a package's content, which packages that are made from it record. */
  idOf(content: WholeFolder): string {
    return this.#folders.id?.(content) ?? gitTreeIdOf(content.files)
  }

  /**
   * Returns the package in a folder as it was at a git tree: the present package if its tree is the same, else what git has of the tree.
   */
  original(folder: string, tree: string): SourcePackage | undefined {
    const key = JSON.stringify([folder, tree])
    if (this.#originals.has(key)) return this.#originals.get(key)
    const present = this.#folders.folder(folder)
    // The function render-variants, which knows no git, records the id of the values.
    const isPresent = this.idOf(present) === tree || idOfValues(present) === tree
    const found = isPresent ? undefined : this.#folders.tree?.(folder, tree)
    const original = isPresent ? this.#present(folder) : found && this.source(found, folder)
    this.#originals.set(key, original)
    return original
  }
}

export function folderOfMaker({ downstream }: Pick<UpstreamMaker, 'downstream'>): string {
  return `${downstream.repo}/${downstream.package}`
}

function namespaceOf({ namespace = DEFAULT_NAMESPACE }: Pick<UpstreamMaker, 'namespace'>): string {
  return namespace
}

/**
 * Returns the variants whose packages are made from each other, each circle once, with its first variant at both ends. A link that names
 * a published revision does not open the circle: each new revision would come back to its own package.
 */
function circlesOf<Variant extends Omit<UpstreamMaker, 'object'>>(variants: readonly Variant[]): readonly (readonly Variant[])[] {
  const makers = new Map(
    variants.map((variant) => [packageKey(namespaceOf(variant), variant.downstream.repo, variant.downstream.package), variant]),
  )
  const links = [...makers].flatMap(([key, variant]) => {
    const upstream = packageKey(namespaceOf(variant), variant.upstream.repo, variant.upstream.package)
    return upstream === key ? [] : [[key, [upstream]] as const]
  })
  return findCycles(new Map(links)).map((circle) => circle.flatMap((key) => makers.get(key) ?? []))
}

/**
 * Returns an error for each circle of the variants that a plan leaves, if a set makes one of them. Circles of written variants alone are
 * left to `check-dependencies`, which reports each at its variant.
 */
export function plannedCircles(plan: Pick<FleetPlan, 'fleet' | 'sets'>): readonly Result[] {
  const variants = plannedVariants(plan).map(({ name, namespace, repo, packageName, spec, object, path }) => {
    const upstream = asRecord((spec ?? asRecord(object.get(['spec']))).upstream)
    const from = { repo: scalarText(upstream.repo), package: scalarText(upstream.package) }
    return { name, namespace, upstream: from, downstream: { repo, package: packageName }, object, path }
  })
  return circlesOf(variants).flatMap((circle) => {
    const made = circle.find(({ object }) => object.kind !== 'PackageVariant')
    if (made === undefined) return []
    const fault = { severity: 'error', rule: 'upstream-cycle', path: made.path, message: circleMessage(circle) } as const
    return [faultToResult(made.object, fault)]
  })
}

/** Returns the message about a circle: `a/foo (variant one) -> b/foo (variant two) -> a/foo`. */
function circleMessage(circle: readonly Omit<UpstreamMaker, 'object'>[]): string {
  const names = new Map(circle.map((variant) => [folderOfMaker(variant), `variant ${variant.name}`]))
  const way = formatCycle(circle.map(folderOfMaker), printable, (folder) => printable(names.get(folder) ?? ''))
  return `must not be made from its own package: ${way}`
}

/** A step of a plan, and the maker of its upstream if a variant of the fleet makes it. */
interface LinkedStep<Variant extends UpstreamMaker> {
  readonly variant: Variant
  readonly upstream: { readonly maker?: Variant }
}

/** Returns the steps with each maker before the variants that are made from its package; else in the given order. */
export function makersFirst<Variant extends UpstreamMaker, Step extends LinkedStep<Variant>>(steps: readonly Step[]): readonly Step[] {
  const byVariant = new Map<Variant, Step>(steps.map((step) => [step.variant, step]))
  const ordered = new Set<Step>()
  for (const step of steps) {
    // The packages from this one up to one without a maker, or whose maker is in order already.
    const up = new Set<Step>()
    let next: Step | undefined = step
    while (next !== undefined && !ordered.has(next) && !up.has(next)) {
      up.add(next)
      next = next.upstream.maker && byVariant.get(next.upstream.maker)
    }
    for (const each of [...up].reverse()) ordered.add(each)
  }
  return [...ordered]
}
