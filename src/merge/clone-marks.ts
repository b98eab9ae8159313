import { asRecord, type JsonRecord, lookup, memberOf } from '../json.ts'
import { identityOfObject } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { isWireAnnotation } from '../resource-list/wire-annotations.ts'
import { UPSTREAM_IDENTIFIER } from '../well-known.ts'
import { findEntry } from '../yaml/read/node.ts'

/*
 * The annotations that a clone writes on the resources of a package. They are no edits: a merge looks at a resource without them, and
 * what it makes of the resource has them again.
 */

/** The annotation by which kpt names the makers of a resource of Config Connector (kpt internal/util/attribution). */
export const BLUEPRINT = 'cnrm.cloud.google.com/blueprint'

/** Matches a tool among the makers, with or without the package that the tool cloned: `kpt-fn`, `kpt-pkg-fn`, `krm-pkg`. */
const TOOL = /^k(?:pt|rm)-/

/** Returns the makers with a package among them: `` → `krm-pkg`, `cnrm/terraform,kpt-fn` → `cnrm/terraform,kpt-pkg-fn`. */
export function withPackage(makers: string): string {
  const known = makersIn(makers)
  if (!known.some((maker) => TOOL.test(maker))) return [...known, 'krm-pkg'].join(',')
  return known.map((maker) => (TOOL.test(maker) && !maker.includes('pkg') ? maker.replace('-', '-pkg-') : maker)).join(',')
}

/** Returns the makers without a package: `cnrm/terraform,krm-pkg` → `cnrm/terraform`, `kpt-pkg-fn` → `kpt-fn`. */
function withoutPackage(makers: string): string {
  const bare = makersIn(makers).map((maker) => (TOOL.test(maker) ? maker.replace(/-pkg(?=-|$)/, '') : maker))
  return bare.filter((maker) => maker !== 'krm' && maker !== 'kpt').join(',')
}

function makersIn(makers: string): readonly string[] {
  return makers.split(',').filter((maker) => maker !== '')
}

/** Returns an object without the marks of a clone. */
export function withoutCloneMarks(object: JsonRecord): JsonRecord {
  const annotations = annotationsOf(object)
  const blueprint = lookup(annotations, BLUEPRINT)
  const own = typeof blueprint === 'string' ? withoutPackage(blueprint) : blueprint
  if (!Object.hasOwn(annotations, UPSTREAM_IDENTIFIER) && own === blueprint) return object
  const { [UPSTREAM_IDENTIFIER]: _, [BLUEPRINT]: __, ...others } = annotations
  return withAnnotations(object, { ...others, ...(own !== undefined && own !== '' && { [BLUEPRINT]: own }) })
}

/** Returns an object with the marks that the downstream or upstream object has; the upstream identifier is the downstream's. */
export function withCloneMarksOf(object: JsonRecord, ours: JsonRecord, theirs: JsonRecord | undefined): JsonRecord {
  const identifier = lookup(annotationsOf(ours), UPSTREAM_IDENTIFIER)
  const isOfPackage = [ours, theirs].some((side) => side !== undefined && hasPackage(lookup(annotationsOf(side), BLUEPRINT)))
  if (identifier === undefined && !isOfPackage) return object
  const annotations = annotationsOf(object)
  const makers = lookup(annotations, BLUEPRINT) ?? ''
  return withAnnotations(object, {
    ...annotations,
    ...(identifier !== undefined && { [UPSTREAM_IDENTIFIER]: identifier }),
    ...(isOfPackage && typeof makers === 'string' && { [BLUEPRINT]: withPackage(makers) }),
  })
}

function hasPackage(makers: unknown): boolean {
  return typeof makers === 'string' && withoutPackage(makers) !== makers
}

function annotationsOf(object: JsonRecord): JsonRecord {
  return asRecord(memberOf(lookup(object, 'metadata'), 'annotations'))
}

/** Returns an object with other annotations; without the field if there are none. */
function withAnnotations(object: JsonRecord, annotations: JsonRecord): JsonRecord {
  const { annotations: _, ...metadata } = asRecord(lookup(object, 'metadata'))
  return { ...object, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } }
}

const MERGE_COMMENT = /^#\s*kpt-merge:\s*([^/]*)\/(.*?)\s*$/

/**
 * Returns the upstream namespace and name of a resource by its comment `metadata: # kpt-merge: NAMESPACE/NAME`, which stays when people
 * rename the resource; undefined without the comment.
 */
export function mergeComment(object: KrmObject): UpstreamName | undefined {
  return object.mayHold('kpt-merge:') ? readMergeComment(object.keyComment(['metadata']) ?? '') : undefined
}

/** The namespace and name of a resource in upstream; '' for a missing one. */
export interface UpstreamName {
  readonly namespace: string
  readonly name: string
}

