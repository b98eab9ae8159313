import { attempt } from '../attempt.ts'
import { type FieldPath, formatFieldPath } from '../field-path.ts'
import { asList, asRecord, isRecord, type JsonRecord, type JsonValue, lookup, memberOf, scalarText } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { PACKAGE_VARIANT_SET_API } from '../well-known.ts'

/** The conversion of a set of v1alpha1, which no API server serves any more, to v1alpha2. */
export interface Conversion {
  /** The fields that move, old and new side by side: `spec.upstream.package.name → spec.upstream.package`. */
  readonly moves: readonly string[]
  /** The fields that v1alpha2 does not have, or of which the meaning is not sure. A person must write these. */
  readonly unclear: readonly string[]
  /** The steps that write the set anew. Not to be run where fields are unclear. */
  readonly steps: readonly ((draft: KrmObject) => void)[]
}

/**
 * Returns the conversion of a set of v1alpha1. A set that has the fields of v1alpha2 already gets another `apiVersion` only.
 *
 * @throws FunctionError  as `KrmObject.get`
 */
export function conversionOf(object: KrmObject): Conversion {
  const spec = asRecord(object.get(['spec']))
  const found = new Collected()
  if (!isOfCurrentForm(spec)) {
    upstreamOf(asRecord(lookup(spec, 'upstream')), found)
    const targets = lookup(spec, 'targets')
    const list = Array.isArray(targets) ? targets.map(asRecord) : []
    for (const [index, target] of list.entries()) targetOf(target, ['spec', 'targets', index], found)
    for (const [key, value] of Object.entries(spec)) commonOf(key, value, list, found)
  }
  found.steps.push((draft) => draft.set(['apiVersion'], PACKAGE_VARIANT_SET_API))
  return found
}

/**
 * Converts a set. Comments stay at their fields; those of fields that move come above `spec`.
 *
 * @returns false, and changes nothing, if fields are unclear or a comment would be lost
 */
export function convertOlderSet(object: KrmObject): boolean {
  const convert = (): boolean => {
    const { unclear, steps } = conversionOf(object)
    if (unclear.length > 0) return false
    const draft = object.draft()
    for (const step of steps) step(draft)
    draft.settle()
    const text = withComments(draft.toText(), lostComments(object.toText(), draft.toText()))
    if (lostComments(object.toText(), text).length > 0) return false
    object.takeText(text)
    return true
  }
  return attempt(convert, FunctionError) ?? false
}

function lostComments(before: string, after: string): readonly string[] {
  const kept = commentsIn(after)
  return commentsIn(before).filter((comment) => !kept.includes(comment))
}

/** Writes comments as lines above `spec`, where a text in block style has the key. */
function withComments(text: string, comments: readonly string[]): string {
  return text.replace(/^spec:/m, (key) => comments.map((comment) => `${comment}\n`).join('') + key)
}

/** Returns the comments of a text. A `#` in a quoted text counts too, and is in the converted text as well. */
function commentsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?:^|\s)(#.*)$/gm)].map(([, comment = '']) => comment)
}

class Collected implements Conversion {
  readonly moves: string[] = []
  readonly unclear: string[] = []
  readonly steps: ((draft: KrmObject) => void)[] = []

  move(from: FieldPath, to: FieldPath): void {
    this.moves.push(`${formatFieldPath(from)} → ${formatFieldPath(to)}`)
  }

  leave(path: FieldPath, why: string): void {
    this.unclear.push(`${formatFieldPath(path)}, ${why}`)
  }
}

/** The fields of `spec` that v1alpha2 has in the template of each target. */
const COMMON = ['adoptionPolicy', 'deletionPolicy', 'labels', 'annotations']
const OLD_TARGET_FIELDS = ['package', 'packageName', 'objects']

function isOfCurrentForm(spec: JsonRecord): boolean {
  const targets = lookup(spec, 'targets')
  const hasOldTarget = Array.isArray(targets) && targets.some(isOldTarget)
  return !hasOldTarget && !isRecord(memberOf(lookup(spec, 'upstream'), 'package')) && !COMMON.some((key) => Object.hasOwn(spec, key))
}

function isOldTarget(target: JsonValue): boolean {
  return isRecord(target) && (OLD_TARGET_FIELDS.some((key) => Object.hasOwn(target, key)) || isRecord(lookup(target, 'repositories')))
}

function upstreamOf(upstream: JsonRecord, found: Collected): void {
  const path = ['spec', 'upstream']
  const old = lookup(upstream, 'package')
  if (Object.hasOwn(upstream, 'ref'))
    found.leave([...path, 'ref'], 'a git reference, for which v1alpha2 has the workspaceName of a PackageRevision')
  if (!isRecord(old)) return
  const [repo, name] = [lookup(old, 'repo'), lookup(old, 'name')]
  found.move([...path, 'package', 'repo'], [...path, 'repo'])
  found.move([...path, 'package', 'name'], [...path, 'package'])
  if (repo === undefined || name === undefined) {
    found.leave([...path, 'package'], 'which must have repo and name')
    return
  }
  found.steps.push((draft) => {
    draft.set(path, { repo, package: name, ...Object.fromEntries(Object.entries(upstream).filter(([key]) => key !== 'package')) })
  })
}

