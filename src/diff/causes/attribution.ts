import type { FieldPath } from '../../field-path.ts'
import { EMPTY_FOLDER, type WholeFolder } from '../../folder/whole-folder.ts'
import { groupBy } from '../../group-by.ts'
import { equalJson, type JsonRecord, type JsonValue, memberOf, scalarText } from '../../json.ts'
import { decodePackageVariant } from '../../kinds/package-variant.ts'
import { isBytes, type PackageFiles } from '../../merge/package-files.ts'
import { type Calls, known } from '../../pipeline/calls.ts'
import { remember } from '../../remember.ts'
import type { RenderContext } from '../../render/render-request.ts'
import { appliedObjects } from '../../resource-list/applied-objects.ts'
import { identityOfObject } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { hasErrors } from '../../result.ts'
import { type InjectionSources, readSources } from '../../variant/injection/injection-source.ts'
import { entryTexts, valueAt } from '../field-changes.ts'
import { type FleetState, type PackageStep, StateRenderer } from '../fleet-state.ts'
import { type ContextInput, namesOfFunctions, type PackageInput } from '../package-inputs.ts'
import { comparedContent, packageContentOf, renderedFiles } from '../package-objects.ts'
import { withUpstreams } from '../raised-subpackages.ts'
import type { ChangedField, ObjectName } from '../report.ts'

/** A package of which an object changes, in both states. */
export interface ChangedPackage {
  readonly from: PackageStep
  readonly to: PackageStep
  /** The inputs that differ, with `edit` if the package itself was edited. */
  readonly inputs: readonly PackageInput[]
  /** The committed packages; undefined if both states are rendered in memory. */
  readonly folders?: { readonly before: WholeFolder; readonly after: WholeFolder }
  /** Returns the package that is the upstream of this one, if variants of the fleet make the upstream in both states. */
  readonly link: () => ChangedPackage | undefined
}

/** A change whose causes are wanted: a field of an object, or the object itself. */
export interface WantedChange {
  readonly before?: ObjectName
  readonly after?: ObjectName
  readonly field?: ChangedField
  /** The value of the field, or of the object, after the change. */
  readonly value: JsonValue | undefined
  readonly old: JsonValue | undefined
  /** True if FROM has another object of the identity: only an object with the value counts then. */
  readonly hasTwin?: boolean
}

/** The inputs that led to a change. `not-rendered`: the earlier state, rendered again, has the change already. */
export type Attribution = readonly (PackageInput | { readonly type: 'not-rendered' })[]

/** The objects of a package by their identity; a package may hold an object twice. */
type Objects = ReadonlyMap<string, readonly KrmObject[]>

/**
 * Finds the inputs that led to the changes of packages. With one input that differs, every change is due to the input. With several,
 * the package is rendered in memory with some of them as FROM has them and the others as TO has them:
 *
 * * an input is a cause if the change is another one when this input alone stays as FROM has it;
 * * an input is a cause if the change is the same when this input alone becomes what TO has. Two inputs that give a field the same value
 *   are both causes;
 * * if neither holds for any input, all inputs are causes that change the field at all.
 *
 * Example: an upstream revision sets `replicas: 3`, and a setter of the set changes from 2 to 5. Without the setter's change the field is
 * 2, so the setter is a cause; without the upstream's it is still 5, so the upstream is none.
 */
export class Attributions {
  readonly #from: FleetState
  readonly #to: FleetState
  readonly #sources = new Map<string, InjectionSources>()

  constructor(from: FleetState, to: FleetState) {
    this.#from = from
    this.#to = to
  }

