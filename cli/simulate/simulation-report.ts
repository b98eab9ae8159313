import type { Simulation } from '../../functions/resolve-dependencies/resolve-dependencies.ts'
import { printable } from '../../src/printable.ts'
import { hasErrors, resultToJson } from '../../src/result.ts'
import { printJson } from '../print/print-value.ts'
import type { Styles } from '../print/styles.ts'

type State = Simulation[number]

const NOTHING = '  no controller has anything to do\n'

const UNKNOWN = '  it is not known what the controllers would do, for errors\n'

/** Returns a simulation for a terminal: each change, each reconcile with its reasons, and the packages afterwards. */
export function simulateText(states: Simulation, styles: Styles): string {
  return states.map((state) => stateText(state, styles)).join('\n')
}

function stateText({ change, rounds, packages, results }: State, styles: Styles): string {
  const head = styles.strong(change === undefined ? 'At the start' : `Change ${printable(change)}`)
  const reconciles = rounds.map((steps, i) => roundText(i + 1, steps, styles))
  const isRefused = hasErrors(results)
  const nothing = rounds.length > 0 || (change === undefined && !isRefused) ? [] : [isRefused ? UNKNOWN : NOTHING]
  return [`${head}\n`, ...nothing, ...reconciles, ...packages.map((each) => packageText(each, styles))].join('')
}

function roundText(number: number, steps: State['rounds'][number], styles: Styles): string {
  const lines = steps.map(({ what, why }) => `    ${styles.changed(`* ${printable(what)}`)}\n        ${styles.faint(printable(why))}\n`)
  return `  reconcile ${number}\n${lines.join('')}`
}

function packageText({ name, at, parts }: State['packages'][number], styles: Styles): string {
  return `  ${styles.added(`= ${printable(name)}`)}${at === '' ? '' : `: ${printable(at)}`}\n${parts.map((part) => `      ${printable(part)}\n`).join('')}`
}

/** Returns a simulation for other programs: one JSON document with a state for each change, after the state without changes. */
export function simulateJson(states: Simulation): string {
  const shown = states.map(({ results, ...state }) => ({ ...state, results: results.map(resultToJson) }))
  return `${printJson({ states: shown }, 2)}\n`
}
