import { type Attack, HEAD, ordinaryItems, readAll, repeat, WRAPPER } from './attack.ts'

const LAUGHS = `  spec:\n    a0: &a0 [lol, lol]\n${repeat(40, (n) => `    a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}, *a${n}, *a${n}, *a${n}, *a${n}, *a${n}, *a${n}]\n`)}`
const MERGES = repeat(30, (n) => `    m${n + 1}: &m${n + 1}\n      <<: [*m${n}, *m${n}, *m${n}]\n`)

function json(items: number): string {
  const data = { data: 'some text that is a value of this item', more: ['a', 1, true] }
  const list = Array.from({ length: items }, (_, n) => ({ apiVersion: 'v1', kind: 'A', metadata: { name: `a-${n}` }, spec: data }))
  return JSON.stringify({ apiVersion: 'config.kubernetes.io/v1', kind: 'ResourceList', items: list })
}

/** Attacks that are more work than an ordinary input of their size, of which a megabyte has 1,700 items. */
const COUNTED: ReadonlyMap<string, string> = new Map([
  ['200,000 items of nothing', '200,000 items'],
  ['a million items of nothing', '1,000,000 items'],
  ['100,000 items that are scalars', '100,000 items'],
])

/** Inputs that cost YAML readers more than their size. */
export const READING: readonly Attack[] = (
  [
    ['aliases of aliases (billion laughs)', 6, () => HEAD + LAUGHS],
    [
      'aliases of one large list',
      84,
      () => `${HEAD}  spec:\n    a: &a [${'x, '.repeat(10_000)}x]\n${repeat(1000, (n) => `    b${n}: *a\n`)}`,
    ],
    ['merge keys of merge keys', 6, () => `${HEAD}  spec:\n    m0: &m0 {k: v}\n${MERGES}`],
    ['an alias in a large list', 104, () => `${WRAPPER}${ordinaryItems(10)}- kind: A\n  a: &x 1\n  spec: *x\n${ordinaryItems(10)}`],
    ['aliases of anchors in other items', 43, () => `${WRAPPER}- kind: A\n  spec: &x {a: b}\n${'- kind: A\n  spec: *x\n'.repeat(30_000)}`],
    ['an anchor in each of many items', 260, () => `${WRAPPER}${'- kind: A\n  spec: &x\n    a: b\n    c: d\n'.repeat(20_000)}`],
    ['100,000 opening brackets', 110, () => `${HEAD}  spec: ${'['.repeat(100_000)}\n`],
    ['10,000 lines of 90 brackets', 174, () => `${HEAD}  spec:\n${`  - ${'['.repeat(90)}${']'.repeat(90)}\n`.repeat(10_000)}`],
    ['3,000 nested maps', 6, () => `${HEAD}  spec:\n${repeat(3000, (n) => `${' '.repeat(4 + n)}a:\n`)}`],
    ['50,000 dashes on a line', 42, () => `${HEAD}  spec:\n  ${'- '.repeat(50_000)}x\n`],
    ['100,000 explicit keys', 65, () => `${HEAD}  spec:\n    ${'? '.repeat(100_000)}x\n`],
    ['50,000 keys in one map', 17, () => `${HEAD}  spec:\n${repeat(50_000, (n) => `    k${n}: ${n}\n`)}`],
    ['50,000 keys in a map with a tag', 89, () => `${HEAD}  spec: !x\n${repeat(50_000, (n) => `    k${n}: ${n}\n`)}`],
    ['50,000 times one key', 67, () => `${HEAD}  spec:\n${repeat(50_000, () => '    k: 1\n')}`],
    ['keys of 10 MB', 6, () => `${HEAD}  spec:\n    ${'k'.repeat(10_000_000)}: 1\n`],
    ['10,000 keys of 900 characters', 18, () => `${HEAD}  spec:\n${repeat(10_000, (n) => `    ${'k'.repeat(900)}${n}: 1\n`)}`],
    ['200,000 items of nothing', 37, () => `${WRAPPER}${'- {}\n'.repeat(200_000)}`],
    ['a million items of nothing', 120, () => `${WRAPPER}${'- {}\n'.repeat(1_000_000)}`],
    ['more items than may be', 12, () => `${WRAPPER}${'- {}\n'.repeat(1_000_100)}`],
    ['100,000 items that are scalars', 27, () => `${WRAPPER}${'- x\n'.repeat(100_000)}`],
    ['an item that is a scalar in 20 MB', 61, () => `${WRAPPER}${ordinaryItems(20)}- x\n`],
    ['an item that is no YAML in 20 MB', 46, () => `${WRAPPER}${ordinaryItems(10)}- a: "\n${ordinaryItems(10)}`],
    ['20 MB behind a byte order mark', 45, () => `\ufeff${WRAPPER}${ordinaryItems(20)}`],
    ['20 MB with CRLF', 87, () => `${WRAPPER}${ordinaryItems(20)}`.replaceAll('\n', '\r\n')],
    ['20 MB with carriage returns alone', 6, () => `${WRAPPER}${ordinaryItems(20)}`.replaceAll('\n', '\r')],
    ['20 MB and the end of the document', 60, () => `${WRAPPER}${ordinaryItems(20)}...\n`],
    ['20 MB and a second document', 51, () => `${WRAPPER}${ordinaryItems(20)}---\na: b\n`],
    ['20 MB and an unknown key', 43, () => `${WRAPPER}${ordinaryItems(20)}other: key\n`],
    ['20 MB of something else', 6, () => 'hello world\n'.repeat(1_700_000)],
    ['20 MB of JSON', 152, () => json(150_000)],
    ['50,000 items in brackets', 53, () => `${WRAPPER.replace('items:\n', `items: [${'{kind: A, spec: {a: b}},'.repeat(50_000)}]\n`)}`],
    ['20 MB of comments', 13, () => `${HEAD}${'# a comment of no use\n'.repeat(900_000)}`],
    ['5,000,000 blank lines', 36, () => `${HEAD}${'\n'.repeat(5_000_000)}`],
    ['an unclosed quote of 10 MB', 15, () => `${HEAD}  spec: "${'x'.repeat(10_000_000)}\n`],
    ['a plain value of 20 MB', 12, () => `${HEAD}  spec: ${'x'.repeat(20_000_000)}\n`],
    ['a plain value of 2,000,000 words', 6, () => `${HEAD}  spec: ${'x '.repeat(2_000_000)}x\n`],
    ['a plain value of 500,000 lines', 52, () => `${HEAD}  spec: x\n${'    y\n'.repeat(500_000)}`],
    ['2,000,000 words in brackets', 6, () => `${HEAD}  spec: [${'x '.repeat(2_000_000)}x]\n`],
    ['2,000,000 values in brackets', 73, () => `${HEAD}  spec: [${'x, '.repeat(2_000_000)}x]\n`],
    ['200,000 lines in brackets', 16, () => `${HEAD}  spec: [\n${'    x,\n'.repeat(200_000)}    ]\n`],
    ['100,000 lines in brackets at column 0', 81, () => `${HEAD}  spec: [x\n${', y # c\n'.repeat(100_000)}]\n`],
    ['20 MB of escapes', 114, () => `${HEAD}  spec: "${'\\n'.repeat(10_000_000)}"\n`],
    ['20 MB of doubled quotes', 135, () => `${HEAD}  spec: '${"''".repeat(10_000_000)}'\n`],
    ['500,000 lines in quotes', 37, () => `${HEAD}  spec: "x\n${'    y\n'.repeat(500_000)}    z"\n`],
    ['200,000 blank lines in a block', 10, () => `${HEAD}  spec: |\n    x\n${'\n'.repeat(200_000)}    x\n`],
    ['200,000 blank lines in a block with a tag', 9, () => `${HEAD}  spec: !x |\n    x\n${'\n'.repeat(200_000)}    x\n`],
    ['200,000 blank lines behind a block', 6, () => `${HEAD}  spec: >\n    x\n${'\n'.repeat(200_000)}`],
    ['500,000 folded lines', 36, () => `${HEAD}  spec: >\n${'    a line\n'.repeat(500_000)}`],
    ['2,500,000 folded lines, a blank one behind each', 66, () => `${HEAD}  spec: >\n${'    a\n\n'.repeat(2_500_000)}`],
    ['2,500,000 lines of a block, a blank one behind each', 60, () => `${HEAD}  spec: |\n${'    a\n\n'.repeat(2_500_000)}`],
    ['2,500,000 plain lines, a blank one behind each', 129, () => `${HEAD}  spec: a\n${'    a\n\n'.repeat(2_500_000)}`],
    ['2,500,000 lines in quotes, a blank one behind each', 87, () => `${HEAD}  spec: "a\n${'    a\n\n'.repeat(2_500_000)}    a"\n`],
    ['20 MB in a block with a tag', 7, () => `${HEAD}  spec: !x |\n${'    a line of text\n'.repeat(1_000_000)}`],
    ['5 MB of tabs', 12, () => `${HEAD}  spec: x\n${'\t\n'.repeat(2_500_000)}`],
    ['keys of the prototype', 6, () => `${HEAD}  spec: {__proto__: {polluted: yes}, constructor: 1}\n`],
  ] as const
).map(([what, units, text]) => ({ what, units, text, fn: readAll, counted: COUNTED.get(what) }))
