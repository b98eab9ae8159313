import { type CelList, type CelValue, celList, isCelList } from '@bufbuild/cel'
import { checkLength, spend, spendText } from '../budget.ts'
import { joinBytes } from '../bytes.ts'
import { noOverload } from './failure.ts'

export function concatText(left: CelValue, right: CelValue): string {
  if (typeof left !== 'string' || typeof right !== 'string') throw noOverload()
  checkLength(left.length + right.length)
  return left + right
}

export function concatBytes(left: CelValue, right: CelValue): Uint8Array {
  if (!(left instanceof Uint8Array) || !(right instanceof Uint8Array)) throw noOverload()
  checkLength(left.length + right.length)
  spendText(left.length + right.length)
  return joinBytes([left, right])
}

export function concatLists(left: CelValue, right: CelValue): CelList {
  if (!isCelList(left) || !isCelList(right)) throw noOverload()
  if (left.size === 0 || right.size === 0) return left.size === 0 ? right : left
  spend(left.size + right.size)
  return celList([...left, ...right])
}

// The engine would chain lists, one link for each element: slow from thousands on, and a stack overflow from ten thousands on.
const growing = new WeakMap<CelList, CelValue[]>()

/** An empty list that `appendTo` can grow: the accumulator of `map` and `filter`. */
export function growingList(): CelList {
  const elements: CelValue[] = []
  const list = celList(elements)
  growing.set(list, elements)
  return list
}

/** The same list with one more element. Only for a list that nobody else can see. */
export function appendTo(list: CelValue, element: CelValue): CelValue {
  if (isCelList(list)) growing.get(list)?.push(element)
  return list
}
