import { markedFields } from '../../catalog/setter-comments.ts'
import { type FieldPath, formatFieldPath, pathKey } from '../../field-path.ts'
import { equalJson, type JsonRecord, lookup, recordsOf, scalarText } from '../../json.ts'
import { isBytes, objectsIn, type PackageFiles } from '../../merge/package-files.ts'
import { remember } from '../../remember.ts'
import { appliedObjects } from '../../resource-list/applied-objects.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { isKptfile, KPTFILE } from '../../resource-list/package-of.ts'
import { isSecretField } from '../../secret-values.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import { shortCommit } from '../../upstream/upstream-faults.ts'
import type { UpstreamLibrary } from '../../upstream/upstream-library.ts'
import type { UpstreamRevision } from '../../upstream/upstream-search.ts'
import { fieldChanges, valueAt } from '../field-changes.ts'
import { comparedContent, nameOfObject, type ObjectPair, packageContentOf } from '../package-objects.ts'
import type { CauseInput, ChangeCause, ChangedField, ObjectName } from '../report.ts'
import { shortChange } from '../short-value.ts'
import type { ChangedPackage, WantedChange } from './attribution.ts'
import { lineIn, lineOfChange, pathOfSteps } from './object-places.ts'

type FileLine = Pick<ChangeCause, 'file' | 'line'>

/** A change of an upstream package, with the object that changes. */
interface UpstreamChange {
  readonly change: WantedChange
  readonly objects: ObjectPair
}

/** Finds the lines of upstream packages that led to changes. */
export class UpstreamLines {
  readonly #objects = new WeakMap<SourcePackage, ReadonlyMap<string, KrmObject>>()
  readonly #former: UpstreamLibrary

  /** @param former  the upstreams as FROM has them */
  constructor(former: UpstreamLibrary) {
    this.#former = former
  }

  /**
   * Returns the cause of a change that another upstream package led to: the revision, with the changed line of the upstream. If the
   * upstream has the same value in both revisions, a function of its pipeline is the cause.
   */
  cause({ from, to }: ChangedPackage, change: WantedChange, revision: FileLine): ChangeCause {
    const changed = this.#lineOf(from.upstream, to.upstream, change)
    const fn = changed === undefined ? functionChange(from.upstream.source, to.upstream.source) : undefined
    const { text, isNamed } = describeRevision(from, to)
    const first = fn === undefined ? changed : fn.lines[0]
    const { file, line } = isNamed || first === undefined ? revision : first
    const details = fn?.lines ?? [changed, isNamed ? this.#goneSince(to, change) : undefined].filter((each) => each !== undefined)
    return {
      ...(fn === undefined ? { kind: 'upstream', text } : { kind: 'function', text: `${fn.text} of ${text}` }),
      ...(file !== undefined && line !== undefined && { file, line }),
      ...(details.length > 0 && { details }),
    }
  }

  /**
   * Returns the line of an object that the revision of TO had in FROM and lost since: another revision alone would have kept the object.
   */
  #goneSince({ variant, upstream }: ChangedPackage['to'], change: WantedChange): CauseInput | undefined {
    if (change.field !== undefined || change.after !== undefined) return undefined
    const former = this.#former.wanted(variant)
    return 'revision' in former ? this.#lineOf(former.revision, upstream, change) : undefined
  }

  /**
   * Returns a change of a package as its upstream has it, with the objects of the upstream; undefined if the upstream has no such change.
   */
  inUpstream({ from, to }: ChangedPackage, { before, after, field }: WantedChange): UpstreamChange | undefined {
    const was = before && this.#find(from.upstream.source, before)
    const is = after && this.#find(to.upstream.source, after)
    const objects = { ...(was && { before: was }), ...(is && { after: is }) }
    const names = { ...(was && { before: nameOfObject(was) }), ...(is && { after: nameOfObject(is) }) }
    if (field === undefined) {
      const isWhole = (was === undefined) !== (is === undefined)
      return isWhole ? { change: { ...names, value: is && comparedContent(is), old: was && comparedContent(was) }, objects } : undefined
    }
    const [old, value] = [valueAt(was && comparedContent(was), field.steps), valueAt(is && comparedContent(is), field.steps)]
    if (equalJson(old, value)) return undefined
    return {
      change: { ...names, field, ...(field.isOrder === true ? { old: field.before, value: field.after } : { old, value }) },
      objects,
    }
  }

  #lineOf(from: UpstreamRevision, to: UpstreamRevision, { before, after, field }: WantedChange): CauseInput | undefined {
    const was = before && this.#find(from.source, before)
    const is = after && this.#find(to.source, after)
    if (field !== undefined) return is && fieldLine(field, was, is)
    if (was !== undefined && is !== undefined && was.name !== is.name)
      return { text: `metadata.name: ${shortChange(was.name, is.name)}`, ...lineIn(is, ['metadata', 'name']) }
    const only = was === undefined ? is : is === undefined ? was : undefined
    return only && { text: `${only.kind ?? ''} ${only.name ?? ''} is ${was === undefined ? 'new' : 'gone'}`, ...lineIn(only, []) }
  }

  /** Returns the object of a package from which an object of a clone comes: the one of its kind and name, else the only one of its kind. */
  #find(source: SourcePackage, { kind, name }: ObjectName): KrmObject | undefined {
    const objects = remember(this.#objects, source, () => objectsByName(source.files))
    return objectNamed(objects, { kind, name })
  }
}

/**
 * Returns the line of a field that differs between two revisions; undefined if it is equal. A field that a setter gives another value may
 * differ in the comment that names the setter. The value of a Secret is not shown.
 */
