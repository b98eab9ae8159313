import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { JsonValue } from '../../json.ts'
import { compareGlasskube } from '../../versions/blang-version.ts'
import type { Version } from '../../versions/version.ts'
import { type Package, type PackageTable, type PlatformRequirement, packageTable, type Range, type Requirement } from '../package-index.ts'
import type { RangeReader } from '../range.ts'
import type { CatalogPackage } from '../reading/catalog.ts'
import { childField, type ObjectField, placeOfField } from '../reading/field.ts'
import { type GlasskubeManifest, instanceKey, type ManifestFields, type ManifestRequirement, manifestRequirements } from './objects.ts'

/** Everything about Glasskube that is needed to read what one package requires. */
export interface GlasskubeContext {
  readonly reader: RangeReader
  readonly table: PackageTable
  /** By manifest name. */
  readonly manifests: ReadonlyMap<string, readonly GlasskubeManifest[]>
  /** The catalog entries that name a latest version, by manifest name. */
  readonly latest: ReadonlyMap<string, readonly CatalogPackage[]>
  /** The manifest names that have a manifest without a version. */
  readonly versionless: ReadonlySet<string>
  /** The instance behind each package. */
  readonly instances: Map<Package, Instance>
  /** The values that configure a component, by the component's requirement. */
  readonly values: Map<Requirement, JsonValue>
}

/** Returns a context with manifests and without packages, instances and values, which are added while requirements are read. */
export function glasskubeContext(
  manifests: readonly GlasskubeManifest[],
  catalog: readonly CatalogPackage[],
  reader: RangeReader,
): GlasskubeContext {
  const withLatest = catalog.filter((entry) => entry.latest !== '')
  const latest = groupBy(withLatest, ({ id }) => id)
  const versionless = new Set(manifests.filter(({ version }) => version === '').map(({ name }) => name))
  const byName = groupBy(manifests, ({ name }) => name)
  return { reader, table: packageTable(), manifests: byName, latest, versionless, instances: new Map(), values: new Map() }
}

/** A package instance that is installed or would be installed. */
export interface Instance {
  /** '' for a ClusterPackage. */
  readonly namespace: string
  readonly instance: string
  readonly manifestName: string
  /** '' where any repository will do. */
  readonly repository: string
  /** The manifest names of the packages that it is a component of, the outermost first; absent for an object. */
  readonly within?: readonly string[]
}

export function packageOfInstance(each: Instance, context: GlasskubeContext): Package {
  const key = instanceKey(each.namespace, each.instance)
  const pkg = context.table.package({
    key,
    id: each.namespace === '' ? each.manifestName : key,
    name: key,
    versions: () => versionsFor(each, context),
    requirements: (text) => {
      const { manifest } = manifestOf(each, text, context) ?? {}
      if (manifest !== undefined && isRefused(manifest, each)) return [scopeRequirement(manifest, each)]
      return manifest?.dependencies === undefined ? undefined : glasskubeRequirements(each, manifest, context)
    },
  })
  if (!context.instances.has(pkg)) context.instances.set(pkg, each)
  return pkg
}

/** Returns the package for the whole cluster. */
export function clusterPackage(name: string, context: GlasskubeContext): Package {
  return packageOfInstance({ namespace: '', instance: name, manifestName: name, repository: '' }, context)
}

/** Returns every known version of a package, highest first. */
export function knownVersions(manifestName: string, { manifests, reader }: GlasskubeContext): Version[] {
  const texts = new Set((manifests.get(manifestName) ?? []).map(({ version }) => version))
  return [...texts].flatMap((text) => reader.version(text) ?? []).sort((a, b) => compareGlasskube(b, a) || compareText(a.text, b.text))
}

/**
 * Returns the latest version of a package: the version that the package's repository names (`latestVersion` of versions.yaml), else the
 * highest known version; '' if no version is known.
 */
export function latestVersion(each: Pick<Instance, 'manifestName' | 'repository'>, context: GlasskubeContext): string {
  const named = context.latest.get(each.manifestName)?.find((entry) => isOf(entry, each))
  return named?.latest ?? knownVersions(each.manifestName, context)[0]?.text ?? ''
}

/** The only version of a package that has none: its manifest is `NAME/package.yaml`, and an install of it names no version. */
const NO_VERSION: Version = { text: '', major: 0n, minor: 0n, patch: 0n, core: 0, pre: [], build: [] }

function isVersionless(name: string, context: GlasskubeContext): boolean {
  return context.versionless.has(name) && knownVersions(name, context).length === 0
}

