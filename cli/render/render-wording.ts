import { groupBy } from '../../src/group-by.ts'
import { printable } from '../../src/printable.ts'
import { hasErrors } from '../../src/result.ts'
import { countOf, nameFirst } from '../../src/wording.ts'
import { type FileView, PACKAGE_OPERATIONS, type PackageOperation, type PackageView, type RenderView } from './render-view.ts'

/** The sign of an operation at the start of its line. */
export const PACKAGE_SIGNS: Readonly<Record<PackageOperation, string>> = { create: '+', update: '~', move: '→', orphan: '○', remove: '-' }
export const FILE_SIGNS: Readonly<Record<FileView['op'], string>> = { create: '+', update: '~', delete: '-' }

const NAMED_FOLDERS = 3

/** Returns a summary of rendering, in one line. */
export function summarizeView({ counts, lost, results }: RenderView): string {
  const planned = PACKAGE_OPERATIONS.filter((op) => counts[op] > 0).map((op) => `${counts[op]} to ${op}`)
  if (hasErrors(results) && counts.failed === 0) return 'none, refused for errors'
  return [
    ...(planned.length === 0 ? ['nothing to do'] : planned),
    ...(counts.unchanged > 0 ? [`${counts.unchanged} unchanged`] : []),
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    ...(counts.left > 0 ? [`${counts.left} left alone`] : []),
    ...(lost > 0 ? [`${countOf(lost, 'edit')} to lose`] : []),
  ].join(', ')
}

/** Packages of which everything but the name is the same, as one. */
export interface PackageGroup {
  readonly first: PackageView
  readonly others: readonly PackageView[]
}

/** Returns packages in groups with equal changes. */
export function groupPackages(packages: readonly PackageView[]): readonly PackageGroup[] {
  const groups = groupBy(packages, ({ op, upstream, files }) => JSON.stringify([op, upstream, files]))
  return Array.from(groups.values(), ([first, ...others]) => ({ first, others }))
}

/** Returns the folders of a group: `edge-1/upf`, `edge-1/old → edge-1/upf`, `edge-1/upf, edge-2/upf, edge-3/upf and 40 more`. */
export function namePackages({ first, others }: PackageGroup): string {
  return nameFirst([first, ...others].map(namePackage), NAMED_FOLDERS)
}

function namePackage({ folder, oldFolder }: PackageView): string {
  return oldFolder === undefined ? folder : `${oldFolder} → ${folder}`
}

/** Returns the reason for the operation on a group's packages. */
export function describeGroup({ first, others }: PackageGroup): string {
  const { op, upstream = '', variant } = first
  const whose = others.length === 0 ? `PackageVariant ${variant}` : countOf(others.length + 1, 'PackageVariant')
  const isGone = op === 'remove' || op === 'orphan'
  if (!isGone) return `${upstream} for ${whose}`
  return `${whose} ${others.length === 0 ? 'does' : 'do'} not want ${others.length === 0 ? 'it' : 'them'} any more`
}

/** Returns the numbers of added and removed lines, and a change of the executable bit: `+3 -1`, `+3 -1 executable`. */
export function countDiffLines({ added, removed, executable }: FileView): string {
  const turned = executable === undefined ? [] : [executable ? 'executable' : 'not executable any more']
  if (added === undefined || removed === undefined) return ['no text', ...turned].join(' ')
  return [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`-${removed}`] : []), ...turned].join(' ')
}

/** The unified diff of a file; undefined where none was asked for, and where no line changes. */
export function diffOf({ diff, added, removed, executable }: FileView): string | undefined {
  return executable !== undefined && added === 0 && removed === 0 ? undefined : diff
}

/** Returns the lines of a unified diff that name the file before and after. */
export function diffHeader({ op, path }: FileView, { folder, oldFolder = folder }: PackageView): string {
  const before = op === 'create' ? '/dev/null' : `a/${oldFolder}/${path}`
  const after = op === 'delete' ? '/dev/null' : `b/${folder}/${path}`
  return `--- ${printable(before)}\n+++ ${printable(after)}\n`
}
