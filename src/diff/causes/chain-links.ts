import { gitTreeIdOf } from '../../git/git-snapshot.ts'
import { folderOfMaker } from '../../upstream/chain.ts'
import type { UpstreamRevision } from '../../upstream/upstream-search.ts'
import {
  type CommittedPackages,
  type FleetState,
  isEdited,
  type PackageStep,
  rendererOf,
  type StateRenderer,
  type StateUpstreams,
} from '../fleet-state.ts'
import { InputComparison, type PackageInput } from '../package-inputs.ts'
import { editInputs } from '../raised-subpackages.ts'
import type { ChangedPackage } from './attribution.ts'

/**
 * The links of the chains of two states. The package of a link, which is the upstream of other packages, is in FROM the committed one, and
 * in TO the one that `render` leaves. If the repository has no packages, it is the rendered one in both states.
 */
export class ChainLinks {
  readonly renderers: { readonly from: StateRenderer; readonly to: StateRenderer }
  readonly comparison: InputComparison
  readonly #from: FleetState
  readonly #to: FleetState
  readonly #upstreams: { readonly from: StateUpstreams; readonly to: StateUpstreams }
  readonly #links = new Map<PackageStep, ChangedPackage | undefined>()

  constructor(from: FleetState, to: FleetState) {
    this.#from = from
    this.#to = to
    this.renderers = { from: rendererOf(from), to: rendererOf(to) }
    this.#upstreams = { from: from.committed === undefined ? this.renderers.from : committedUpstreams(from), to: this.renderers.to }
    this.comparison = new InputComparison(from, to, this.#upstreams)
  }

  /** Returns a package that changes, with the content of its upstream in both states. */
  changed({ from, to, inputs, folders }: Pick<ChangedPackage, 'from' | 'to' | 'inputs' | 'folders'>): ChangedPackage {
    return {
      from: withUpstream(from, this.#upstreams.from.upstreamOf(from)),
      to: withUpstream(to, this.#upstreams.to.upstreamOf(to)),
      inputs,
      ...(folders && { folders }),
      link: () => this.#link(from, to),
    }
  }

  /** Returns the package that is the upstream of another one, if a variant makes the upstream in both states. */
  #link({ upstream: { maker: was } }: PackageStep, { upstream: { maker: is } }: PackageStep): ChangedPackage | undefined {
    const [from, to] = [stepOf(this.#from, was), stepOf(this.#to, is)]
    if (from === undefined || to === undefined) return undefined
    if (this.#links.has(to)) return this.#links.get(to)
    const { committed: before } = this.#from
    const { committed: after } = this.#to
    const inputs: readonly PackageInput[] = this.comparison.between(from, to)
    const isCommitted = before !== undefined && after !== undefined && from.folder === to.folder
    const link = this.changed({ from, to, ...(isCommitted ? committedInputs({ from, to, inputs }, before, after) : { inputs }) })
    this.#links.set(to, link)
    return link
  }
}

/** Returns the inputs of a link that is committed in both states, with the edits of its package, and the package in both. */
function committedInputs(
  { from, to, inputs }: { readonly from: PackageStep; readonly to: PackageStep; readonly inputs: readonly PackageInput[] },
  before: CommittedPackages,
  after: CommittedPackages,
): Pick<ChangedPackage, 'inputs' | 'folders'> {
  const folders = { before: before.folder(from.folder), after: after.folder(to.folder) }
  return { inputs: isEdited(from.folder, before, after) ? [...inputs, ...editInputs(folders, to, after.shown)] : inputs, folders }
}

function stepOf({ plan }: FleetState, maker: UpstreamRevision['maker']): PackageStep | undefined {
  return maker && plan.steps.find(({ variant }) => variant === maker)
}

/** Returns a step whose upstream is read already: a render of the step alone does not make the package of another variant. */
function withUpstream(step: PackageStep, upstream: UpstreamRevision | undefined): PackageStep {
  if (upstream?.maker === undefined) return step
  const { origin, source } = upstream
  return { ...step, upstream: { origin, source } }
}

/** Returns the upstreams of a state, those that variants make as they are committed; one that is not is rendered. */
function committedUpstreams(state: FleetState): StateUpstreams {
  const { plan, committed } = state
  const renderer = rendererOf(state)
  const trees = new Map<UpstreamRevision['maker'], string | undefined>()
  const treeOf = (maker: NonNullable<UpstreamRevision['maker']>): string | undefined => {
    if (!trees.has(maker)) {
      const files = committed?.folder(folderOfMaker(maker)).files
      trees.set(maker, files === undefined || files.size === 0 ? undefined : gitTreeIdOf(files))
    }
    return trees.get(maker)
  }
  return {
    upstreamOf: (step) => {
      const { maker, origin } = step.upstream
      if (maker === undefined) return step.upstream
      const tree = treeOf(maker)
      if (tree === undefined || plan.chain === undefined) return renderer.upstreamOf(step)
      return { origin: { ...origin, tree }, source: plan.chain.before(maker), maker }
    },
  }
}
