import { printable } from '../../src/printable.ts'
import { summarizeFunctions } from '../../src/render/render-summary.ts'
import { formatResult, resultToJson } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import { code, escapeText, fencedBlock } from '../print/markdown.ts'
import { printJson } from '../print/print-value.ts'
import { styleDiff } from '../print/style-diff.ts'
import type { Style, Styles } from '../print/styles.ts'
import type { FileView, PackageView, RenderView } from './render-view.ts'
import {
  countDiffLines,
  describeGroup,
  diffHeader,
  diffOf,
  FILE_SIGNS,
  groupPackages,
  namePackages,
  PACKAGE_SIGNS,
  type PackageGroup,
  summarizeView,
} from './render-wording.ts'

/** Raised when a field of the document changes its meaning or is removed. */
const FORMAT_VERSION = 1

/** Returns the changes that rendering would make, for a terminal. Findings are not included: they are printed to stderr. */
export function renderText(view: RenderView, styles: Styles): string {
  const groups = groupPackages(view.packages).map((group) => groupText(group, styles))
  const functions = view.functions.size === 0 ? '' : `${summarizeFunctions(view.functions)}\n`
  return [`${styles.strong(`Render: ${summarizeView(view)}`)}\n${functions}`, ...groups].join('\n')
}

function groupText(group: PackageGroup, styles: Styles): string {
  const { first } = group
  const { added, changed, renamed, removed, faint } = styles
  const style: Style = { create: added, update: changed, move: renamed, orphan: changed, remove: removed }[first.op]
  const head = `${style(`${PACKAGE_SIGNS[first.op]} ${printable(namePackages(group))}`)}\n    ${faint(printable(describeGroup(group)))}\n`
  return `${head}${filesText(first, styles)}`
}

/** A new package has its number of files, unless they are to be seen. */
function filesText(view: PackageView, styles: Styles): string {
  const { op, files } = view
  if (op === 'create' && files.every(({ diff }) => diff === undefined)) return `    ${countOf(files.length, 'file')}\n`
  return files.map((file) => fileText(file, view, styles)).join('')
}

function fileText(file: FileView, view: PackageView, styles: Styles): string {
  const { added, changed, removed } = styles
  const style = { create: added, update: changed, delete: removed }[file.op]
  const line = `    ${style(`${FILE_SIGNS[file.op]} ${printable(file.path)}`)}  ${countDiffLines(file)}\n`
  const diff = diffOf(file)
  return diff === undefined ? line : `${line}${diffHeader(file, view)}${styleDiff(diff, styles)}`
}

/** Returns what rendering would do, or did, for other programs: one JSON document, as schemas/output/render.json has it. */
export function renderJson({ isDryRun, counts, lost, functions, packages, results }: RenderView): string {
  const document = {
    formatVersion: FORMAT_VERSION,
    dryRun: isDryRun,
    counts,
    lost,
    functions: Object.fromEntries(functions),
    packages: packages.map(packageJson),
  }
  return `${printJson({ ...document, results: results.map(resultToJson) }, 2)}\n`
}

/** With all that is said of it: among the results of the run, what is said of many packages names three. */
function packageJson({ results, ...view }: PackageView): object {
  return { ...view, results: results.map(resultToJson) }
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
  const head = `- ${code(PACKAGE_SIGNS[op])} **${op}** ${code(namePackages(group))}\n  <br>${escapeText(describeGroup(group))}\n`
  return `${head}${filesMarkdown(group.first)}`
}

/** A new package has its number of files, unless they are to be seen. */
function filesMarkdown(view: PackageView): string {
  const { op, files } = view
  if (op === 'create' && files.every(({ diff }) => diff === undefined)) return `  - ${countOf(files.length, 'file')}\n`
  return files.map((file) => fileMarkdown(file, view)).join('')
}

function fileMarkdown(file: FileView, view: PackageView): string {
  const line = `  - ${code(`${FILE_SIGNS[file.op]} ${file.path}`)} ${countDiffLines(file)}\n`
  const diff = diffOf(file)
  if (diff === undefined) return line
  const block = fencedBlock('diff', `${diffHeader(file, view)}${diff}`)
  return `${line}\n${indented(block)}\n`
}

/** Returns a block indented for a list item. */
function indented(block: string): string {
  return block.replaceAll(/^(?=.)/gm, '    ')
}
