import type { KrmObject } from '../../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../../result.ts'
import type { Finding } from '../../finding.ts'
import type { RangeReader } from '../../range.ts'
import { fieldAt, placeOfField } from '../../reading/field.ts'
import { groupKind } from '../../reading/object-metadata.ts'
import type { CrossplaneOptions } from '../known.ts'

/** A kind or field that Crossplane removed in a version, and its replacement. */
interface Removal {
  /** The first version without it. */
  readonly since: string
  /** The end of a sentence: kinds with their apiVersions, or a field. */
  readonly instead: string
  /** True for what seed 003 describes and `crossplaneSemantics: seed` reads. */
  readonly isOfSeed?: true
}

const PACKAGES = 'a Provider, a Configuration or a Function of pkg.crossplane.io/v1'
const REVISIONS = 'ProviderRevision, ConfigurationRevision and FunctionRevision of pkg.crossplane.io/v1, which Crossplane makes'
const PIPELINES = 'a CompositeResourceDefinition of apiextensions.crossplane.io/v1 with a Composition'
const DEFINITION = 'a CompositeResourceDefinition of apiextensions.crossplane.io/v1'
const LOCK = 'the Lock of pkg.crossplane.io/v1beta1, which Crossplane makes'

/**
 * Kinds of seed 003 that are gone, each with its group, and ControllerConfig. Sources: crossplane#1251 (StackConfiguration), #1501 (stacks
 * become packages), #1679 (definitions), #1749 (the package manager of v0.12), #6489 (ControllerConfig). A TemplateStack was proposed in
 * crossplane#1209 and never released.
 */
const KINDS: Readonly<Record<string, Removal>> = {
  'stacks.crossplane.io/ClusterStackInstall': { since: 'v0.11', instead: PACKAGES },
  'stacks.crossplane.io/Stack': { since: 'v0.11', instead: REVISIONS },
  'stacks.crossplane.io/StackConfiguration': { since: 'v0.9', instead: PIPELINES },
  'stacks.crossplane.io/StackDefinition': { since: 'v0.11', instead: PIPELINES },
  'stacks.crossplane.io/StackInstall': { since: 'v0.11', instead: PACKAGES },
  'stacks.crossplane.io/TemplateStack': { since: 'v0.9', instead: PIPELINES },
  'packages.crossplane.io/ClusterPackageInstall': { since: 'v0.13', instead: PACKAGES },
  'packages.crossplane.io/LegacyPackage': { since: 'v0.13', instead: REVISIONS },
  'packages.crossplane.io/Package': { since: 'v0.13', instead: PACKAGES, isOfSeed: true },
  'packages.crossplane.io/PackageInstall': { since: 'v0.13', instead: PACKAGES },
  'packages.crossplane.io/PackageLock': { since: 'v0.13', instead: LOCK, isOfSeed: true },
  'packages.crossplane.io/PackageRevision': { since: 'v0.13', instead: REVISIONS, isOfSeed: true },
  'packages.crossplane.io/StackDefinition': { since: 'v0.13', instead: PIPELINES },
  'pkg.crossplane.io/Package': { since: 'v0.13', instead: PACKAGES, isOfSeed: true },
  'pkg.crossplane.io/PackageLock': { since: 'v0.13', instead: LOCK, isOfSeed: true },
  'pkg.crossplane.io/PackageRevision': { since: 'v0.13', instead: REVISIONS, isOfSeed: true },
  'pkg.crossplane.io/ControllerConfig': { since: 'v2.0', instead: 'a DeploymentRuntimeConfig of pkg.crossplane.io/v1beta1' },
  'apiextensions.crossplane.io/InfrastructureDefinition': { since: 'v0.13', instead: DEFINITION },
  'apiextensions.crossplane.io/InfrastructurePublication': { since: 'v0.13', instead: `\`spec.claimNames\` of ${DEFINITION}` },
}

const RUNTIME_CONFIG = 'a DeploymentRuntimeConfig of pkg.crossplane.io/v1beta1, which `spec.runtimeConfigRef` names'
const IN_IMAGE = 'nothing, since the image has the metadata of the package'

