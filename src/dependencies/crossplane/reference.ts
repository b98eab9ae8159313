/** An image reference of a Crossplane package, taken apart. */
export interface PackageReference {
  /** Without tag and digest: what a dependency names. */
  readonly source: string
  readonly tag: string
  /** `sha256:…`, or ''. */
  readonly digest: string
}

/** Takes `registry/path[:tag][@digest]` apart. */
export function parseReference(reference: string): PackageReference {
  const [name = '', digest = ''] = reference.split('@')
  const colon = name.lastIndexOf(':')
  if (colon <= name.lastIndexOf('/')) return { source: name, tag: '', digest }
  return { source: name.slice(0, colon), tag: name.slice(colon + 1), digest }
}

/** `source:tag`, or `source@digest`. */
export function referenceTo(source: string, version: string): string {
  return `${source}${isDigest(version) ? '@' : ':'}${version}`
}

/** The source as Crossplane records it in the Lock: of `path:tag@digest` it keeps the tag, so that no dependency ever matches it (crossplane#7458). */
export function sourceFromReference(reference: string): string {
  const { source, tag, digest } = parseReference(reference)
  return digest !== '' && tag !== '' ? `${source}:${tag}` : source
}

/** Returns true if the source names its registry: its first part has a dot or a port, or is localhost. */
export function hasRegistry(source: string): boolean {
  const first = source.slice(0, Math.max(0, source.indexOf('/')))
  return first.includes('.') || first.includes(':') || first === 'localhost'
}

/** The name Crossplane gives the object of a dependency that it installs: the repository's path without its registry. */
export function generatedName(source: string): string {
  return toDNSLabel(hasRegistry(source) ? source.slice(source.indexOf('/') + 1) : source)
}

const LONGEST_LABEL = 63

/**
 * Returns a text as a DNS label: letters and digits are kept, `. / : -` become hyphens, all other characters are removed
 * (crossplane-runtime pkg/xpkg/name.go, ToDNSLabel).
 */
export function toDNSLabel(text: string): string {
  const kept = [...text.slice(0, LONGEST_LABEL)].map((character, i) => {
    if (/[a-z0-9]/.test(character)) return character
    return /[./:-]/.test(character) && i !== 0 && i !== LONGEST_LABEL - 1 && i !== text.length - 1 ? '-' : ''
  })
  return kept.join('').replace(/^-+|-+$/g, '')
}

const NAME_LENGTH = 50
const HASH_LENGTH = 12

/** The name of a package revision: the package's and the beginning of its hash (crossplane-runtime, FriendlyID). */
export function friendlyID(name: string, hash: string): string {
  return toDNSLabel(`${name.slice(0, NAME_LENGTH)}-${hash.slice(0, HASH_LENGTH)}`)
}

/** Returns true if a tag is a whole version, `v1.2.3` and not `v1`. Only whole versions are chosen on install. */
export function isCompleteTag(tag: string): boolean {
  return /^v?\d+\.\d+\.\d+(?:[-+].*)?$/.test(tag)
}

/** Returns true if a constraint is a digest. */
export function isDigest(constraint: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(constraint)
}

/**
 * The one digest that all parents ask for, '' when none asks for one.
 *
 * @returns the error where two differ, or where one asks for a digest and another for a range (Crossplane findDigestToUpdate)
 */
export function commonDigest(constraints: readonly string[]): { readonly digest: string } | { readonly error: string } {
  const digests = constraints.filter(isDigest)
  const [first = ''] = digests
  if (digests.some((digest) => digest !== first))
    return { error: `a dependency package has different digests in parent constraints ([${constraints.join(' ')}])` }
  if (digests.length > 0 && digests.length < constraints.length)
    return { error: `a dependency package has different types of parent constraints ([${constraints.join(' ')}])` }
  return { digest: first }
}