  /** Returns a function that returns the causes of each change of one package. */
  of(changed: ChangedPackage): (change: WantedChange) => Calls<Attribution> {
    const { inputs, folders } = changed
    const [only, ...others] = inputs
    if (folders === undefined && only !== undefined && others.length === 0) return () => known([only])
    const rendered = new Map<string, Objects | undefined>()
    const renderWith = (taken: readonly PackageInput[]): Calls<Objects | undefined> => this.#render(changed, taken)
    const render: Render = function* (taken) {
      const key = inputs.map((input) => (taken.includes(input) ? '1' : '0')).join('')
      if (!rendered.has(key)) rendered.set(key, yield* renderWith(taken))
      return rendered.get(key)
    }
    return function* (change) {
      const hasTwin = isOneSided(change) && folders !== undefined && hasOther(yield* render([]), folders.before, change)
      return yield* attribute({ ...change, hasTwin }, inputs, render, folders !== undefined)
    }
  }

  /** Renders a package with some of the inputs as TO has them. Returns undefined if the package cannot be rendered so. */
  *#render({ from, to, inputs, folders }: ChangedPackage, taken: readonly PackageInput[]): Calls<Objects | undefined> {
    const has = (type: PackageInput['type']): boolean => taken.some((input) => input.type === type)
    const { options, clones } = (has('options') ? this.#to : this.#from).plan.renderContext
    const sources = this.#sourcesWith(taken.filter((input) => input.type === 'context'))
    const renderContext: RenderContext = { ...this.#to.plan.renderContext, options, clones, sources }
    const folder = folders && folderWith(folders, inputs, taken)
    const step: PackageStep = {
      op: folder === undefined || folder.files.size === 0 ? 'create' : 'update',
      variant: decodePackageVariant(variantWith(from.variant.object, to.variant.object, taken)).variant,
      upstream: (has('upstream') ? to : from).upstream,
      folder: to.folder,
    }
    const order = yield* new StateRenderer({ ...this.#to.plan, renderContext }, () => folder ?? EMPTY_FOLDER).render(step)
    const isFailed = hasErrors(order.results) || hasErrors(order.functions?.results ?? [])
    return isFailed ? undefined : objectsByIdentity(renderedFiles(order))
  }

  /** Returns the objects to inject: those of FROM, and the given ones as TO has them. */
  #sourcesWith(taken: readonly ContextInput[]): InjectionSources {
    return remember(this.#sources, JSON.stringify(taken.map((input) => input.key).sort()), () => {
      const replaced = new Set(taken.map(({ before }) => before))
      return readSources([...this.#from.items.filter((item) => !replaced.has(item)), ...taken.flatMap(({ after }) => after ?? [])])
    })
  }
}

/** Returns true for an object that comes or goes as a whole. */
function isOneSided({ before, after, field }: WantedChange): boolean {
  return field === undefined && (before === undefined || after === undefined)
}

/** Returns true if FROM has another object of the identity of one that comes or goes. */
function hasOther(rendered: Objects | undefined, folder: WholeFolder, { before, after }: WantedChange): boolean {
  const name = after ?? before
  const identity = name && identityOfObject(name)
  const found = identity === undefined ? [] : (rendered?.get(identity) ?? [])
  if (after === undefined || found.length === 0) return found.length > 1
  // The rendered package may have the object only because the committed one was not rendered.
  return [...folder.files].some(([path, file]) => {
    const content = packageContentOf(file.read(), path)
    return !isBytes(content) && content.flatMap(appliedObjects).some((object) => identityOfObject(object) === identity)
  })
}

/** Returns the committed package of FROM or TO, with the revisions of subpackages that the taken inputs ask for. */
function folderWith(
  { before, after }: NonNullable<ChangedPackage['folders']>,
  inputs: readonly PackageInput[],
  taken: readonly PackageInput[],
): WholeFolder {
  const folder = taken.some(({ type }) => type === 'edit') ? after : before
  const asking = inputs.flatMap((input) =>
    input.type === 'subpackage' ? [{ folder: input.folder, kptfile: taken.includes(input) ? input.after : input.before }] : [],
  )
  return withUpstreams(folder, asking)
}

/** Returns a variant of FROM with some of the fields as TO has them. */
function variantWith(before: KrmObject, after: KrmObject, taken: readonly PackageInput[]): KrmObject {
  const variant = before.draft()
  const set = (path: FieldPath, value: JsonValue | undefined): void =>
    value === undefined ? variant.delete(path) : variant.set(path, value)
  for (const input of taken) {
    if (input.type === 'upstream') set(UPSTREAM, after.get(UPSTREAM))
    else if (input.type === 'field' && input.isOrder !== true) set(input.formerPath ?? input.path, after.get(input.path))
  }
  // The other inputs have the places of FROM.
  for (const input of taken)
    if (input.type === 'field' && input.isOrder === true)
      set(input.path, inOrder(variant.get(input.path), namesOfFunctions(after.get(input.path))))
  return variant
}

function inOrder(list: JsonValue | undefined, names: readonly string[] = []): JsonValue | undefined {
  const place = (entry: JsonValue) => names.indexOf(scalarText(memberOf(entry, 'name')))
  return Array.isArray(list) ? [...list].sort((a, b) => place(a) - place(b)) : list
}

const UPSTREAM = ['spec', 'upstream']

function objectsByIdentity(files: PackageFiles): Objects {
  const objects = [...files.values()].flatMap((content) => (isBytes(content) ? [] : content.flatMap(appliedObjects)))
  return groupBy(objects, identityOfObject)
}

/** Returns the objects of a package that has some of its inputs as TO has them; undefined if it cannot be rendered so. */
type Render = (taken: readonly PackageInput[]) => Calls<Objects | undefined>

/** Returns the causes of a change among inputs. `isCommitted` is false where the packages of both states are rendered in memory. */
export function* attribute(
  change: WantedChange,
  inputs: readonly PackageInput[],
  render: Render,
  isCommitted: boolean,
): Calls<Attribution> {
  const value = (objects: Objects | undefined): JsonValue | undefined => valueIn(objects, change)
  const old = change.old
  const base = yield* render([])
  const start = base === undefined ? old : value(base)
  if (isCommitted && !equalJson(start, old) && equalJson(start, change.value)) return [{ type: 'not-rendered' }]
  const needed = yield* filter(inputs, function* (input) {
    const without = yield* render(inputs.filter((other) => other !== input))
    return without !== undefined && !equalJson(value(without), change.value)
  })
  const enough = yield* filter(inputs, function* (input) {
    // An edit may hold what `render` makes of the other inputs: then the others are the cause.
    if (input.type === 'edit' || needed.includes(input)) return false
    const alone = yield* render([input])
    return alone !== undefined && !equalJson(value(alone), start) && equalJson(value(alone), change.value)
  })
  const found = inputs.filter((input) => needed.includes(input) || enough.includes(input))
  if (found.length > 0) return isCommitted && !equalJson(start, old) ? [...found, { type: 'not-rendered' }] : found
  if (inputs.length === 0) return [{ type: 'not-rendered' }]
  const touching = yield* filter(inputs, function* (input) {
    return !equalJson(value(yield* render([input])), start)
  })
  return touching.length > 0 ? touching : inputs
}

function* filter(inputs: readonly PackageInput[], holds: (input: PackageInput) => Calls<boolean>): Calls<readonly PackageInput[]> {
  const kept: PackageInput[] = []
  for (const input of inputs) if (yield* holds(input)) kept.push(input)
  return kept
}

/** Returns the value of a field, or of a whole object, in a rendered package. */
function valueIn(objects: Objects | undefined, { before, after, field, hasTwin = false, value, old }: WantedChange): JsonValue | undefined {
  const found = [after, before].flatMap((name) => (name === undefined ? [] : (objects?.get(identityOfObject(name)) ?? [])))
  if (hasTwin) return found.map(comparedContent).find((each) => equalJson(each, value ?? old))
  const object = found[0]
  const whole: JsonRecord | undefined = object && comparedContent(object)
  if (field === undefined || whole === undefined) return whole
  return (field.isOrder === true ? entryTexts(whole, field.steps) : undefined) ?? valueAt(whole, field.steps)
}
