import { nastyText } from './nasty-value.ts'
import type { Random } from './random.ts'

/** Lines on which YAML readers differ, or that end or continue what stands above. */
const LINES = [
  ...[
    '',
    ' ',
    '   ',
    '# comment',
    '  # comment',
    '-',
    '- ',
    '  -',
    '- a',
    '  - b: c',
    '- - d',
    '-\te',
    '---',
    '...',
    '%YAML 1.1',
    '? k',
    ': v',
  ],
  ...[
    'a:',
    '  b: c',
    'a: b: c',
    'key: "x',
    "key: 'x",
    'y',
    '  and more text',
    '  more: of it',
    '    \\ "',
    '  z"',
    "  z'",
    'l: |',
    'l: |-',
    'l: |+',
    'l: >',
    'l: |2',
    'l: |1-',
    'l: >-',
    'l: >+',
    'l: >2',
    '     text',
    'l: | # c',
    '  text',
    '    text',
  ],
  ...[
    'f: {a: b, c: [d, "e"]}',
    'f: [',
    ']',
    '  ]',
    '}',
    '{',
    ', a',
    'f: {a: b,',
    'f: [a,',
    '  b]',
    '{"a":1,"b":[true, null]}',
    '  "c": {"d":"e"},',
    '  c: d}',
    'n: &x 1',
    'n: *x',
    '<<: *x',
    'n: !!str 1',
    'n: &x',
    'n: !t &y',
    'n: !t |',
    'n: *x # c',
    '- &x',
    '- *x',
    '- !t {a: b}',
    'n: # c',
    'n:# c',
  ],
  ...[
    '"q": 1',
    "'q': 1",
    '"q\\n": 1',
    'u: \u2028',
    'u: a\tb',
    '\tu: 1',
    'u: 1\r',
    'u: "\\x41\\u00e9"',
    'e: ""',
    'e: # c',
    '- # c',
    '  e: 1 # c',
    'e: 1# c',
  ],
]

/** A text with one to three random changes, of lines and of characters. */
export function mutate(random: Random, text: string): string {
  let mutated = text
  for (let n = random.below(3); n >= 0; n--) mutated = random.oneIn(2) ? mutateLines(random, mutated) : mutateCharacters(random, mutated)
  return random.oneIn(12) ? mutated.replaceAll('\n', '\r\n') : mutated
}

function mutateLines(random: Random, text: string): string {
  const lines = text.split('\n')
  const at = random.below(lines.length)
  const line = lines[at] ?? ''
  const indent = /^ */.exec(line)?.[0] ?? ''
  const mutations: readonly (() => readonly string[])[] = [
    () => lines.toSpliced(at, 1),
    () => lines.toSpliced(at, 0, line),
    () => lines.toSpliced(at, 1, ` ${line}`),
    () => lines.toSpliced(at, 1, line.replace(/^ /, '')),
    () => lines.toSpliced(at, 0, indent + random.pick(LINES)),
    () => lines.toSpliced(at, 0, random.pick(LINES)),
    () => lines.toSpliced(at, 1, `${line}${random.pick([' ', '  ', ' # c', '#', ':', ': ', ' |', ' "', '\t', ' -', ' {}', ' []'])}`),
    () => lines.slice(0, at),
    () => [...lines.slice(0, at), lines.slice(at).join('\n').replaceAll('\n', '\n  ')],
    () => lines.toSpliced(at, 1, line.replace(/(?<=[:-])(?= |$)/, random.pick([' &x', ' !t', ' !!str', ' &y !t', ' *x']))),
    () => lines.toSpliced(at, 1, line.replace(/, (?=\w)/, random.pick([', # c\n', '\n, ', ',\n']))),
    () => lines.toSpliced(at, 1, line.replace(/: .*/, `: ${random.pick(LINES)}`)),
  ]
  return random.pick(mutations)().join('\n')
}

function mutateCharacters(random: Random, text: string): string {
  const at = random.below(text.length + 1)
  return text.slice(0, at) + (random.oneIn(4) ? '' : nastyText(random, 2)) + text.slice(at + random.below(3))
}
