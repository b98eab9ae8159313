import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import { type Earlier, reasonByHand, reasonOf } from '../../fleet/change-reason.ts'
import type { FleetObject } from '../../fleet/fleet.ts'
import type { SetPlan } from '../../fleet/plan-fan-out.ts'
import { hasPackageName, type UnrolledTarget } from '../../fleet/targets/unrolled-target.ts'
import type { RenderedVariant } from '../../fleet/templates/rendered-variant.ts'
import { distinctItems } from '../../group-by.ts'
import { equalJson, isRecord, type JsonRecord, memberOf, scalarText } from '../../json.ts'
import { clausesOf } from '../../kubernetes/label-selector.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { namespacedName } from '../../variant/find-variant.ts'
import { PORCH_CONFIG_GROUP } from '../../well-known.ts'
import { matchesLabels } from '../dangers/selectors.ts'
import { fieldChanges } from '../field-changes.ts'
import { type FleetState, type PackageStep, type VariantOrigin, variantOrigin } from '../fleet-state.ts'
import type { CauseInput, ChangeCause } from '../report.ts'
import { shortChange } from '../short-value.ts'
import { withCauseInputs } from './condition-causes.ts'
import { causesOfNames } from './downstream-names.ts'
import { changedLabels, labelPath, VariantsByTarget } from './moved-targets.ts'
import { lineIn, pathOfSteps } from './object-places.ts'
import { TargetEntries } from './target-entries.ts'

/** The state that is compared with the one of a variant: `former` is FROM, `later` TO. */
type OtherState = 'later' | 'former'

type Origins = Readonly<Record<'from' | 'to', ReadonlyMap<string, VariantOrigin>>>

/**
 * Finds the causes of packages that only one of two states has. One rule holds for both: what brings a target in, or leaves it out, is what
 * changed of the selector, of the labels that the selector reads, and of the object itself; each counts if the other alone does not do it.
 * A package that only gets another name has the cause of the name.
 */
export class TargetCauses {
  readonly #from: FleetState
  readonly #to: FleetState
  readonly #origins: Origins
  readonly #byTarget: VariantsByTarget
  readonly #earlier: Earlier
  readonly #entries = new TargetEntries()
  #variants: ReadonlyMap<string, FleetObject> | undefined

  constructor(from: FleetState, to: FleetState, origins: Origins) {
    this.#from = from
    this.#to = to
    this.#origins = origins
    this.#byTarget = new VariantsByTarget(origins.from, origins.to)
    this.#earlier = { ref: from.name.name, fleet: from.fleet }
  }

  ofCreated(step: PackageStep): readonly ChangeCause[] {
    const origin = this.#origins.to.get(namespacedName(step.variant.object))
    if (origin === undefined) {
      const { object } = step.variant
      return [{ kind: 'set', text: `PackageVariant ${object.name ?? ''} is new`, ...lineIn(object, []) }]
    }
    return this.#withNames(origin, 'former', () => this.#ofNewTarget(origin))
  }

  #ofNewTarget({ plan, change }: VariantOrigin): ChangeCause {
    const { existing: _, ...wanted } = change
    const { cause } = reasonOf({ ...wanted, op: 'create' }, plan, this.#earlier)
    const target = change.why?.place
    const inputs = target === undefined ? [] : this.#changesOf(target, plan, 'former')
    const path = target === undefined ? [] : this.#listedPath(target, plan, 'former')
    return { kind: 'target', text: cause, ...lineIn(plan.object, path), inputs }
  }

