import { DIALECTS } from '../versions/dialects.ts'

/** An image reference in its parts; '' for what is absent. */
export interface Image {
  /** Registry and path: `ghcr.io/kptdev/krm-functions-catalog/set-labels`. */
  readonly repository: string
  readonly tag: string
  readonly digest: string
}

/** Where kpt finds an image whose name has no slash (kpt v1.0.0-beta.61 and later). */
export const DEFAULT_PREFIX = 'ghcr.io/kptdev/krm-functions-catalog'

const PATH_PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
const HOST = '(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::[0-9]+)?'
const REFERENCE = new RegExp(
  `^((?:${HOST}/)?${PATH_PART}(?:/${PATH_PART})*)(?::([\\w][\\w.-]{0,127}))?(?:@([A-Za-z][A-Za-z0-9]*(?:[+._-][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`,
)

/** Returns what is wrong with an image reference (the grammar of OCI references), undefined for a valid one. */
export function imageFault(image: string): string | undefined {
  return REFERENCE.test(image) ? undefined : 'must be an image reference such as gcr.io/kpt-fn/set-labels:v0.2.0'
}

/**
 * Returns the image that kpt runs: a name without a slash is below the prefix, `tag` replaces the tag, and without tag and digest the tag
 * is `latest`. A version constraint as `tag` stays in the place of the tag (docs/kpt-render R19).
 *
 * @example resolveImage('set-labels', '', 'my.registry/fn') → { repository: 'my.registry/fn/set-labels', tag: 'latest', digest: '' }
 */
export function resolveImage(image: string, tag: string, prefix: string): Image {
  const [, name = image, written = '', digest = ''] = REFERENCE.exec(image) ?? []
  const repository = name.includes('/') ? name : `${prefix.replace(/\/+$/, '')}/${name}`
  const chosen = tag === '' ? written : tag
  return { repository, tag: chosen === '' && digest === '' ? 'latest' : chosen, digest: tag === '' ? digest : '' }
}

/** Returns an image as it is written. */
export function printImage({ repository, tag, digest }: Image): string {
  return `${repository}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`
}

/**
 * Returns the version of a built-in function that an image asks for: the version itself, the newest one of `v0.2` or of a constraint, the newest
 * of all for `latest`. Undefined for a digest and for every other version.
 *
 * @param versions  newest first; without any, every tag asks for the function as it is, and '' is returned
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

const NAME = new RegExp(`^(?:${HOST}/)?${PATH_PART}(?:/${PATH_PART})*$`)

/** Returns what is wrong with the beginning of image names, undefined for one that may begin them. */
export function imageNameFault(prefix: string): string | undefined {
  return NAME.test(prefix) || new RegExp(`^${HOST}$`).test(prefix)
    ? undefined
    : 'must be a registry and a path such as ghcr.io/kptdev, without https://'
}
