import { compareText } from '../../../src/field-path.ts'
import type { JsonRecord, JsonValue } from '../../../src/json.ts'
import { fulfils } from '../kubernetes-texts.ts'
import { recordOf } from '../records-at.ts'
import { isBadSelector } from './bad-parts.ts'
import type { FanOutVector, WrittenObject } from './vector.ts'

/** Returns true if the controller finds another upstream than the one that is asked for. */
export function readsUpstreamOtherwise(vector: FanOutVector): boolean {
  const { theirs, ours } = upstreamReadings(vector)
  return theirs !== ours
}

/** The PackageRevision that the controller takes, the first with the revision or the workspaceName, and the one that is asked for. */
export function upstreamReadings({
  input: { set, objects },
}: FanOutVector): Readonly<Record<'theirs' | 'ours', WrittenObject | undefined>> {
  const { repo, package: packageName, revision, workspaceName } = recordOf(set.spec?.upstream)
  const ofPackage = objects
    .filter(({ kind, metadata: { namespace } }) => kind === 'PackageRevision' && namespace === set.metadata.namespace)
    .filter(({ spec = {} }) => spec.repository === repo && spec.packageName === packageName)
    .sort((a, b) => compareText(a.metadata.name, b.metadata.name))
  const hasRevision = ({ spec = {} }: WrittenObject): boolean => (spec.revision ?? 0) === (revision ?? 0)
  const hasWorkspace = ({ spec = {} }: WrittenObject): boolean => (spec.workspaceName ?? '') === (workspaceName ?? '')
  const theirs = ofPackage.find((each) => hasRevision(each) || hasWorkspace(each))
  return { theirs, ours: ofPackage.find(revision === undefined ? hasWorkspace : hasRevision) }
}

/** The targets that match nothing: `spec.targets[1]`. */
export function idleTargets({ input: { set, objects } }: FanOutVector): readonly string[] {
  const targets = set.spec?.targets
  return (Array.isArray(targets) ? targets.map(recordOf) : []).flatMap(({ repositorySelector, objectSelector }, index) => {
    const { kind, ...selector } = recordOf(objectSelector ?? repositorySelector)
    const wanted = objectSelector === undefined ? 'Repository' : kind
    const matches = objects.some(
      ({ kind, metadata: { labels, namespace } }) =>
        kind === wanted && namespace === set.metadata.namespace && matchesWritten(selector, recordOf(labels as JsonValue | undefined)),
    )
    return (objectSelector ?? repositorySelector) !== undefined && !matches ? [`spec.targets[${index}]`] : []
  })
}

/**
 * The repositories of the variants for the objects that an objectSelector matches but for its name: as the template says, else by the
 * name of the object; undefined where the template computes the repository.
 */
export function unnamedPlaces({ input: { set, objects } }: FanOutVector): readonly (JsonValue | undefined)[] {
  const targets = set.spec?.targets
  return (Array.isArray(targets) ? targets.map(recordOf) : []).flatMap(({ objectSelector, template }) => {
    const { kind: wanted, name: named, ...selector } = recordOf(objectSelector)
    if (named === undefined) return []
    const matched = objects.filter(
      ({ kind, metadata: { labels, namespace } }) =>
        kind === wanted && namespace === set.metadata.namespace && matchesWritten(selector, recordOf(labels as JsonValue | undefined)),
    )
    const { repo, repoExpr } = recordOf(recordOf(template).downstream)
    return matched.flatMap(({ metadata: { name } }) => (name === named ? [] : [repoExpr === undefined ? repo || name : undefined]))
  })
}

/** Returns true if labels fulfil a selector as it is written. */
function matchesWritten({ matchLabels, matchExpressions = [] }: JsonRecord, labels: JsonRecord): boolean {
  const written = new Map(Object.entries(labels).map(([key, value]) => [key, String(value)]))
  const requirements = (Array.isArray(matchExpressions) ? matchExpressions : []).map(recordOf)
  return (
    !isBadSelector({ matchLabels: matchLabels ?? {}, matchExpressions }) &&
    Object.entries(recordOf(matchLabels)).every(([key, value]) => written.get(key) === String(value)) &&
    requirements.every(({ key, operator, values }) =>
      fulfils(written, {
        key: String(key),
        operator: String(operator),
        values: Array.isArray(values) ? values.map(String) : [],
      }),
    )
  )
}

/** The variants among the input that have the label with the set's uid, in its namespace. */
export function ownedVariants({ input: { set, objects } }: FanOutVector): WrittenObject[] {
  return objects.filter((object) => isOwned(object, set))
}

function isOwned({ kind, metadata }: WrittenObject, set: WrittenObject): boolean {
  const label = recordOf(metadata.labels as JsonValue | undefined)['config.porch.kpt.dev/packagevariantset'] ?? ''
  return kind === 'PackageVariant' && metadata.namespace === set.metadata.namespace && label !== '' && label === set.metadata.uid
}

function downstreamOf({ spec }: WrittenObject): string {
  const { repo, package: packageName } = recordOf(spec?.downstream)
  return JSON.stringify([repo, packageName])
}

export function hasTwins(variants: readonly WrittenObject[]): boolean {
  return new Set(variants.map(downstreamOf)).size < variants.length
}

/** The controller unrolled more targets than it has variants afterwards. */
export function unrolledTwice({ input: { set }, expected: { stage, targets = 0, variants } }: FanOutVector): boolean {
  return stage === 'ok' && variants.filter((variant) => isOwned(variant, set)).length < targets
}

export function takesForeignDownstream({ input: { set, objects }, expected: { variants } }: FanOutVector): boolean {
  const inNamespace = objects.filter(({ kind, metadata }) => kind === 'PackageVariant' && metadata.namespace === set.metadata.namespace)
  const foreign = inNamespace.filter((object) => !isOwned(object, set)).map(downstreamOf)
  return variants.some((variant) => isOwned(variant, set) && foreign.includes(downstreamOf(variant)))
}
