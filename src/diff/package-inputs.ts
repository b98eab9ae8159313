import type { FieldPath } from '../field-path.ts'
import type { FleetVariant } from '../fleet/fleet-variants.ts'
import { firstOfEach } from '../group-by.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup, memberOf, scalarText } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { SourcePackage } from '../upstream/source-package.ts'
import type { UpstreamRevision } from '../upstream/upstream-search.ts'
import { ByPair } from './by-pair.ts'
import type { FleetState, PackageStep, StateUpstreams } from './fleet-state.ts'
import { equalContents } from './package-objects.ts'
import type { RaisedSubpackage } from './raised-subpackages.ts'

/** An input of a package that differs between two states. */
export type PackageInput = FieldInput | ContextInput | RaisedSubpackage | OtherInput

/** A field of the variant's spec. */
export interface FieldInput {
  readonly type: 'field'
  readonly path: FieldPath
  /** The path in FROM, if it is another one: a function of the pipeline has another place. */
  readonly formerPath?: FieldPath
  /** True if the functions of a pipeline have another order; `before` and `after` are their names. */
  readonly isOrder?: true
  readonly before?: JsonValue
  readonly after?: JsonValue
}

/** An object that the variant may inject. */
export interface ContextInput {
  readonly type: 'context'
  readonly key: string
  readonly name: string
  readonly before?: KrmObject
  readonly after?: KrmObject
}

/** `upstream`: the revision, or its content. `edit`: the package itself. `options`: those of render-variants. */
export interface OtherInput {
  readonly type: 'upstream' | 'edit' | 'options'
}

interface StateUpstreamsOf {
  readonly from: StateUpstreams
  readonly to: StateUpstreams
}

/** Finds the inputs of packages that differ between two states. Facts that packages share are computed once. */
export class InputComparison {
  readonly #hasOtherOptions: boolean
  readonly #contexts: readonly ContextInput[]
  readonly #equalSources = new ByPair<SourcePackage, boolean>()

  readonly #from: ReadonlyMap<FleetVariant, PackageStep>
  readonly #to: ReadonlyMap<FleetVariant, PackageStep>
  readonly #upstreams: StateUpstreamsOf | undefined

  /**
   * @param upstreams  the upstreams of both states. Where packages are committed, those that variants make are compared by content, since
   *                   people may have edited them; else they are equal if the inputs of their variants are
   */
  constructor(from: FleetState, to: FleetState, upstreams: StateUpstreamsOf) {
    this.#upstreams = from.committed === undefined ? undefined : upstreams
    this.#hasOtherOptions = !equalJson(plain(from.plan.renderContext.options), plain(to.plan.renderContext.options))
    this.#contexts = changedObjects(from.items, to.items)
    this.#from = new Map(from.plan.steps.map((step) => [step.variant, step]))
    this.#to = new Map(to.plan.steps.map((step) => [step.variant, step]))
  }

