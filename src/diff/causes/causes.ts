import type { FieldPath } from '../../field-path.ts'
import { formatFieldPath } from '../../field-path.ts'
import type { FieldSource } from '../../fleet/templates/field-sources.ts'
import { below, type NamedFolder } from '../../folder/named-folder.ts'
import { distinctItems } from '../../group-by.ts'
import { asList, asRecord, equalJson, isRecord, type JsonValue, memberOf } from '../../json.ts'
import { readKptfileUpstream } from '../../kinds/kptfile-upstream.ts'
import { revisionNumber } from '../../kinds/revision.ts'
import type { Calls } from '../../pipeline/calls.ts'
import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import { bareFolder } from '../../upstream/origin.ts'
import { shortCommit } from '../../upstream/upstream-faults.ts'
import { namespacedName } from '../../variant/find-variant.ts'
import { fieldChanges } from '../field-changes.ts'
import { type FleetState, type PackageStep, type VariantOrigin, variantOrigins } from '../fleet-state.ts'
import type { ContextInput, FieldInput } from '../package-inputs.ts'
import type { ObjectPair } from '../package-objects.ts'
import { causeOfSubpackage, kptfileIn } from '../raised-subpackages.ts'
import type { CauseInput, ChangeCause } from '../report.ts'
import { shortChange } from '../short-value.ts'
import { type Attribution, Attributions, type ChangedPackage, type WantedChange } from './attribution.ts'
import { causesOfLayers, causesOfRing, withCauseInputs } from './condition-causes.ts'
import { type EditedPackage, editedSetters, textOfFolder } from './edited-setters.ts'
import { causeOfExpression, causeOfKey } from './expression-causes.ts'
import { MOVED, moveOf } from './moved-objects.ts'
import { lineIn, pathOfSteps } from './object-places.ts'
import { TargetCauses } from './target-causes.ts'
import { nameOfFunction, UpstreamLines } from './upstream-lines.ts'

/** The text of the cause of a package that changes when it is rendered again. */
export const NOT_RENDERED = 'rendered again, the package changes though nothing else did'

/** The text of the cause of a change that a person made in the package itself. */
export const EDITED = 'edited in the package'

export type CausesOf = (change: WantedChange, objects: ObjectPair) => Calls<readonly ChangeCause[]>

/** Finds and names the causes of changes: each with its file and line. */
export class Causes {
  readonly #origins: { readonly from: ReadonlyMap<string, VariantOrigin>; readonly to: ReadonlyMap<string, VariantOrigin> }
  readonly #lines: UpstreamLines
  readonly #attributions: Attributions
  /** The folder of all packages in TO. */
  readonly #packages: NamedFolder | undefined
  /** Finds the causes of packages that only one state has. */
  readonly targets: TargetCauses
  readonly #inLinks = new Map<ChangedPackage, CausesOf>()

