import { DIALECTS } from '../versions/dialects.ts'

/** The parts of an image reference; '' for a missing part. */
export interface Image {
  /** Registry and path: `ghcr.io/kptdev/krm-functions-catalog/set-labels`. */
  readonly repository: string
  readonly tag: string
  readonly digest: string
}

/** The repository in which kpt looks for an image name without a slash (kpt v1.0.0-beta.61 and later). */
export const DEFAULT_PREFIX = 'ghcr.io/kptdev/krm-functions-catalog'

const PATH_PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
const HOST = '(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::[0-9]+)?'
const REFERENCE = new RegExp(
  `^((?:${HOST}/)?${PATH_PART}(?:/${PATH_PART})*)(?::([\\w][\\w.-]{0,127}))?(?:@([A-Za-z][A-Za-z0-9]*(?:[+._-][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`,
)

/** Returns the fault of an image reference (by the grammar of OCI references); undefined for a valid one. */
export function imageFault(image: string): string | undefined {
  return REFERENCE.test(image) ? undefined : 'must be an image reference such as gcr.io/kpt-fn/set-labels:v0.2.0'
}

/**
 * Returns the image that kpt runs: a name without a slash is below the prefix, `tag` replaces the tag, and without tag and digest the
 * tag is `latest`. A version constraint in `tag` stays as the tag (docs/kpt-render R19).
 *
 * @example resolveImage('set-labels', '', 'my.registry/fn') → { repository: 'my.registry/fn/set-labels', tag: 'latest', digest: '' }
 */
export function resolveImage(image: string, tag: string, prefix: string): Image {
  const [, name = image, written = '', digest = ''] = REFERENCE.exec(image) ?? []
  const repository = name.includes('/') ? name : `${prefix.replace(/\/+$/, '')}/${name}`
  const chosen = tag === '' ? written : tag
  return { repository, tag: chosen === '' && digest === '' ? 'latest' : chosen, digest: tag === '' ? digest : '' }
}

/** Returns the text of an image reference: `set-labels:v0.2.1`. */
export function printImage({ repository, tag, digest }: Image): string {
  return `${repository}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`
}

/**
 * Returns the version of a built-in function for an image: the tag itself, the newest version for `v0.2` or a constraint, the newest of
 * all for `latest`. Returns undefined for a digest and for any other version.
 *
 * @param versions  newest first; if empty, any tag is accepted and '' is returned
 */
export function versionFor(versions: readonly string[], { tag, digest }: Image): string | undefined {
  if (digest !== '') return undefined
  if (versions.length === 0) return ''
  if (tag === 'latest') return versions[0]
  return versions.find((version) => version === tag || version.startsWith(`${tag}.`)) ?? newestAllowed(versions, tag)
}

function newestAllowed(versions: readonly string[], tag: string): string | undefined {
  const constraint = DIALECTS.kpt.parseConstraint(tag)
  if (!constraint.ok) return undefined
  return versions.find((text) => {
    const version = DIALECTS.kpt.parseVersion(text)
    return version.ok && constraint.value.check(version.value) === true
  })
}

/**
 * Returns the built-in version that stands for a version that is not built in: the nearest older one. For a digest without a tag the
 * newest version is returned. Returns undefined for a tag that is no version, and where all built-in versions are newer.
 *
 * @param versions  newest first
 */
export function nearestOlder(versions: readonly string[], { tag, digest }: Image): string | undefined {
  if (tag === '' && digest !== '') return versions[0]
  const wanted = DIALECTS.kpt.parseVersion(tag)
  if (!wanted.ok) return undefined
  return versions.find((text) => {
    const version = DIALECTS.kpt.parseVersion(text)
    return version.ok && DIALECTS.kpt.compare(version.value, wanted.value) <= 0
  })
}

const NAME = new RegExp(`^(?:${HOST}/)?${PATH_PART}(?:/${PATH_PART})*$`)

/** Returns the fault of a prefix of image names; undefined for a valid one. */
export function imageNameFault(prefix: string): string | undefined {
  return NAME.test(prefix) || new RegExp(`^${HOST}$`).test(prefix)
    ? undefined
    : 'must be a registry and a path such as ghcr.io/kptdev, without https://'
}
