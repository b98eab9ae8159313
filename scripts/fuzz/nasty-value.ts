import type { JsonValue } from '../../src/json.ts'
import { findNotPlain } from '../../src/resource-list/plain-value.ts'
import type { Random } from './random.ts'

/** Texts that some reader mistypes, or that are built of what YAML gives a meaning to. */
const PIECES = [
  ...['yes', 'No', 'on', 'OFF', 'y', 'N', 'true', 'False', 'null', 'NULL', '~', '=', '<<', '.inf', '-.Inf', '.NaN', '+.inf', '!!str'],
  ...[
    '1_000',
    '0o7',
    '0O7',
    '0x1F',
    '0b11',
    '0777',
    '0644',
    '1e3',
    '12e03',
    '1.e3',
    '.5',
    '1.',
    '+1',
    '-0',
    '12:30',
    '190:20:30.15',
    '1__0',
  ],
  ...['2001-01-01', '2001-1-1 1:1:1', '2001-01-01T00:00:00Z', '9007199254740993', '10.0.0.1', 'v1.2.3', '---', '...', '--- a'],
  ...['- ', '? ', ': ', ' #', '#', '&', '*', '!', '|', '>', "'", '"', '%', '@', '`', '[', ']', '{', '}', ',', '-', '?', ':', '\\', '/'],
  ...[' ', '  ', '\t', '\n', '\n\n', '\r', '\r\n', '\0', '\x07', '\x1b', '\x7f', '\x85', '\x9f', '\xa0', '\u2028', '\u2029', '\ufeff'],
  ...[
    '\ufffe',
    '\uffff',
    '\ud83d',
    '\ude00',
    '\u{1f600}',
    '\u{1fffe}',
    'é',
    '漢字',
    'e',
    'E',
    '_',
    '.',
    '+',
    '0',
    '7',
    '9',
    'x',
    'a',
    'key',
    'n',
  ],
  ...[
    'key: |',
    'a: b',
    '# kpt-set: ${a}',
    '__proto__',
    'constructor',
    '\\n',
    '\\u0041',
    "''",
    '<',
    '==',
    '_1',
    '$',
    '${',
    '&a',
    '*a',
    '|2-',
  ],
]

const NUMBERS = [
  ...[0, 1, -1, 7, 420, 1e3, 2 ** 53 - 1, 2 ** 53, -(2 ** 63), 1e20, 1e21, 1.5e300, 5e-324, 1e-7, 0.1, -2.5, 1 / 3, 123456.789e-30],
  ...[Number.MAX_VALUE, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN],
  ...[9007199254740993n, -9223372036854775808n, 18446744073709551615n, 12345678901234567890n],
]

/** Beyond what may be a key on one line. */
const LONG = 'long '.repeat(300)

/** One to `most` pieces glued together; sometimes a character of any plane, sometimes a long text. */
export function nastyText(random: Random, most = 4): string {
  const pieces = Array.from({ length: 1 + random.below(most) }, () => nastyPiece(random))
  return random.oneIn(40) ? '' : pieces.join('')
}

function nastyPiece(random: Random): string {
  if (random.oneIn(20)) return String.fromCodePoint(random.below(0x110000))
  return random.oneIn(400) ? LONG.slice(0, random.below(LONG.length)) : random.pick(PIECES)
}

/** A value of any shape, `depth` levels at most; most are texts, since those are what readers differ on. */
export function nastyValue(random: Random, depth: number): JsonValue {
  const kind = random.below(depth > 0 ? 12 : 9)
  if (kind < 6) return nastyText(random, kind === 0 ? 12 : 4)
  if (kind < 9) return nastyScalar(random)
  return kind === 9 ? nastyList(random, depth - 1) : nastyRecord(random, depth - 1)
}

/** The same without numbers that no JSON has: those a function must not set. */
export function nastyJson(random: Random, depth: number): JsonValue {
  const value = nastyValue(random, depth)
  return findNotPlain(value) === undefined ? value : nastyJson(random, depth)
}

function nastyScalar(random: Random): JsonValue {
  if (random.oneIn(3)) return random.pick([null, true, false])
  return random.oneIn(2) ? random.pick(NUMBERS) : (random.below(2 ** 31) - 2 ** 30) / 10 ** random.below(12)
}

function nastyList(random: Random, depth: number): JsonValue {
  return Array.from({ length: random.below(4) }, () => nastyValue(random, depth))
}

function nastyRecord(random: Random, depth: number): JsonValue {
  const record: Record<string, JsonValue> = Object.create(null)
  const size = random.below(4)
  for (let i = 0; i < size; i++) record[nastyText(random)] = nastyValue(random, depth)
  return record
}
