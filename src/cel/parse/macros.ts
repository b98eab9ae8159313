import {
  ACCUMULATOR,
  type Call,
  type Comprehension,
  type Constant,
  type Expression,
  type Identifier,
  type LiteralValue,
  type OptionalMap,
} from '../expression.ts'
import type { CompileFault, FaultCause } from '../faults.ts'

/** The parts of a comprehension that a macro chooses. */
type Loop = Pick<Comprehension, 'initial' | 'condition' | 'step' | 'result'>
type Macro = (offset: number, args: readonly Expression[]) => Loop

// cel-spec, Macros. The key is the method's name and the number of its arguments, the variable included.
const QUANTIFIERS: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ['all/2', allOf],
  ['exists/2', anyOf],
  ['exists_one/2', oneOf],
])
const TRANSFORMATIONS: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ['map/2', (offset, [, value]) => collect(offset, value, undefined)],
  ['map/3', (offset, [, test, value]) => collect(offset, value, test)],
  ['filter/2', (offset, [variable, test]) => collect(offset, variable, test)],
])

/** The macros of cel-go's two-variable comprehensions; the first two arguments are the variables. */
const PAIRED: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ['all/3', (offset, [, ...args]) => allOf(offset, args)],
  ['exists/3', (offset, [, ...args]) => anyOf(offset, args)],
  ['existsOne/3', (offset, [, ...args]) => oneOf(offset, args)],
  ['exists_one/3', (offset, [, ...args]) => oneOf(offset, args)],
  ['transformList/3', (offset, [, , value]) => collect(offset, value, undefined)],
  ['transformList/4', (offset, [, , test, value]) => collect(offset, value, test)],
  ['transformMap/3', (offset, [key, , value]) => collectMap(offset, [key, value], undefined)],
  ['transformMap/4', (offset, [key, , test, value]) => collectMap(offset, [key, value], test)],
  ['transformMapEntry/3', (offset, [, , entry]) => collectMap(offset, [entry], undefined)],
  ['transformMapEntry/4', (offset, [, , test, entry]) => collectMap(offset, [entry], test)],
])

/** The names of the macros that only the extension libraries have. */
export const EXTENDED_MACROS: readonly string[] = [
  'sortBy',
  'optMap',
  'optFlatMap',
  'existsOne',
  'transformList',
  'transformMap',
  'transformMapEntry',
]

/** The macros as they are written. */
export const MACRO_FORMS: ReadonlyMap<string, string> = new Map([
  ['has', 'has(a.b)'],
  ['all', 'list.all(x, test)'],
  ['exists', 'list.exists(x, test)'],
  ['exists_one', 'list.exists_one(x, test)'],
  ['filter', 'list.filter(x, test)'],
  ['map', 'list.map(x, value) or list.map(x, test, value)'],
])

/**
 * Returns the expansion of a macro call; any other call is returned unchanged. A misused macro is added to the faults and returned
 * unchanged.
 *
 * @param isExtended  true to know the macros of the extension libraries
 */
export function expandMacro(call: Call, faults: CompileFault[], isExtended: boolean): Expression {
  if (call.target === undefined) return call.name === 'has' && call.args.length === 1 ? expandHas(call, faults) : call
  const key = `${call.name}/${call.args.length}`
  const paired = isExtended ? PAIRED.get(key) : undefined
  if (paired !== undefined) return expandPaired(call, call.target, paired, faults)
  if (isExtended && (key === 'optMap/2' || key === 'optFlatMap/2')) return expandOptional(call, call.target, faults)
  const quantifier = QUANTIFIERS.get(key)
  const macro = quantifier ?? TRANSFORMATIONS.get(key)
  if (macro === undefined) return call
  const complaint = quantifier === undefined ? 'argument is not an identifier' : 'argument must be a simple name'
  return expandLoop(call, call.target, macro, complaint, faults)
}

function expandHas(call: Call, faults: CompileFault[]): Expression {
  const [argument] = call.args
  if (argument?.kind === 'select' && !argument.test) return { ...argument, test: true, offset: call.offset }
  const cause: FaultCause = { kind: 'syntax', advice: "has(…) takes a field, as in has(a.b); of any other key ask 'b' in a" }
  faults.push({ offset: argument?.offset, message: 'invalid argument to has() macro', cause })
  return call
}

