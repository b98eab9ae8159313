import { checkLength, spend, spendText } from '../budget.ts'
import { joinBytes } from '../bytes.ts'
import { isList, type ListValue, type Value } from '../value.ts'
import { noOverload } from './failure.ts'

export function concatText(left: Value, right: Value): string {
  if (typeof left !== 'string' || typeof right !== 'string') throw noOverload()
  checkLength(left.length + right.length)
  return left + right
}

export function concatBytes(left: Value, right: Value): Uint8Array {
  if (!(left instanceof Uint8Array) || !(right instanceof Uint8Array)) throw noOverload()
  checkLength(left.length + right.length)
  spendText(left.length + right.length)
  return joinBytes([left, right])
}

export function concatLists(left: Value, right: Value): ListValue {
  if (!isList(left) || !isList(right)) throw noOverload()
  if (left.length === 0 || right.length === 0) return left.length === 0 ? right : left
  spend(left.length + right.length)
  return [...left, ...right]
}