  constructor(from: FleetState, to: FleetState) {
    this.#origins = { from: variantOrigins(from.sets), to: variantOrigins(to.sets) }
    this.#lines = new UpstreamLines(from.plan.renderContext.upstreams)
    this.#attributions = new Attributions(from, to)
    this.#packages = to.committed && { disk: '', shown: to.committed.shown }
    this.targets = new TargetCauses(from, to, this.#origins)
  }

  /** Returns the origin of a variant in TO, else in FROM; undefined for a variant that no set owns. */
  originOf(step: PackageStep): VariantOrigin | undefined {
    return this.originIn('to', step) ?? this.originIn('from', step)
  }

  originIn(state: 'from' | 'to', { variant }: PackageStep): VariantOrigin | undefined {
    return this.#origins[state].get(namespacedName(variant.object))
  }

  /** Returns a function that returns the causes of each change in a package that both states have. */
  inPackage(changed: ChangedPackage): CausesOf {
    const attribute = this.#attributions.of(changed)
    const causesOf = this.#ofChange.bind(this)
    return function* (change, objects) {
      return yield* causesOf(yield* attribute(change), changed, change, objects)
    }
  }

  /** Returns the cause of a package that is new although FROM asked for it: FROM's set, with the line of the target in TO. */
  ofFirstRender({ from, to }: Pick<ChangedPackage, 'from' | 'to'>): ChangeCause {
    const { object } = from.variant
    const asking = this.originIn('from', from)?.plan.owner.name
    const who = asking === undefined ? `PackageVariant ${object.name ?? ''}` : `set ${asking}`
    const is = this.originIn('to', to)
    const place =
      is === undefined ? lineIn(to.variant.object, []) : lineIn(is.plan.object, is.change.why?.place.path ?? ['spec', 'targets'])
    return { kind: 'not-rendered', text: `the package was not rendered before, though ${who} asked for it`, ...place }
  }

  /** Returns the causes of a package that differs in nothing that a cluster gets: all of its inputs that differ. */
  ofInputs(changed: ChangedPackage): Calls<readonly ChangeCause[]> {
    return this.#ofChange(changed.inputs, changed, { value: undefined, old: undefined }, {})
  }

  *#ofChange(attribution: Attribution, changed: ChangedPackage, change: WantedChange, objects: ObjectPair): Calls<readonly ChangeCause[]> {
    const above = attribution.some(({ type }) => type === 'upstream') ? yield* this.#ofUpstream(changed, change) : []
    const causes = attribution.flatMap((input): readonly ChangeCause[] => {
      if (input.type === 'field') return [this.#ofField(input, changed)]
      if (input.type === 'context') return [this.#ofContext(input, changed, change)]
      if (input.type === 'upstream') return above
      if (input.type === 'edit') return [isGone(changed) ? MADE_ANEW : ofEdit(objects, change, this.#editedIn(changed))]
      if (input.type === 'subpackage') return [causeOfSubpackage(input)]
      if (input.type === 'options') return [{ kind: 'options', text: 'the options of render-variants changed' }]
      return [ofNotRendered(changed, this.#revisionPlace(changed))]
    })
    return distinctItems(causes)
  }

  #editedIn({ folders, to }: ChangedPackage): EditedPackage | undefined {
    if (folders === undefined || this.#packages === undefined) return undefined
    const place = below(this.#packages, to.folder).shown
    return { before: textOfFolder(folders.before, place), after: textOfFolder(folders.after, place), place }
  }

  #ofField(input: FieldInput, { from, to }: ChangedPackage): ChangeCause {
    if (input.isOrder === true) return this.#ofOrder(input, to)
    const leaf = firstLeaf(input.path, input.before, input.after)
    const isGone = leaf.after === undefined
    const step = isGone ? from : to
    const origins = isGone ? this.#origins.from : this.#origins.to
    const former = input.formerPath === undefined ? leaf.path : [...input.formerPath, ...leaf.path.slice(input.path.length)]
    const path = isGone ? former : leaf.path
    const source = origins.get(namespacedName(step.variant.object))?.sourceOf(path, leaf.after ?? leaf.before ?? null)
    const fn = functionNamed(step.variant.object, path)
    const kind = fn === undefined ? 'set' : 'function'
    const prefix = fn === undefined ? '' : `function ${fn}, `
    if (source === undefined) return { kind, text: `${prefix}${describeLeaf(path, leaf)}`, ...lineIn(step.variant.object, path) }
    const [was, is] = [this.originIn('from', from), this.originIn('to', to)]
    const old = was?.sourceOf(former, leaf.before ?? null)
    const sets = { own: source.object, other: (isGone ? is : was)?.plan.object, isGone }
    const byKey = leaf.before === undefined || isGone ? causeOfKey(source, sets, prefix) : undefined
    const ofStatic = () => ({ kind, text: `${prefix}${describeLeaf(source.path, leaf)}`, ...lineIn(source.object, source.path) }) as const
    const cause: ChangeCause = byKey ?? (source.type === 'expression' ? causeOfExpression(source, old, prefix) : ofStatic())
    return withCauseInputs(cause, this.#ofOtherTemplate([was, is], leaf, { source, old }))
  }

  /** Returns the cause of another order of functions, with the line of the first one that has another place. */
  #ofOrder({ path, before, after }: FieldInput, { variant: { object } }: PackageStep): ChangeCause {
    const [was, is] = [before, after].map((names) => asList(names))
    const at = is?.findIndex((name, i) => name !== was?.[i]) ?? 0
    const name = [...path, at, 'name']
    const text = `the functions have another order: ${(was ?? []).join(', ')} → ${(is ?? []).join(', ')}`
    return { kind: 'function', text, ...this.#lineOf(object, name, is?.[at] ?? null) }
  }

  /** Returns what gave a target another template: an override of a matrix, or another entry of the targets. */
  #ofOtherTemplate(
    [was, is]: readonly [VariantOrigin | undefined, VariantOrigin | undefined],
    { before, after }: Leaf,
    { source, old }: { readonly source: FieldSource; readonly old: FieldSource | undefined },
  ): readonly CauseInput[] {
    if (was === undefined || is === undefined) return []
    const byLayer = causesOfLayers([was, is], [before === undefined ? undefined : old, after === undefined ? undefined : source])
    const isOfEntry = [old, source].some((each) => each?.path[1] === 'targets')
    return [...byLayer, ...(isOfEntry ? this.targets.ofOtherEntry(was, is) : [])]
  }

  /**
   * Returns the causes of a change that came from the upstream. If a variant of the fleet makes the upstream, the causes are those of the
   * same change there, up to the top of the chain: `platform/web changed: catalog/web 1 → 2`.
   */
  *#ofUpstream(changed: ChangedPackage, change: WantedChange): Calls<readonly ChangeCause[]> {
    const link = changed.link()
    const above = link && this.#lines.inUpstream(changed, change)
    if (link === undefined || above === undefined)
      return [withCauseInputs(this.#lines.cause(changed, change, this.#revisionPlace(changed)), this.#ofRing(changed))]
    const causesOf = remember(this.#inLinks, link, () => this.inPackage(link))
    const causes = yield* causesOf(above.change, above.objects)
    return causes.map((cause) => ({ ...cause, text: `${link.to.folder} changed: ${cause.text}` }))
  }

  /** Returns what moved the target of a package to a ring with another revision. */
  #ofRing({ from, to }: ChangedPackage): readonly CauseInput[] {
    const [was, is] = [this.originIn('from', from), this.originIn('to', to)]
    return was && is ? causesOfRing([was, is]) : []
  }

  #ofContext({ before, after }: ContextInput, { from, to }: ChangedPackage, change: WantedChange): ChangeCause {
    const object = after ?? before
    const fate = before === undefined ? 'is new' : after === undefined ? 'is gone' : 'changed'
    const origin = this.originOf(to) ?? this.originOf(from)
    const by = origin === undefined ? '' : ` (injected by set ${origin.plan.owner.name})`
    const changes = before && after ? fieldChanges(before.toJson(), after.toJson()) : []
    const same = changes.find((each) => equalJson(each.after, change.value) && equalJson(each.before, change.old))
    const [field = undefined] = same === undefined ? changes : [same]
    const text = `${object?.kind ?? ''} ${object?.name ?? ''} ${fate}${by}`
    return { kind: 'context', text, ...(object && lineIn(object, field === undefined ? [] : pathOfSteps(object, field.steps))) }
  }

  /** Returns the line that names the upstream revision. */
  #revisionPlace({ to }: ChangedPackage): Pick<ChangeCause, 'file' | 'line'> {
    const { upstream, object } = to.variant
    const key = upstream.revision === undefined ? 'workspaceName' : 'revision'
    const path = ['spec', 'upstream', key]
    return this.#lineOf(object, path, upstream.revision ?? upstream.workspaceName ?? '')
  }

  /** Returns the line that gives a field of a variant of TO its value: one of its set, else its own. */
  #lineOf(variant: KrmObject, path: FieldPath, value: JsonValue): Pick<ChangeCause, 'file' | 'line'> {
    const source = this.#origins.to.get(namespacedName(variant))?.sourceOf(path, value)
    return source === undefined ? lineIn(variant, path) : lineIn(source.object, source.path)
  }
}

interface Leaf {
  readonly path: FieldPath
  readonly before?: JsonValue | undefined
  readonly after?: JsonValue | undefined
}

/** Returns the first value within a field that differs; of a list with fewer or more entries, the first entry that only one list has. */
function firstLeaf(path: FieldPath, before: JsonValue | undefined, after: JsonValue | undefined): Leaf {
  if (Array.isArray(before) && Array.isArray(after) && before.length !== after.length) {
    const [longer, shorter] = before.length > after.length ? [before, after] : [after, before]
    const at = longer.findIndex((entry) => !shorter.some((other) => equalJson(entry, other)))
    if (at !== -1) return { path: [...path, at], ...(longer === before ? { before: before[at] } : { after: after[at] }) }
  }
  const side = after ?? before
  const keys = isRecord(side) ? Object.keys(side) : Array.isArray(side) ? [...side.keys()] : []
  const key = keys.find((each) => !equalJson(memberOf(before, each), memberOf(after, each)))
  return key === undefined ? { path, before, after } : firstLeaf([...path, key], memberOf(before, key), memberOf(after, key))
}

function describeLeaf(path: FieldPath, { before, after }: Leaf): string {
  return `${formatFieldPath(path)}: ${shortChange(before, after)}`
}

/** Returns the name of the function whose entry in a variant's pipeline a path leads to; undefined for other paths. */
function functionNamed(variant: KrmObject, path: FieldPath): string | undefined {
  if (path[1] !== 'pipeline') return undefined
  const entry = variant.get(path.slice(0, 4))
  return nameOfFunction(asRecord(entry))
}

/** The cause of a change in a package that people removed, although a variant asks for it. */
const MADE_ANEW: ChangeCause = { kind: 'edit', text: 'the package was removed from the folder, and is made anew' }

/** Returns true for a package that FROM has and TO lacks. */
function isGone({ folders }: ChangedPackage): boolean {
  return folders?.before.files.has(KPTFILE) === true && !folders.after.files.has(KPTFILE)
}

/** Returns the cause of an edit. The lines are inputs: they are others in each package. */
function ofEdit(objects: ObjectPair, { field }: WantedChange, edited: EditedPackage | undefined): ChangeCause {
  const { before, after } = objects
  const object = after?.file === undefined ? before : after
  if (object?.file === undefined) return { kind: 'edit', text: EDITED }
  const path = field === undefined ? [] : pathOfSteps(object, field.steps)
  const setters = edited === undefined || field === undefined ? [] : editedSetters(object, path, edited)
  const own = { text: field?.path ?? `${object.kind ?? ''} ${object.name ?? ''}`, ...lineIn(object, path) }
  const move = edited && moveOf(objects, edited)
  return move === undefined
    ? { kind: 'edit', text: EDITED, inputs: [...setters, own] }
    : { kind: 'edit', text: MOVED, inputs: [move, ...setters, own] }
}

/**
 * Returns the cause of a package that was not rendered since its inputs changed: a tag that moved, another revision than that of the set,
 * or a run that is missing.
 */
function ofNotRendered({ from, to, folders }: ChangedPackage, revision: Pick<ChangeCause, 'file' | 'line'>): ChangeCause {
  const kptfile = folders?.before.files.get(KPTFILE)
  const object = kptfile && kptfileIn(kptfile, KPTFILE)
  const recorded = object && readKptfileUpstream(object).value
  const lock = recorded?.upstreamLock
  const { origin } = to.upstream
  const { repo, package: name } = from.variant.upstream
  const isSameRef = lock?.ref === origin.ref || lock?.ref === origin.resolvedRef
  if (lock !== undefined && isSameRef && lock.commit !== '' && origin.commit !== undefined && lock.commit !== origin.commit)
    return {
      kind: 'upstream',
      text: `tag ${origin.resolvedRef} of ${repo}/${name} moved: ${shortCommit(lock.commit)} → ${shortCommit(origin.commit)}`,
      ...revision,
    }
  const at = lock ?? recorded?.upstream
  const [is, wanted] = [shownRevision(at?.ref ?? ''), shownRevision(origin.ref)]
  if (at !== undefined && !isSameRef && is !== '' && is !== wanted && bareFolder(at.directory) === bareFolder(origin.directory))
    return { kind: 'not-rendered', text: `the package is at ${repo}/${name} ${is}, the set asks for ${wanted}`, ...revision }
  return { kind: 'not-rendered', text: NOT_RENDERED }
}

/** Returns the revision of a ref as sets write it: 2 for `v2` and `shop/v2`. */
function shownRevision(ref: string): string {
  const last = ref.slice(ref.lastIndexOf('/') + 1)
  return String(revisionNumber(last) ?? last)
}
