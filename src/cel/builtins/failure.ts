import type { CelMap, CelValue } from '@bufbuild/cel'
import { compareText } from '../../field-path.ts'
import { spend } from '../budget.ts'
import type { MissingKey } from '../cel-error.ts'
import { type Kind, kindOf } from './kind.ts'

/** An error is made, thrown, caught and made again by the engine: the work of many nodes. */
const WORK_OF_FAILURE = 100

/** A function that has no value for its arguments. */
export class Failure extends Error {
  constructor(message: string) {
    super(message)
    spend(WORK_OF_FAILURE)
  }
}

/** Kinds whose methods cel-go asks before it gives up, which changes the words. */
const RECEIVERS: ReadonlySet<Kind> = new Set<Kind>(['string', 'google.protobuf.Timestamp', 'google.protobuf.Duration'])

/** No overload for these arguments, where cel-go knows no more. */
export function noOverload(): Failure {
  return new Failure('no such overload')
}

/** The first operand has no such operation at all. */
export function noOperation(name: string, operand: CelValue): Failure {
  return RECEIVERS.has(kindOf(operand)) ? noOverload() : new Failure(`no such overload: ${name}`)
}

/** No overload of a function that is chosen by all its arguments. */
export function noSignature(name: string, args: readonly CelValue[]): Failure {
  return new Failure(`no such overload: ${name}(${args.map(kindOf).join(', ')})`)
}

// The engine keeps only the words of an error that passed an `&&` or `||`, so the map is found again by the words.
const missing = new Map<string, { readonly key: string; readonly map: CelMap }>()

export function forgetMissingKeys(): void {
  // Most evaluations miss none, and to clear an empty map is not free.
  if (missing.size > 0) missing.clear()
}

export function noKey(key: string, map: CelMap): Failure {
  const message = `no such key: ${key}`
  if (!missing.has(message)) missing.set(message, { key, map })
  return new Failure(message)
}

/** The missing key that an error of this evaluation tells of, and the keys that its map has. */
export function missingKeyOf(message: string): MissingKey | undefined {
  const found = missing.get(message)
  if (found === undefined) return undefined
  const keys = [...found.map.keys()].filter((key) => typeof key === 'string')
  return { key: found.key, keys: keys.sort(compareText) }
}
