import { evaluate } from '../../src/run.ts'
import { timed } from '../processor-time.ts'
import { ordinaryItems, readAll, WRAPPER } from './attack.ts'
import { FUNCTIONS } from './functions.ts'
import { READING } from './reading.ts'

/** What a process writes of the attack that its argument names. */
export interface Report {
  readonly bytes: number
  readonly units: number
  readonly seconds: number
  /** The time of a unit, in seconds. */
  readonly unit: number
  readonly megabytes: number
  /** An error, or the input as it came, or a list. */
  readonly ended: 'error' | 'same' | 'list'
}

const MEGABYTE = `${WRAPPER}${ordinaryItems(1)}`

const READINGS = 5

/** As long as an attack, so that what runs beside this process takes its part of both. */
function unit(): number {
  return timed(() => Array.from({ length: READINGS }, () => evaluate(readAll, MEGABYTE))).time / READINGS
}

function report(what: string | undefined): Report {
  const attack = [...READING, ...FUNCTIONS].find((other) => other.what === what)
  if (attack === undefined) throw new Error(`no attack '${what}'`)
  const text = attack.text()
  // The first time is longer: nothing is compiled yet.
  unit()
  const before = unit()
  const { value: outcome, time } = timed(() => evaluate(attack.fn, text))
  const measure = Math.max(before, unit())
  const isPolluted = Object.hasOwn(Object.prototype, 'polluted')
  if (isPolluted || (outcome.exitCode === 1 && outcome.stderr === '')) throw new Error('neither an error nor a right answer')
  const ended = outcome.exitCode === 1 ? 'error' : outcome.stdout === text ? 'same' : 'list'
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
  return { bytes: text.length, units: time / measure, seconds: time / 1e6, unit: measure / 1e6, megabytes, ended }
}

console.log(JSON.stringify(report(process.argv[2])))
