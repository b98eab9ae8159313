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

/** Returns the reference to a version of a source: `source:tag`, or `source@digest`. */
export function referenceTo(source: string, version: string): string {
  return `${source}${isDigest(version) ? '@' : ':'}${version}`
}

/**
 * Returns the source that Crossplane records in the Lock. Of `path:tag@digest` the source keeps the tag, so no dependency ever matches it
 * (crossplane#7458).
 */
export function sourceFromReference(reference: string): string {
  const { source, tag, digest } = parseReference(reference)
  return digest !== '' && tag !== '' ? `${source}:${tag}` : source
}

/** Returns true if the source names its registry: its first part has a dot or a port, or is localhost. */
export function hasRegistry(source: string): boolean {
  const first = source.slice(0, Math.max(0, source.indexOf('/')))
  return first.includes('.') || first.includes(':') || first === 'localhost'
}

// go-containerregistry, pkg/name: what Crossplane parses references with.
const PATH = /^[a-z0-9_./-]{2,255}$/
const TAG = /^[\w.-]{1,128}$/

/** Returns in words what no registry can hold of a reference; undefined if there is nothing. Of variables that Flux replaces nothing is known. */
export function referenceFault({ source, tag, digest }: PackageReference): string | undefined {
  if (`${source}${tag}${digest}`.includes('${')) return undefined
  if (!PATH.test(source.slice(source.indexOf('/') + 1))) return 'must have a path of 2 to 255 lowercase letters, digits and `_-./`'
  if (tag !== '' && !TAG.test(tag)) return 'must have a tag of at most 128 letters, digits and `_-.`'
  return digest === '' || isDigest(digest) ? undefined : "must have a digest of 'sha256:' and 64 hex digits"
}

/**
 * Returns the name that Crossplane gives the object of an installed dependency: the path of the repository without its registry.
 * `xpkg.example.org/team/a` is `team-a`.
 */
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

/** Returns the name of a package revision: the name of the package and the beginning of a hash (crossplane-runtime, FriendlyID). */
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
