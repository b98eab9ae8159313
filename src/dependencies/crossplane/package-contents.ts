import { distinctItems } from '../../group-by.ts'
import { type JsonRecord, recordsOf } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { formatResourceRef, type Result } from '../../result.ts'
import type { RuleId } from '../../rules/rule-id.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { CatalogEntry } from '../reading/catalog.ts'
import { textAt } from '../reading/field.ts'
import { definedKinds } from '../reading/served-kinds.ts'
import { contentName, isDefinition } from './known.ts'
import { isMetadata, PACKAGE_ANNOTATION } from './objects.ts'
import { hasRegistry, isDigest, parseReference } from './reference.ts'

/** The contents of a package: the objects of its `package.yaml`, or of the folder that the package is built from. */
export interface PackageContents {
  /** The source in messages: `provider-nop.xpkg`. */
  readonly name: string
  readonly objects: readonly KrmObject[]
  /** The reference by which packages require this version, `SOURCE:TAG[@DIGEST]`; '' if only the contents say so. */
  readonly reference: string
  /** The digest of the image; '' if the digest is not known. */
  readonly digest: string
}

/** A catalog entry, or the faults that prevent one. */
export interface ReadContents {
  readonly entry?: CatalogEntry
  readonly faults: readonly Result[]
}

/**
 * Returns the catalog entry of a package of Crossplane: its requirements, its range of Crossplane versions, the kinds that the cluster
 * serves with it, and the objects that it brings. Crossplane does not install the definitions of a Function, which only describe its input
 * (xpkg specification).
 */
export function readPackageContents(contents: PackageContents): ReadContents {
  const { name, objects } = contents
  const [metadata, ...others] = objects.filter(isMetadata)
  const none = 'must hold a Provider, Configuration or Function of meta.pkg.crossplane.io, holds none'
  if (metadata === undefined) return { faults: [sourceFault(name, 'package-contents', none)] }
  if (others.length > 0) return { faults: others.map((other) => secondMetadata(other, metadata)) }
  const reference = contents.reference || (metadata.annotations.get(PACKAGE_ANNOTATION) ?? '')
  const { source, tag, digest } = parseReference(reference)
  const fault = referenceFault(reference, contents)
  if (fault !== undefined) return { faults: [sourceFault(name, 'package-reference', fault)] }
  const range = textAt(metadata, 'spec', 'crossplane', 'version')
  const brought = metadata.kind === 'Function' ? [] : objects.filter((object) => contentName(object) !== undefined)
  return {
    faults: [],
    entry: {
      ecosystem: 'crossplane',
      id: source,
      version: tag,
      // A Project is published as a Configuration.
      package: { kind: metadata.kind === 'Project' ? 'Configuration' : (metadata.kind ?? '') },
      fields: {
        ...((digest || contents.digest) !== '' && { digest: digest || contents.digest }),
        ...(range !== '' && { constraints: { crossplane: range } }),
        dependencies: recordsOf(metadata.get(['spec', 'dependsOn'])),
        ...nonEmpty('provides', distinctItems(brought.filter(isDefinition).flatMap(definedKinds))),
        ...nonEmpty('brings', distinctItems(brought.map(broughtObject))),
      },
    },
  }
}

/** Returns the fault of a reference: it names the version, and the digest of the image if it has one. */
function referenceFault(reference: string, { name, digest }: PackageContents): string | undefined {
  const how = `name the version: REGISTRY/PATH:TAG=${name}`
  if (reference === '')
    return `must be given with the reference that installs it, since the package does not say where it is published; ${how}`
  const parsed = parseReference(reference)
  if (!hasRegistry(parsed.source)) return `must have a reference with a registry, got '${reference}'; ${how}`
  if (parsed.tag === '') return `must have a reference with a tag, got '${reference}'; ${how}`
  if (parsed.digest !== '' && !isDigest(parsed.digest))
    return `must have a reference with sha256: and 64 hex digits behind @, got '${reference}'`
  if (parsed.digest !== '' && digest !== '' && parsed.digest !== digest)
    return `must have the digest of its reference '${reference}', has ${digest}`
  return undefined
}

function secondMetadata(object: KrmObject, first: KrmObject): Result {
  const message = `must be of one object of meta.pkg.crossplane.io in a package, ${formatResourceRef(first.ref)} is another one`
  return faultToResult(object, { severity: 'error', rule: 'package-contents', path: ['kind'], message })
}

/** Returns a fault of a whole source. */
export function sourceFault(source: string, rule: RuleId, message: string): Result {
  return { severity: 'error', message, file: { path: source, index: 0 }, tags: { rule } }
}

function broughtObject(object: KrmObject): JsonRecord {
  const [kind = '', name = ''] = (contentName(object) ?? '').split(' ')
  // A CompositeResourceDefinition ends as a CustomResourceDefinition of its name.
  const apiVersion = kind === object.kind ? object.apiVersion : 'apiextensions.k8s.io/v1'
  return { ...(apiVersion !== undefined && { apiVersion }), kind, name }
}

function nonEmpty(key: string, values: readonly JsonRecord[]): JsonRecord {
  return values.length === 0 ? {} : { [key]: values }
}