/** Returns the namespace and name of a merge comment; undefined for any other comment. */
export function readMergeComment(comment: string): UpstreamName | undefined {
  const [, namespace, name] = MERGE_COMMENT.exec(comment) ?? []
  return namespace === undefined || name === undefined ? undefined : { namespace, name }
}

/**
 * Returns the identity by which resources of two sides are paired, beside their file: group, kind, namespace and name, the last two
 * from the merge comment if there is one. The version is no part of it: a new version is merged (kpt pkg/lib/update/merge3
 * resource_matcher.go).
 */
export function identityIn(object: KrmObject): string {
  const { namespace, name } = mergeComment(object) ?? object
  return identityOfObject({ apiVersion: object.apiVersion, kind: object.kind, namespace, name })
}

/**
 * Returns the upstream identity of a resource whose `metadata` is in braces, by its annotation; undefined for any other resource. The
 * annotation has `default` for a missing namespace.
 *
 * @example  `metadata: {name: one, namespace: team, annotations: {internal.kpt.dev/upstream-identifier: '|ConfigMap|default|one'}}`
 *           → ConfigMap default/one
 */
export function annotatedIdentity(object: KrmObject): string | undefined {
  if (!object.mayHold(UPSTREAM_IDENTIFIER) || mergeComment(object) !== undefined) return undefined
  const { node } = object.written()
  const metadata = node.type === 'map' ? findEntry(node, 'metadata')?.value : undefined
  if (metadata?.type !== 'map' || !metadata.flow) return undefined
  const [group, kind, namespace, name] = object.annotations.get(UPSTREAM_IDENTIFIER)?.split('|') ?? []
  return name === undefined ? undefined : JSON.stringify([group, kind, namespace, name])
}

/** Returns the identities by which the annotation of a resource of the downstream may name a resource of upstream. */
export function identitiesAsAnnotated(upstream: KrmObject): readonly string[] {
  const { apiVersion, kind, namespace, name } = upstream
  const annotated = annotatedIdentity(upstream)
  return [identityOfObject({ apiVersion, kind, namespace: namespace || 'default', name }), ...(annotated === undefined ? [] : [annotated])]
}

/** Own texts that are known, since the upstream of a fleet is compared with every package made from it. */
const known = new WeakMap<KrmObject, { readonly text: string; readonly own: string }>()

/**
 * Returns the text of an object as people wrote it: without the merge comment and the annotations of a clone, without wire annotations,
 * and without the indentation of a list item.
 */
export function ownText(object: KrmObject): string {
  const text = object.toText()
  const before = known.get(object)
  if (before?.text === text) return before.own
  const own = withoutCloneLines(dedented(text))
  known.set(object, { text, own })
  return own
}

function dedented(text: string): string {
  const indent = /^( *- +)\S/.exec(text)?.[1]
  return indent === undefined ? text : text.replace(indent, '').replaceAll(`\n${' '.repeat(indent.length)}`, '\n')
}

function withoutCloneLines(text: string): string {
  const lines = text.split('\n').map((line) => withoutPackageIn(line.trimEnd().replace(/^(metadata:)[ \t]+#[ \t]*kpt-merge:.*$/, '$1')))
  const own = lines.filter((line, at) => !isCloneLine(line) && !isEmptyAnnotations(lines, at))
  return own.join('\n').trim()
}

/**
 * Returns a line without the package in its makers: `    cnrm.cloud.google.com/blueprint: cnrm/x,krm-pkg` → `
 * cnrm.cloud.google.com/blueprint: cnrm/x`.
 */
function withoutPackageIn(line: string): string {
  if (!line.includes(BLUEPRINT)) return line
  return line.replace(
    /^( +(['"]?)[^\s'":]+\2:\s+)(['"]?)([^'"\s]*)\3/,
    (_, key: string, __, quote: string, makers: string) => `${key}${quote}${withoutPackage(makers)}${quote}`,
  )
}

/**
 * Returns true for a line that a clone or the wire format adds: `    internal.kpt.dev/upstream-identifier: '…'`, a wire annotation, or
 * a blueprint annotation without other makers.
 */
function isCloneLine(line: string): boolean {
  const [, , key, value] = (line.includes('.') ? /^ +(['"]?)([^\s'":]+)\1:(?:\s+(.*))?$/.exec(line) : null) ?? []
  if (key === undefined) return false
  return key === UPSTREAM_IDENTIFIER || isWireAnnotation(key) || (key === BLUEPRINT && /^(?:''|"")?$/.test(value ?? ''))
}

/** Returns true for an `annotations:` line that only held annotations of a clone. */
function isEmptyAnnotations(lines: readonly string[], at: number): boolean {
  const indent = /^( +)annotations:$/.exec(lines[at] ?? '')?.[1]
  if (indent === undefined || !isCloneLine(lines[at + 1] ?? '')) return false
  const next = lines.slice(at + 1).find((line) => line !== '' && !isCloneLine(line))
  return next === undefined || !next.startsWith(`${indent} `)
}
