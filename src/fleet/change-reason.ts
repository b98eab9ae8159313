import { formatFieldPath } from '../field-path.ts'
import { isRecord, type JsonValue, lookup, scalarText } from '../json.ts'
import { formatSelector } from '../kubernetes/label-selector.ts'
import type { ObjectKey } from '../resource-list/object-index.ts'
import { inLine } from '../wording.ts'
import type { VariantChange } from './change.ts'
import type { Fleet, FleetObject } from './fleet.ts'
import type { SetPlan } from './plan-fan-out.ts'
import { describePlace, type UnrolledTarget } from './targets/unrolled-target.ts'
import type { WhyNot } from './why-not.ts'

/** The reason for a change of a variant: a sentence about this variant, and a sentence for every variant with the same cause. */
export interface Reason {
  readonly text: string
  readonly cause: string
  /** The reason as data. */
  readonly why?: Why
}

/** The reason as data: what asks for the variant, and what no longer does. */
export interface Why {
  readonly asked?: { readonly path: string; readonly object?: ObjectKey; readonly selector?: string }
  readonly lost?: Lost
  /** The fate of the package of a removed variant. */
  readonly package?: 'deleted' | 'stays'
  readonly byHand?: boolean
}

interface Lost {
  readonly type: 'left-out' | 'excluded' | 'gone' | 'unasked' | 'unwritten'
  readonly path?: string
  readonly object?: ObjectKey
  readonly clause?: string
  /** The reason of an exclusion. */
  readonly reason?: string
  readonly wasIn?: string
}

/** The fleet as it was at a git revision. */
export interface Earlier {
  readonly ref: string
  readonly fleet: Fleet
}

/**
 * Returns the reason why a set changes a variant: the target and the clause that matched, or the object that no longer asks for the
 * variant.
 */
export function reasonOf(
  { op, why, before, existing, addsMarks, handedTo, takenFrom }: VariantChange,
  set: SetPlan,
  earlier?: Earlier,
): Reason {
  const isGone = op === 'remove' || op === 'rename'
  const whyNot = isGone && existing ? set.whyNot(existing) : undefined
  const old = whyNot && describeWhyNot(whyNot, set.owner.namespace, earlier)
  const fate = { package: handedTo !== undefined || isOrphaned(before) ? 'stays' : 'deleted' } as const
  const lost = old?.why ?? { lost: { type: 'unasked' } as const }
  if (why === undefined)
    return {
      ...extend(old ?? same(describeUnasked(set, existing)), `; ${fateOf(before, handedTo)}`),
      why: { ...lost, ...fate },
    }
  const marks = addsMarks === true ? '; it gets the marks of the set that has a uid now' : ''
  const removed =
    op === 'rename'
      ? `; the old one is removed${old === undefined ? '' : `, ${old.text}`}, ${fateOf(before)}, unless render --follow-renames moves it`
      : ''
  const taken = takenFrom === undefined ? '' : `; it takes over the package of ${takenFrom}`
  const match = describeMatch(why.place, set.owner.namespace)
  return { ...extend(match, `${marks}${removed}${taken}`), why: { ...match.why, ...(op === 'rename' && { ...lost, ...fate }) } }
}

/** Returns what a set no longer has: the upstream of a variant, or a target for the variant. */
function describeUnasked({ set }: SetPlan, existing: FleetObject | undefined): string {
  const repo = scalarText(existing?.object.get(['spec', 'upstream', 'repo']))
  const packageName = scalarText(existing?.object.get(['spec', 'upstream', 'package']))
  const isUpstream = set?.upstreams.some((upstream) => upstream.repo === repo && upstream.package === packageName) ?? true
  return isUpstream || repo === '' || packageName === ''
    ? 'no target of the set asks for it any more'
    : `no upstream of the set is ${inLine(`${repo}/${packageName}`)} any more`
}

/** Returns the reason why a variant that no set asks for differs from that of a git revision. */
export function reasonByHand({ op, before }: VariantChange): Reason {
  if (op !== 'remove') return { ...same('it is in the folder, and no set asks for it'), why: { byHand: true } }
  const why: Why = { lost: { type: 'unwritten' }, package: isOrphaned(before) ? 'stays' : 'deleted', byHand: true }
  return { ...same(`it is not in the folder any more; ${fateOf(before)}`), why }
}

function same(text: string): Reason {
  return { text, cause: text }
}

