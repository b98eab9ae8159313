import { type BlangRelease, compareBlang, parseBlangVersion } from './blang-version.ts'
import { parseUint64, quoteGo } from './go-text.ts'
import { accepted, type Constraint, type Parsed, refused, type Version } from './version.ts'

const MAX_INT64 = 2n ** 63n - 1n

interface Bound {
  readonly holds: (order: number) => boolean
  readonly version: Version
}

const COMPARATORS: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ['', (order: number) => order === 0],
  ['=', (order: number) => order === 0],
  ['==', (order: number) => order === 0],
  ['!', (order: number) => order !== 0],
  ['!=', (order: number) => order !== 0],
  ['>', (order: number) => order > 0],
  ['>=', (order: number) => order >= 0],
  ['<', (order: number) => order < 0],
  ['<=', (order: number) => order <= 0],
])

/**
 * Parses a range by the rules of blang's ParseRange: full versions joined by spaces (AND) and by ` || ` (OR), with `x` as a wildcard:
 * `>=1.0.0 <2.0.0 || 3.x`. A group between two `||` in a row is empty, and the library panics when the library evaluates such a group. An
 * error has the text of the library.
 */
export function parseBlangRange(text: string, release: BlangRelease): Parsed<Constraint> {
  const groups = splitGroups(splitWords(text))
  if (!groups.ok) return groups
  const expanded = groups.value.map((group) => expandGroup(group, release))
  const failed = expanded.find((group) => !group.ok)
  if (failed !== undefined && !failed.ok) return failed
  const bounds: Bound[][] = []
  for (const group of expanded) {
    const parsed = parseGroup(group.ok ? group.value : [], release)
    if (!parsed.ok) return parsed
    bounds.push(parsed.value)
  }
  return accepted({
    text,
    literals: bounds.flat().map(({ version }) => version),
    panics: bounds.some((group) => group.length === 0),
    check: (version) => checkGroups(version, bounds, release),
  })
}

function checkGroups(version: Version, groups: readonly Bound[][], release: BlangRelease): boolean | 'panics' {
  for (const group of groups) {
    if (group.length === 0) return 'panics'
    if (group.every((bound) => bound.holds(compareBlang(version, bound.version, release)))) return true
  }
  return false
}

// Splits at spaces, except at those after an operator. A word of a single byte is dropped, as in the library.
function splitWords(text: string): string[] {
  const words: string[] = []
  let start = 0
  let last = ''
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? ''
    if (character !== ' ') last = character
    else if (!'<>='.includes(last) || last === '') {
      words.push(text.slice(start, i))
      start = i + 1
    }
  }
  words.push(text.slice(start))
  return words.filter((word) => word.length > 1 || word > '\u007f').map((word) => word.replaceAll(' ', ''))
}

function splitGroups(words: readonly string[]): Parsed<string[][]> {
  if (words[0] === '||') return refused("First element in range is '||'")
  if (words.length === 0 || words.at(-1) === '||') return refused("Last element in range is '||'")
  const groups: string[][] = [[]]
  for (const word of words) {
    if (word === '||') groups.push([])
    else groups.at(-1)?.push(word)
  }
  return accepted(groups)
}

// The bounds that replace a comparator with a wildcard: `before`, if not empty, is the operator of a bound at the version; `operator` is
// that of a bound at the version, or with `next` at the next higher version.
const WILDCARDS: ReadonlyMap<string, { readonly before: string; readonly operator: string; readonly next: boolean }> = new Map([
  ['>', { before: '', operator: '>=', next: true }],
  ['>=', { before: '', operator: '>=', next: false }],
  ['<', { before: '', operator: '<', next: false }],
  ['<=', { before: '', operator: '<', next: true }],
  ['', { before: '>=', operator: '<', next: true }],
  ['=', { before: '>=', operator: '<', next: true }],
  ['==', { before: '>=', operator: '<', next: true }],
  ['!=', { before: '<', operator: '>=', next: true }],
  ['!', { before: '<', operator: '>=', next: true }],
])

function expandGroup(group: readonly string[], release: BlangRelease): Parsed<string[]> {
  const expanded: string[] = []
  for (const word of group) {
    if (!word.includes('x')) {
      expanded.push(word)
      continue
    }
    const split = splitOperator(word)
    if (!split.ok) return split
    expanded.push(...expandWildcard(word, split.value, release))
  }
  return accepted(expanded)
}

function expandWildcard(word: string, [operator, written]: readonly [string, string], release: BlangRelease): string[] {
  const core = written.split(/[-+]/)[0] ?? ''
  if (release.wildcards === 'core' && !core.includes('x')) return [word]
  const flat = flatten(written, release)
  // An unknown operator is dropped: `^1.x` is exactly 1.0.0.
  const rule = WILDCARDS.get(operator) ?? { before: '', operator: '', next: false }
  const last = rule.operator + (rule.next ? nextVersion(flat, written) : flat)
  return rule.before === '' ? [last] : [rule.before + flat, last]
}

function flatten(written: string, release: BlangRelease): string {
  const zeros = written.replace('.x.x', '.x').replace('.x', '.0')
  return (zeros.split('.').length === 2 ? `${zeros}.0` : zeros) + release.wildcardSuffix
}

// Only a last part that is exactly `x` defines which number is incremented. In all other cases the bound is empty and does not parse.
function nextVersion(flat: string, written: string): string {
  const parts = written.split('.')
  if (parts.at(-1) !== 'x' || parts.length < 2 || parts.length > 3) return ''
  const numbers = flat.split('.')
  const index = parts.length - 2
  const number = parseUint64(numbers[index] ?? '')
  return number === undefined || number >= MAX_INT64 ? '' : numbers.with(index, String(number + 1n)).join('.')
}

function splitOperator(word: string): Parsed<readonly [string, string]> {
  const index = word.search(/\p{Nd}/u)
  if (index === -1) return refused(`Could not get version from string: ${quoteGo(word)}`)
  return accepted([word.slice(0, index).trim(), word.slice(index)])
}

function parseGroup(group: readonly string[], release: BlangRelease): Parsed<Bound[]> {
  const bounds: Bound[] = []
  for (const word of group) {
    const bound = parseBound(word, release)
    if (!bound.ok) return bound
    bounds.push(bound.value)
  }
  return accepted(bounds)
}

function parseBound(word: string, release: BlangRelease): Parsed<Bound> {
  const split = splitOperator(word)
  if (!split.ok) return split
  const [operator, written] = split.value
  const where = quoteGo(operator + written)
  const holds = COMPARATORS.get(operator)
  if (holds === undefined)
    return refused(`Could not parse Range ${quoteGo(word)}: Could not parse comparator ${quoteGo(operator)} in ${where}`)
  const version = parseBlangVersion(written, release)
  if (version.ok) return accepted({ holds, version: version.value })
  return refused(`Could not parse Range ${quoteGo(word)}: Could not parse version ${quoteGo(written)} in ${where}: ${version.error}`)
}
