import { formatResult } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import { code, escapeText, fencedBlock } from '../print/markdown.ts'
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

/** What rendering would do, as a comment on a pull request. */
export function renderMarkdown(view: RenderView): string {
  const findings = view.results.map((result) => `${formatResult(result)}\n`).join('')
  const parts = [
    `### Packages: ${summarizeView(view)}\n`,
    ...(findings === '' ? [] : [fencedBlock('text', findings)]),
    ...(view.packages.length === 0 ? [] : [groupPackages(view.packages).map(groupMarkdown).join('')]),
  ]
  return parts.join('\n')
}

function groupMarkdown(group: PackageGroup): string {
  const { op } = group.first
  const head = `- ${code(PACKAGE_SIGNS[op])} **${op}** ${code(nameGroup(group))}\n  <br>${escapeText(describeGroup(group))}\n`
  return `${head}${filesMarkdown(group.first)}`
}

/** A new package has its number of files, unless they are to be seen. */
function filesMarkdown(view: PackageView): string {
  const { op, files } = view
  if (op === 'create' && files.every(({ diff }) => diff === undefined)) return `  - ${countOf(files.length, 'file')}\n`
  return files.map((file) => fileMarkdown(file, view)).join('')
}

function fileMarkdown(file: FileView, view: PackageView): string {
  const line = `  - ${code(`${FILE_SIGNS[file.op]} ${file.path}`)} ${countLines(file)}\n`
  const diff = diffOf(file)
  if (diff === undefined) return line
  const block = fencedBlock('diff', `${diffHeader(file, view)}${diff}`)
  return `${line}\n${indented(block)}\n`
}

/** A block inside a list item. */
function indented(block: string): string {
  return block.replaceAll(/^(?=.)/gm, '    ')
}
