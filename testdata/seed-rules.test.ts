import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readGoldenCase } from './golden-case.ts'
import { findGoldenFolders } from './golden-folders.ts'

const DOCUMENT = readFileSync(fileURLToPath(new URL('../docs/seed-rules.md', import.meta.url)), 'utf8')

/** A row of the tables of seeds 002 to 004: the function that shows the rule, or why none can. */
interface Row {
  readonly rule: number
  readonly where: string
}

function rowsOf(seed: string): Row[] {
  const [, section = ''] = DOCUMENT.split(`## Seed ${seed}`)
  const [table = ''] = section.split('\n## ')
  return [...table.matchAll(/^\| (\d+) \| .* \| (.*) \|$/gm)].map(([, rule, where = '']) => ({ rule: Number(rule), where }))
}

/** The rules that golden cases name: `seed 002 rule 7`, `seed 002 (dependencies.md 1.2) rules 7, 8 and 9`. */
const SHOWN = findGoldenFolders().flatMap(({ folder, functionName }) => {
  const { source = '' } = readGoldenCase(folder)
  return [...source.matchAll(/seed (00\d)(?: \(dependencies\.md 1\.\d\))? rules? ([\d, and]+)/g)].flatMap(([, seed = '', rules = '']) =>
    [...rules.matchAll(/\d+/g)].map(([rule]) => `${seed} ${rule} ${functionName}`),
  )
})

const SEEDS = [
  { seed: '002', rules: 17 },
  { seed: '003', rules: 27 },
  { seed: '004', rules: 10 },
]

describe.each(SEEDS)('seed $seed', ({ seed, rules }) => {
  const rows = rowsOf(seed)

  test('docs/seed-rules.md has every rule once, in order', () => {
    expect(rows.map(({ rule }) => rule)).toEqual(Array.from({ length: rules }, (_, i) => i + 1))
  })

  test('a golden case of each function that a row names shows the rule', () => {
    const wanted = rows.flatMap(({ rule, where }) =>
      [...where.matchAll(/(?:check|resolve)-dependencies/g)].map(([name]) => `${seed} ${rule} ${name}`),
    )
    expect(wanted.filter((each) => !SHOWN.includes(each))).toEqual([])
  })

  test('a row that names no function says why', () => {
    const others = rows.filter(({ where }) => !/(check|resolve)-dependencies/.test(where))
    expect(others.filter(({ where }) => !/^(no rule|not shown): .{20}/.test(where))).toEqual([])
  })
})