  /** Returns the inputs of one package that differ, without edits in the package. */
  between(from: PackageStep, to: PackageStep): readonly PackageInput[] {
    return [
      ...(this.#hasSameUpstream(from, to) ? [] : [{ type: 'upstream' } as const]),
      ...(from.variant.object.toText() === to.variant.object.toText() ? [] : fieldInputs(from.variant.object, to.variant.object)),
      ...this.#contextsOf(from, to),
      ...(this.#hasOtherOptions ? [{ type: 'options' } as const] : []),
    ]
  }

  #hasSameUpstream(from: PackageStep, to: PackageStep): boolean {
    const { maker: was } = from.upstream
    const { maker: is } = to.upstream
    if (was === undefined && is === undefined) return this.#isSameUpstream(from.upstream, to.upstream)
    if (this.#upstreams === undefined || was === undefined || is === undefined) return this.#isSameMaker(was, is)
    const [before, after] = [this.#upstreams.from.upstreamOf(from), this.#upstreams.to.upstreamOf(to)]
    return before !== undefined && after !== undefined && this.#isSameUpstream(before, after)
  }

  #isSameUpstream(before: UpstreamRevision, after: UpstreamRevision): boolean {
    const { origin: was } = before
    const { origin: is } = after
    const isSameOrigin = was.ref === is.ref && was.commit === is.commit && was.directory === is.directory && was.repo === is.repo
    return isSameOrigin && this.#equalSources.of(before.source, after.source, () => equalFiles(before.source, after.source))
  }

  /** Returns true if two variants, whose packages are the upstreams of others, make equal packages. */
  #isSameMaker(before: FleetVariant | undefined, after: FleetVariant | undefined): boolean {
    const [was, is] = [before && this.#from.get(before), after && this.#to.get(after)]
    return was !== undefined && is !== undefined && this.between(was, is).length === 0
  }

  #contextsOf(from: PackageStep, to: PackageStep): readonly ContextInput[] {
    // Nearly every variant names none of the changed objects, and need not be parsed.
    const named = this.#contexts.filter(({ name }) => [from, to].some(({ variant }) => variant.object.mayHold(name)))
    if (named.length === 0) return []
    const injectors = [...injectorsOf(from), ...injectorsOf(to)]
    return named.filter(({ before, after }) => injectors.some((injector) => mayInject(injector, after ?? before)))
  }
}

function injectorsOf({ variant }: PackageStep): readonly JsonRecord[] {
  const injectors = variant.object.get(['spec', 'injectors'])
  return Array.isArray(injectors) ? injectors.filter(isRecord) : isRecord(injectors) ? [injectors] : []
}

function mayInject(injector: JsonRecord, object: KrmObject | undefined): boolean {
  const kind = lookup(injector, 'kind')
  return lookup(injector, 'name') === object?.name && (kind === undefined || kind === object?.kind)
}

/** Returns the objects that differ between two states, but for the variants and sets themselves. */
function changedObjects(before: readonly KrmObject[], after: readonly KrmObject[]): readonly ContextInput[] {
  const [old, present] = [byIdentity(before), byIdentity(after)]
  return [...new Set([...old.keys(), ...present.keys()])].flatMap((key): readonly ContextInput[] => {
    const [was, is] = [old.get(key), present.get(key)]
    if (was !== undefined && is !== undefined && (was.toText() === is.toText() || equalJson(was.toJson(), is.toJson()))) return []
    return [{ type: 'context', key, name: is?.name ?? was?.name ?? '', ...(was && { before: was }), ...(is && { after: is }) }]
  })
}

const NOT_INJECTED = new Set([
  'PackageVariant',
  'PackageVariantSet',
  'PackageVariantMatrix',
  'PackageRevisionSet',
  'PackageRevision',
  'Kptfile',
])

function byIdentity(items: readonly KrmObject[]): ReadonlyMap<string, KrmObject> {
  const own = items.filter(({ kind = '' }) => !NOT_INJECTED.has(kind))
  return firstOfEach(own, ({ apiVersion, kind = '', namespace, name }) => JSON.stringify([apiVersion, kind, namespace, name]))
}

/** Returns options without what is no option: maps as sorted lists, functions left out. */
function plain(value: unknown): JsonValue {
  if (value instanceof Map)
    return Array.from(value, ([key, each]) => [String(key), plain(each)]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  if (value instanceof Set) return Array.from(value, plain)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

function equalFiles({ files: before }: SourcePackage, { files: after }: SourcePackage): boolean {
  return before.size === after.size && [...before].every(([path, content]) => equalContents(content, after.get(path)))
}

/** Fields of a spec that are one input each; of other fields, each key of a map and each position of a list is an input. */
const WHOLE: ReadonlySet<string> = new Set(['downstream', 'injectors', 'removeKeys', 'validators'])

/** Returns the fields of two variants that differ, but for `upstream`, which is an input of its own. */
function fieldInputs(before: KrmObject, after: KrmObject): readonly FieldInput[] {
  const [was, is] = [before.get(['spec']), after.get(['spec'])]
  if (!isRecord(was) || !isRecord(is)) return []
  return keysOf(was, is).flatMap((key) => (key === 'upstream' ? [] : differing(['spec', key], memberOf(was, key), memberOf(is, key))))
}

function differing(path: FieldPath, before: JsonValue | undefined, after: JsonValue | undefined): readonly FieldInput[] {
  if (equalJson(before, after)) return []
  const reordered = path[1] === 'pipeline' ? reorderedFunctions(path, before, after) : []
  if (reordered.length > 0) return reordered
  const keys = WHOLE.has(String(path.at(-1))) ? undefined : sharedKeys(before, after)
  if (keys !== undefined) return keys.flatMap((key) => differing([...path, key], memberOf(before, key), memberOf(after, key)))
  return [{ type: 'field', path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
}

/**
 * Returns the order of the functions of a pipeline, and the fields that differ of each function, as inputs of their own; nothing if the
 * functions have the same order, or are others.
 */
function reorderedFunctions(path: FieldPath, before: JsonValue | undefined, after: JsonValue | undefined): readonly FieldInput[] {
  const [was, is] = [before, after].map(namesOfFunctions)
  if (was === undefined || is === undefined || equalJson(was, is) || !equalJson([...was].sort(), [...is].sort())) return []
  const fields = is.flatMap((name, i) => {
    const former = was.indexOf(name)
    const found = differing([...path, i], memberOf(before, former), memberOf(after, i))
    return found.map((input) => ({ ...input, formerPath: [...path, former, ...input.path.slice(path.length + 1)] }))
  })
  return [{ type: 'field', path, isOrder: true, before: was, after: is }, ...fields]
}

/** Returns the names of the functions in a list; undefined if one has none, or two have the same. */
export function namesOfFunctions(list: JsonValue | undefined): string[] | undefined {
  if (!Array.isArray(list)) return undefined
  const names = list.map((entry) => scalarText(memberOf(entry, 'name')))
  return names.includes('') || new Set(names).size < names.length ? undefined : names
}

/** Returns the keys of two maps, or the positions of two lists of one length; undefined for values that are compared as a whole. */
function sharedKeys(before: JsonValue | undefined, after: JsonValue | undefined): readonly (string | number)[] | undefined {
  if (isRecord(before) && isRecord(after)) return keysOf(before, after)
  return Array.isArray(before) && Array.isArray(after) && before.length === after.length ? [...before.keys()] : undefined
}

function keysOf(before: JsonRecord, after: JsonRecord): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
}
