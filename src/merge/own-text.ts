import type { KrmObject } from '../resource-list/krm-object.ts'
import { isWireAnnotation } from '../resource-list/wire-annotations.ts'
import { BLUEPRINT, withoutPackage } from './clone-marks.ts'
import { UPSTREAM_IDENTIFIER } from './upstream-identity.ts'

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
  const lines = text.split('\n').map((line) => withoutPackageIn(line.replace(/^(metadata:)[ \t]+#[ \t]*kpt-merge:.*$/, '$1').trimEnd()))
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