/** Fields of `spec` that objects of seed 003 have, and today's packages and revisions do not; and `controllerConfigRef`. */
const FIELDS: Readonly<Record<string, Removal>> = {
  controllerConfigRef: { since: 'v2.0', instead: RUNTIME_CONFIG },
  crd: { since: 'v1.0', instead: '`spec.package`' },
  imagePullPolicy: { since: 'v1.0', instead: '`spec.packagePullPolicy`' },
  imagePullSecrets: { since: 'v1.0', instead: '`spec.packagePullSecrets`' },
  serviceAccount: { since: 'v1.0', instead: `\`spec.serviceAccountTemplate\` of ${RUNTIME_CONFIG}` },
  source: { since: 'v1.0', instead: 'the registry in `spec.package`' },
  compositions: { since: 'v1.0', instead: IN_IMAGE },
  customResourceDefinitions: { since: 'v1.0', instead: IN_IMAGE },
  dependsOn: { since: 'v1.0', instead: IN_IMAGE },
  infrastructureDefinitions: { since: 'v1.0', instead: IN_IMAGE },
  infrastructurePublications: { since: 'v1.0', instead: IN_IMAGE },
  installJobRef: { since: 'v1.0', instead: 'nothing, since Crossplane unpacks images itself' },
  permissions: { since: 'v1.0', instead: 'nothing, since the RBAC manager makes ClusterRoles' },
}

/** The fields of `spec` that packages had once. */
export const REMOVED_FIELDS = Object.keys(FIELDS)

/** The kinds that install packages today. */
export const INSTALLING_KINDS: ReadonlySet<string> = new Set(
  ['Provider', 'Configuration', 'Function'].map((kind) => `pkg.crossplane.io/${kind}`),
)

const PACKAGES_AND_REVISIONS = /^pkg\.crossplane\.io\/(Provider|Configuration|Function)(Revision)?$/

/**
 * Reports kinds that no Crossplane has any more, and fields that packages and revisions do not have any more, each with what replaces it.
 * Leaves out what the given version of Crossplane still has, and under `crossplaneSemantics: seed` the kinds of the seed. Nothing else of
 * the object is read.
 */
export function checkRemoved(
  objects: readonly KrmObject[],
  { crossplaneSemantics, crossplaneVersion }: CrossplaneOptions,
  reader: RangeReader,
): Finding[] {
  const running = crossplaneVersion === undefined ? undefined : reader.version(crossplaneVersion)
  const isGone = ({ since, isOfSeed }: Removal): boolean => {
    const first = reader.version(since)
    const isServed = running !== undefined && first !== undefined && reader.dialect.compare(running, first) < 0
    return !isServed && !(isOfSeed === true && crossplaneSemantics === 'seed')
  }
  return objects.flatMap((object) => {
    const removal = KINDS[groupKind(object)]
    if (removal !== undefined) return isGone(removal) ? [kindFinding(object, removal)] : []
    return removedFields(object, isGone)
  })
}

function kindFinding(object: KrmObject, { since, instead }: Removal): Finding {
  const place = placeOfField(fieldAt(object, ['kind']))
  const message = `${formatResourceRef(object.ref)} is of ${object.apiVersion}: no Crossplane from ${since} on has the kind; in its place: ${instead}`
  return { rule: 'kind-removed', message, place, tags: { ecosystem: 'crossplane' } }
}

function removedFields(object: KrmObject, isGone: (removal: Removal) => boolean): Finding[] {
  if (!PACKAGES_AND_REVISIONS.test(groupKind(object))) return []
  return Object.entries(FIELDS).flatMap(([key, removal]) => {
    const field = fieldAt(object, ['spec', key])
    if (field.value === undefined || !isGone(removal)) return []
    const message = `\`spec.${key}\` of ${formatResourceRef(object.ref)} is dropped: no Crossplane from ${removal.since} on has the field; in its place: ${removal.instead}`
    return [{ rule: 'field-removed', message, place: placeOfField(field), tags: { ecosystem: 'crossplane' } }]
  })
}
