import { isBytes, type PackageFiles } from '../merge/package-files.ts'
import type { Calls } from '../pipeline/calls.ts'
import { clusterObjects } from '../policy/policy-packages.ts'
import { once, remember } from '../remember.ts'
import { repositoryOf } from '../render/disk/disk-places.ts'
import { isKptfile } from '../resource-list/package-of.ts'
import { hasErrors } from '../result.ts'
import type { PackageObjects } from './dangers/danger-rule.ts'
import { type FleetState, type PackageStep, rendererOf, type StateRenderer } from './fleet-state.ts'
import type { InputComparison } from './package-inputs.ts'
import { comparedContent, renderedFiles } from './package-objects.ts'
import { filesIn, type PackagePair } from './package-pairs.ts'

/**
 * Reads the objects that clusters get of all their packages, in both states. A Service of one package selects the pods of another, so a
 * package that does not change is read too. A cluster is read when it is asked for, once.
 */
export class ClusterObjects {
  readonly #from: StatePackages
  readonly #to: StatePackages
  readonly #known = new Map<string, PackageObjects>()
  readonly #comparison: InputComparison

  constructor(from: FleetState, to: FleetState, comparison: InputComparison) {
    this.#comparison = comparison
    this.#from = new StatePackages(from, { isRendered: from.committed === undefined })
    this.#to = new StatePackages(to, { isRendered: true })
  }

  /** Returns the objects of a cluster; undefined for a cluster of one package, whose objects the caller has. */
  *of(cluster: string): Calls<PackageObjects | undefined> {
    const folders = new Set([...this.#from.foldersOf(cluster), ...this.#to.foldersOf(cluster)])
    if (folders.size < 2) return undefined
    const known = this.#known.get(cluster)
    if (known !== undefined) return known
    const before = yield* this.#from.objectsOf(cluster)
    const isUnchanged = (was: PackageStep | undefined, is: PackageStep | undefined): boolean =>
      was !== undefined && is !== undefined && this.#comparison.between(was, is).length === 0
    const after = yield* this.#to.objectsOf(cluster, ({ folder, step }) => {
      const was = before.get(folder)
      return was !== undefined && isUnchanged(was.step, step) ? was.objects : undefined
    })
    const objects = { before: joined(before), after: joined(after) }
    this.#known.set(cluster, objects)
    return objects
  }

  /** Drops the objects of a cluster of which no package is left to compare. */
  forget(cluster: string): void {
    this.#known.delete(cluster)
  }
}

/** A package of a state, and the objects that a cluster gets of it. */
interface ReadPackage {
  readonly folder: string
  /** The step that renders the package; undefined for one that is read where it is committed. */
  readonly step: PackageStep | undefined
  readonly objects: PackageObjects['before']
}

type ReadPackages = ReadonlyMap<string, ReadPackage>

function joined(packages: ReadPackages): PackageObjects['before'] {
  return [...packages.values()].flatMap(({ objects }) => objects)
}

/** The packages of one state, by cluster. */
class StatePackages {
  readonly #state: FleetState
  readonly #renderer: StateRenderer
  readonly #clusters = new Map<string, Map<string, PackageStep | undefined>>()

  /** @param isRendered  true for packages as `render` leaves them, false for the committed ones */
  constructor(state: FleetState, { isRendered }: { readonly isRendered: boolean }) {
    this.#state = state
    const { plan, committed } = state
    const { functions, ...others } = plan.renderContext
    // A package that is only read for another one reports nothing: not even a function without a runner.
    const renderContext = { ...others, ...(functions && { functions: functions.forComparison }) }
    this.#renderer = rendererOf({ ...state, plan: { ...plan, renderContext } })
    const removed = new Set(plan.leftovers.flatMap(({ op, place }) => (op === 'remove' ? [place.folder] : [])))
    const moved = new Set(plan.steps.flatMap(({ movedFrom }) => movedFrom ?? []))
    for (const folder of committed?.folders ?? [])
      if (!isRendered || (!removed.has(folder) && !moved.has(folder))) this.#add(folder, undefined)
    if (isRendered) for (const step of plan.steps) this.#add(step.folder, committed !== undefined && step.op === 'leave' ? undefined : step)
  }

  #add(folder: string, step: PackageStep | undefined): void {
    remember(this.#clusters, repositoryOf(folder), () => new Map<string, PackageStep | undefined>()).set(folder, step)
  }

  foldersOf(cluster: string): readonly string[] {
    return [...(this.#clusters.get(cluster)?.keys() ?? [])]
  }

  /**
   * Returns the objects of the packages of a cluster, by folder.
   *
   * @param knownOf  returns the objects of a package that is known already: one that is rendered equally in the other state
   */
  *objectsOf(cluster: string, knownOf?: (read: Omit<ReadPackage, 'objects'>) => ReadPackage['objects'] | undefined): Calls<ReadPackages> {
    const found = new Map<string, ReadPackage>()
    for (const [folder, step] of this.#clusters.get(cluster) ?? []) {
      const objects = knownOf?.({ folder, step }) ?? objectsOf(yield* this.#filesOf(folder, step))
      found.set(folder, { folder, step, objects })
    }
    return found
  }

  *#filesOf(folder: string, step: PackageStep | undefined): Calls<PackageFiles> {
    const { committed } = this.#state
    if (step !== undefined) {
      const order = yield* this.#renderer.render(step)
      const isFailed = hasErrors([...order.results, ...(order.functions?.results ?? [])])
      return isFailed ? new Map() : renderedFiles(order, committed?.shown)
    }
    if (committed === undefined) return new Map()
    return filesIn(committed.folder(folder), `${committed.shown}/${folder}`)
  }
}

/**
 * Returns a function that returns the objects of a package that a cluster gets, in both states. They are read once, when they are asked
 * for.
 */
export function objectsOfPair({ whole }: PackagePair): () => PackageObjects {
  return once(() => {
    const { before, after } = whole()
    return { before: objectsOf(before), after: objectsOf(after) }
  })
}

function objectsOf(files: PackageFiles): PackageObjects['before'] {
  return [...files].flatMap(([path, content]) =>
    isBytes(content) || isKptfile(path) ? [] : content.flatMap(clusterObjects).map(comparedContent),
  )
}
