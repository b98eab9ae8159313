import { isDanger } from '../../src/diff/dangers/dangers.ts'
import type { ChangeCause, ChangeGroup, Danger, DangerCount, DiffReport } from '../../src/diff/report.ts'
import { compareText } from '../../src/field-path.ts'
import { isBytes, type PackageContent, type PackageFiles } from '../../src/merge/package-files.ts'
import { printable } from '../../src/printable.ts'
import { countOf } from '../../src/wording.ts'
import { diffFiles } from '../print/file-diff.ts'
import type { Styles } from '../print/styles.ts'
import {
  belowCause,
  describeOthers,
  fateOfObjects,
  nameClusters,
  nameObjects,
  placeOfCause,
  shownField,
  shownFields,
  shownImage,
  summarizeDiff,
  summarizeRings,
} from './diff-wording.ts'

/** Returns a report for a terminal. Findings are not included: they are printed to stderr. */
export function diffText(report: DiffReport, styles: Styles): string {
  const { groups, dangers } = report
  const found = dangers.filter(isDanger)
  const notices = dangers.filter((danger) => !isDanger(danger))
  const listed = (counts: readonly DangerCount[]): string => printable(counts.map(({ text }) => text).join('; '))
  const summary = [
    ...(found.length === 0 ? [] : [`${styles.error(`Dangers: ${listed(found)}`)}\n`]),
    ...(notices.length === 0 ? [] : [`Notices: ${listed(notices)}\n`]),
  ]
  const others = describeOthers(report).map((line) => `${printable(line)}\n`)
  const parts = [
    [styles.strong(`Fleet: ${summarizeDiff(report)}`), ...summarizeRings(report).map(printable)].map((line) => `${line}\n`).join(''),
    ...(groups.length === 0 ? [] : [groups.map((group) => groupText(group, styles)).join('')]),
    ...(others.length === 0 ? [] : [others.join('')]),
    ...(summary.length === 0 ? [] : [summary.join('')]),
  ]
  return parts.join('\n')
}

/** Returns the images that change, by number of clusters. */
export function imagesText({ images }: Pick<DiffReport, 'images'>): string {
  if (images.length === 0) return 'no image changes\n'
  return images.map((image) => `${countOf(image.clusters, 'cluster')}  ${printable(shownImage(image))}\n`).join('')
}

/** Returns the lines of one way in which objects change. */
export function groupText(group: ChangeGroup, styles: Styles): string {
  const { clusters, dangers, causes, removal } = group
  const [only, ...more] = shownFields(group)
  const fate = fateOfObjects(group)
  const isShort = fate === '' && only !== undefined && more.length === 0
  const sign = !dangers.some(isDanger) ? '' : `${styles.error('!')} `
  const head = [`${countOf(clusters, 'cluster')}  ${sign}${printable(nameObjects(group))}`, ...(fate === '' ? [] : [printable(fate)])].join(
    ' ',
  )
  const fields =
    isShort || only === undefined ? [] : [only, ...more].map((field) => `    ${styles.changed(printable(shownField(field)))}\n`)
  return [
    `${styles.strong(head)}${isShort ? `  ${styles.changed(printable(shownField(only)))}` : ''}\n`,
    ...nameClusters(group).map((line) => `    ${styles.faint(printable(line))}\n`),
    ...fields,
    ...causes.map((cause) => causeText(cause, styles)),
    ...(removal === undefined ? [] : [`    ${removal.text}\n`]),
    ...dangers.map((danger) => dangerText(danger, styles)),
  ].join('')
}

function dangerText(danger: Danger, styles: Styles): string {
  const { rule, text, path } = danger
  const about = `${path === undefined ? '' : `${printable(path)}: `}${text}`
  return isDanger(danger) ? `    ${styles.error(`! ${about}`)} [${rule}]\n` : `    note: ${about} [${rule}]\n`
}

/** Returns the lines of a cause. */
export function causeText(cause: ChangeCause, styles: Styles): string {
  const below = belowCause(cause).map(({ text, place }) => `        ${placed(text, place, styles)}\n`)
  return `    because ${placed(cause.text, placeOfCause(cause), styles)}\n${below.join('')}`
}

function placed(text: string, place: string | undefined, styles: Styles): string {
  return place === undefined ? printable(text) : `${printable(text)}  ${styles.faint(printable(place))}`
}

/**
 * Returns the differences of a package as unified diffs of its files, as git prints them. The objects of a file are printed one after
 * the other, so that lines between them are left out.
 */
export function unifiedDiff(folder: string, before: PackageFiles, after: PackageFiles): string {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort(compareText)
  return paths.map((path) => fileDiff(`${folder}/${path}`, before.get(path), after.get(path))).join('')
}

function fileDiff(path: string, before: PackageContent | undefined, after: PackageContent | undefined): string {
  if (before === after) return ''
  const [was, is] = [bytesOf(before), bytesOf(after)]
  if (Buffer.compare(was, is) === 0 && before !== undefined && after !== undefined) return ''
  const [from, to] = [before === undefined ? '/dev/null' : `a/${path}`, after === undefined ? '/dev/null' : `b/${path}`]
  const found = diffFiles(was, is)
  return found === undefined ? `Binary files ${from} and ${to} differ\n` : `--- ${from}\n+++ ${to}\n${found.hunks}`
}

function bytesOf(content: PackageContent | undefined): Uint8Array {
  if (content === undefined) return new Uint8Array()
  return isBytes(content) ? content : Buffer.from(content.map((object) => object.toText()).join('---\n'))
}
