import { printable } from '../../src/printable.ts'
import { countOf } from '../../src/wording.ts'
import { styleDiff } from '../print/style-diff.ts'
import type { Style, Styles } from '../print/styles.ts'
import type { FileView, PackageView, RenderView } from './render-view.ts'
import {
  countLines,
  describeGroup,
  diffHeader,
  diffOf,
  FILE_SIGNS,
  groupPackages,
  nameGroup,
  PACKAGE_SIGNS,
  type PackageGroup,
  summarizeView,
} from './render-wording.ts'

/** What rendering would do, for a terminal. Findings are not in it: they go to stderr. */
export function renderText(view: RenderView, styles: Styles): string {
  const groups = groupPackages(view.packages).map((group) => groupText(group, styles))
  return [`${styles.strong(`Render: ${summarizeView(view)}`)}\n`, ...groups].join('\n')
}

function groupText(group: PackageGroup, styles: Styles): string {
  const { first } = group
  const { added, changed, renamed, removed, faint } = styles
  const style: Style = { create: added, update: changed, move: renamed, orphan: changed, remove: removed }[first.op]
  const head = `${style(`${PACKAGE_SIGNS[first.op]} ${printable(nameGroup(group))}`)}\n    ${faint(printable(describeGroup(group)))}\n`
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
  const line = `    ${style(`${FILE_SIGNS[file.op]} ${printable(file.path)}`)}  ${countLines(file)}\n`
  const diff = diffOf(file)
  return diff === undefined ? line : `${line}${diffHeader(file, view)}${styleDiff(diff, styles)}`
}
