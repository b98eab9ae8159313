import { evaluate, type KrmFunction } from '../../src/run.ts'
import { timed } from '../processor-time.ts'
import { ordinaryItems, readAll, WRAPPER } from './attack.ts'
import { CATALOG_ATTACKS } from './catalog-attacks.ts'
import { CONFIG_ATTACKS } from './config-attacks.ts'
import { FUNCTIONS } from './functions.ts'
import { NAMES } from './names.ts'
import { ORDINARY } from './ordinary.ts'
import { PACKAGES } from './packages.ts'
import { READING } from './reading.ts'

/** The report of a process about the attack that its argument names. */
export interface Report {
  readonly bytes: number
  readonly units: number
  /**
   * The time that the same function takes for a megabyte of an ordinary input, in units; a function that looks at little is given the time
   * to read it.
   */
  readonly ordinary: number
  readonly seconds: number
  /** The time of a unit, in seconds. */
  readonly unit: number
  readonly megabytes: number
  /** An error, or the input as it came, or a list. */
  readonly ended: 'error' | 'same' | 'list'
}

const READINGS = 5

/**
 * As long as an attack, so that what runs beside this process takes its part of both. The first time is longer: nothing is compiled yet.
 */
function meanTime(fn: KrmFunction, text: string): number {
  return timed(() => Array.from({ length: READINGS }, () => evaluate(fn, text))).time / READINGS
}

function report(what: string | undefined): Report {
  const attack = [...READING, ...FUNCTIONS, ...CATALOG_ATTACKS, ...CONFIG_ATTACKS, ...NAMES, ...PACKAGES].find(
    (other) => other.what === what,
  )
  if (attack === undefined) throw new Error(`no attack '${what}'`)
  const text = attack.text()
  meanTime(readAll, MEGABYTE)
  const before = meanTime(readAll, MEGABYTE)
  const { value: outcome, time } = timed(() => evaluate(attack.fn, text))
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
  const unit = Math.max(before, meanTime(readAll, MEGABYTE))
  const isPolluted = Object.hasOwn(Object.prototype, 'polluted')
  if (isPolluted || (outcome.exitCode === 1 && outcome.stderr === '')) throw new Error('neither an error nor a right answer')
  const ended = outcome.exitCode === 1 ? 'error' : outcome.stdout === text ? 'same' : 'list'
  const ordinaryText = ORDINARY.get(attack.fn)?.()
  const ordinary = ordinaryText === undefined ? 1 : Math.max(1, meanTime(attack.fn, ordinaryText) / unit / (ordinaryText.length / 1e6))
  return { bytes: text.length, units: time / unit, ordinary, seconds: time / 1e6, unit: unit / 1e6, megabytes, ended }
}

const MEGABYTE = `${WRAPPER}${ordinaryItems(1)}`

console.log(JSON.stringify(report(process.argv[2])))
