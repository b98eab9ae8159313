import type { FieldPath } from '../../../field-path.ts'
import type { Parsed } from '../../../versions/version.ts'
import { quote, shorten } from '../../finding.ts'

/** A field of a Carvel Package that kapp-controller refuses, and why. */
export interface NameFault {
  readonly path: FieldPath
  readonly message: string
  readonly proposedValue?: string
}

const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/
const LONGEST_NAME = 253
const FEWEST_SEGMENTS = 3

/** A refName or the name of a PackageMetadata: a DNS name of at least three segments (kapp-controller validation, validateFullyQualifiedName). */
export function qualifiedNameFaults(name: string, path: FieldPath): NameFault[] {
  const qualified = name.length <= LONGEST_NAME && SUBDOMAIN.test(name) && name.split('.').length >= FEWEST_SEGMENTS
  return qualified ? [] : [{ path, message: `must be a DNS name of at least three segments, got ${quote(name)}` }]
}

/** metadata.name of a Package is its refName, a dot and its version. */
export function packageNameFaults({
  name,
  refName,
  version,
}: {
  readonly name: string
  readonly refName: string
  readonly version: string
}): NameFault[] {
  const wanted = `${refName}.${version}`
  return name === wanted
    ? []
    : [{ path: ['metadata', 'name'], message: `must be refName and version, ${quote(wanted)}, got ${quote(name)}`, proposedValue: wanted }]
}

/** spec.version is a full semantic version, without a v. */
export function packageVersionFaults(version: string, parseVersion: (text: string) => Parsed<unknown>): NameFault[] {
  const parsed = parseVersion(version)
  return parsed.ok
    ? []
    : [{ path: ['spec', 'version'], message: `must be a version such as 1.2.3, got ${quote(version)}: ${shorten(parsed.error)}` }]
}
