/** The transports that git may use here. `http` is unencrypted, and for any other scheme the URL would choose the program that git runs. */
export const TRANSPORTS = ['https', 'ssh', 'git', 'file'] as const

const SCHEME = /^([A-Za-z0-9][A-Za-z0-9+.-]*):\/\//
/** `HELPER::ADDRESS` makes git run the program `git-remote-HELPER` (gitremote-helpers). */
const HELPER = /^([A-Za-z0-9+.-]+)::/
/** `USER@HOST:PATH`: a colon before the first slash (git connect.c, url_is_local_not_ssh). */
const SCP = /^([^/:]+):(?!\/\/)/
/** Matches a control character: neither printable ASCII nor beyond ASCII. */
const CONTROL = /[^ -~\x80-\u{10ffff}]/u
/** Access tokens of GitHub and GitLab, which people write as the user of a URL. */
const TOKEN = /^(gh[a-z]_|github_pat_|glpat-)/i
/** `USER:PASSWORD@` in what is no URL, such as `https:/USER:PASSWORD@HOST` with a slash too few. */
const PASSWORD_IN_PATH = /(?:^|[/:])[^/:@]*:[^/@]*@/

/**
 * Returns the fault of an address that git must not use, as the end of a message, such as "must not hold a password …"; undefined for
 * an allowed address. The fault never repeats the address as written, since it may hold a password.
 */
export function addressFault(address: string): string | undefined {
  const found = `got '${printAddress(address).replace(/\s+/g, ' ')}'`
  if (CONTROL.test(address) || address !== address.trim())
    return 'must be a URL or a path, without control characters, and without blanks at its ends'
  const scheme = (SCHEME.exec(address)?.[1] ?? HELPER.exec(address)?.[1])?.toLowerCase()
  if (HELPER.test(address) || (scheme !== undefined && !TRANSPORTS.some((transport) => transport === scheme)))
    return `must be a path, HOST:PATH, or a URL of ${TRANSPORTS.slice(0, -1).join(', ')} or ${TRANSPORTS.at(-1)}, ${found}`
  const { user, place } = readAddress(address)
  if (address.startsWith('-') || user.startsWith('-') || place.startsWith('-'))
    return `must not begin with '-', nor must its host, since programs take that for an option, ${found}`
  if (holdsSecret(address))
    return `must not hold a password, token or query, since packages name their upstream in git: a credential helper of git keeps them (gitcredentials), ${found}`
  return undefined
}

/** Returns the address with its scheme in lower case, the only case that git accepts. */
export function forGit(address: string): string {
  return address.replace(SCHEME, (scheme) => scheme.toLowerCase())
}

/** Returns true for an address that git reaches over the network: a URL other than a file URL, or `HOST:PATH`. */
export function isRemote(address: string): boolean {
  const scheme = SCHEME.exec(address)?.[1]?.toLowerCase()
  return scheme === undefined ? SCP.test(address) : scheme !== 'file'
}

/** Returns true for an address that git reaches by SSH: an SSH URL, or `HOST:PATH`. */
export function isSsh(address: string): boolean {
  const scheme = SCHEME.exec(address)?.[1]?.toLowerCase()
  return scheme === undefined ? SCP.test(address) : scheme === 'ssh'
}

/** Returns an address as a URL: `git@github.com:org/ber.git` becomes `ssh://git@github.com/org/ber.git`. The scheme is in lower case. */
export function asUrl(address: string): string {
  if (SCHEME.test(address)) return forGit(address)
  return address.replace(SCP, 'ssh://$1/').replace(/^(ssh:\/\/[^/]+)\/\/+/, '$1/')
}