/** Moves a field of the set into the template of each target. */
function commonOf(key: string, value: JsonValue, targets: readonly JsonRecord[], found: Collected): void {
  if (key === 'upstream' || key === 'targets') return
  if (!COMMON.includes(key)) {
    found.leave(['spec', key], 'no field of v1alpha1')
    return
  }
  if (targets.some((target) => Object.hasOwn(target, 'template'))) {
    found.leave(['spec', key], 'beside templates of targets')
    return
  }
  found.moves.push(`spec.${key} → template.${key} of each target`)
  found.steps.push((draft) => {
    for (const index of targets.keys()) draft.set(['spec', 'targets', index, 'template', key], value)
    draft.delete(['spec', key])
  })
}

function targetOf(target: JsonRecord, path: FieldPath, found: Collected): void {
  const { package: one, repositories, objects, packageName } = target
  if (isRecord(one)) packageTarget(one, path, found)
  if (isRecord(repositories)) {
    found.move([...path, 'repositories'], [...path, 'repositorySelector'])
    found.steps.push((draft) => draft.renameKey([...path, 'repositories'], 'repositorySelector'))
  }
  if (isRecord(objects)) objectTarget(objects, path, found)
  if (packageName === undefined) return
  if (isRecord(one)) {
    found.leave([...path, 'packageName'], 'which a target with a package does not read')
    return
  }
  nameOf(asRecord(packageName), [...path, 'packageName'], path, found)
}

function packageTarget(one: JsonRecord, path: FieldPath, found: Collected): void {
  const [repo, name] = ['repo', 'name'].map((key) => scalarText(lookup(one, key)))
  found.move([...path, 'package'], [...path, 'repositories', 0])
  if (repo === undefined || repo === '') {
    found.leave([...path, 'package', 'repo'], 'which must be set')
    return
  }
  found.steps.push((draft) => {
    draft.set([...path, 'repositories'], [{ name: repo, ...(name !== '' && name !== undefined && { packageNames: [name] }) }])
    draft.delete([...path, 'package'])
  })
}

function objectTarget(objects: JsonRecord, path: FieldPath, found: Collected): void {
  const at = [...path, 'objects', 'selectors']
  const selectors = lookup(objects, 'selectors')
  const [selector, ...more] = asList(selectors)
  if (!isRecord(selector) || more.length > 0) {
    found.leave(at, 'of which v1alpha2 has one for each target')
    return
  }
  const { apiVersion = '', kind = '', labelSelector, ...others } = selector
  for (const key of Object.keys(others)) found.leave([...at, 0, key], 'by which v1alpha2 does not select')
  found.move([...at, 0], [...path, 'objectSelector'])
  found.steps.push((draft) => {
    draft.set([...path, 'objectSelector'], { apiVersion, kind, ...asRecord(labelSelector) })
    draft.delete([...path, 'objects'])
  })
  const repoName = lookup(objects, 'repoName')
  if (repoName === undefined) return
  const repoAt = [...path, 'objects', 'repoName']
  downstreamValue(asRecord(repoName), repoAt, { path, fixed: 'repo', expression: 'repoExpr' }, found)
}

function nameOf({ baseName, ...others }: JsonRecord, at: FieldPath, path: FieldPath, found: Collected): void {
  for (const key of Object.keys(others))
    found.leave([...at, key], 'for which v1alpha2 has an expression in template.downstream.packageExpr')
  if (baseName === undefined) return
  downstreamValue(asRecord(baseName), [...at, 'baseName'], { path, fixed: 'package', expression: 'packageExpr' }, found)
  found.steps.push((draft) => draft.delete(at))
}

/** Moves a value, or the name of the selected object, into the downstream of the template. */
function downstreamValue(
  { value, fromField }: JsonRecord,
  at: FieldPath,
  { path, fixed, expression }: { readonly path: FieldPath; readonly fixed: string; readonly expression: string },
  found: Collected,
): void {
  const downstream = [...path, 'template', 'downstream']
  if (typeof value === 'string' && fromField === undefined) {
    found.move([...at, 'value'], [...downstream, fixed])
    found.steps.push((draft) => draft.set([...downstream, fixed], value))
  } else if (fromField === 'metadata.name' && value === undefined) {
    found.move([...at, 'fromField'], [...downstream, expression])
    found.steps.push((draft) => draft.set([...downstream, expression], 'target.name'))
  } else found.leave(at, 'for which v1alpha2 has expressions that read name, namespace, labels and annotations of `target`')
}
