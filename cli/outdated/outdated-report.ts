import { printable } from '../../src/printable.ts'
import { GroupedFindings } from '../../src/render/grouped-findings.ts'
import { type Result, resultToJson } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import { printResult } from '../print/print-results.ts'
import { printDocument } from '../print/print-value.ts'
import type { Styles } from '../print/styles.ts'
import type { OutdatedView, UpdateView } from './outdated-view.ts'

/** Returns what is outdated for a terminal. Findings about the whole fleet are not included: they are printed to stderr. */
export function outdatedText({ current, behind, unknown, following, outdated, results }: OutdatedView, styles: Styles): string {
  const all = behind + current + unknown + following
  const rest = unknown === 0 ? '' : `; ${unknown} more with a warning`
  const linked = following === 0 ? '' : `; ${following} ${following === 1 ? 'follows' : 'follow'} the package of another variant`
  const subpackages = results.filter(({ tags }) => tags.rule === 'subpackage-behind').length
  const inner = subpackages === 0 ? '' : `; ${countOf(subpackages, 'subpackage')} outdated`
  const head = `${styles.strong(`${behind} of ${countOf(all, 'upstream')} outdated`)}${inner}${linked}${rest}\n`
  const parts = outdated.map(({ set, namespace, upstream, ring, from, to, followers, clusters, place, held, update }) => {
    const below = followers === undefined ? '' : `, and ${countOf(followers, 'package')} that ${followers === 1 ? 'follows' : 'follow'}`
    const line = `${namespace}/${set}: ${upstream} ${from} → ${to}, ${ring === undefined ? '' : `ring ${ring}, `}${countOf(clusters, 'cluster')}${below}`
    const where = place === undefined ? '' : `  ${styles.faint(printable(place))}`
    const waits = held.filter(({ tags }) => tags.rule !== 'revision-of-ring').map((result) => `  held: ${printResult(result, styles)}\n`)
    return `\n${printable(line)}${where}\n${waits.join('')}${update === undefined ? '' : updateText(update, styles)}`
  })
  return [head, ...parts].join('')
}

/** The number of different findings that are printed. */
const SHOWN_FINDINGS = 6

function updateText({ clean, created, losing, passedOver, failing }: UpdateView, styles: Styles): string {
  const counts = [
    ...(clean > 0 ? [`${countOf(clean, 'package')} clean`] : []),
    ...(created > 0 ? [`${countOf(created, 'package')} to create`] : []),
    ...(losing.length > 0 ? [`${countOf(losing.length, 'package')} with edits that lose`] : []),
    ...(passedOver.length > 0 ? [`${countOf(passedOver.length, 'package')} with changes passed over`] : []),
    ...(failing.length > 0 ? [`${countOf(failing.length, 'package')} failing`] : []),
  ]
  const met = new GroupedFindings()
  for (const { folder, results } of [...failing, ...losing, ...passedOver]) met.add(folder, results)
  const found = met.results()
  const shown = found.slice(0, SHOWN_FINDINGS).map((result) => `    ${printResult(result, styles)}\n`)
  const rest = found.length - SHOWN_FINDINGS
  if (rest > 0) shown.push(`    and ${countOf(rest, 'more finding')}\n`)
  return `  the update: ${counts.length === 0 ? 'no package' : counts.join(', ')}\n${shown.join('')}`
}

/** Returns what is outdated for programs. */
export function outdatedJson({ current, following, unknown, outdated, results }: OutdatedView): string {
  const json = (found: readonly Result[]) => found.map(resultToJson)
  const packages = (met: UpdateView['losing']) => met.map(({ folder, results: own }) => ({ folder, results: json(own) }))
  const shown = outdated.map(({ update, held, ...upstream }) => ({
    ...upstream,
    ...(held.length > 0 && { held: json(held) }),
    ...(update && {
      update: {
        clean: update.clean,
        created: update.created,
        losing: packages(update.losing),
        passedOver: packages(update.passedOver),
        failing: packages(update.failing),
      },
    }),
  }))
  return printDocument({ current, following, unknown, outdated: shown }, results)
}
