import { repeatsOf } from '../../../group-by.ts'
import { formatResourceRef } from '../../../result.ts'
import { type Finding, formatPlace, quote } from '../../finding.ts'
import type { Dependent } from '../../package-index.ts'
import { type ObjectField, placeOfField, textOfField } from '../../reading/field.ts'
import { directRequirements } from '../../requirements.ts'
import type { ImageConfig, ImageRewrites } from '../image-configs.ts'
import type { CrossplanePackage } from '../objects.ts'
import { findingAt } from '../package-finding.ts'
import { referenceTo } from '../reference.ts'

/** Reports ImageConfigs that pull nothing, that share a prefix, or whose prefixes no image has when it is pulled. */
export function checkImageConfigs(configs: readonly ImageConfig[], rewrites: ImageRewrites): Finding[] {
  return [...configs.flatMap(withoutPrefix), ...sharedPrefixes(configs), ...configs.flatMap((config) => passedOver(config, rewrites))]
}

function withoutPrefix({ object, rewrite }: ImageConfig): Finding[] {
  if (rewrite === undefined || textOfField(rewrite)) return []
  const message = `\`spec.rewriteImage.prefix\` of ${formatResourceRef(object.ref)} must be set: Crossplane pulls no package that the ImageConfig matches`
  return [finding('image-config-invalid', message, rewrite)]
}

function sharedPrefixes(configs: readonly ImageConfig[]): Finding[] {
  const prefixes = configs
    .filter(({ rewrite }) => rewrite !== undefined)
    .flatMap((config) => config.prefixes.map((field) => ({ config, field, prefix: textOfField(field) ?? '' })))
  return repeatsOf(prefixes, ({ prefix }) => prefix).flatMap(({ first, again: { config, field, prefix } }) => {
    if (first.config === config) return []
    const place = formatPlace(placeOfField(first.field))
    const message = `${formatResourceRef(first.config.object.ref)} (${place}) and ${formatResourceRef(config.object.ref)} rewrite the prefix ${quote(prefix)}: Crossplane takes either of them`
    return [finding('image-config-suspect', message, field)]
  })
}

/** Reports prefixes of images that are rewritten before pull secrets and signatures are looked for. */
function passedOver({ object, prefixes, concernsPulls }: ImageConfig, rewrites: ImageRewrites): Finding[] {
  if (!concernsPulls) return []
  return prefixes.flatMap((field) => {
    const prefix = textOfField(field) ?? ''
    const found = rewrites.rewrite(prefix)
    if (found === undefined || found.image.startsWith(prefix)) return []
    const message = `${formatResourceRef(object.ref)} is passed over for images with the prefix ${quote(prefix)}: ${formatResourceRef(found.config.object.ref)} rewrites them first, and pull secrets and signatures are those of ${quote(found.image)}`
    return [{ ...finding('image-config-suspect', message, field), proposedValue: found.image }]
  })
}

/**
 * Reports packages that are installed from the place that an ImageConfig rewrites a dependency to, or that an ImageConfig pulls from the
 * place that a dependency names: the original source is the identity of a package, so the dependency is not met, and would be installed
 * once more.
 */
export function checkMirrors(dependents: readonly Dependent[], packages: readonly CrossplanePackage[], rewrites: ImageRewrites): Finding[] {
  const installed = new Map(packages.map((each) => [each.reference.source, each]))
  const pulled = new Map(
    packages.flatMap((each) => {
      const found = rewrites.rewrite(each.reference.source)
      return found === undefined ? [] : [[found.image, { each, found }] as const]
    }),
  )
  const seen = new Set<string>()
  return directRequirements(dependents).flatMap(({ dependent, requirement }) => {
    const { id, installs } = requirement.package
    if (installs.length > 0 || seen.has(id)) return []
    const found = rewrites.rewrite(id)
    const mirror = found && installed.get(found.image)
    const original = mirror === undefined ? pulled.get(id) : undefined
    const other = mirror ?? original?.each
    const config = (original?.found ?? found)?.config
    if (other === undefined || config === undefined) return []
    seen.add(id)
    const requires = `${dependent.name} requires ${id} (${formatPlace(requirement.place)})`
    const pulls = `which ${formatResourceRef(config.object.ref)} pulls from`
    const both = mirror === undefined ? `${pulls} ${id}, and ${requires}` : `and ${requires}, ${pulls} there`
    const message = `${formatResourceRef(other.object.ref)} installs ${other.reference.source}, ${both}: Crossplane compares original sources, so the requirement is not met`
    return [findingAt(other, 'mirror-source', message, referenceTo(id, other.reference.digest || other.reference.tag))]
  })
}

function finding(rule: Finding['rule'], message: string, field: ObjectField): Finding {
  return { rule, message, place: placeOfField(field), tags: { ecosystem: 'crossplane' } }
}