function expandLoop(call: Call, range: Expression, macro: Macro, complaint: string, faults: CompileFault[]): Expression {
  const { offset, args } = call
  const [variable] = args
  if (variable?.kind !== 'identifier') {
    faults.push({ offset: variable?.offset, message: complaint })
    return call
  }
  if (variable.name === '__result__') {
    faults.push({ offset: variable.offset, message: 'iteration variable overwrites accumulator variable' })
  }
  return { kind: 'comprehension', range, variable: variable.name, ...macro(offset, args), offset }
}

/** Expands a macro with two variables. Its first fault alone is reported, as cel-go does. */
function expandPaired(call: Call, range: Expression, macro: Macro, faults: CompileFault[]): Expression {
  const { offset, args } = call
  const [first, second] = args
  if (first?.kind !== 'identifier' || second?.kind !== 'identifier') {
    const other = first?.kind === 'identifier' ? second : first
    faults.push({ offset: other?.offset, message: 'argument must be a simple name' })
    return call
  }
  const taken = [first, second].find(({ name }) => name === '__result__')
  if (first.name === second.name) faults.push({ offset: second.offset, message: `duplicate variable name: ${second.name}` })
  else if (taken !== undefined) faults.push({ offset: taken.offset, message: 'iteration variable overwrites accumulator variable' })
  return { kind: 'comprehension', range, variable: first.name, second: second.name, ...macro(offset, args), offset }
}

function expandOptional(call: Call, target: Expression, faults: CompileFault[]): Call | OptionalMap {
  const { name, offset, args } = call
  const [variable, body] = args
  if (variable?.kind === 'identifier' && body !== undefined)
    return { kind: 'optionalMap', target, variable: variable.name, body, isFlat: name === 'optFlatMap', offset }
  faults.push({ offset: variable?.offset, message: `${name}() variable name must be a simple identifier` })
  return call
}

function allOf(offset: number, [, test]: readonly Expression[]): Loop {
  return {
    initial: constant(offset, true),
    condition: operation(offset, '@not_strictly_false', accumulator(offset)),
    step: operation(offset, '_&&_', accumulator(offset), test),
    result: accumulator(offset),
  }
}

function anyOf(offset: number, [, test]: readonly Expression[]): Loop {
  return {
    initial: constant(offset, false),
    condition: operation(offset, '@not_strictly_false', operation(offset, '!_', accumulator(offset))),
    step: operation(offset, '_||_', accumulator(offset), test),
    result: accumulator(offset),
  }
}

function oneOf(offset: number, [, test]: readonly Expression[]): Loop {
  const more = operation(offset, '_+_', accumulator(offset), constant(offset, 1n))
  const counted = collected(constant(offset, 0n), more, test)
  return { ...counted, result: operation(offset, '_==_', accumulator(offset), constant(offset, 1n)) }
}

function collect(offset: number, value: Expression | undefined, test: Expression | undefined): Loop {
  const more = operation(offset, '_+_', accumulator(offset), { kind: 'list', elements: present(value), offset })
  return collected({ kind: 'list', elements: [], offset }, more, test)
}

/** @param made  the key and the value of an entry, or a map with entries */
function collectMap(offset: number, made: readonly (Expression | undefined)[], test: Expression | undefined): Loop {
  const more = operation(offset, 'cel.@mapInsert', accumulator(offset), ...made)
  return collected({ kind: 'map', entries: [], offset }, more, test)
}

/** Returns the loop over all items that takes each for which the test holds. */
function collected(initial: Expression, more: Call, test: Expression | undefined): Loop {
  const { offset } = initial
  return {
    initial,
    condition: constant(offset, true),
    step: test === undefined ? more : operation(offset, '_?_:_', test, more, accumulator(offset)),
    result: accumulator(offset),
  }
}

function operation(offset: number, name: string, ...args: readonly (Expression | undefined)[]): Call {
  return { kind: 'call', name, target: undefined, args: args.flatMap(present), offset }
}

function present(node: Expression | undefined): readonly Expression[] {
  return node === undefined ? [] : [node]
}

function constant(offset: number, value: LiteralValue): Constant {
  return { kind: 'constant', value, offset }
}

function accumulator(offset: number): Identifier {
  return { kind: 'identifier', name: ACCUMULATOR, offset }
}