function extend({ text, cause }: Reason, more: string): Reason {
  return { text: `${text}${more}`, cause: `${cause}${more}` }
}

/** Returns the fate of the package of a removed variant in Porch (seed 000, Adoption and Deletion Policies). */
function fateOf(spec: JsonValue | undefined, handedTo?: string): string {
  if (handedTo !== undefined) return `${handedTo} takes over its package, with what people did to it`
  return isOrphaned(spec) ? 'its package stays (deletionPolicy orphan)' : 'its package is deleted too (deletionPolicy delete)'
}

function isOrphaned(spec: JsonValue | undefined): boolean {
  return isRecord(spec) && lookup(spec, 'deletionPolicy') === 'orphan'
}

/** Returns the reason why no object asks for the variant any more: a target leaves the object out, or the object is not in the folder. */
function describeWhyNot(whyNot: WhyNot, namespace: string, earlier: Earlier | undefined): Reason {
  const field = formatFieldPath(whyNot.path)
  if (whyNot.type === 'left-out') {
    const { object, clause, key } = whyNot
    const unmet = `${clause} does not hold ${describeLabel(key, object.labels)}`
    const why = { lost: { type: 'left-out', path: field, object: refOf(object), clause } } as const
    return { text: `${field} leaves out ${object.kind} ${object.name}: ${unmet}`, cause: `${field} leaves it out: ${unmet}`, why }
  }
  if (whyNot.type === 'excluded') return describeExclusion(whyNot)
  const { apiVersion, kind, name } = whyNot
  const old = earlier?.fleet.objectsOf(apiVersion, kind, namespace).all.find((object) => object.name === name)?.object.file
  const was = old === undefined ? '' : `, at ${earlier?.ref} it was in ${old.path}`
  const lost = { type: 'gone', path: field, object: { apiVersion, kind, namespace, name }, ...(old && { wasIn: old.path }) } as const
  return { text: `${kind} ${name} is not in the folder${was}`, cause: `the ${kind} of that name is not in the folder`, why: { lost } }
}

/** Returns the reason of a place that an exclusion takes away: the exclusion, and its own reason. */
function describeExclusion({ path, place, exclusion: { reason } }: Extract<WhyNot, { readonly type: 'excluded' }>): Reason {
  const field = formatFieldPath(path)
  const because = reason === undefined ? '' : `: ${reason}`
  const lost = {
    type: 'excluded',
    path: field,
    ...(place.object && { object: refOf(place.object) }),
    ...(reason !== undefined && { reason }),
  } as const
  return { text: `${field} takes away ${describePlace(place)}${because}`, cause: `${field} takes it away${because}`, why: { lost } }
}

function refOf({ apiVersion, kind, namespace, name }: FleetObject): ObjectKey {
  return { apiVersion, kind, namespace, name }
}

/** Returns the object's value of a label that a clause reads: `for tier=gold`, or `without label tier`. */
export function describeLabel(key: string, labels: ReadonlyMap<string, string>): string {
  return labels.has(key) ? `for ${key}=${labels.get(key)}` : `without label ${key}`
}

/** Returns the reason that a target matched: the object, the clauses that matched, and the labels that they read. */
function describeMatch({ path, target, object }: UnrolledTarget, namespace: string): Reason {
  const field = formatFieldPath(path)
  const { criteria } = target
  if (criteria.type === 'repositories' || object === undefined)
    return {
      text: `${field} lists it`,
      cause: `${formatFieldPath([...target.path, criteria.type])} lists it`,
      why: { asked: { path: field } },
    }
  const place = object.namespace === namespace || object.namespace === '' ? '' : `${object.namespace}/`
  const { selector } = criteria
  const keys = [...new Set(selector.matchExpressions.map(({ key }) => key))].filter((key) => object.labels.has(key))
  const labels = keys.map((key) => `${key}=${object.labels.get(key)}`).join(', ')
  const clauses = formatSelector(selector)
  const matched = clauses === '' ? 'everything' : clauses.replaceAll(/,(?![^(]*\))/g, ', ')
  return {
    text: `${field} matches ${object.kind} ${place}${object.name}: ${matched}${labels === '' ? '' : ` (has ${labels})`}`,
    cause: `${field} matches its ${object.kind}: ${matched}`,
    why: { asked: { path: field, object: refOf(object), selector: clauses } },
  }
}
