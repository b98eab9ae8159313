const DOCKER = 'docker.io'
const DOCKER_ALIASES: ReadonlySet<string> = new Set(['index.docker.io', 'registry-1.docker.io'])
const HOST_LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/
const PORT = /^[0-9]+$/
const IPV6 = /^\[[0-9a-fA-F:]+\]$/
const PATH_PART = /^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*$/
export const IMAGE_TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/

/**
 * Registry and repository of an image reference, without tag and digest; an image without a registry is one of docker.io.
 * Undefined: it is no reference (measured on regclient, with which kpt reads references).
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
