import type { FieldPath } from '../../field-path.ts'
import { asRecord, equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../../json.ts'
import { decodePackageVariant } from '../../kinds/package-variant.ts'
import { isBytes, objectsIn } from '../../merge/package-files.ts'
import { answered } from '../../pipeline/calls.ts'
import { appliedObjects, isLocalConfig } from '../../resource-list/applied-objects.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import { hasErrors } from '../../result.ts'
import type { UpstreamRevision } from '../../upstream/upstream-search.ts'
import { valueAt } from '../field-changes.ts'
import { type FleetState, type PackageStep, rendererOf, type StateRenderer } from '../fleet-state.ts'
import { comparedContent, renderedFiles } from '../package-objects.ts'
import type { FieldStep } from '../report.ts'
import type { PackageText } from './edited-setters.ts'
import { pathOfSteps } from './object-places.ts'
import { nameOfFunction, objectNamed, objectsByName } from './upstream-lines.ts'

/** Where a value of a rendered object comes from. */
export interface ValueOrigin {
  /** The fields of the PackageVariant without which the value is another one. */
  readonly fields: readonly FieldPath[]
  /** The entries of the pipeline of the upstream's Kptfile without which the value is another one. */
  readonly functions: readonly { readonly name: string; readonly kptfile: KrmObject; readonly path: FieldPath }[]
  /** The same field of the upstream package: its object, and its value there. */
  readonly upstream?: { readonly object: KrmObject; readonly path: FieldPath; readonly value: JsonValue | undefined }
}

/**
 * Asks for the causes of a state, as `Attributions` does for those of a change: the package is rendered in memory once without each input
 * of its variant, and an input without which the value is another one is a cause.
 *
 * Example: a setter gives `replicas: 5`. Without the entry of apply-setters the value is 2, that of the upstream; without its key
 * `replicas` too, so the key is the cause.
 */
export class ValueOrigins {
  readonly #renderer: StateRenderer
  readonly #rendered = new Map<string, readonly KrmObject[] | undefined>()

  constructor(state: FleetState) {
    this.#renderer = rendererOf(state)
  }

  /** Returns the objects of a package that a cluster gets; undefined if the package cannot be rendered. */
  objectsOf(step: PackageStep): readonly KrmObject[] | undefined {
    const order = answered(this.#renderer.render(step))
    if (hasErrors(order.results) || hasErrors(order.functions?.results ?? [])) return undefined
    return [...renderedFiles(order).values()].flatMap((content) =>
      isBytes(content) ? [] : content.flatMap(appliedObjects).filter((each) => each.kind !== KPTFILE && !isLocalConfig(each)),
    )
  }

  /** Returns the objects of a package by file, as they are without people's edits. */
  textOf(step: PackageStep): PackageText {
    const files = renderedFiles(answered(this.#renderer.render(step)))
    return { paths: [...files.keys()], objectsAt: (path) => objectsIn(files.get(path)) }
  }

  originOf(step: PackageStep, object: KrmObject, steps: readonly FieldStep[]): ValueOrigin {
    const value = valueAt(comparedContent(object), steps)
    const isCause = (path: FieldPath): boolean => {
      const without = this.#without(step, path)
      return without !== undefined && !equalJson(valueAt(contentOf(without, object), steps), value)
    }
    const fields = inputsOf(step.variant.object).flatMap((path) => {
      if (!isCause(path)) return []
      const above = path.at(-1) === 'data' ? path : [...path, 'configMap']
      const config = step.variant.object.get(above)
      const keys = isRecord(config) ? Object.keys(config).map((key) => [...above, key]) : []
      // Most functions fail without their only option.
      const narrower = keys.length === 1 ? keys : keys.filter(isCause)
      return narrower.length > 0 ? narrower : [path]
    })
    const upstream = this.#renderer.upstreamOf(step)
    const found = upstream && objectNamed(objectsByName(upstream.source.files), object)
    if (upstream === undefined || found === undefined) return { fields, functions: [] }
    const functions = equalJson(valueAt(comparedContent(found), steps) ?? null, value ?? null)
      ? []
      : this.#functionsOf(step, upstream, (without) => !equalJson(valueAt(contentOf(without, object), steps), value))
    return {
      fields,
      functions,
      upstream: { object: found, path: pathOfSteps(found, steps), value: valueAt(comparedContent(found), steps) },
    }
  }

  /** Returns the functions of an upstream's Kptfile without which a package is another one. */
  #functionsOf(
    step: PackageStep,
    upstream: UpstreamRevision,
    isOther: (objects: readonly KrmObject[]) => boolean,
  ): ValueOrigin['functions'] {
    const { files } = upstream.source
    const [kptfile] = objectsIn(files.get(KPTFILE))
    if (kptfile === undefined) return []
    return ['mutators', 'validators'].flatMap((stage) => {
      const entries = kptfile.get(['pipeline', stage])
      if (!Array.isArray(entries)) return []
      return entries.flatMap((entry, i) => {
        const path = ['pipeline', stage, i]
        const draft = kptfile.draft()
        draft.delete(path)
        const source = { ...upstream.source, files: new Map(files).set(KPTFILE, [draft]) }
        const without = this.objectsOf({ ...step, upstream: { ...upstream, source } })
        return without !== undefined && isOther(without) ? [{ name: nameOfFunction(asRecord(entry)), kptfile, path }] : []
      })
    })
  }

  /** Returns the objects of a package that is rendered without a field of its variant. */
  #without(step: PackageStep, path: FieldPath): readonly KrmObject[] | undefined {
    const key = JSON.stringify([step.folder, path])
    if (this.#rendered.has(key)) return this.#rendered.get(key)
    const variant = step.variant.object.draft()
    variant.delete(path)
    const objects = this.objectsOf({ ...step, variant: decodePackageVariant(variant).variant })
    this.#rendered.set(key, objects)
    return objects
  }
}

/** Returns the inputs of a variant beside its upstream: entries of its pipeline, keys of its package context, its injectors. */
function inputsOf(variant: KrmObject): readonly FieldPath[] {
  const entries = ['mutators', 'validators'].flatMap((stage) => {
    const list = variant.get(['spec', 'pipeline', stage])
    return Array.isArray(list) ? list.map((_, i) => ['spec', 'pipeline', stage, i]) : []
  })
  const context = ['data', 'removeKeys'].map((key) => ['spec', 'packageContext', key])
  const paths: readonly FieldPath[] = [...entries, ...context, ['spec', 'injectors']]
  return paths.filter((path) => variant.get(path) !== undefined)
}

/** Returns the content of the object of the same kind and name, else of the only one of its kind: a function may give it another name. */
function contentOf(objects: readonly KrmObject[], { kind, name, namespace }: KrmObject) {
  const ofKind = objects.filter((each) => each.kind === kind)
  const named = ofKind.filter((each) => each.name === name)
  const found = named.find((each) => each.namespace === namespace) ?? named[0] ?? (ofKind.length === 1 ? ofKind[0] : undefined)
  return found && comparedContent(found)
}

/** A field that a person named, as steps; or the name in it that is not there, with the names beside it. */
export type NamedField =
  | { readonly steps: readonly FieldStep[] }
  | { readonly unknown: string; readonly above: string; readonly known: readonly string[] }

/**
 * Returns the steps of a field as people write it: `spec.containers[till].image`, `metadata.labels.app.kubernetes.io/name`, `data[0]`. Keys
 * with dots are found by the value.
 */
export function stepsOfField(value: JsonValue, text: string): NamedField {
  const steps: FieldStep[] = []
  let [rest, found] = [text, value]
  while (rest !== '') {
    const next = Array.isArray(found) ? entryNamed(found, rest) : keyNamed(asRecord(found), rest)
    if ('unknown' in next) return { ...next, above: text.slice(0, text.length - rest.length).replace(/\.$/, '') }
    steps.push(next.step)
    rest = rest.slice(next.length).replace(/^\./, '')
    found = next.value
  }
  return { steps }
}

/** The first step of the rest of a field, with its length and the value there; or the name that is not there. */
type NextStep =
  | { readonly step: FieldStep; readonly length: number; readonly value: JsonValue }
  | { readonly unknown: string; readonly known: readonly string[] }

function entryNamed(list: readonly JsonValue[], rest: string): NextStep {
  const [whole = '', inside = ''] = /^\[([^\]]*)\]/.exec(rest) ?? []
  const names: readonly string[] = list.map((entry, i) => nameOfEntry(entry) ?? String(i))
  const at = names.includes(inside) || !/^\d+$/.test(inside) ? names.indexOf(inside) : Number(inside)
  const value = list[at]
  if (whole === '' || value === undefined) return { unknown: inside || rest, known: names.map((name) => `[${name}]`) }
  const name = nameOfEntry(value)
  return { step: name === undefined ? at : { name }, length: whole.length, value }
}

function keyNamed(map: JsonRecord, rest: string): NextStep {
  const keys = Object.keys(map)
  const matching = keys.filter((key) => rest === key || rest.startsWith(`${key}.`) || rest.startsWith(`${key}[`))
  const [key] = matching.sort((a, b) => b.length - a.length)
  const value = key === undefined ? undefined : map[key]
  if (key === undefined || value === undefined) return { unknown: /^[^.[]*/.exec(rest)?.[0] ?? rest, known: keys }
  return { step: key, length: key.length, value }
}

/** Returns the name of an entry of a list; undefined for an entry without one. */
function nameOfEntry(entry: JsonValue): string | undefined {
  const name = isRecord(entry) ? lookup(entry, 'name') : undefined
  return typeof name === 'string' ? name : undefined
}
