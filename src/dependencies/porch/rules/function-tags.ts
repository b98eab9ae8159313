import { formatFieldPath } from '../../../field-path.ts'
import { remember } from '../../../remember.ts'
import { DIALECTS } from '../../../versions/dialects.ts'
import type { Constraint, Version } from '../../../versions/version.ts'
import { type Finding, formatPlace, quote, shorten } from '../../finding.ts'
import type { CatalogPackage } from '../../reading/catalog.ts'
import type { ReadOptions } from '../../reading/ecosystem.ts'
import { placeOfField } from '../../reading/field.ts'
import type { TaggedFunction } from '../objects.ts'

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

const DOCKER = 'docker.io'
const DOCKER_ALIASES: ReadonlySet<string> = new Set(['index.docker.io', 'registry-1.docker.io'])
const HOST_LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/
const PORT = /^[0-9]+$/
const IPV6 = /^\[[0-9a-fA-F:]+\]$/
const PATH_PART = /^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*$/
const IMAGE_TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/

/**
 * Returns the registry and repository of an image reference, without tag and digest. An image without a registry is of docker.io. Returns
 * undefined for a text that is no reference (measured on regclient, with which kpt reads references).
 */
export function imageName(image: string): string | undefined {
  const at = image.indexOf('@')
  const [tagged, digest] = at < 0 ? [image, undefined] : [image.slice(0, at), image.slice(at + 1)]
  const colon = tagged.lastIndexOf(':')
  const [path, tag] = colon > tagged.lastIndexOf('/') ? [tagged.slice(0, colon), tagged.slice(colon + 1)] : [tagged, undefined]
  const wellEnded = (digest === undefined || DIGEST.test(digest)) && (tag === undefined || IMAGE_TAG.test(tag))
  return wellEnded ? namedBy(path.split('/')) : undefined
}

function namedBy([first = '', ...rest]: readonly string[]): string | undefined {
  const registry = rest.length > 0 && isRegistry(first) ? first : undefined
  const repository = registry === undefined ? [first, ...rest] : rest
  if (!repository.every((part) => PATH_PART.test(part)) || repository[0] === 'localhost') return undefined
  const host = registry === undefined || DOCKER_ALIASES.has(registry) ? DOCKER : registry
  const official = host === DOCKER && repository.length === 1
  return [host, ...(official ? ['library'] : []), ...repository].join('/')
}

// A domain, an address, a name with a port or an upper-case letter, or localhost; any other first part belongs to the repository.
function isRegistry(first: string): boolean {
  const [, host = first, port] = /^(.*):([^:\]]*)$/.exec(first) ?? []
  if (port !== undefined && !PORT.test(port)) return false
  if (IPV6.test(host)) return true
  const labels = host.split('.')
  const named = host !== '' && (labels.at(-1) === '' ? labels.slice(0, -1) : labels).every((label) => HOST_LABEL.test(label))
  return named && (port !== undefined || labels.length > 1 || host === 'localhost' || (host.length > 1 && /[A-Z]/.test(host)))
}

/** Returns the pipeline functions whose tag does not resolve: no known tag is in the range, or the tag is no valid image tag. */
export function checkFunctionTags(
  functions: readonly TaggedFunction[],
  catalog: readonly CatalogPackage[],
  { closed }: Pick<ReadOptions, 'closed'>,
): Finding[] {
  const tags = new Map<string, string[]>()
  for (const { ecosystem, id, versions } of catalog) {
    if (ecosystem !== 'kpt') continue
    const own = remember(tags, calledAs(id), () => [])
    for (const { version } of versions) own.push(version)
  }
  return functions.flatMap((each) => checkTag(each, tags.get(calledAs(each.image)), closed))
}

function checkTag({ image, tag, tagField }: TaggedFunction, known: readonly string[] | undefined, closed: boolean): Finding[] {
  const unverified = known === undefined && !closed && isTagRange(tag) && imageName(image) !== undefined
  const resolved = resolveFunctionTag(image, tag, known ?? [])
  if (!unverified && 'image' in resolved) return []
  const why = unverified ? 'no tag of it is known' : 'error' in resolved ? resolved.error : ''
  const place = placeOfField(tagField)
  const message = `\`${formatFieldPath(place.path)}\` ${quote(tag)} of ${shorten(image)} (${formatPlace(place)}) comes to no tag: ${why}`
  const tags = { ecosystem: 'kpt', dialect: 'm350', dependency: calledAs(image), required: tag }
  return [{ rule: 'function-tag-unresolved', ...(unverified && { severity: 'warning' as const }), message, place, tags }]
}

// One that is no image reference is called as it is written.
function calledAs(image: string): string {
  return imageName(image) ?? image
}