/** Returns the versions that fit the scope of an instance. If no version fits, returns all versions, of which none can be installed. */
function versionsFor(each: Instance, context: GlasskubeContext): readonly Version[] {
  if (isVersionless(each.manifestName, context)) return [NO_VERSION]
  const all = knownVersions(each.manifestName, context)
  const own = (context.manifests.get(each.manifestName) ?? []).filter((one) => isOf(one, each))
  const firsts = new Map(own.reverse().map((one) => [one.version, one]))
  const fitting = all.filter(({ text }) => {
    const manifest = firsts.get(text)?.manifest
    return manifest === undefined || fits(manifest, each)
  })
  return fitting.length > 0 ? fitting : all
}

// Glasskube's webhook refuses a ClusterPackage of a manifest for a namespace, and the reverse (package_validator.go).
function fits({ scope }: ManifestFields, { namespace }: Instance): boolean {
  return (scope === 'Namespaced') === (namespace !== '')
}

// A manifest without a scope is for the cluster; where no other is known, a component is made of it all the same, as its operator does.
function isRefused(manifest: ManifestFields, each: Instance): boolean {
  return manifest.scope !== '' && !fits(manifest, each)
}

function scopeRequirement({ scopeField }: ManifestFields, { namespace }: Instance): Requirement {
  const wants =
    namespace === ''
      ? 'a namespace, which only a component has (its scope is Namespaced)'
      : 'the whole cluster, which no component has (its scope is Cluster)'
  return { type: 'platform', wants, met: false, optional: false, place: placeOfField(scopeField) }
}

/** Returns the manifest of a version, from the package's own repository if the package names one. */
export function manifestOf(each: Instance, version: string, { manifests }: GlasskubeContext): GlasskubeManifest | undefined {
  return manifests.get(each.manifestName)?.find((manifest) => manifest.version === version && isOf(manifest, each))
}

function isOf({ repository }: Pick<GlasskubeManifest, 'repository'>, each: Pick<Instance, 'repository'>): boolean {
  return each.repository === '' || repository === '' || repository === each.repository
}

/**
 * Returns the requirements of a version: its dependencies, installed for the cluster, and its components, installed in the package's
 * namespace; undefined when they are not known.
 */
export function glasskubeRequirements(
  each: Instance,
  fields: ManifestFields | undefined,
  context: GlasskubeContext,
): readonly Requirement[] | undefined {
  if (fields === undefined) return undefined
  const dependencies = namedRequirements(fields.dependencies).map((required) =>
    requirementOf(required, { namespace: '', instance: required.name }, context),
  )
  const namespace = each.namespace === '' ? fields.defaultNamespace : each.namespace
  const within = [...(each.within ?? []), each.manifestName]
  const components = namedRequirements(fields.components).map((required) => {
    if (within.includes(required.name)) return endlessRequirement(required, within)
    const lacks = `a namespace for its component ${required.name}, and its manifest has no \`defaultNamespace\``
    if (namespace === '') return unmet(lacks, 'scope-mismatch', required.field)
    return requirementOf(required, { namespace, instance: `${each.instance}-${required.installedName}`, within }, context)
  })
  return [...dependencies, ...components]
}

function namedRequirements(list: ObjectField | undefined): ManifestRequirement[] {
  return manifestRequirements(list).filter(({ name }) => name !== '')
}

/** Returns the requirement of a component that contains itself: each instance would need another one, with a longer name. */
function endlessRequirement({ name, field }: ManifestRequirement, within: readonly string[]): Requirement {
  const way = [...within.slice(within.indexOf(name)), name].join(' -> ')
  return unmet(`a component that contains itself: ${way}`, 'dependency-cycle', field)
}

function unmet(wants: string, rule: NonNullable<PlatformRequirement['rule']>, field: ObjectField): Requirement {
  return { type: 'platform', wants, met: false, rule, optional: false, place: placeOfField(field) }
}

function requirementOf(
  { name, constraint, constraintField, field }: ManifestRequirement,
  where: Pick<Instance, 'namespace' | 'instance' | 'within'>,
  context: GlasskubeContext,
): Requirement {
  const noVersion: Range = { text: constraint, literals: [], accepts: () => false, selects: () => false }
  const range = constraint === '' ? undefined : isVersionless(name, context) ? noVersion : context.reader.range(constraint)
  const pkg = packageOfInstance({ ...where, manifestName: name, repository: '' }, context)
  const place = placeOfField(constraint === '' ? field : constraintField)
  const requirement: Requirement = { type: 'package', package: pkg, range, optional: false, validateOnly: false, place }
  const { value } = childField(field, 'values')
  if (value !== undefined) context.values.set(requirement, value)
  return requirement
}
