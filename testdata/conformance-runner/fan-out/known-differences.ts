import { equalJson, isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import type { Difference, Holds, KnownDifference } from '../adapter.ts'
import { valuesAlong } from '../difference.ts'
import { isObjectName } from '../kubernetes-texts.ts'
import { recordOf, recordsAt } from '../records-at.ts'
import { hasBoth, hasReservedKey, isOfKindList, lacks, MAP_EXPRS } from './bad-parts.ts'
import {
  hasTwins,
  idleTargets,
  ownedVariants,
  readsUpstreamOtherwise,
  takesForeignDownstream,
  unnamedPlaces,
  unrolledTwice,
  upstreamReadings,
} from './fleet-of-vector.ts'
import { type FanOutVector, readVector, type WrittenObject } from './vector.ts'

/** Where fan-out means to differ from Porch's controller: the deviations of docs/porch.md, rows of the PackageVariantSet. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    row: 'docs/porch.md 4',
    reason: 'the controller reads over objectSelector.name; fan-out selects by it',
    holds: (vector) => unnamedPlaces(readVector(vector)).length > 0,
    explains: ({ what, expected, actual }, vector) => {
      const repo = valuesAlong(expected, 'spec.downstream.repo').at(-1)
      const places = unnamedPlaces(readVector(vector))
      return /^variant \S+$/.test(what) && actual === undefined && places.some((place) => place === undefined || place === repo)
    },
    always: true,
  },
  {
    row: 'docs/porch.md 5',
    reason: 'the controller takes the first PackageRevision whose revision or workspaceName fits; fan-out the one that was asked for',
    holds: (vector) => readsUpstreamOtherwise(readVector(vector)),
    explains: (difference, vector) => {
      const { theirs, ours } = upstreamReadings(readVector(vector))
      if (ours === undefined) return isFault(difference, /^upstream-not-found /) || isForNoUpstream(difference)
      const [, label = ''] = /^variant \S+: spec\.labels\.(\w+)$/.exec(difference.what) ?? []
      return label !== '' && isOf(difference.expected, theirs) && isOf(difference.actual, ours)
    },
  },
  {
    row: 'docs/porch.md 13',
    reason: 'the client of the controller drops the suffix List of a kind',
    holds: onSet(({ spec }) => recordsAt(spec, ['objectSelector']).some(isOfKindList)),
    explains: (difference, vector) => isFault(difference, /^no-such-kind /) && partsAlong(vector, fieldOf(difference)).some(isOfKindList),
  },
  {
    row: 'docs/porch.md 18',
    reason: 'the controller writes the key "" for an entry without a key, which an API server refuses; fan-out refuses the entry',
    ...refused({ rule: /^map-entry /, keys: MAP_EXPRS, isBad: (entry) => lacks(entry, 'key') }),
  },
  {
    row: 'docs/porch.md 20',
    reason: 'the controller does not check configMapExprs for a fixed and a computed part; fan-out does',
    ...refused({
      rule: /^exclusive-fields \S+\.configMapExprs\[\d+\]: /,
      keys: ['configMapExprs'],
      isBad: (entry) => hasBoth(entry, 'key') || hasBoth(entry, 'value'),
    }),
  },
  {
    row: 'docs/porch.md 21',
    reason: 'the controller lets reserved context keys through, and every variant fails; fan-out refuses them',
    ...refused({ rule: /^reserved-context-key \S+\.packageContext\./, keys: ['packageContext'], isBad: hasReservedKey }),
  },
  {
    row: 'docs/porch.md 24',
    reason: 'fan-out compiles every expression, also when no target uses it',
    holds: (vector) => idleTargets(readVector(vector)).length > 0,
    explains: (difference, vector) =>
      isFault(difference, /^expression-compile /) &&
      idleTargets(readVector(vector)).some((place) => fieldOf(difference).startsWith(`${place}.`)),
  },
  {
    row: 'docs/porch.md 24',
    reason: 'a shell placeholder in an expression is found when the set is read',
    ...refused({ rule: /^placeholder \S+Exprs?\b/, keys: ['template'], isBad: (part) => /Expr.*\$\{/s.test(JSON.stringify(part)) }),
  },
  {
    row: 'docs/porch.md 26',
    reason: 'of two variants with one downstream the controller forgets one; fan-out refuses both',
    holds: (vector) => hasTwins(ownedVariants(readVector(vector))),
    explains: (difference) => isFault(difference, /^duplicate-variant /),
    always: true,
  },
  {
    row: 'docs/porch.md 27',
    reason: 'of two targets with one downstream or one name the controller lets the last win; fan-out refuses them when they differ',
    holds: (vector) => unrolledTwice(readVector(vector)),
    explains: (difference) => isFault(difference, /^target-collision /),
  },
  {
    row: 'docs/porch.md 27',
    reason: 'the controller gives one downstream to a set and to a variant of nobody; fan-out refuses that when they differ',
    holds: (vector) => takesForeignDownstream(readVector(vector)),
    explains: (difference) => isFault(difference, /^target-collision /),
  },
  {
    row: 'docs/porch.md 28',
    reason: 'the controller rewrites unchanged variants, and its types add an empty renderStatus',
    holds: (vector) => ownedVariants(readVector(vector)).some(({ status }) => status?.downstreamTargets !== undefined),
    explains: ({ what, expected, actual }) =>
      /^variant \S+: status\..*renderStatus$/.test(what) && actual === undefined && isBlank(expected),
  },
  {
    row: 'docs/porch.md 30',
    reason:
      'a variant whose downstream was edited keeps its name while it is deleted, so the controller cannot create it again; fan-out can',
    holds: (vector) => readVector(vector).expected.stage === 'ensure',
    explains: ({ what, expected, actual }, vector) => {
      const taken = / "(.*)" already exists$/.exec(String(expected))?.[1]
      if (what !== 'fault') return isNewVariant({ what, expected, actual }, readVector(vector).input)
      return actual === undefined && ownedVariants(readVector(vector)).some(({ metadata: { name } }) => name === taken)
    },
  },
  {
    row: 'docs/porch.md 31',
    reason: 'an owned variant without downstream panics the controller; fan-out takes it for obsolete',
    holds: (vector) => ownedVariants(readVector(vector)).some(({ spec }) => spec?.downstream === undefined),
    explains: ({ what, expected, actual }, vector) => {
      if (what === 'fault') return actual === undefined && String(expected).startsWith('panic: ')
      const { input } = readVector(vector)
      const isObsolete = ownedVariants(readVector(vector)).some(
        ({ metadata, spec }) => spec?.downstream === undefined && what === `variant ${metadata.namespace}/${metadata.name}`,
      )
      return isObsolete ? actual === undefined : isNewVariant({ what, expected, actual }, input)
    },
    always: true,
  },
  {
    row: 'docs/porch.md 32',
    reason: 'the variants of a set without uid have no label of an owner; the controller writes an empty one',
    holds: onSet(({ metadata: { uid = '' } }) => uid === ''),
    explains: ({ what, actual }) => /^variant \S+: metadata\.labels$/.test(what) && actual === undefined,
    always: true,
  },
  {
    row: 'docs/porch.md 32',
    reason: 'a set without uid owns by our annotation, not by an empty label',
    holds: onSet(({ metadata: { uid = '' } }) => uid === ''),
    explains: ({ what, expected, actual }, vector) => {
      const { set, objects } = readVector(vector).input
      const [, field] = /^variant \S+: metadata\.(annotations|ownerReferences|finalizers)$/.exec(what) ?? []
      if (field === 'annotations')
        return equalJson(actual, { [OWN_MARK]: `${set.metadata.namespace}/${set.metadata.name}` }) && expected === undefined
      if (field !== undefined) return actual === undefined
      const kept = objects.find(
        ({ kind, metadata }) => kind === 'PackageVariant' && what === `variant ${metadata.namespace}/${metadata.name}`,
      )
      return expected === undefined && kept !== undefined && equalJson(actual, kept as unknown as JsonRecord)
    },
    always: true,
  },
  {
    row: 'docs/porch.md 33',
    reason: 'the controller creates names that an API server refuses; fan-out refuses them',
    holds: (vector) => readVector(vector).expected.variants.some(({ metadata: { name } }) => !isObjectName(name)),
    explains: (difference) => isFault(difference, /^(?:variant-name|empty-downstream) /),
    always: true,
  },
]

/** A variant of the set that only ours has, for an upstream as the set asks for. */
function isNewVariant({ what, expected, actual }: Difference, { set, objects }: FanOutVector['input']): boolean {
  const isExisting = objects.some(
    ({ kind, metadata }) => kind === 'PackageVariant' && what === `variant ${metadata.namespace}/${metadata.name}`,
  )
  const upstream = valuesAlong(actual, 'spec.upstream').at(-1)
  return /^variant \S+$/.test(what) && !isExisting && expected === undefined && equalJson(upstream, set.spec?.upstream)
}

/** Our annotation on the variants of a set without uid. */
const OWN_MARK = 'krm-variants.dev/package-variant-set'

/** A set whose upstream is not found has no variants of it: the conditions say so. */
function isForNoUpstream({ what, actual }: Difference): boolean {
  return (
    (/^conditions: \[\d\]\.reason$/.test(what) && actual === 'UpstreamNotFound') ||
    (/^conditions: \[\d\]\.status$/.test(what) && (actual === 'True' || actual === 'False'))
  )
}

/** The name or a label of an object. */
function isOf(value: JsonValue | undefined, object: WrittenObject | undefined): boolean {
  const labels = recordOf(object?.metadata.labels as JsonValue | undefined)
  return [object?.metadata.name, ...Object.values(labels)].some((part) => part !== undefined && part === value)
}

/** Texts without characters and zeros, at any depth. */
function isBlank(value: JsonValue | undefined): boolean {
  return isRecord(value) ? Object.values(value).every(isBlank) : value === '' || value === 0
}

function onSet(test: (set: WrittenObject) => boolean): Holds {
  return (vector) => test(readVector(vector).input.set)
}

interface Refusal {
  readonly rule: RegExp
  /** The keys of a set at which such a part stands. */
  readonly keys: readonly string[]
  readonly isBad: (part: JsonRecord) => boolean
}

/**
 * What fan-out refuses when it reads a set: a fault of the rule in a bad part. Then it does not come to what the controller finds
 * later, and the reason is another one.
 */
function refused({ rule, keys, isBad }: Refusal): Pick<KnownDifference, 'explains' | 'always'> & { readonly holds: Holds } {
  return {
    holds: onSet(({ spec }) => recordsAt(spec, keys).some(isBad)),
    always: true,
    explains: (difference, vector) =>
      isFault(difference, rule) ? partsAlong(vector, fieldOf(difference)).some(isBad) : isForRefusal(difference, readVector(vector)),
  }
}

/** Of the stages after validation. */
const LATER_REASONS = ['UpstreamNotFound', 'NoMatchingTargets', 'UnexpectedError']

function isForRefusal({ what, expected, actual }: Difference, vector: FanOutVector): boolean {
  const isReason = /^conditions: \[\d\]\.reason$/.test(what) && actual === 'ValidationError' && LATER_REASONS.includes(String(expected))
  return isReason || (what === 'fault' && expected !== undefined && vector.expected.stage !== 'validation')
}

/** A fault that only ours has. */
function isFault({ what, actual }: Difference, rule: RegExp): boolean {
  return what === 'fault' && typeof actual === 'string' && rule.test(actual)
}

/** The field of a fault of ours. */
function fieldOf({ actual }: Difference): string {
  return /^\S+ (.*?): `/s.exec(String(actual))?.[1] ?? ''
}

/** The records of the set as it is written that a field leads through. */
function partsAlong(vector: JsonRecord, field: string): readonly JsonRecord[] {
  return valuesAlong(readVector(vector).input.set.spec, field.replace(/^spec\./, '')).filter(isRecord)
}
