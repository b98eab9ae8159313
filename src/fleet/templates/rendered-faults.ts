import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { ALLOWED_KEY, ALLOWED_LABEL_VALUE, REFUSED_LATER } from '../../kinds/metadata-rules.ts'
import { isReservedKey, reservedKeyMessage } from '../../kinds/reserved-context-key.ts'
import type { VariantSet } from '../../kinds/variant-set.ts'
import { isAnnotationKey, isLabelKey, isLabelValue, isPackagePath, longPart } from '../../kubernetes/names.ts'
import type { Result } from '../../result.ts'
import { faultToResult } from '../../schema/fault.ts'
import { asQuestion } from '../../schema/nearest-name.ts'
import { nameFirst } from '../../wording.ts'
import type { FleetObject } from '../fleet.ts'
import { describePlace, packageDefaultField, type UnrolledTarget } from '../targets/unrolled-target.ts'
import { ANNOTATIONS, CONTEXT_DATA, type FilledField, LABELS, REMOVED_KEYS } from './render-template.ts'
import type { RenderedVariant } from './rendered-variant.ts'

/** A fault of a value that a template gave for one place. Complaints of one rule and field become one result. */
interface Complaint {
  readonly rule: Rule
  readonly path: FieldPath
  readonly value: string
  /** The place, for messages, if the value alone does not identify the place. */
  readonly forWhom?: string
}

type Rule = keyof typeof DEMANDS

/** The message of each rule: the requirement, and the values that were found. */
const DEMANDS = {
  'empty-downstream': () => 'must not be empty',
  'repository-not-found': (values: string) => `must name a Repository of the list in the set's namespace, got ${values}`,
  'package-path': (values: string, value: string) =>
    longPart(value) ?? `must be a package path, parts joined by '/' and none of them empty, '.' or '..', got ${values}`,
  'label-key': (values: string) => `must give a label key ${ALLOWED_KEY}, got ${values}${REFUSED_LATER}`,
  'label-value': (values: string) => `must give a label value: ${ALLOWED_LABEL_VALUE}, got ${values}${REFUSED_LATER}`,
  'annotation-key': (values: string) => `must give an annotation key ${ALLOWED_KEY}, got ${values}${REFUSED_LATER}`,
  'reserved-context-key': (values: string) => reservedKeyMessage('give', values),
} as const

/** The rules whose faults are warnings: the PackageVariant may have such a value, its package revision may not. */
const WARNINGS: ReadonlySet<Rule> = new Set<Rule>(['label-key', 'label-value', 'annotation-key'])

const NAMED_VALUES = 3

/**
 * Returns the faults of rendered variants: empty or invalid names, a repository that the list does not have, context keys that Porch sets
 * itself, labels and annotations that an API server refuses. Names whose expression failed are skipped.
 *
 * @param known  the Repositories in which the downstream is looked up; undefined if no lookup is possible
 */
export function renderedFaults(set: VariantSet, rendered: readonly RenderedVariant[], known: KnownRepositories | undefined): Result[] {
  const complaints = rendered.flatMap((variant) => {
    const ofNames = [...repoComplaints(variant, known), ...packageComplaints(variant, set)]
    const ofFields = variant.filled.flatMap((field) => [...contextComplaints(field), ...metadataComplaints(field, variant)])
    return [...ofNames, ...ofFields]
  })
  const groups = groupBy(complaints, ({ path, rule }) => `${rule} ${formatFieldPath(path)}`)
  return Array.from(groups.values(), (group) => complaintResult(set, group, known))
}

/** The Repositories in which downstream repositories are looked up. */
export interface KnownRepositories {
  /** The Repositories of the set's namespace, by name. */
  readonly present: ReadonlyMap<string, FleetObject>
  /**
   * Returns true if a variant of the list has a repository as its downstream: the repository then existed, and its name is not misspelt.
   */
  readonly isInUse: (repo: string) => boolean
  /** Returns the Repository that was most likely meant. */
  readonly nearest: (repo: string) => string | undefined
}

function repoComplaints(variant: RenderedVariant, known: KnownRepositories | undefined): Complaint[] {
  if (variant.repo === '') return emptyName(variant, 'repo')
  const isLookedUp = variant.place.template !== undefined && known !== undefined
  if (!isLookedUp || known.present.has(variant.repo)) return []
  const { object } = variant.place
  const byDefault = variant.place.template?.merged.downstream.repo === undefined ? DEFAULT_REPO : ''
  const forWhom = object === undefined ? '' : ` for ${describePlace(variant.place)}${byDefault}`
  return [{ rule: 'repository-not-found', path: nameField(variant, 'repo'), value: variant.repo, forWhom }]
}

