import { formatCycle } from '../../dependencies/graph.ts'
import { packageKey } from '../../fleet/fleet.ts'
import type { PackageVariant } from '../../kinds/package-variant.ts'
import type { UpstreamFields } from '../../kinds/upstream-schema.ts'
import { DEFAULT_NAMESPACE } from '../../kubernetes/kinds.ts'
import { gitTreeIdOf } from '../../package/git-snapshot.ts'
import type { WholeFolder } from '../../package/whole-folder.ts'
import { printable } from '../../printable.ts'
import type { Result } from '../../result.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { CloneFlavour } from '../options.ts'
import { sourcePackageOf } from './disk-package-source.ts'
import type { SourcePackage } from './source-package.ts'

/** A variant that makes the upstream package of another variant. */
export type UpstreamMaker = Pick<PackageVariant, 'name' | 'namespace' | 'upstream' | 'downstream' | 'object'>

/** The packages of a fleet as they are before a run. */
export interface DownstreamFolders {
  /** Returns the package in a folder, REPOSITORY/PACKAGE; empty if there is none. */
  folder(folder: string): WholeFolder
  /** Returns the content that a package had at a git tree; undefined if the repository of the folder does not have the tree. */
  tree(folder: string, id: string): WholeFolder | undefined
  /** Returns the name of a folder, for findings. */
  shown(folder: string): string
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

  /** Returns the package of a maker as it is before the run; without files if there is none. */
  before(maker: UpstreamMaker): SourcePackage {
    return this.#present(folderOfMaker(maker))
  }

  #present(folder: string): SourcePackage {
    const known = this.#before.get(folder) ?? this.source(this.#folders.folder(folder), folder)
    this.#before.set(folder, known)
    return known
  }

  /**
   * Returns a state of a package as an upstream package.
   *
   * @param folder  REPOSITORY/PACKAGE
   */
  source(content: WholeFolder, folder: string): SourcePackage {
    return sourcePackageOf(content, this.#folders.shown(folder), this.#flavour)
  }

  /** Returns the package in a folder as it was at a git tree: the present package if its tree is the same, else what git has of the tree. */
  original(folder: string, tree: string): SourcePackage | undefined {
    const key = JSON.stringify([folder, tree])
    if (this.#originals.has(key)) return this.#originals.get(key)
    const isPresent = gitTreeIdOf(this.#folders.folder(folder).files) === tree
    const found = isPresent ? undefined : this.#folders.tree(folder, tree)
    const original = isPresent ? this.#present(folder) : found && this.source(found, folder)
    this.#originals.set(key, original)
    return original
  }
}

export function folderOfMaker({ downstream }: UpstreamMaker): string {
  return `${downstream.repo}/${downstream.package}`
}

function namespaceOf({ namespace = DEFAULT_NAMESPACE }: UpstreamMaker): string {
  return namespace
}

/** A step of a plan, and the maker of its upstream if a variant of the fleet makes it. */
interface LinkedStep<Variant extends UpstreamMaker> {
  readonly variant: Variant
  readonly folder: string
  readonly upstream: { readonly maker?: Variant }
}

/** Steps in an order in which each upstream is made before it is used, and an error for each circle. */
interface OrderedSteps<Step> {
  readonly steps: readonly Step[]
  readonly circles: readonly Result[]
}

/** Returns the steps with each maker before the variants that are made from its package; else in the given order. */
export function makersFirst<Variant extends UpstreamMaker, Step extends LinkedStep<Variant>>(steps: readonly Step[]): OrderedSteps<Step> {
  if (steps.every(({ upstream }) => upstream.maker === undefined)) return { steps, circles: [] }
  const byVariant = new Map<Variant, Step>(steps.map((step) => [step.variant, step]))
  const ordered = new Set<Step>()
  const circles: Result[] = []
  for (const step of steps) {
    // The packages from this one up to one without a maker, or whose maker is in order already.
    const up = new Set<Step>()
    let next: Step | undefined = step
    while (next !== undefined && !ordered.has(next) && !up.has(next)) {
      up.add(next)
      next = next.upstream.maker && byVariant.get(next.upstream.maker)
    }
    if (next !== undefined && up.has(next)) circles.push(circleResult(next, [...up].slice([...up].indexOf(next))))
    for (const each of [...up].reverse()) ordered.add(each)
  }
  return { steps: [...ordered], circles }
}

/** Returns the error of variants whose packages are made from each other: `a/foo (variant one) -> b/foo (variant two) -> a/foo`. */
function circleResult(first: LinkedStep<UpstreamMaker>, circle: readonly LinkedStep<UpstreamMaker>[]): Result {
  const names = new Map(circle.map(({ folder, variant }) => [folder, `variant ${variant.name}`]))
  const words = formatCycle([...names.keys(), first.folder], printable, (folder) => printable(names.get(folder) ?? ''))
  const message = `must not be made from its own package while no revision of it is published: ${words}`
  return faultToResult(first.variant.object, { severity: 'error', rule: 'upstream-cycle', path: ['spec', 'upstream'], message })
}
