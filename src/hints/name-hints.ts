import type { Hint } from '../cel/advisor.ts'
import { FUNCTION_NAMES } from '../cel/check/declarations.ts'
import { variableNames, variablesWith } from '../cel/check/scope.ts'
import type { Expression } from '../cel/expression.ts'
import type { FaultCause } from '../cel/faults.ts'
import { EXTENDED_MACROS, MACRO_FORMS } from '../cel/parse/macros.ts'
import { advice, writtenAs } from './hint.ts'

// Names from Kubernetes' validation rules, from Google Cloud, from cel-go's extensions and from other languages, with the nearest choice of
// the standard library. Porch v1.5 render.go declares no extension library.
const CLOSEST: readonly (readonly [closest: string, names: string])[] = [
  ["a choice, x == 'a' ? 'b' : x", 'replace replaceAll sub gsub regexReplace translate'],
  [
    'matches(…), which takes any case with (?i) before the pattern',
    'upperAscii lowerAscii upper lower toUpper toLower toUpperCase toLowerCase title',
  ],
  [
    'matches(…); a part that is wanted alone needs a label of its own',
    'split substring substr slice extract capture capturegroup find findAll charAt trim trimSpace trimPrefix trimSuffix strip',
  ],
  ['startsWith(…), endsWith(…) and contains(…)', 'indexOf lastIndexOf index includes hasPrefix hasSuffix startswith endswith isIn'],
  ["+, as in a + '-' + string(n)", 'format join concat append sprintf printf reverse quote padStart padEnd'],
  ['size(…)', 'len length count sizeOf'],
  ['string(…)', 'toString str text asString'],
  ['int(…)', 'toInt parseInt integer number atoi'],
  [
    "has(a.b) ? a.b : 'none'",
    'default orValue or orElse get getOrDefault coalesce hasValue optMap optFlatMap value optional exists_key containsKey hasKey',
  ],
  ['exists_one(x, …)', 'existsOne exists1 one'],
  ['map(x, …) and filter(x, …)', 'transformList transformMap transformMapEntry flatMap flatten distinct unique sort sortBy reduce'],
  ['exists(x, …) and all(x, …)', 'any some every none'],
  ['a comparison with ? :', 'greatest least max min abs ceil floor round sum range'],
  ['key in target.labels', 'keys values entries'],
  ['[0] takes the first element', 'first last'],
  ["timestamp('2026-01-31T00:00:00Z')", 'now date time'],
]

const CLOSEST_BY_NAME: ReadonlyMap<string, string> = new Map(
  CLOSEST.flatMap(([closest, names]) => names.split(' ').map((name): [string, string] => [name, closest])),
)

/** The names before the dot of functions of other environments: `math.greatest(…)`. */
const LIBRARIES = new Set('math sets strings lists regex cel optional base64 encoders ip cidr url quantity semver format net'.split(' '))

/** A longer name is no slip of a known one, and too long to repeat. */
const LONGEST_NAME = 63

/** Fields that every variable with an object has: written without the variable, they are the commonest undeclared names. */
const FIELDS = new Set(['name', 'namespace', 'labels', 'annotations'])
/** The fields that are maps: expressions read a key of them. */
const MAPS: ReadonlySet<string> = new Set(['labels', 'annotations'])
export const OBJECTS: readonly string[] = ['target', 'repository', 'upstream']

/** Variables that some expressions do not see. */
const TOO_EARLY = new Set(['repository', 'upstream', 'packageDefault'])

/** The item of a policy, in the words of ValidatingAdmissionPolicy, CustomResourceDefinitions, Gatekeeper and Kyverno. */
const ITEM_ELSEWHERE = new Set(['object', 'self', 'resource', 'obj', 'input', 'request', 'target'])

/** Functions of other environments and languages, with the function of kpt's extension libraries that does the same. */
const SAME_IN_EXTENSIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    lowerAscii: 'lower toLower toLowerCase',
    upperAscii: 'upper toUpper toUpperCase',
    replace: 'replaceAll sub gsub translate',
    substring: 'substr extract',
    trim: 'trimSpace strip',
    indexOf: 'index find',
    distinct: 'unique',
  }).flatMap(([known, names]) => names.split(' ').map((name): [string, string] => [name, known])),
)

