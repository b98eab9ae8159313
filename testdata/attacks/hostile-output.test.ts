import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { recordRun } from '../cli/recorded-run.ts'
import { testFolder } from '../test-folder.ts'
import { filesOf, HOSTILE, MARKUP, OUTPUT_ATTACKS, type OutputAttack } from './hostile-output.ts'

function run(attack: OutputAttack) {
  const root = testFolder()
  for (const [path, text] of Object.entries(filesOf(attack))) {
    const place = join(root, 'fleet', path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, text)
  }
  return recordRun(root, attack.args, { read: async () => attack.stdin ?? '' })
}

const ESC = '\u001b'
const COLOURS = new RegExp(`${ESC}\\[(?:0|1|2|31|32|33|35)m`, 'g')
const RANGES = '\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\u{e0000}-\\u{e0fff}'
const UNSEEN = new RegExp(`[${RANGES}]`, 'u')

/** A page has scripts and styles of its own: what it shows is its data. */
function shownOf(stdout: string): string {
  return /<script type="application\/json" id="data">(.*)<\/script>/.exec(stdout)?.[1] ?? stdout
}

function formatOf({ args }: OutputAttack): string {
  return args[args.indexOf('--format') + 1] ?? ''
}

const named = OUTPUT_ATTACKS.map((attack) => {
  const words = attack.args.map((arg) => (arg.includes(HOSTILE) ? 'HOSTILE' : arg.startsWith('"') ? 'TEXT' : arg))
  return { what: `${words.join(' ')} (${attack.fleet}${attack.markup === true ? ', markup' : ''})`, attack }
})

test.each(named)('$what prints text', async ({ attack }) => {
  const { stdout, stderr } = await run(attack)
  expect(stdout + stderr).not.toBe('')
  expect(stderr).not.toContain('this is a bug')
  const isColoured = attack.args.includes('--color')
  for (const text of [shownOf(stdout), stderr]) {
    const plain = isColoured ? text.replaceAll(COLOURS, '') : text
    expect(UNSEEN.exec(plain)?.index ?? -1, JSON.stringify(plain.slice((UNSEEN.exec(plain)?.index ?? 0) - 60).slice(0, 100))).toBe(-1)
    const isAnnotated = formatOf(attack) === 'github' && text !== stderr
    const lines = plain.split('\n').filter((line) => !(isAnnotated && /^::(?:error|warning|notice) [^:]*::/.test(line)))
    expect(lines.filter((line) => /^\s*::|##\[|^FORGED/.test(line))).toEqual([])
  }
})

test.each(named.filter(({ attack }) => ['json', 'sarif', 'html'].includes(formatOf(attack))))('$what is JSON', async ({ attack }) => {
  const { stdout } = await run(attack)
  expect(typeof JSON.parse(shownOf(stdout))).toBe('object')
})

test('JSON has the exact value, and so have lines of JSON', async () => {
  const { stdout } = await run({ args: ['cel', '--jsonl'], fleet: 'sound', stdin: JSON.stringify({ expr: 'a', vars: { a: HOSTILE } }) })
  expect(JSON.parse(stdout)).toEqual({ phase: 'ok', value: HOSTILE })
  expect((await run({ args: ['plan', '--format', 'json', 'fleet'], fleet: 'sound' })).stdout).toContain(
    JSON.stringify(HOSTILE).slice(1, 10),
  )
})

/** The lines of Markdown outside of fenced blocks, without their code spans and escaped characters. */
function proseOf(markdown: string): string {
  const prose: string[] = []
  let fence: string | undefined
  for (const line of markdown.split('\n')) {
    const run = /^ *(`{3,})/.exec(line)?.[1]
    if (fence === undefined && run !== undefined) fence = run
    else if (fence !== undefined && run !== undefined && run.length >= fence.length && /^ *`+$/.test(line)) fence = undefined
    else if (fence === undefined) prose.push(line.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, ' ').replaceAll(/\\[!-/:-@[-`{-~]/g, ' '))
  }
  expect(fence).toBeUndefined()
  return prose.join('\n')
}

test.each(named.filter(({ attack }) => formatOf(attack) === 'markdown'))('$what mentions nobody', async ({ attack }) => {
  const { stdout } = await run(attack)
  const prose = proseOf(stdout)
  expect(prose.replaceAll('<br>', '')).not.toMatch(/[<>[\]]|&\w|~~|:\/\/|www\.|(?<!\w)@\w|#\d|GH-\d|\b[0-9a-f]{16}\b/)
  expect(prose.match(/^#.*/gm)?.length ?? 0).toBeLessThan(2)
  if (attack.markup === true) expect(stdout).toContain(MARKUP.slice(0, 5))
})

test('ordinary text stays as it is', async () => {
  const expression = "'ü 日本 عربى 😀 👩‍💻 → …'"
  const { stdout } = await run({ args: ['cel', expression], fleet: 'sound' })
  expect(stdout).toBe('ü 日本 عربى 😀 👩‍💻 → …\n')
})
