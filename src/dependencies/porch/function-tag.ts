import { DIALECTS } from '../../versions/dialects.ts'
import type { Constraint, Version } from '../../versions/version.ts'
import { quote } from '../finding.ts'
import { IMAGE_TAG, imageName } from './image-reference.ts'

/** The image that a pipeline function's `image` and `tag` resolve to, or the reason why they do not. */
export type ResolvedFunction = { readonly image: string } | { readonly error: string }

/**
 * Returns the image of a pipeline function (kpt pkg/fn/runtime/tag_resolution.go). Without a tag the image is unchanged. A version, or a
 * text that is neither version nor constraint, is used literally. A constraint picks the highest tag that matches, partial tags included:
 * `^1.2` of v1.2, v1.3.1 and v2.0 is v1.3.1.
 *
 * @param available  the known tags of the image
 */
export function resolveFunctionTag(image: string, tag: string, available: readonly string[]): ResolvedFunction {
  if (tag === '') return { image }
  const name = imageName(image)
  if (name === undefined)
    return { error: `failed to parse image ${quote(image)} as reference: it must be [REGISTRY/]REPOSITORY, in lower case` }
  const constraint = DIALECTS.kpt.parseVersion(tag).ok ? undefined : DIALECTS.kpt.parseConstraint(tag)
  if (constraint?.ok !== true) return literalTag(name, tag)
  const [highest] = filterTags(available, constraint.value)
  return highest === undefined
    ? { error: `no tag could be found matching the version constraint ${quote(tag)}` }
    : { image: `${name}:${highest.text}` }
}

/** Returns true if a tag is a range of versions, so that the image's known tags decide. */
export function isTagRange(tag: string): boolean {
  return tag !== '' && !DIALECTS.kpt.parseVersion(tag).ok && DIALECTS.kpt.parseConstraint(tag).ok
}

/** Returns the tags that are versions in the constraint, highest first. Digests and builds of git commits are left out. */
export function filterTags(tags: readonly string[], constraint: Constraint): Version[] {
  const versions = tags.flatMap((tag) => {
    const parsed = DIALECTS.kpt.parseVersion(tag)
    return parsed.ok && !tag.startsWith('sha256-') && !tag.includes('-git-') ? [parsed.value] : []
  })
  return versions.filter((version) => constraint.check(version) === true).sort((a, b) => DIALECTS.kpt.compare(b, a))
}

function literalTag(name: string, tag: string): ResolvedFunction {
  if (IMAGE_TAG.test(tag)) return { image: `${name}:${tag}` }
  const rule =
    'must start with an alphanumeric character or underscore, followed by at most 127 alphanumeric characters, underscores, periods, or dashes'
  return { error: `\`function.tag\` ${quote(tag)} must be a valid image tag: ${rule}` }
}