/** Returns the hint for a function, or a variable, that is not known at its place. */
export function undeclaredHint(
  { node, names, extensions }: FaultCause & { readonly kind: 'undeclared' },
  parents: ReadonlyMap<Expression, Expression>,
): Hint | undefined {
  const parent = parents.get(node)
  const variables = variableNames(names)
  if (extensions.length > 0) {
    const hint = extendedHint(node, parent, extensions)
    if (hint !== undefined) return hint
  }
  if (node.kind === 'call')
    return functionHint(node.name.replace(/^\./, ''), extensions.length > 0 ? "kpt's libraries" : "Porch's standard library")
  if (node.kind !== 'identifier' || node.name.length > LONGEST_NAME) return undefined
  const name = node.name.replace(/^\./, '')
  if (isLibrary(name) && isOperand(node, parent)) return advice(`the functions of '${name}' are not in Porch's standard library`)
  const holders = variablesWith(names, name).map((holder) => `${holder}.${name}`)
  const held = holders.length === 0 ? undefined : `it is a field: ${holders.join(', ')}`
  const instead = TOO_EARLY.has(name) ? undefined : (held ?? pathOfTarget(parent, parents, variables))
  return { kind: 'variable', name, known: variables, otherwise: instead ?? otherwise(name, isOperand(node, parent), variables) }
}

/** Returns the hint for a text of several words without quotes. */
export function textHint(text: string, variables: readonly string[]): Hint {
  return { kind: 'variable', name: text, known: variables, otherwise: quoted(text) }
}

function quoted(text: string): string {
  return `a text needs quotes: '${text}'`
}

/**
 * Returns the hint for a function where extension libraries are known too; undefined for a function whose name has a hint of its own, as a
 * macro has.
 *
 * @example  `sets.contain(a, b)` → the functions of `sets`; `'A'.toLower()` → `lowerAscii`
 */
function extendedHint(node: Expression, parent: Expression | undefined, extensions: readonly string[]): Hint | undefined {
  const call = node.kind === 'identifier' && parent?.kind === 'call' && parent.target === node ? parent : node
  if (call.kind !== 'call' || call.name.length > LONGEST_NAME) return undefined
  const library = call.target?.kind === 'identifier' ? call.target.name : undefined
  const inLibrary = extensions.filter((name) => name.startsWith(`${library}.`))
  if (inLibrary.length > 0)
    return advice(`no function '${library}.${call.name}'; the functions of '${library}' are ${inLibrary.join(', ')}`)
  if (call !== node || MACRO_FORMS.has(node.name)) return undefined
  const same = SAME_IN_EXTENSIONS.get(node.name)
  if (same !== undefined) return advice(`no function '${node.name}'; the function is called '${same}'`)
  const methods = [...extensions.filter((name) => /^[a-z]+$/i.test(name)), ...EXTENDED_MACROS]
  return CLOSEST_BY_NAME.has(node.name)
    ? undefined
    : { kind: 'function', name: node.name, known: [...FUNCTION_NAMES, ...MACRO_FORMS.keys(), ...methods] }
}

function functionHint(name: string, libraries: string): Hint | undefined {
  if (name.length > LONGEST_NAME) return undefined
  const form = MACRO_FORMS.get(name)
  if (form !== undefined) return advice(`it is written ${form}`)
  const closest = closestFunction(name)
  if (closest !== undefined) return advice(`'${name}' is not in ${libraries}; the nearest is: ${closest}`)
  return { kind: 'function', name, known: [...FUNCTION_NAMES, ...MACRO_FORMS.keys()] }
}

/** Returns true if the name is followed by more of a path: `cluster.name` means an object, `edge` alone a text. */
function isOperand(node: Expression, parent: Expression | undefined): boolean {
  if (parent?.kind === 'select') return true
  return parent?.kind === 'call' && (parent.target === node || (parent.name === '_[_]' && parent.args[0] === node))
}

/** Returns `target.labels.region` for `cluster.labels.region`: the matched object is `target`, whatever its kind is. */
function pathOfTarget(
  parent: Expression | undefined,
  parents: ReadonlyMap<Expression, Expression>,
  variables: readonly string[],
): string | undefined {
  if (parent?.kind !== 'select' || !FIELDS.has(parent.field) || !variables.includes('target')) return undefined
  const map = `target.${parent.field}`
  const inner = parents.get(parent)
  const isCut = inner !== undefined && /^_[-/]_$/.test(nameOfCall(parents.get(inner)))
  const isKey = inner?.kind === 'select' && MAPS.has(parent.field) && !isCut
  return `the object that a target matches is 'target': ${isKey ? `${map}.${inner.field}` : map}`
}

