import type { KrmObject } from '../resource-list/krm-object.ts'
import { isWireAnnotation } from '../resource-list/wire-annotations.ts'
import { UPSTREAM_IDENTIFIER } from './upstream-identity.ts'

/**
 * The text of an object as people wrote it: without the merge comment and the upstream identifier, which a clone writes on every resource,
 * without the annotations of the wire, and without what a list puts before each of its lines.
 */
export function ownText(object: KrmObject): string {
  const text = dedented(object.toText())
  const lines = text.split('\n').map((line) => line.replace(/^(metadata:)[ \t]+#[ \t]*kpt-merge:.*$/, '$1').trimEnd())
  return lines
    .filter((line, at) => !isCloneLine(line) && !isEmptyAnnotations(lines, at))
    .join('\n')
    .trim()
}

function dedented(text: string): string {
  const indent = /^( *- +)\S/.exec(text)?.[1]
  return indent === undefined ? text : text.replace(indent, '').replaceAll(`\n${' '.repeat(indent.length)}`, '\n')
}

/** `    internal.kpt.dev/upstream-identifier: '…'`, or an annotation of the wire. */
function isCloneLine(line: string): boolean {
  const key = /^ +(['"]?)([^\s'":]+)\1:\s/.exec(line)?.[2]
  return key !== undefined && (key === UPSTREAM_IDENTIFIER || isWireAnnotation(key))
}

/** An `annotations:` that only held what a clone writes. */
function isEmptyAnnotations(lines: readonly string[], at: number): boolean {
  const indent = /^( +)annotations:$/.exec(lines[at] ?? '')?.[1]
  if (indent === undefined) return false
  const below = lines.slice(at + 1).findIndex((line) => line !== '' && !isCloneLine(line))
  const next = lines[at + 1 + below]
  return isCloneLine(lines[at + 1] ?? '') && (below === -1 || !next?.startsWith(`${indent} `))
}
