import type { VariantChange } from '../../src/fleet/change.ts'
import type { UpstreamRevisions } from '../../src/fleet/releases/newer-revisions.ts'
import type { RenderedStep } from '../../src/render/made-packages.ts'
import { hasErrors, type Result } from '../../src/result.ts'
import { namespacedName } from '../../src/variant/find-variant.ts'
import { placed, shownResults } from '../print/print-results.ts'

/** The outcome of an update for packages, found by a render in memory. */
export interface UpdateView {
  readonly clean: number
  /** The number of packages that do not exist yet, and so have no edits. */
  readonly created: number
  /** The packages in which upstream's change or a function replaces an edit. */
  readonly losing: readonly MetPackage[]
  /** The packages without such a change that keep an edit, and so lack what upstream changed or removed there. */
  readonly passedOver: readonly MetPackage[]
  /** The packages that cannot be rendered, or whose functions fail. */
  readonly failing: readonly MetPackage[]
}

/** A package, and the findings that an update met in it. */
export interface MetPackage {
  /** REPOSITORY/PACKAGE. */
  readonly folder: string
  readonly results: readonly Result[]
}

/** Collects what an update does to the packages of variants, by `NAMESPACE/NAME` of the variant. */
export class UpdateOutcomes {
  readonly #clean = new Set<string>()
  readonly #created = new Set<string>()
  readonly #losing = new Map<string, MetPackage>()
  readonly #passedOver = new Map<string, MetPackage>()
  readonly #failing = new Map<string, MetPackage>()

  take({ step, results, functions }: RenderedStep): void {
    const key = namespacedName(step.variant.object)
    const all = [...results, ...(functions?.results ?? [])]
    const lost = all.filter(({ tags }) => tags.rule === 'edit-lost')
    const passed = all.filter(({ tags }) => tags.rule === 'change-passed-over')
    const hasFailed = hasErrors(all) || functions?.outcome === 'failed' || functions?.outcome === 'saved'
    const errors = all.filter(({ severity }) => severity === 'error')
    if (hasFailed) this.#failing.set(key, { folder: step.folder, results: shownResults(errors) })
    else if (lost.length > 0) this.#losing.set(key, { folder: step.folder, results: shownResults([...lost, ...passed]) })
    else if (passed.length > 0) this.#passedOver.set(key, { folder: step.folder, results: shownResults(passed) })
    else if (step.op === 'update') this.#clean.add(key)
    else this.#created.add(key)
  }

  of(variants: readonly Pick<VariantChange, 'namespace' | 'name'>[]): UpdateView {
    const keys = variants.map(namespacedName)
    return {
      clean: keys.filter((key) => this.#clean.has(key)).length,
      created: keys.filter((key) => this.#created.has(key)).length,
      losing: keys.flatMap((key) => this.#losing.get(key) ?? []),
      passedOver: keys.flatMap((key) => this.#passedOver.get(key) ?? []),
      failing: keys.flatMap((key) => this.#failing.get(key) ?? []),
    }
  }
}

/** The outdated upstreams of a fleet, in the form of schemas/output/outdated.json, but for findings. */
export type OutdatedView = ReturnType<typeof viewOutdated>

/**
 * Returns the view of the upstreams of a fleet.
 *
 * @param outcomes  what the update would do to the packages; undefined if they were not rendered
 */
export function viewOutdated(
  { newer, current, following, unknown }: UpstreamRevisions,
  outcomes: UpdateOutcomes | undefined,
  results: readonly Result[],
) {
  const outdated = newer.map((each) => {
    const { set, upstream, ring, from, to, field, variants, followers, held } = each
    return {
      set: set.owner.name,
      namespace: set.owner.namespace,
      upstream: `${upstream.repo}/${upstream.package}`,
      ...(ring && { ring: ring.name }),
      from,
      to,
      variants: variants.length,
      ...(followers.length > 0 && { followers: followers.length }),
      clusters: new Set([...variants.map(({ why }) => why?.repo), ...followers.map(({ repo }) => repo)]).size,
      ...placed(field.object, field.path),
      held,
      ...(outcomes && { update: outcomes.of([...variants, ...followers]) }),
    }
  })
  return { current, behind: new Set(newer.map(({ upstream }) => upstream)).size, unknown: unknown.length, following, outdated, results }
}
