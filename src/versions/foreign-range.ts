import type { Dialect } from './dialects.ts'

/** A version in a range of another ecosystem: missing parts are undefined, and stand for every number. */
interface LooseVersion {
  readonly numbers: readonly number[]
  /** `-rc.1`, or ''. */
  readonly prerelease: string
}

/** A bound that every dialect reads: `>=1.0.0`. */
interface Bound {
  readonly operator: string
  readonly version: string
}

const ANY_VERSION = new Set(['latest', 'stable', 'newest', 'current', 'any', '*', 'x', 'X', ''])

/** Operators of other ecosystems, by the rule that translates them. */
const RULES: ReadonlyMap<string, (version: LooseVersion) => readonly Bound[]> = new Map([
  ...['', '='].map((operator) => [operator, exactly] as const),
  // Python and Maven: 1.0 is 1.0.0, and no version besides.
  ...['==', '===', '@'].map((operator) => [operator, (version: LooseVersion) => [{ operator: '=', version: lowest(version) }]] as const),
  ...['>=', '=>', '≥'].map((operator) => [operator, atLeast] as const),
  ...['<=', '=<', '≤'].map((operator) => [operator, (version: LooseVersion) => [{ operator: '<=', version: lowest(version) }]] as const),
  ['>', (version) => [{ operator: '>', version: lowest(version) }]],
  ['<', (version) => [{ operator: '<', version: lowest(version) }]],
  ...['!=', '<>', '!==', '≠'].map(
    (operator) => [operator, (version: LooseVersion) => [{ operator: '!=', version: lowest(version) }]] as const,
  ),
  // Python (PEP 440), Ruby, Terraform: the last part that is written may grow.
  ...['~=', '~>'].map(
    (operator) => [operator, (version: LooseVersion) => upToNext(version, Math.max(0, version.numbers.length - 2))] as const,
  ),
  ['~', (version) => upToNext(version, Math.min(1, version.numbers.length - 1))],
  ['^', (version) => upToNext(version, firstAboveZero(version.numbers))],
])

/** Returns the place of the first number above zero, else of the last one: the number that `^` holds, as in npm and Cargo. */
function firstAboveZero(numbers: readonly number[]): number {
  const found = numbers.findIndex((number) => number > 0)
  return found === -1 ? numbers.length - 1 : found
}

const OPERATORS = [...RULES.keys()].sort((a, b) => b.length - a.length)

/**
 * Returns the range of a dialect that says the same as a range of another ecosystem; undefined for a text that is no range anywhere. Reads
 * Python's `~=0.45`, Maven's and NuGet's `[0.45,0.50)`, `latest`, the operators of npm, Cargo, Ruby and Terraform, and words between
 * bounds.
 * Example for Crossplane: `[0.45,0.50)` becomes `>=0.45.0, <0.50.0`.
 */
