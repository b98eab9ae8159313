import { isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import { type LabelRequirement, matchesSelector } from '../../../src/kubernetes/label-selector.ts'
import { isDns1123Subdomain } from '../../../src/kubernetes/names.ts'
import type { KnownDifference } from '../adapter.ts'
import { recordsAt } from '../records-at.ts'
import { type FanOutVector, readVector, type WrittenObject } from './vector.ts'

const MAP_EXPRS = ['labelExprs', 'annotationExprs', 'dataExprs', 'configMapExprs']
const RESERVED_KEYS = ['name', 'package-path']

/** Where fan-out means to differ from Porch's controller: the deviations of docs/porch.md, rows 1 to 35. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    row: 'docs/porch.md 4',
    reason: 'the controller reads over objectSelector.name; fan-out selects by it',
    holds: onSet(({ spec }) => recordsAt(spec, ['objectSelector']).some(({ name }) => name !== undefined)),
    explains: ({ what }) => /^variant |^must fail|must be faulty/.test(what),
  },
  {
    row: 'docs/porch.md 5',
    reason: 'the controller takes the first PackageRevision whose revision or workspaceName fits; fan-out the one that was asked for',
    holds: (vector) => upstreamCandidates(readVector(vector)) > 1,
    explains: ({ what }) => /^variant |upstream-not-found|expression-eval/.test(what),
  },
  {
    row: 'docs/porch.md 12',
    reason: 'the controller finds a bad selector when it selects; fan-out when it reads the set',
    holds: (vector) => hasBadSelector(readVector(vector)),
    explains: ({ what }) => /ValidationError.*\[.*(label-selector|allowed-values)/s.test(what),
  },
  {
    row: 'docs/porch.md 13',
    reason: 'the client of the controller drops the suffix List of a kind',
    holds: onSet(({ spec }) => recordsAt(spec, ['objectSelector']).some(({ kind }) => String(kind).endsWith('List'))),
    explains: ({ what }) => /no-such-kind/.test(what),
  },
  {
    row: 'docs/porch.md 18',
    reason: 'the controller writes "" for a key or value that a map entry lacks; fan-out refuses the entry',
    holds: onSet(({ spec }) => recordsAt(spec, MAP_EXPRS).some((entry) => lacks(entry, 'key') || lacks(entry, 'value'))),
    explains: ({ what }) => /map-entry/.test(what),
  },
  {
    row: 'docs/porch.md 20',
    reason: 'the controller does not check configMapExprs for a fixed and a computed part; fan-out does',
    holds: onSet(({ spec }) => recordsAt(spec, ['configMapExprs']).some((entry) => hasBoth(entry, 'key') || hasBoth(entry, 'value'))),
    explains: ({ what }) => /exclusive-fields/.test(what),
  },
  {
    row: 'docs/porch.md 21',
    reason: 'the controller lets reserved context keys through, and every variant fails; fan-out refuses them',
    holds: onSet(({ spec }) => recordsAt(spec, ['packageContext']).some(hasReservedKey)),
    explains: ({ what }) => /reserved-context-key/.test(what),
  },
  {
    row: 'docs/porch.md 24',
    reason: 'fan-out compiles every expression, also when no target uses it',
    holds: (vector) => hasIdleExpressions(readVector(vector)),
    explains: ({ what }) => /expression-compile/.test(what),
  },
  {
    row: 'docs/porch.md 24',
    reason: 'a shell placeholder in an expression is found when the set is read',
    holds: onSet(({ spec }) => /Expr.*\$\{/s.test(JSON.stringify(spec))),
    explains: ({ what }) => /placeholder/.test(what),
  },
  {
    row: 'docs/porch.md 26',
    reason: 'of two variants with one downstream the controller forgets one; fan-out refuses both',
    holds: (vector) => hasTwins(ownedVariants(readVector(vector))),
    explains: ({ what }) => /duplicate-variant/.test(what),
  },
  {
    row: 'docs/porch.md 27',
    reason: 'of two targets with one downstream or one name the controller lets the last win; fan-out refuses them when they differ',
    holds: (vector) => unrolledTwice(readVector(vector)),
    explains: ({ what }) => /target-collision/.test(what),
  },
  {
    row: 'docs/porch.md 27',
    reason: 'the controller gives one downstream to a set and to a variant of nobody; fan-out refuses that when they differ',
    holds: (vector) => takesForeignDownstream(readVector(vector)),
    explains: ({ what }) => /target-collision/.test(what),
  },
  {
    row: 'docs/porch.md 28',
    reason: 'the controller rewrites unchanged variants, and its types add an empty renderStatus',
    holds: (vector) => ownedVariants(readVector(vector)).some(({ status }) => status?.downstreamTargets !== undefined),
    explains: ({ what }) => /renderStatus/.test(what),
  },
  {
    row: 'docs/porch.md 31',
    reason: 'an owned variant without downstream panics the controller; fan-out takes it for obsolete',
    holds: (vector) => ownedVariants(readVector(vector)).some(({ spec }) => spec?.downstream === undefined),
    explains: ({ what }) => /but succeeds/.test(what),
  },
  {
    row: 'docs/porch.md 32',
    reason: 'a set without uid owns by our annotation, not by an empty label',
    holds: onSet(({ metadata: { uid = '' } }) => uid === ''),
    explains: ({ what }) => /^variant /.test(what),
  },
  {
    row: 'docs/porch.md 33',
    reason: 'the controller creates names that an API server refuses; fan-out refuses them',
    holds: (vector) => readVector(vector).expected.variants.some(({ metadata: { name } }) => !isDns1123Subdomain(name)),
    explains: ({ what }) => /variant-name|empty-downstream/.test(what),
  },
]

function onSet(test: (set: WrittenObject) => boolean): KnownDifference['holds'] {
  return (vector) => test(readVector(vector).input.set)
}

function lacks(entry: JsonRecord, part: string): boolean {
  return entry[part] === undefined && entry[`${part}Expr`] === undefined
}

function hasBoth(entry: JsonRecord, part: string): boolean {
  return entry[part] !== undefined && entry[`${part}Expr`] !== undefined
}

function hasReservedKey({ data = {}, removeKeys = [], dataExprs = [] }: JsonRecord): boolean {
  const keys = [...(isRecord(data) ? Object.keys(data) : []), ...(Array.isArray(removeKeys) ? removeKeys : [])]
  const fixed = (Array.isArray(dataExprs) ? dataExprs : []).map((entry) => (isRecord(entry) ? entry.key : undefined))
  return [...keys, ...fixed].some((key) => RESERVED_KEYS.includes(String(key)))
}

/** How many PackageRevisions the controller's reading of the upstream fits: equal revision or equal workspaceName, unset is 0 or ''. */
function upstreamCandidates({ input: { set, objects } }: FanOutVector): number {
  const upstream = recordOf(set.spec?.upstream)
  return objects.filter(({ kind, spec = {}, metadata: { namespace } }) => {
    const isOfPackage = spec.repository === upstream.repo && spec.packageName === upstream.package && namespace === set.metadata.namespace
    const fits = (spec.revision ?? 0) === (upstream.revision ?? 0) || (spec.workspaceName ?? '') === (upstream.workspaceName ?? '')
    return kind === 'PackageRevision' && isOfPackage && fits
  }).length
}

/** Whether a target that matches nothing has a template with expressions. */
function hasIdleExpressions({ input: { set, objects } }: FanOutVector): boolean {
  return recordsAt(set.spec, ['targets']).some(({ repositorySelector, objectSelector, template }) => {
    const { kind, ...selector } = recordOf(objectSelector ?? repositorySelector)
    const wanted = objectSelector === undefined ? 'Repository' : kind
    const matches = objects.some(
      ({ kind, metadata: { labels, namespace } }) =>
        kind === wanted && namespace === set.metadata.namespace && matchesWritten(selector, recordOf(labels as JsonValue | undefined)),
    )
    return (objectSelector ?? repositorySelector) !== undefined && !matches && JSON.stringify(template ?? {}).includes('Expr')
  })
}

/** Whether labels fulfil a selector as it is written. */
function matchesWritten({ matchLabels, matchExpressions = [] }: JsonRecord, labels: JsonRecord): boolean {
  const requirements = (Array.isArray(matchExpressions) ? matchExpressions : []).map(recordOf)
  const selector = {
    matchLabels: new Map(Object.entries(recordOf(matchLabels)).map(([key, value]) => [key, String(value)])),
    matchExpressions: requirements as unknown as LabelRequirement[],
  }
  return matchesSelector(selector, new Map(Object.entries(labels).map(([key, value]) => [key, String(value)])))
}

/** The controller's unrolling failed, and not for a kind that does not exist. */
function hasBadSelector({ expected: { stage, errors } }: FanOutVector): boolean {
  return stage === 'unroll' && errors.some((error) => !error.startsWith('no matches for kind'))
}

/** The variants among the input that have the label with the set's uid, in its namespace. */
function ownedVariants({ input: { set, objects } }: FanOutVector): WrittenObject[] {
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

function hasTwins(variants: readonly WrittenObject[]): boolean {
  return new Set(variants.map(downstreamOf)).size < variants.length
}

/** The controller unrolled more targets than it has variants afterwards. */
function unrolledTwice({ input: { set }, expected: { stage, targets = 0, variants } }: FanOutVector): boolean {
  return stage === 'ok' && variants.filter((variant) => isOwned(variant, set)).length < targets
}

function takesForeignDownstream({ input: { set, objects }, expected: { variants } }: FanOutVector): boolean {
  const inNamespace = objects.filter(({ kind, metadata }) => kind === 'PackageVariant' && metadata.namespace === set.metadata.namespace)
  const foreign = inNamespace.filter((object) => !isOwned(object, set)).map(downstreamOf)
  return variants.some((variant) => isOwned(variant, set) && foreign.includes(downstreamOf(variant)))
}

function recordOf(value: JsonValue | undefined): JsonRecord {
  return isRecord(value) ? value : {}
}
