import { lastThat } from '../../src/binary-search.ts'
import { isDanger } from '../../src/diff/dangers/dangers.ts'
import type { ChangeCause, ChangeGroup, DangerCount, DiffReport } from '../../src/diff/report.ts'
import { formatResult } from '../../src/result.ts'
import { countOf, nameFirst } from '../../src/wording.ts'
import { withEqualViolations } from '../print/equal-violations.ts'
import { code, escapeText, fencedBlock } from '../print/markdown.ts'
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

/** Room for the counts, the dangers and the note of what was left out. */
export const SMALLEST_COMMENT = 2000
/** The most dangers, findings, and fields of a group that a comment names. */
const MOST_DANGERS = 10
const MOST_FINDINGS = 10
const MOST_IMAGES = 10
const MOST_FIELDS = 20
/** The most characters of a line: a name or message may be as long as its author likes. */
const LONGEST = 250

/**
 * Returns a report as a comment on a pull request, in at most `maxChars` characters. Dangers come first: the groups are in the order of
 * their dangers. Groups without room are left out and counted, then the findings.
 */
export function diffMarkdown(report: DiffReport, maxChars: number): string {
  const print = (groups: number, findings: number): string => markdownOf(report, groups, findings)
  const all = report.groups.length
  const whole = print(all, MOST_FINDINGS)
  if (whole.length <= maxChars) return whole
  const most = lastThat(all + 1, (count) => print(count, 0).length <= maxChars)
  return print(most, 0)
}

function markdownOf(report: DiffReport, count: number, findings: number): string {
  const { groups, dangers } = report
  const results = withEqualViolations(report.results)
  const shown = results.slice(0, findings).map((result) => `${formatResult(result)}\n`)
  const more = results.length - shown.length
  const notes = [
    ...describeOthers(report).map((line) => escaped(line)),
    ...(more > 0 ? [`${countOf(more, 'finding')} left out; \`krm-variants diff\` shows all`] : []),
    ...leftOut(groups.slice(count)),
  ]
  const parts = [
    `### Fleet: ${summarizeDiff(report)}\n`,
    ...summarizeRings(report).map((line) => `${escaped(line)}\n`),
    ...summarize('Dangers', dangers.filter(isDanger)),
    ...summarize(
      'Notices',
      dangers.filter((danger) => !isDanger(danger)),
    ),
    ...imagesMarkdown(report, findings === 0),
    ...(shown.length === 0 ? [] : [fencedBlock('text', shown.map((line) => cut(line)).join(''))]),
    ...(count === 0 ? [] : [groups.slice(0, count).map(groupMarkdown).join('')]),
    ...notes.map((note) => `*… ${note}*\n`),
  ]
  return parts.join('\n')
}

/** Returns the images that change, by number of clusters; where room is short, the first. */
function imagesMarkdown({ images }: DiffReport, isShort: boolean): readonly string[] {
  if (images.length === 0) return []
  const shown = images.slice(0, isShort ? 1 : MOST_IMAGES)
  const more = images.length - shown.length
  const lines = shown.map((image) => `- **${countOf(image.clusters, 'cluster')}** ${code(cut(shownImage(image)))}\n`)
  return [`**Images:**\n\n${lines.join('')}${more > 0 ? `- … and ${more} more: \`krm-variants diff --images\`\n` : ''}`]
}

function summarize(title: string, counts: readonly DangerCount[]): readonly string[] {
  // As many as fit into a line: none is cut but one that is longer than the line.
  let [most, length] = [0, 0]
  for (const { text } of counts.slice(0, MOST_DANGERS)) {
    length += text.length + 2
    if (length <= LONGEST) most++
  }
  return counts.length === 0 ? [] : [`**${title}:** ${escapeText(nameFirst(counts, Math.max(1, most), ({ text }) => cut(text)))}\n`]
}

/** Returns what was left out: that dangers are among it is said, although they come first. */
function leftOut(groups: readonly ChangeGroup[]): readonly string[] {
  if (groups.length === 0) return []
  const clusters = new Set(groups.flatMap(({ places }) => places.map(({ cluster }) => cluster))).size
  const dangerous = groups.filter(({ dangers }) => dangers.some(isDanger)).length
  const warned = dangerous === 0 ? '' : `, ${dangerous} of them with dangers`
  return [`left out: ${countOf(groups.length, 'way')}${warned}, on ${countOf(clusters, 'cluster')}; \`krm-variants diff\` shows all`]
}

function groupMarkdown(group: ChangeGroup): string {
  const { clusters, dangers, causes, removal } = group
  const fields = shownFields(group)
  const shown = fields.slice(0, MOST_FIELDS).map((field) => `  - ${code(cut(shownField(field)))}\n`)
  const more = fields.length - shown.length
  const fate = fateOfObjects(group)
  return [
    `- ${dangers.some(isDanger) ? '⚠️ ' : ''}**${countOf(clusters, 'cluster')}** ${code(cut(nameObjects(group)))}${fate === '' ? '' : ` ${escaped(fate)}`}\n`,
    ...nameClusters(group).map((line) => `  <br>${code(cut(line))}\n`),
    ...(removal === undefined ? [] : [`  - ${escapeText(removal.text)}\n`]),
    ...dangers.map(({ rule, text, path }) => `  - **${rule}** ${path === undefined ? '' : `${code(cut(path))}: `}${escapeText(text)}\n`),
    ...shown,
    ...(more > 0 ? [`  - … and ${more} more fields\n`] : []),
    ...causes.map(causeMarkdown),
  ].join('')
}

function causeMarkdown(cause: ChangeCause): string {
  const below = belowCause(cause).map(({ text, place }) => `    - ${placed(text, place)}\n`)
  return `  - because ${placed(cause.text, placeOfCause(cause))}\n${below.join('')}`
}

function placed(text: string, place: string | undefined): string {
  return `${escaped(text)}${place === undefined ? '' : ` ${code(cut(place))}`}`
}

function escaped(text: string): string {
  return escapeText(cut(text))
}

function cut(text: string): string {
  if (text.length <= LONGEST) return text
  const short = text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')
  // Between words, where there are some: half a name would be another one.
  const blank = short.lastIndexOf(' ')
  return `${blank > LONGEST / 2 ? short.slice(0, blank) : short}…${text.endsWith('\n') ? '\n' : ''}`
}