export function translateRange(text: string, dialect: Dialect): string | undefined {
  if (text.length > LONGEST) return undefined
  const plain = text.trim().replace(/^(["'])(.*)\1$/, '$2')
  const groups = readIntervals(plain) ?? readGroups(plain)
  if (groups === undefined) return undefined
  const written = [', ', ' '].map((and) =>
    groups.map((bounds) => bounds.map(({ operator, version }) => operator + version).join(and)).join(' || '),
  )
  return written.find((candidate) => {
    const read = dialect.parseConstraint(candidate)
    return candidate !== text && read.ok && !read.value.panics
  })
}

/** A longer text is no range that a person wrote. */
const LONGEST = 200

/** Reads `[1.0,2.0)`, `(,1.0]`, `[1.0]`, and several of them with commas between. */
function readIntervals(text: string): readonly (readonly Bound[])[] | undefined {
  if (!/^[[(]/.test(text)) return undefined
  const groups: (readonly Bound[])[] = []
  let rest = text
  while (rest !== '') {
    const [whole, open, low, comma, high, close] = /^\s*([[(])\s*([^\s,[\]()]*)\s*(,?)\s*([^\s,[\]()]*)\s*([\])])\s*,?/.exec(rest) ?? []
    if (whole === undefined || low === undefined || high === undefined) return undefined
    const bounds = comma === '' ? boundsOf('==', low) : intervalBounds({ low, high, open, close })
    if (bounds === undefined) return undefined
    groups.push(bounds)
    rest = rest.slice(whole.length)
  }
  return groups
}

interface Interval {
  readonly low: string
  readonly high: string
  readonly open: string | undefined
  readonly close: string | undefined
}

function intervalBounds({ low, high, open, close }: Interval): readonly Bound[] | undefined {
  const from = low === '' ? [] : boundsOf(open === '[' ? '>=' : '>', low)
  const to = high === '' ? [] : boundsOf(close === ']' ? '<=' : '<', high)
  return from === undefined || to === undefined || low + high === '' ? undefined : [...from, ...to]
}

/** Reads bounds that are joined by `,`, `;`, `&&`, `and` or blanks, in groups that are joined by `||`, `|` or `or`. */
function readGroups(text: string): readonly (readonly Bound[])[] | undefined {
  const groups = text
    .split(/\|+|\bor\b/i)
    .map((group) => group.trim())
    .filter((group, _, all) => group !== '' || all.length === 1)
  const read = groups.map(readGroup)
  return read.every((group) => group !== undefined) ? read : undefined
}

function readGroup(text: string): readonly Bound[] | undefined {
  if (ANY_VERSION.has(text.toLowerCase())) return [{ operator: '>=', version: '0.0.0' }]
  const [, low, high] = /^([^\s<>=]+?)\s*(?: - |\.{2,3}|\bto\b)\s*([^\s<>=]+)$/i.exec(text) ?? []
  if (low !== undefined && high !== undefined) return intervalBounds({ low, high, open: '[', close: ']' })
  const [, from] = /^v?([\d.]+?)\.?\+$/.exec(text) ?? []
  if (from !== undefined) return boundsOf('>=', from)
  const terms = text
    .replace(/([<>=!~^\u2265\u2264\u2260]+)\s+/g, '$1')
    .split(/[\s,;&]+|\band\b/i)
    .filter((term) => term !== '' && term.toLowerCase() !== 'and')
  const read = terms.map((term) => {
    const operator = OPERATORS.find((each) => term.startsWith(each)) ?? ''
    return boundsOf(operator, term.slice(operator.length))
  })
  return terms.length > 0 && read.every((bounds) => bounds !== undefined) ? read.flat() : undefined
}

function boundsOf(operator: string, version: string): readonly Bound[] | undefined {
  const read = readVersion(version)
  return read && RULES.get(operator)?.(read)
}

/** Reads `v1`, `1.2`, `1.2.x`, `1.2.3-rc.1`. */
function readVersion(text: string): LooseVersion | undefined {
  const [, numbers, prerelease] = /^v?(\d{1,9}(?:\.\d{1,9}){0,2})(?:\.[x*])*(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/i.exec(text) ?? []
  return numbers === undefined ? undefined : { numbers: numbers.split('.').map(Number), prerelease: prerelease ?? '' }
}

function exactly(version: LooseVersion): readonly Bound[] {
  return version.numbers.length === 3 ? [{ operator: '=', version: lowest(version) }] : upToNext(version, version.numbers.length - 1)
}

function atLeast(version: LooseVersion): readonly Bound[] {
  return [{ operator: '>=', version: lowest(version) }]
}

/** Returns the versions from this one to the next in which the number at an index is higher: `1.2.3` and 1 become `>=1.2.3 <1.3.0`. */
function upToNext(version: LooseVersion, index: number): readonly Bound[] {
  const next = version.numbers.slice(0, index + 1).map((number, i) => (i === index ? number + 1 : number))
  return [...atLeast(version), { operator: '<', version: lowest({ numbers: next, prerelease: '' }) }]
}

/** Returns the version with zeros in the place of its missing parts. */
function lowest({ numbers, prerelease }: LooseVersion): string {
  return `${[0, 1, 2].map((index) => numbers[index] ?? 0).join('.')}${prerelease}`
}