  ofRemoved(step: PackageStep): readonly ChangeCause[] {
    const origin = this.#origins.from.get(namespacedName(step.variant.object))
    if (origin === undefined) return [this.#ofLostTarget(step)]
    return this.#withNames(origin, 'later', () => this.#ofLostTarget(step))
  }

  /** Returns the causes of another downstream of the target of a variant, and the cause of the target, unless only the names differ. */
  #withNames(origin: VariantOrigin, state: OtherState, ofTarget: () => ChangeCause): readonly ChangeCause[] {
    const known = this.#byTarget.otherOf(origin)
    const other = known ?? this.#leftOut(origin, state)
    const names = other === undefined ? [] : this.#causesOfNames(origin, other, state)
    if (other === undefined || names.length === 0 || (known === undefined && !this.#byTarget.isAsked(other))) return [ofTarget(), ...names]
    const [former, later] = state === 'former' ? [other, origin] : [origin, other]
    return names.map((cause) => withCauseInputs(cause, this.ofOtherEntry(former, later)))
  }

  /**
   * Returns the causes of another downstream of the target of a variant. A target that is in another entry of `targets` in the other state
   * may also have another name in its own entry there, which alone would make the package come or go.
   */
  #causesOfNames(origin: VariantOrigin, other: VariantOrigin, state: OtherState): readonly ChangeCause[] {
    const [own, there] = [origin, other].map(({ change }) => change.why?.place.target.path)
    const later = state === 'later' ? other : origin
    const isMoved = own !== undefined && !equalJson(this.#otherPath(own, later.plan, state), there)
    const inEntry = isMoved ? this.#leftOut(origin, state) : undefined
    const causes = [other, ...(inEntry === undefined ? [] : [inEntry])].flatMap((each) =>
      state === 'later' ? causesOfNames(origin, each, 'lost') : causesOfNames(each, origin, 'gained'),
    )
    return distinctItems(causes)
  }

  /**
   * Returns the variant that the other state would have for the target of a variant if the set there did not leave the target out: the
   * package comes or goes with its name too.
   */
  #leftOut(origin: VariantOrigin, other: OtherState): VariantOrigin | undefined {
    const state = other === 'later' ? this.#to : this.#from
    const [plan, later, place] = [setOf(state, origin.plan), setOf(this.#to, origin.plan), origin.change.why?.place]
    const entry = place && later && this.#otherPath(place.target.path, later, other)
    if (plan === undefined || place === undefined || entry === undefined) return undefined
    const { object, repoDefault, upstream } = place
    const present = object && objectIn(state, object)
    const packageName = hasPackageName(place) ? place.packageDefault : undefined
    const variants = plan.variantsFor({ entry, repoDefault, packageName, object: present ?? object })
    const isSame = (each: RenderedVariant) => {
      const { repo, package: name } = each.place.upstream.upstream
      return repo === upstream.upstream.repo && name === upstream.upstream.package
    }
    const why = variants.find(isSame) ?? (variants.length === 1 ? variants[0] : undefined)
    return why?.isWhole === true ? variantOrigin(plan, { ...origin.change, why }) : undefined
  }

  #ofLostTarget(step: PackageStep): ChangeCause {
    const key = namespacedName(step.variant.object)
    const origin = this.#origins.from.get(key)
    const existing = this.#variantOf(key)
    if (origin === undefined || existing === undefined) {
      const { object } = step.variant
      const { cause } = reasonByHand({ op: 'remove', name: object.name ?? '', namespace: object.namespace ?? '' })
      return { kind: 'set', text: cause, ...lineIn(object, []) }
    }
    const { owner, object: formerSet } = origin.plan
    const plan = setOf(this.#to, origin.plan)
    if (plan === undefined)
      return { kind: 'target', text: `set ${owner.name} is not in the folder any more`, ...lineIn(formerSet, ['metadata', 'name']) }
    const { name, namespace } = existing
    const { cause } = reasonOf({ op: 'remove', name, namespace, existing }, plan, this.#earlier)
    const whyNot = plan.whyNot(existing)
    const [text = cause] = cause.split('; ')
    const place = origin.change.why?.place
    const inputs = place === undefined ? [] : this.#changesOf(place, plan, 'later')
    const isListed = place?.target.criteria.type === 'repositories'
    // An entry that is gone has its line in FROM alone.
    const at =
      isListed && whyNot === undefined
        ? lineIn(formerSet, this.#listedPath(place, plan, 'later'))
        : lineIn(plan.object, whyNot?.path ?? ['spec', 'targets'])
    if (whyNot?.type !== 'left-out' || inputs.length > 0) return { kind: 'target', text, ...at, inputs }
    const { object, key: label } = whyNot
    const value = `${object.kind} ${object.name}: ${label}=${object.labels.get(label) ?? ''}`
    return { kind: 'target', text, ...at, inputs: [{ text: value, ...lineIn(object.object, labelPath(label)) }] }
  }

  /** Returns what moved a target from one entry of `targets` to another one, whose template says something else; nothing if it stayed. */
  ofOtherEntry({ change: was }: VariantOrigin, { change: is, plan }: VariantOrigin): readonly CauseInput[] {
    const [before, after] = [was.why?.place, is.why?.place]
    if (before === undefined || after === undefined) return []
    if (equalJson(this.#otherPath(before.target.path, plan, 'later'), after.target.path)) return []
    const inputs = [...this.#changesOf(after, plan, 'former'), ...this.#newEntry(after, plan), ...this.#changesOf(before, plan, 'later')]
    return distinctItems(inputs)
  }

  /** Returns the line of the entry of a target, if FROM does not have the entry. */
  #newEntry({ target: { path } }: UnrolledTarget, plan: SetPlan): readonly CauseInput[] {
    const isNew = this.#otherPath(path, plan, 'former') === undefined
    return isNew ? [{ text: `${formatFieldPath(path)} is new`, ...lineIn(plan.object, path) }] : []
  }

  /** Returns the path of a field of an entry of `targets` in the other state; undefined if the other state does not have the entry. */
  #otherPath(path: FieldPath, plan: SetPlan, other: OtherState): FieldPath | undefined {
    const formerSet = setOf(this.#from, plan)?.object
    return formerSet && this.#entries.otherPath(path, [formerSet, plan.object], other)
  }

  /** Returns the line of the package name of a listed repository, if the entry at its place names other packages in the other state. */
  #changedPackageName({ path, packageDefault }: UnrolledTarget, plan: SetPlan, other: OtherState): readonly CauseInput[] {
    const [own, present] = [setOf(this.#from, plan)?.object, plan.object]
    const [holder, otherSet] = other === 'later' ? [own, present] : [present, own]
    const list = path.at(-2) === 'packageNames' ? this.#otherPath(path.slice(0, -1), plan, other) : undefined
    const names = list && otherSet?.get(list)
    if (holder === undefined || !Array.isArray(names) || names.includes(packageDefault)) return []
    return [{ text: `${formatFieldPath(path)}: ${packageDefault}`, ...lineIn(holder, path) }]
  }

  /** Returns the path of a target; of a listed repository that the set does not list in the other state, the path of its name. */
  #listedPath({ path, repoDefault }: UnrolledTarget, plan: SetPlan, other: OtherState): FieldPath {
    const at = path.lastIndexOf('repositories')
    const list = at === -1 ? undefined : this.#otherPath(path.slice(0, at + 1), plan, other)
    const listed = list && (other === 'later' ? plan.object : setOf(this.#from, plan)?.object)?.get(list)
    const isListed = Array.isArray(listed) && listed.some((entry) => memberOf(entry, 'name') === repoDefault)
    return at === -1 || isListed ? path : [...path.slice(0, at + 2), 'name']
  }

  #variantOf(key: string): FleetObject | undefined {
    this.#variants ??= new Map(
      this.#from.fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant').map((variant) => [namespacedName(variant.object), variant]),
    )
    return this.#variants.get(key)
  }

  /**
   * Returns what changed of a target that a set gained or lost: clauses of its selector, and labels of its object that the selector reads.
   *
   * @param place  the target in the state that has it
   * @param plan   the set, in TO
   */
  #changesOf(place: UnrolledTarget, plan: SetPlan, state: OtherState): readonly CauseInput[] {
    const { object, path, target } = place
    if (target.criteria.type === 'repositories') return this.#changedPackageName(place, plan, state)
    if (object === undefined) return []
    const isGained = state === 'former'
    const other = this.#otherPath(path, plan, state)
    const former = { set: setOf(this.#from, plan)?.object, path: isGained ? other : path }
    const later = { set: plan.object, path: isGained ? path : other }
    const [old, present] = [former, later].map(selectorAt)
    const clauses = changedClauses(former, later)
    const keys = new Set([...clausesOf(target.criteria.selector).map(({ key }) => key), ...keysOf(old), ...keysOf(present)])
    const [was, is] = [this.#from, this.#to].map((each) => objectIn(each, object))
    if (was === undefined || is === undefined)
      return [
        ...onlyIn(was, is, was === undefined ? old : present, clauses),
        ...this.#labelsOfRenamed(object, isGained ? present : old, keys, state),
      ]
    const labels = changedLabels(keys, [was, is])
    // The other of both alone: does it bring the target in, or leave it out?
    const bySelector = isMatch(present, was) === isGained
    const byLabels = isMatch(old, is) === isGained
    if (bySelector === byLabels) return [...labels, ...clauses]
    return bySelector ? clauses : labels
  }

  /** Returns the changed labels of an object that has another name in the other state, if the selector leaves the object out there. */
  #labelsOfRenamed(
    object: FleetObject,
    selector: JsonRecord | undefined,
    keys: Iterable<string>,
    state: OtherState,
  ): readonly CauseInput[] {
    const renamed = renamedIn(state === 'former' ? this.#from : this.#to, object)
    if (renamed === undefined || isMatch(selector, renamed)) return []
    return changedLabels(keys, state === 'former' ? [renamed, object] : [object, renamed])
  }
}

/** Returns the object of another name that a state has in the place of an object: the object was renamed. */
function renamedIn({ fleet }: FleetState, { apiVersion, kind, namespace, object: { file } }: FleetObject): FleetObject | undefined {
  const { all } = fleet.objectsOf(apiVersion, kind, namespace)
  return all.find(({ object }) => file !== undefined && object.file?.path === file.path && object.file.index === file.index)
}

/**
 * Returns an object that only one state has, and the changed clauses of the selector of the other state if it leaves the object out by
 * itself.
 */
function onlyIn(
  was: FleetObject | undefined,
  is: FleetObject | undefined,
  selector: JsonRecord | undefined,
  clauses: readonly CauseInput[],
): readonly CauseInput[] {
  const only = was ?? is
  if (only === undefined) return []
  const text = `${only.kind} ${only.name}${was === undefined ? '' : ' is not in the folder any more'}`
  return [{ text, ...lineIn(only.object, ['metadata', 'name']) }, ...(isMatch(selector, only) ? [] : clauses)]
}

function setOf({ sets }: FleetState, { owner }: SetPlan): SetPlan | undefined {
  return sets.find((set) => set.owner.name === owner.name && set.owner.namespace === owner.namespace)
}

/** Returns the object of a state that is the same as one of the other state. */
function objectIn({ fleet }: FleetState, { apiVersion, kind, namespace, name }: FleetObject): FleetObject | undefined {
  return fleet.objectsOf(apiVersion, kind, namespace).named(name)
}

/** A selector in a state of its set. */
interface SelectorPlace {
  readonly set: KrmObject | undefined
  readonly path: FieldPath | undefined
}

/** Returns the selector of a target as the file of its set has it. */
function selectorAt({ set, path }: SelectorPlace): JsonRecord | undefined {
  const selector = path && set?.get(path)
  return isRecord(selector) ? selector : undefined
}

/** Returns the labels that a selector reads. */
function keysOf(selector: JsonRecord | undefined): readonly string[] {
  const labels = memberOf(selector, 'matchLabels')
  const expressions = memberOf(selector, 'matchExpressions')
  return [
    ...(isRecord(labels) ? Object.keys(labels) : []),
    ...(Array.isArray(expressions) ? expressions.map((each) => scalarText(memberOf(each, 'key'))) : []),
  ]
}

/** Returns true if a selector of a set matches an object, by the fields that the selector has. */
function isMatch(selector: JsonRecord | undefined, object: FleetObject): boolean {
  if (selector === undefined) return false
  const asks = (field: string, value: string) => memberOf(selector, field) === undefined || scalarText(memberOf(selector, field)) === value
  const isNamed = asks('kind', object.kind) && asks('name', object.name) && asks('namespace', object.namespace)
  return isNamed && matchesLabels(selector, object.labels)
}

/** Returns the fields of a selector that changed, each with its line; a field or a selector that is gone has its line in FROM. */
function changedClauses(former: SelectorPlace, later: SelectorPlace): readonly CauseInput[] {
  const [old, present] = [former, later].map(selectorAt)
  if (old === undefined) return []
  if (former.set && former.path && present === undefined)
    return [{ text: `${formatFieldPath(former.path)} is gone`, ...lineIn(former.set, former.path) }]
  return fieldChanges(old, present ?? {}).flatMap(({ path: field, steps, before, after }) => {
    const { set, path } = after === undefined ? former : later
    const text = `${String(path?.at(-1))}.${field}: ${shortChange(before, after)}`
    return set && path ? [{ text, ...lineIn(set, pathOfSteps(set, [...path, ...steps])) }] : []
  })
}