function fieldLine(field: ChangedField, before: KrmObject | undefined, after: KrmObject): CauseInput | undefined {
  const [old, present] = [valueAt(before && comparedContent(before), field.steps), valueAt(comparedContent(after), field.steps)]
  if (equalJson(old, present)) return before && setterLine(field, before, after)
  const path = pathOfSteps(after, field.steps)
  const isSecret = after.kind === 'Secret' || isSecretField(after.toJson())(path)
  const values = isSecret ? 'changed' : shortChange(old, present)
  return { text: `${field.path}: ${values}`, ...lineOfChange(after, path, old, present) }
}

function setterLine({ path: shown, steps }: ChangedField, before: KrmObject, after: KrmObject): CauseInput | undefined {
  const path = pathOfSteps(after, steps)
  const [was, is] = [setterAt(before, pathOfSteps(before, steps)), setterAt(after, path)]
  return was === is ? undefined : { text: `${shown}: setter ${shortChange(was, is)}`, ...lineIn(after, path) }
}

/** Returns the setters that give a field, or the list above an entry, its value: `${image}:${tag}`. */
export function setterAt(object: KrmObject, path: FieldPath): string | undefined {
  const ways = [path, path.slice(0, -1)].map(pathKey)
  return markedFields(object).find((marked) => ways.includes(pathKey(marked.path)))?.pattern
}

/** Returns the objects of a package by kind and name, and by kind where there is only one. */
export function objectsByName(files: PackageFiles): ReadonlyMap<string, KrmObject> {
  const found = new Map<string, KrmObject>()
  const count = new Map<string, number>()
  for (const [path, file] of files) {
    const content = isBytes(file) ? packageContentOf(file, path) : file
    if (isBytes(content) || isKptfile(path)) continue
    for (const object of content.flatMap(appliedObjects)) {
      const kind = JSON.stringify([object.kind])
      count.set(kind, (count.get(kind) ?? 0) + 1)
      found.set(JSON.stringify([object.kind, object.name]), object)
      found.set(kind, object)
    }
  }
  for (const [kind, number] of count) if (number > 1) found.delete(kind)
  return found
}

/** Returns the object of a kind and name among those that `objectsByName` returned, else the only one of the kind. */
export function objectNamed(
  objects: ReadonlyMap<string, KrmObject>,
  { kind, name }: Pick<KrmObject, 'kind' | 'name'>,
): KrmObject | undefined {
  return objects.get(JSON.stringify([kind, name])) ?? objects.get(JSON.stringify([kind]))
}

function describeRevision({ variant: was, upstream: from }: ChangedPackage['from'], { variant: is, upstream: to }: ChangedPackage['to']) {
  const [old, present] = [was.upstream, is.upstream]
  const name = `${present.repo}/${present.package}`
  const oldName = `${old.repo}/${old.package}`
  const [before, after] = [String(old.revision ?? old.workspaceName ?? ''), String(present.revision ?? present.workspaceName ?? '')]
  if (name !== oldName) return { text: `${oldName} ${before} → ${name} ${after}`, isNamed: true }
  if (before !== after) return { text: `${name} ${before} → ${after}`, isNamed: true }
  const [old1, new1] = [from.origin.commit, to.origin.commit]
  const moved =
    old1 !== undefined && new1 !== undefined && old1 !== new1 ? `moved: ${shortCommit(old1)} → ${shortCommit(new1)}` : 'has other content'
  return { text: `${name}${after === '' ? '' : ` ${after}`} ${moved}`, isNamed: false }
}

interface FunctionChange {
  readonly text: string
  /** The values of the pipeline that differ, each with its line; of a value that is gone, that of the earlier package. */
  readonly lines: readonly CauseInput[]
}

/** Returns what differs between the pipelines of two upstream packages, named by the first function; undefined if nothing does. */
function functionChange(before: SourcePackage, after: SourcePackage): FunctionChange | undefined {
  const [old, present] = [objectsIn(before.files.get(KPTFILE))[0], objectsIn(after.files.get(KPTFILE))[0]]
  const [was, is] = [old, present].map((kptfile) => pipelineOf(kptfile))
  const lines = fieldChanges(was ?? {}, is ?? {}).map((field): CauseInput => {
    const object = field.after === undefined ? old : present
    const values = field.before === undefined ? 'is new' : field.after === undefined ? 'is gone' : shortChange(field.before, field.after)
    return { text: `${field.path}: ${values}`, ...(object && lineIn(object, pathOfSteps(object, field.steps))) }
  })
  for (const list of ['mutators', 'validators']) {
    const [first, second] = [entriesOf(old, list), entriesOf(present, list)]
    const at = Array.from({ length: Math.max(first.length, second.length) }).findIndex((_, i) => !equalJson(first[i], second[i]))
    if (at === -1) continue
    const entry = second[at] ?? first[at] ?? {}
    return { text: `function ${nameOfFunction(entry)} (${formatFieldPath(['pipeline', list, at])})`, lines }
  }
  return undefined
}

function pipelineOf(kptfile: KrmObject | undefined): JsonRecord {
  const pipeline = kptfile?.get(['pipeline'])
  return pipeline === undefined ? {} : { pipeline }
}

function entriesOf(kptfile: KrmObject | undefined, list: string): readonly JsonRecord[] {
  return recordsOf(kptfile?.get(['pipeline', list]))
}

/** Returns the name of a function of a pipeline: that of its image without registry and tag, or of its program without folder. */
export function nameOfFunction(entry: JsonRecord): string {
  const [program = ''] = scalarText(lookup(entry, 'image') ?? lookup(entry, 'exec')).split(/[\s@]/)
  return (program.split('/').at(-1) ?? '').replace(/:.*$/, '')
}