function nameOfCall(node: Expression | undefined): string {
  return node?.kind === 'call' ? node.name : ''
}

function otherwise(name: string, isPath: boolean, variables: readonly string[]): string | undefined {
  const objects = OBJECTS.filter((object) => variables.includes(object)).map((object) => `${object}.${name}`)
  if (FIELDS.has(name)) return `it is a field of an object: ${objects.join(', ')}`
  if (variables.includes('item') && ITEM_ELSEWHERE.has(name)) return "what a policy looks at is 'item'"
  if (name === 'inputs') return 'spec.inputs of a PackageVariantMatrix names the objects that expressions read, and it names none'
  if (name === 'upstream' || name === 'packageDefault') return 'the expression is about a target, for all upstreams'
  if (name === 'repository') return 'downstream.repoExpr chooses the repository, so it is not known there'
  return isPath ? undefined : quoted(name)
}

/** Returns the nearest function of the standard library for a function of other CEL environments or other languages. */
function closestFunction(name: string): string | undefined {
  return CLOSEST_BY_NAME.get(name)
}

/** Returns true if a name is that of a function library which Porch does not have. */
function isLibrary(name: string): boolean {
  return LIBRARIES.has(name)
}

/**
 * Returns the hint for the name behind the `-` or `/` of a key: `target.labels.app-name` is a subtraction, `target.labels['app-name']` the
 * label.
 */
export function keyHint(node: Expression, parents: ReadonlyMap<Expression, Expression>): Hint | undefined {
  let top: Expression | undefined
  for (let parent = parents.get(node); parent !== undefined && isDivided(parent); parent = parents.get(parent)) top = parent
  const [map, key] = (top && split(top)) ?? []
  return map === undefined || !/[-/]/.test(key ?? '') || isRoot(top, node)
    ? undefined
    : advice(`write a key with - or / in brackets: ${map}['${key}']`)
}

/** Returns the way to write `target.labels[cost-center]`, where a name in brackets is a key without its quotes. */
export function quotedKeyHint(node: Expression, parents: ReadonlyMap<Expression, Expression>): Hint | undefined {
  let key = node
  let parent = parents.get(key)
  for (; parent !== undefined && isDivided(parent); parent = parents.get(key)) key = parent
  if (parent?.kind !== 'call' || parent.name !== '_[_]' || parent.args[1] !== key) return undefined
  const [map] = parent.args
  const spelled = spell(key)
  if (spelled === undefined || !(map?.kind === 'select' && MAPS.has(map.field))) return undefined
  return advice(`a key is a text and needs quotes: ${writtenAs(map)}['${spelled}']`)
}

/** Returns the key that a subtraction, division or selection of names spells: `cost-center`, `app.kubernetes.io/name`. */
function spell(node: Expression): string | undefined {
  if (node.kind === 'identifier') return node.name
  if (node.kind === 'select' && !node.test) return joined(spell(node.operand), '.', node.field)
  if (node.kind !== 'call' || !isDivided(node)) return undefined
  const [left, right] = node.args
  return joined(left && spell(left), node.name.charAt(1), right && spell(right))
}

function joined(left: string | undefined, sign: string, right: string | undefined): string | undefined {
  return left === undefined || right === undefined ? undefined : `${left}${sign}${right}`
}

/** Returns true for `cluster` of `cluster.labels.app-name`: the variable is unknown, and the key a mistake of its own. */
function isRoot(top: Expression | undefined, node: Expression): boolean {
  let left = top
  while (left?.kind === 'select' || left?.kind === 'call') left = left.kind === 'select' ? left.operand : left.args[0]
  return left === node
}

function isDivided(node: Expression): boolean {
  return (node.kind === 'call' && (node.name === '_-_' || node.name === '_/_')) || node.kind === 'select'
}

/** Returns the map, as written, and the key that the rest spells. */
function split(node: Expression): readonly [map: string, key: string] | undefined {
  if (node.kind === 'call' && (node.name === '_-_' || node.name === '_/_')) {
    const [left, right] = node.args
    const [map, key] = (left && split(left)) ?? []
    const rest = writtenAs(right)
    return map === undefined || rest === '…' ? undefined : [map, `${key}${node.name.charAt(1)}${rest}`]
  }
  if (node.kind !== 'select') return undefined
  const { operand, field } = node
  if (operand.kind === 'select' && MAPS.has(operand.field)) return [writtenAs(operand), field]
  const [map, key] = split(operand) ?? []
  return map === undefined ? undefined : [map, `${key}.${field}`]
}
