import { formatFieldPath } from '../../../field-path.ts'
import { quote, shorten } from '../../finding.ts'
import { formatPlace } from '../../place.ts'
import type { CatalogPackage } from '../../reading/catalog.ts'
import type { ReadOptions } from '../../reading/ecosystem.ts'
import { pathOfField, placeOfField } from '../../reading/field.ts'
import { imageName, isTagRange, resolveFunctionTag } from '../function-tag.ts'
import type { TaggedFunction } from '../objects.ts'
import type { PorchFinding } from './porch-rules.ts'

/** Returns the pipeline functions whose tag does not resolve: no known tag is in the range, or the tag is no valid image tag. */
export function checkFunctionTags(
  functions: readonly TaggedFunction[],
  catalog: readonly CatalogPackage[],
  { closed }: Pick<ReadOptions, 'closed'>,
): PorchFinding[] {
  const tags = new Map<string, string[]>()
  for (const { ecosystem, id, versions } of catalog) {
    if (ecosystem !== 'kpt') continue
    const name = calledAs(id)
    tags.set(name, [...(tags.get(name) ?? []), ...versions.map(({ version }) => version)])
  }
  return functions.flatMap((each) => checkTag(each, tags.get(calledAs(each.image)), { closed }))
}

function checkTag(
  { image, tag, tagField }: TaggedFunction,
  known: readonly string[] | undefined,
  { closed }: Pick<ReadOptions, 'closed'>,
): PorchFinding[] {
  const unverified = known === undefined && !closed && isTagRange(tag) && imageName(image) !== undefined
  const resolved = resolveFunctionTag(image, tag, known ?? [])
  if (!unverified && 'image' in resolved) return []
  const why = unverified ? 'no tag of it is known' : 'error' in resolved ? resolved.error : ''
  const place = placeOfField(tagField)
  return [
    {
      rule: 'function-tag-unresolved',
      ...(unverified && { severity: 'warning' as const }),
      message: `\`${formatFieldPath(pathOfField(tagField))}\` ${quote(tag)} of ${shorten(image)} (${formatPlace(place)}) comes to no tag: ${why}`,
      place,
      tags: { ecosystem: 'kpt', dialect: 'm350', dependency: calledAs(image), required: tag },
    },
  ]
}

// One that is no image reference is called as it is written.
function calledAs(image: string): string {
  return imageName(image) ?? image
}
