import type { FieldPath } from '../../field-path.ts'
import { equalJson } from '../../json.ts'
import type { VariantSet } from '../../kinds/variant-set.ts'
import { once } from '../../remember.ts'
import type { FleetObject, SetSurroundings } from '../fleet.ts'
import { layersOf, layerTemplates } from '../templates/layered-template.ts'
import { renderVariant, type TemplateContext } from '../templates/render-variant.ts'
import type { RenderedVariant } from '../templates/rendered-variant.ts'
import { readUnrolling } from './unrolling.ts'

/** A target that a set may leave out. */
export interface AskedTarget {
  /** The entry of `spec.targets` that would select the target. */
  readonly entry: FieldPath
  readonly repoDefault: string
  /** One of the package names of the entry; undefined if the package has the name of the upstream's. */
  readonly packageName: string | undefined
  readonly object: FleetObject | undefined
}

/**
 * Returns a function that returns the variants that a set would have for a target if its selectors and exclusions did not leave the target
 * out, one for each upstream.
 */
export function askedVariants(
  set: VariantSet,
  context: TemplateContext,
  surroundings: SetSurroundings,
): (asked: AskedTarget) => readonly RenderedVariant[] {
  const unrolling = once(() => readUnrolling(set, surroundings, context.compiler))
  const entries = once(() =>
    set.targets.map((target) => ({ target, templates: set.upstreams.map((each) => layerTemplates(layersOf(set, each, target))) })),
  )
  return ({ entry, repoDefault, packageName, object }) => {
    const found = entries().find(({ target }) => equalJson(target.path, entry))
    if (found === undefined) return []
    const { target, templates } = found
    const { inputs, rings, upstreams } = unrolling()
    const spot = { path: target.path, repoDefault, object }
    const read = inputs.of(spot)
    const ring = rings.of(spot, read)
    return set.upstreams.map((asked, at) => {
      const [packageDefault, upstream, template] = [packageName ?? asked.package, upstreams.of(at, ring), templates[at]]
      return renderVariant({ ...spot, target, packageDefault, upstream, inputs: read, ring, template }, context)
    })
  }
}
