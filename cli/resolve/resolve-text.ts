import { printable } from '../../src/printable.ts'
import { hasErrors, resultToJson } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import { printJson } from '../print/print-value.ts'
import { styleDiff } from '../print/style-diff.ts'
import type { Style, Styles } from '../print/styles.ts'
import type { ResolvedFile, ResolvedObject, ResolveView } from './resolve-view.ts'

const SIGNS = { create: '+', update: '~', delete: '-', remove: '-' } as const

/** Returns the changes of resolving, for a terminal. Findings are not included: they are printed to stderr. */
export function resolveText({ files }: ResolveView, styles: Styles): string {
  return files.map((file) => fileText(file, styles)).join('\n')
}

function fileText({ op, path, objects, diff }: ResolvedFile, styles: Styles): string {
  const lines = [`${styleOf(op, styles)(`${SIGNS[op]} ${printable(path)}`)}\n`, ...objects.map((object) => objectText(object, styles))]
  return `${lines.join('')}${diff === undefined ? '' : styleDiff(diff, styles)}`
}

function objectText({ op, name, why }: ResolvedObject, styles: Styles): string {
  const line = `    ${styleOf(op, styles)(`${SIGNS[op]} ${printable(name)}`)}\n`
  return why === undefined ? line : `${line}        ${styles.faint(printable(why))}\n`
}

function styleOf(op: keyof typeof SIGNS, { added, changed, removed }: Styles): Style {
  return { create: added, update: changed, delete: removed, remove: removed }[op]
}

/** Returns a summary of resolving, in one line. */
export function summarizeResolve({ files, results }: ResolveView): string {
  if (hasErrors(results)) return 'nothing, refused for errors'
  const objects = files.flatMap((file) => file.objects)
  const counted = (['create', 'update', 'remove'] as const).flatMap((op) => {
    const count = objects.filter((object) => object.op === op).length
    return count === 0 ? [] : [`${countOf(count, 'object')} to ${op}`]
  })
  return counted.length === 0 ? 'nothing to do' : counted.join(', ')
}

/** Returns the changes of resolving for other programs: one JSON document. */
export function resolveJson({ files, results }: ResolveView): string {
  return `${printJson({ files, results: results.map(resultToJson) }, 2)}\n`
}