/** Returns the path of a file URL; any other address unchanged. */
export function localPath(address: string): string {
  const path = address.replace(/^file:\/\//i, '')
  return path === address ? path : decoded(path)
}

/** Returns an address for messages, without user, password, query and fragment. Every message that names a repository uses this. */
export function printAddress(address: string): string {
  const helper = HELPER.exec(address)?.[0]
  if (helper !== undefined) return `${helper}…`
  const { scheme, place } = readAddress(address)
  return `${scheme}${place}`
}

/** Matches URLs. A scheme has at most 41 letters: without a limit, a long word would be searched from each of its letters. */
const URLS = /[A-Za-z][A-Za-z0-9+.-]{0,40}:\/\/[^\s'"<>]+/g

/** Returns true for a text in which a URL has a password or token. */
export function holdsSecretUrl(text: string): boolean {
  return Array.from(text.matchAll(URLS), ([url]) => readAddress(url).user).some((user) => user.includes(':') || TOKEN.test(decoded(user)))
}

/** Returns git's output without the secrets of an address, and with every other URL as `printAddress` prints it. */
export function hideSecrets(words: string, address = ''): string {
  const known = address === '' ? words : words.replaceAll(address, printAddress(address)).replaceAll(forGit(address), printAddress(address))
  const bare = secretsOf(address).reduce((text, secret) => text.replaceAll(secret, '…'), known)
  return bare.replace(URLS, printAddress)
}

/** Returns true for an address with a password, token, query or fragment. */
export function holdsSecret(address: string): boolean {
  return secretsOf(address).length > 0
}

/** Returns the secret texts in an address, as written and decoded, the longest first: password, token, query, fragment. */
function secretsOf(address: string): readonly string[] {
  const { user, query } = readAddress(address)
  const colon = user.indexOf(':')
  const name = colon === -1 ? user : user.slice(0, colon)
  const secrets = [colon === -1 ? '' : user.slice(colon + 1), TOKEN.test(decoded(name)) ? name : '', query].filter(
    (secret) => secret !== '',
  )
  return [...new Set(secrets.flatMap((secret) => [secret, decoded(secret)]))].sort((a, b) => b.length - a.length)
}

interface Address {
  /** `https://`; '' of a path and of `HOST:PATH`. */
  readonly scheme: string
  /** `USER` or `USER:PASSWORD`. */
  readonly user: string
  readonly place: string
  readonly query: string
}

/**
 * Splits an address into its parts. An `@` or `/` in a password should be escaped and often is not: in an address with a password, the
 * last `@` ends the password, so that too much is hidden rather than too little.
 */
function readAddress(address: string): Address {
  const scheme = SCHEME.exec(address)?.[0] ?? ''
  if (isReadAsPath(address)) return readPath(address)
  const rest = address.slice(scheme.length)
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? ''
  const isHost = scheme === '' ? !authority.includes('@') && !/@[^/]*:/.test(rest) : /^(\[[^\]@]*\]|[^:@]*)(:\d*)?$/.test(authority)
  const end = isHost ? -1 : /^[^:]*@/.test(authority) ? authority.lastIndexOf('@') : rest.lastIndexOf('@')
  const after = rest.slice(end + 1)
  if (scheme === '' || scheme.toLowerCase() === 'file://') return { scheme, user: rest.slice(0, Math.max(end, 0)), place: after, query: '' }
  const [, place = '', query = ''] = /^([^?#]*)[?#]?(.*)$/s.exec(after) ?? []
  // `https://USER:PASSWORD` with a missing host.
  const isCut = !isHost && end === -1
  return {
    scheme,
    user: isCut ? authority : rest.slice(0, Math.max(end, 0)),
    place: isCut ? place.replace(/:[^/]*/, '') : place,
    query,
  }
}

/** Returns true for a path, including an address with a password that is no URL. */
function isReadAsPath(address: string): boolean {
  return !SCHEME.test(address) && (PASSWORD_IN_PATH.test(address) || !SCP.test(address))
}

function readPath(address: string): Address {
  const end = PASSWORD_IN_PATH.test(address) ? address.lastIndexOf('@') : -1
  return { scheme: '', user: address.slice(0, Math.max(end, 0)), place: address.slice(end + 1), query: '' }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const NOT_IN_REFS = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|(^|\/)\.|\.lock(\/|$)|^\/|\/$|\.$|^-|^@$|^$/
const NOT_IN_REVISIONS = /[^ -~\x80-\u{10ffff}]|^-|^$/u

/** The rule for names of refs (git check-ref-format), for messages. */
export const REF_RULE = "without spaces, control characters, '..', '//', '@{' and any of ~^:?*[\\, and without '-', '.' or '/' at its ends"

/** Returns true for a possible name of a branch, tag or commit (git check-ref-format) that is neither an option nor an expression. */
export function isRefName(name: string): boolean {
  return !NOT_IN_REFS.test(name)
}

/** Returns true for a one-line revision expression, such as `HEAD~3` (gitrevisions), that is no option. */
export function isRevision(name: string): boolean {
  return !NOT_IN_REVISIONS.test(name)
}
