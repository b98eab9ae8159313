import { groupBy } from '../../src/group-by.ts'
import { printable } from '../../src/printable.ts'
import { summarizeFunctions } from '../../src/render/render-summary.ts'
import { formatResult, hasErrors, resultToJson } from '../../src/result.ts'
import { countOf, nameFirst } from '../../src/wording.ts'
import { styleDiff } from '../print/file-diff.ts'
import { code, escapeText, fencedBlock } from '../print/markdown.ts'
import { printDocument } from '../print/print-value.ts'
import { signed, signOf } from '../print/signs.ts'
import type { Styles } from '../print/styles.ts'
import { type FileView, PACKAGE_OPERATIONS, type PackageView, type RenderView } from './render-view.ts'

/** Returns the changes that rendering would make, for a terminal. Findings are not included: they are printed to stderr. */
export function renderText(view: RenderView, styles: Styles): string {
  const groups = groupPackages(view.packages).map((group) => groupText(group, styles))
  const functions = view.functions.size === 0 ? '' : `${summarizeFunctions(view.functions)}\n`
  return [`${styles.strong(`Render: ${summarizeView(view)}`)}\n${functions}`, ...groups].join('\n')
}

function groupText(group: PackageGroup, styles: Styles): string {
  const { first } = group
  const head = `${signed(first.op, printable(namePackages(group)), styles)}\n    ${styles.faint(printable(describeGroup(group)))}\n`
  return `${head}${filesText(first, styles)}`
}

/** Returns the files of a package; of a new package their number, unless they are to be shown. */
function filesText(view: PackageView, styles: Styles): string {
  const { op, files } = view
  if (op === 'create' && files.every(({ diff }) => diff === undefined)) return `    ${countOf(files.length, 'file')}\n`
  return files.map((file) => fileText(file, view, styles)).join('')
}

function fileText(file: FileView, view: PackageView, styles: Styles): string {
  const line = `    ${signed(file.op, printable(file.path), styles)}  ${countDiffLines(file)}\n`
  const diff = diffOf(file)
  return diff === undefined ? line : `${line}${diffHeader(file, view)}${styleDiff(diff, styles)}`
}

/** Returns what rendering would do, or did, for other programs: one JSON document, as schemas/output/render.json has it. */
export function renderJson({ isDryRun, counts, lost, functions, packages, results }: RenderView): string {
  return printDocument(
    {
      dryRun: isDryRun,
      counts,
      lost,
      functions: Object.fromEntries(functions),
      // Among the results of the run, a finding of many packages names three of them.
      packages: packages.map((view) => ({ ...view, results: view.results.map(resultToJson) })),
    },
    results,
  )
}

/** Returns the changes that rendering would make, as a comment on a pull request. */
export function renderMarkdown(view: RenderView): string {
  const findings = view.results.map((result) => `${formatResult(result)}\n`).join('')
  const parts = [
    `### Packages: ${summarizeView(view)}\n`,
    ...(view.functions.size === 0 ? [] : [`${escapeText(summarizeFunctions(view.functions))}\n`]),
    ...(findings === '' ? [] : [fencedBlock('text', findings)]),
    ...(view.packages.length === 0 ? [] : [groupPackages(view.packages).map(groupMarkdown).join('')]),
  ]
  return parts.join('\n')
}

function groupMarkdown(group: PackageGroup): string {
  const { op } = group.first
  const head = `- ${code(signOf(op))} **${op}** ${code(namePackages(group))}\n  <br>${escapeText(describeGroup(group))}\n`
  return `${head}${filesMarkdown(group.first)}`
}

/** Returns the files of a package; of a new package their number, unless they are to be shown. */
function filesMarkdown(view: PackageView): string {
  const { op, files } = view
  if (op === 'create' && files.every(({ diff }) => diff === undefined)) return `  - ${countOf(files.length, 'file')}\n`
  return files.map((file) => fileMarkdown(file, view)).join('')
}

function fileMarkdown(file: FileView, view: PackageView): string {
  const line = `  - ${code(`${signOf(file.op)} ${file.path}`)} ${countDiffLines(file)}\n`
  const diff = diffOf(file)
  if (diff === undefined) return line
  const block = fencedBlock('diff', `${diffHeader(file, view)}${diff}`)
  return `${line}\n${indented(block)}\n`
}

/** Returns a block indented for a list item. */
function indented(block: string): string {
  return block.replaceAll(/^(?=.)/gm, '    ')
}

const NAMED_FOLDERS = 3

/** Returns a summary of rendering, in one line. */
function summarizeView({ counts, lost, results }: RenderView): string {
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
interface PackageGroup {
  readonly first: PackageView
  readonly others: readonly PackageView[]
}

/** Returns packages in groups with equal changes. */
function groupPackages(packages: readonly PackageView[]): readonly PackageGroup[] {
  const groups = groupBy(packages, ({ op, upstream, files }) => JSON.stringify([op, upstream, files]))
  return Array.from(groups.values(), ([first, ...others]) => ({ first, others }))
}

/** Returns the folders of a group: `edge-1/upf`, `edge-1/old → edge-1/upf`, `edge-1/upf, edge-2/upf, edge-3/upf and 40 more`. */
function namePackages({ first, others }: PackageGroup): string {
  return nameFirst([first, ...others], NAMED_FOLDERS, ({ folder, oldFolder }) =>
    oldFolder === undefined ? folder : `${oldFolder} → ${folder}`,
  )
}

/** Returns the reason for the operation on a group's packages. */
function describeGroup({ first, others }: PackageGroup): string {
  const { op, upstream = '', variant } = first
  const whose = others.length === 0 ? `PackageVariant ${variant}` : countOf(others.length + 1, 'PackageVariant')
  const isGone = op === 'remove' || op === 'orphan'
  if (!isGone) return `${upstream} for ${whose}`
  return `${whose} ${others.length === 0 ? 'does' : 'do'} not want ${others.length === 0 ? 'it' : 'them'} any more`
}

/** Returns the numbers of added and removed lines, and a change of the executable bit: `+3 -1`, `+3 -1 executable`. */
function countDiffLines({ added, removed, executable }: FileView): string {
  const turned = executable === undefined ? [] : [executable ? 'executable' : 'not executable any more']
  if (added === undefined || removed === undefined) return ['no text', ...turned].join(' ')
  return [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`-${removed}`] : []), ...turned].join(' ')
}

/** Returns the unified diff of a file; undefined where none was asked for, and where no line changes. */
function diffOf({ diff, added, removed, executable }: FileView): string | undefined {
  return executable !== undefined && added === 0 && removed === 0 ? undefined : diff
}

/** Returns the lines of a unified diff that name the file before and after. */
function diffHeader({ op, path }: FileView, { folder, oldFolder = folder }: PackageView): string {
  const before = op === 'create' ? '/dev/null' : `a/${oldFolder}/${path}`
  const after = op === 'delete' ? '/dev/null' : `b/${folder}/${path}`
  return `--- ${printable(before)}\n+++ ${printable(after)}\n`
}
