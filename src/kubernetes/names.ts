const DNS_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const DNS_1123_LABEL = new RegExp(`^${DNS_LABEL}$`)
const DNS_1123_SUBDOMAIN = new RegExp(`^${DNS_LABEL}(\\.${DNS_LABEL})*$`)
/** Matches a path with a control character, a backslash, or a part that is empty, `.` or `..`. */
const NOT_IN_PATHS = /[^ -[\]-~\x80-\uffff]|(^|\/)\.{0,2}(\/|$)/
const QUALIFIED_NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/

/**
 * Returns true for a name that the API server accepts for most kinds: at most 253 of `a-z0-9-.`, every part beginning and ending
 * alphanumeric.
 */
export function isDns1123Subdomain(name: string): boolean {
  return name.length <= 253 && DNS_1123_SUBDOMAIN.test(name)
}

/** Returns true for a name that the API server accepts for a namespace: at most 63 of `a-z0-9-`, beginning and ending alphanumeric. */
export function isDns1123Label(name: string): boolean {
  return name.length <= 63 && DNS_1123_LABEL.test(name)
}

/** Returns true for a label key: `NAME` or `PREFIX/NAME`, with a DNS subdomain as the prefix (apimachinery validation.IsQualifiedName). */
export function isLabelKey(key: string): boolean {
  const [name, prefix, ...rest] = key.split('/').reverse()
  if (name === undefined || rest.length > 0) return false
  return name.length <= 63 && QUALIFIED_NAME.test(name) && (prefix === undefined || isDns1123Subdomain(prefix))
}

/**
 * Returns true for an annotation key: a label key that may also have capital letters in its prefix (apimachinery
 * validation.ValidateAnnotations).
 */
export function isAnnotationKey(key: string): boolean {
  return isLabelKey(key.toLowerCase())
}

/**
 * Returns true for a label value: empty, or at most 63 of `A-Za-z0-9-_.`, beginning and ending alphanumeric (apimachinery
 * validation.IsValidLabelValue).
 */
export function isLabelValue(value: string): boolean {
  return value === '' || (value.length <= 63 && QUALIFIED_NAME.test(value))
}

/**
 * Returns true for a folder below the root of a repository: parts joined by `/`, none empty, `.` or `..`, without control characters and
 * backslashes.
 */
export function isPackagePath(path: string): boolean {
  return !NOT_IN_PATHS.test(path)
}

/** The most bytes of the name of a folder on Linux. */
export const LONGEST_NAME = 255

/** Returns the fault of a package path with a part that is too long for the name of a folder; undefined for any other path. */
export function longPart(path: string): string | undefined {
  if (path.length * MOST_BYTES <= LONGEST_NAME) return undefined
  const long = path.split('/').find((part) => Buffer.byteLength(part) > LONGEST_NAME)
  if (long === undefined) return undefined
  return `must be a package path whose parts have at most ${LONGEST_NAME} bytes, one has ${Buffer.byteLength(long)}`
}

/** The most bytes of a character of a text in UTF-8. */
const MOST_BYTES = 3
