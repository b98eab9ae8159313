import { expect, test } from 'vitest'
import { unitsOf } from '../../testdata/processor-time.ts'
import { evaluate } from '../run.ts'

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n'

/** Reads everything, as a function that looks at all values would. */
function readAll(text: string) {
  return evaluate((list) => {
    for (const item of list.items) item.get(['spec'])
  }, text)
}

function repeat(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('')
}

const LAUGHS = `  spec:\n    a0: &a0 [lol, lol]\n${repeat(40, (n) => `    a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}, *a${n}, *a${n}, *a${n}, *a${n}, *a${n}, *a${n}]\n`)}`

/** Units of processor time that an attack may take: three times what the worst of them needs, which is less than two seconds. */
const PATIENCE = 105

// Attacks on YAML readers: each ends in an error or a right answer.
test.each([
  { reason: 'billion laughs', text: HEAD + LAUGHS },
  {
    reason: 'aliases of one large list',
    text: `${HEAD}  spec:\n    a: &a [${'x, '.repeat(10_000)}x]\n${repeat(1000, (n) => `    b${n}: *a\n`)}`,
  },
  {
    reason: 'a merge bomb',
    text: `${HEAD}  spec:\n    m0: &m0 {k: v}\n${repeat(30, (n) => `    m${n + 1}: &m${n + 1}\n      <<: [*m${n}, *m${n}, *m${n}]\n`)}`,
  },
  { reason: '100,000 opening brackets', text: `${HEAD}  spec: ${'['.repeat(100_000)}\n` },
  { reason: '3,000 nested maps', text: `${HEAD}  spec:\n${repeat(3000, (n) => `${' '.repeat(4 + n)}a:\n`)}` },
  { reason: '50,000 dashes', text: `${HEAD}  spec:\n  ${'- '.repeat(50_000)}x\n` },
  { reason: '100,000 explicit keys', text: `${HEAD}  spec:\n    ${'? '.repeat(100_000)}x\n` },
  { reason: '50,000 keys in one map', text: `${HEAD}  spec:\n${repeat(50_000, (n) => `    k${n}: ${n}\n`)}` },
  { reason: '50,000 keys in one map that needs the full parser', text: `${HEAD}  spec: !x\n${repeat(50_000, (n) => `    k${n}: ${n}\n`)}` },
  { reason: '20,000 items of nothing', text: `${HEAD}${'- {}\n'.repeat(20_000)}` },
  { reason: '100,000 comments', text: `${HEAD}${'# c\n'.repeat(100_000)}` },
  { reason: 'an unclosed quote of 10 MB', text: `${HEAD}  spec: "${'x'.repeat(10_000_000)}\n` },
  { reason: 'a plain value of 20 MB', text: `${HEAD}  spec: ${'x'.repeat(20_000_000)}\n` },
  { reason: 'a plain value of 2,000,000 words', text: `${HEAD}  spec: ${'x '.repeat(2_000_000)}x\n` },
  { reason: '2,000,000 words in brackets', text: `${HEAD}  spec: [${'x '.repeat(2_000_000)}x]\n` },
  { reason: '200,000 blank lines in a block', text: `${HEAD}  spec: |\n    x\n${'\n'.repeat(200_000)}    x\n` },
  {
    reason: '200,000 blank lines in a block that needs the full parser',
    text: `${HEAD}  spec: !x |\n    x\n${'\n'.repeat(200_000)}    x\n`,
  },
  { reason: '200,000 blank lines behind a block', text: `${HEAD}  spec: >\n    x\n${'\n'.repeat(200_000)}` },
  { reason: 'keys of the prototype', text: `${HEAD}  spec: {__proto__: {polluted: yes}, constructor: 1}\n` },
])('$reason', ({ text }) => {
  const { units, value: outcome } = unitsOf(() => readAll(text))
  expect(units).toBeLessThan(PATIENCE)
  expect(outcome.exitCode === 0 ? outcome.stdout === text : outcome.stderr !== '').toBe(true)
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})