/** The default of a repository's name, for messages: an object that is no Repository gives its name too. */
const DEFAULT_REPO = ', whose name is the default of downstream.repo'

function packageComplaints(variant: RenderedVariant, set: VariantSet): Complaint[] {
  if (variant.package === '') return emptyName(variant, 'package')
  if (isPackagePath(variant.package) && longPart(variant.package) === undefined) return []
  return [{ rule: 'package-path', path: packageField(variant, set), value: variant.package }]
}

/** Returns a complaint if an expression gave an empty name. An expression that failed is reported elsewhere. */
function emptyName(variant: RenderedVariant, name: 'repo' | 'package'): Complaint[] {
  const path = nameField(variant, name)
  const isEvaluated = variant.filled.some(({ valueFrom }) => valueFrom?.path === path)
  return isEvaluated ? [{ rule: 'empty-downstream', path, value: '' }] : []
}

const NONE: readonly Complaint[] = []

/** Returns the complaint about a computed key of the package context. Fixed keys are checked with the set. */
function contextComplaints({ within, key, value, keyFrom, valueFrom }: FilledField): readonly Complaint[] {
  const name = within === REMOVED_KEYS ? value : String(key)
  const source = within === REMOVED_KEYS ? valueFrom : within === CONTEXT_DATA ? keyFrom : undefined
  return source !== undefined && isReservedKey(name) ? [{ rule: 'reserved-context-key', path: source.path, value: name }] : NONE
}

/** Returns the field that gives the downstream repository or package: a field of the template, else the field of the place. */
function nameField({ place }: RenderedVariant, name: 'repo' | 'package'): FieldPath {
  const computed = place.template?.merged.downstream[name]
  if (computed === undefined) return name === 'repo' ? defaultRepoField(place) : place.path
  return 'value' in computed ? computed.path : computed.expression.path
}

/** Returns the field that gives the downstream package: of the template, of the target, or the package of the set's upstream. */
function packageField(variant: RenderedVariant, set: VariantSet): FieldPath {
  const { place } = variant
  return place.template?.merged.downstream.package === undefined ? packageDefaultField(place, set) : nameField(variant, 'package')
}

/** Returns the field with the name of a listed repository, or the selector that matched the object. */
function defaultRepoField({ target, path, object }: UnrolledTarget): FieldPath {
  return object === undefined ? [...path.slice(0, target.path.length + 2), 'name'] : path
}

function complaintResult(set: VariantSet, complaints: readonly [Complaint, ...Complaint[]], known: KnownRepositories | undefined): Result {
  const [{ rule, path, value }] = complaints
  const values = [...new Set(complaints.map((complaint) => `'${complaint.value}'${complaint.forWhom ?? ''}`))]
  const hint = rule === 'repository-not-found' ? describeMissing(value, known) : ''
  const message = `${DEMANDS[rule](nameFirst(values, NAMED_VALUES), value)}${hint}`
  if (WARNINGS.has(rule)) return faultToResult(set.object, { severity: 'warning', rule, path, message })
  return faultToResult(set.object, { severity: 'error', rule, path, message, reason: 'UnexpectedError' })
}

/** Returns the hint about a missing repository. Another name is proposed only if no variant of the list has the repository. */
function describeMissing(repo: string, known: KnownRepositories | undefined): string {
  if (known === undefined) return ''
  return known.isInUse(repo) ? ', which is not there any more: variants of the list still go to it' : asQuestion(known.nearest(repo))
}

/**
 * Returns complaints about a computed label or annotation whose key or value an API server refuses. Fixed entries are checked with the set.
 * Values of failed expressions are skipped.
 */
function metadataComplaints(field: FilledField, { place }: RenderedVariant): readonly Complaint[] {
  const { within, value } = field
  if (within !== LABELS && within !== ANNOTATIONS) return NONE
  const key = String(field.key)
  const isKey = key === '' || (within === LABELS ? isLabelKey(key) : isAnnotationKey(key))
  const isValue = within === ANNOTATIONS || isLabelValue(value)
  if (isKey && isValue) return NONE
  const forWhom = ` for ${describePlace(place)}`
  return [
    ...(isKey ? NONE : [{ rule: within === LABELS ? 'label-key' : 'annotation-key', path: keyField(field), value: key, forWhom } as const]),
    ...(isValue ? NONE : [{ rule: 'label-value', path: field.writtenAt, value, forWhom } as const]),
  ]
}

/** Returns the field of an entry's key, which is beside its value. */
function keyField({ keyFrom, writtenAt }: FilledField): FieldPath {
  return keyFrom?.path ?? [...writtenAt.slice(0, -1), 'key']
}
