import type { Call, Expression } from '../expression.ts'
import type { CompileFault } from '../faults.ts'
import { expandMacro } from '../parse/macros.ts'

const COMPARABLE = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes']

/**
 * The signatures of the extension libraries in kpt's environment (kpt pkg/lib/runneroptions/celenv.go): strings version 2, sets, lists
 * version 3, optional values, and comprehensions with two variables. The form is that of the standard library's.
 */
export const EXTENSION_SIGNATURES: Readonly<Record<string, readonly string[]>> = {
  charAt: ['string.(int) -> string'],
  format: ['string.(list(dyn)) -> string'],
  indexOf: ['string.(string) -> int', 'string.(string, int) -> int'],
  join: ['list(string).() -> string', 'list(string).(string) -> string'],
  lastIndexOf: ['string.(string) -> int', 'string.(string, int) -> int'],
  lowerAscii: ['string.() -> string'],
  replace: ['string.(string, string) -> string', 'string.(string, string, int) -> string'],
  split: ['string.(string) -> list(string)', 'string.(string, int) -> list(string)'],
  substring: ['string.(int) -> string', 'string.(int, int) -> string'],
  trim: ['string.() -> string'],
  upperAscii: ['string.() -> string'],
  'strings.quote': ['(string) -> string'],
  'sets.contains': ['(list(A), list(A)) -> bool'],
  'sets.equivalent': ['(list(A), list(A)) -> bool'],
  'sets.intersects': ['(list(A), list(A)) -> bool'],
  distinct: ['list(A).() -> list(A)'],
  flatten: ['list(list(A)).() -> list(A)', 'list(dyn).(int) -> list(dyn)'],
  'lists.range': ['(int) -> list(int)'],
  reverse: ['list(A).() -> list(A)'],
  slice: ['list(A).(int, int) -> list(A)'],
  sort: COMPARABLE.map((type) => `list(${type}).() -> list(${type})`),
  'optional.of': ['(A) -> optional(A)'],
  'optional.ofNonZeroValue': ['(A) -> optional(A)'],
  'optional.none': ['() -> optional(A)'],
  'optional.unwrap': ['(list(optional(A))) -> list(A)'],
  unwrapOpt: ['list(optional(A)).() -> list(A)'],
  value: ['optional(A).() -> A'],
  hasValue: ['optional(A).() -> bool'],
  or: ['optional(A).(optional(A)) -> optional(A)'],
  orValue: ['optional(A).(A) -> A'],
  first: ['list(A).() -> optional(A)'],
  last: ['list(A).() -> optional(A)'],
  '_[?_]': [
    '(list(A), int) -> optional(A)',
    '(optional(list(A)), int) -> optional(A)',
    '(map(A, B), A) -> optional(B)',
    '(optional(map(A, B)), A) -> optional(B)',
  ],
  '_[_]': ['(optional(list(A)), int) -> optional(A)', '(optional(map(A, B)), A) -> optional(B)'],
  'cel.@mapInsert': ['(map(A, B), map(A, B)) -> map(A, B)', '(map(A, B), A, B) -> map(A, B)'],
  '@sortByAssociatedKeys': COMPARABLE.map((type) => `list(A).(list(${type})) -> list(A)`),
}

/**
 * Returns a method call as the libraries read it: a function in a namespace, `sets.contains(a, b)`, and the macro `sortBy`, which makes the
 * keys first. Other calls are returned unchanged.
 *
 * @example  `list.sortBy(e, e.name)` → `list.@sortByAssociatedKeys(list.map(e, e.name))`
 */
export function extendedCall(call: Call, faults: CompileFault[]): Expression {
  const { target, name, args, offset } = call
  if (target === undefined) return call
  const qualified = target.kind === 'identifier' ? `${target.name}.${name}` : ''
  if (Object.hasOwn(EXTENSION_SIGNATURES, qualified)) return { kind: 'call', name: qualified, target: undefined, args, offset }
  if (name !== 'sortBy' || args.length !== 2) return call
  const keys = expandMacro({ ...call, name: 'map' }, faults, false)
  return { kind: 'call', name: '@sortByAssociatedKeys', target, args: [keys], offset }
}
