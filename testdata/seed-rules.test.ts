import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readTranscripts } from './cli/transcript.ts'
import { readGoldenCase } from './golden-case.ts'
import { findGoldenFolders } from './golden-folders.ts'

const ROOT = new URL('..', import.meta.url)
const DOCUMENT = readFileSync(new URL('docs/seed-rules.md', ROOT), 'utf8')
/** The seeds with the number of rows of their tables: a lost row changes the number. */
const ROWS: Readonly<Record<string, number>> = { '000': 71, '001': 15, '002': 39, '003': 51, '004': 22 }
const SEEDS = Object.keys(ROWS)

/** A row of the table of a seed: a rule, and the places that show it or the reason why none does. */
interface Row {
  readonly rule: number
  readonly where: string
}

/** A place that names a rule: `fan-out` has a golden case, `cli` a transcript, a path is that of a test. */
interface Shown {
  readonly seed: string
  readonly rule: number
  readonly place: string
}

const linesOf = (seed: string): string[] => {
  const [, section = ''] = DOCUMENT.split(`\n## Seed ${seed}:`)
  return (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
}
const ROW = /^\| (\d+) \| [^|].* \| (\S.*) \|$/

function rowsOf(seed: string): Row[] {
  return linesOf(seed).flatMap((line) => {
    const [, rule, where = ''] = ROW.exec(line) ?? []
    return rule === undefined ? [] : [{ rule: Number(rule), where }]
  })
}

/** Returns the places of a row: `fan-out, cli` gives two; `not: REASON` gives none. */
function placesOf({ where }: Row): string[] {
  return where.startsWith('not: ') ? [] : where.split(', ').map((place) => place.replaceAll('`', ''))
}

/** Returns the rules that a text names: `seed 002 rule 7`, `seed 002 (dependencies.md 1.2) rules 7, 8 and 9`. */
function rulesIn(text: string, place: string): Shown[] {
  return [...text.matchAll(/seed (00\d)(?: \(dependencies\.md 1\.\d\))? rules? ([\d, and]+)/g)].flatMap(([, seed = '', rules = '']) =>
    [...rules.matchAll(/\d+/g)].map(([rule]) => ({ seed, rule: Number(rule), place })),
  )
}

const SOURCES = [
  ...findGoldenFolders().map(({ folder, functionName }) => ({ ...readGoldenCase(folder), folder, place: functionName })),
  ...readTranscripts().map((transcript) => ({ ...transcript, place: 'cli' })),
].map(({ folder, place, source = '' }) => ({ folder, place, source }))

const TESTS = SEEDS.flatMap((seed) => rowsOf(seed).flatMap(placesOf)).filter((place) => place.endsWith('.test.ts'))

const SHOWN = [
  ...SOURCES.flatMap(({ source, place }) => rulesIn(source, place)),
  ...[...new Set(TESTS)].flatMap((path) => {
    const file = fileURLToPath(new URL(path, ROOT))
    return existsSync(file) ? rulesIn(readFileSync(file, 'utf8'), path) : []
  }),
]

const print = ({ seed, rule, place }: Shown) => `seed ${seed} rule ${rule} ${place}`

describe.each(SEEDS)('seed %s', (seed) => {
  const rows = rowsOf(seed)
  const shown = SHOWN.filter((each) => each.seed === seed)

  test('each line of its table is a row with a number, a rule and a place, or a heading', () => {
    const headings = ['| rule | says | where |', '|---|---|---|']
    const others = linesOf(seed).filter((line) => !ROW.test(line) && !headings.includes(line) && !/^\| \*\*.+\*\* \| \| \|$/.test(line))
    expect(others).toEqual([])
    expect(rows.length).toBe(ROWS[seed])
  })

  test('each rule has one row', () => {
    const rules = rows.map(({ rule }) => rule)
    expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([])
  })

  test('each place of a row names the rule', () => {
    const wanted = rows.flatMap((row) => placesOf(row).map((place) => print({ seed, rule: row.rule, place })))
    expect(wanted.filter((each) => !shown.map(print).includes(each))).toEqual([])
  })

  test('a row without a place gives the reason', () => {
    const silent = rows.filter((row) => placesOf(row).length === 0)
    expect(silent.filter(({ where }) => !/^not: .{20}/.test(where))).toEqual([])
  })

  test('each rule that a case names has a row, and no row says that the rule is not shown', () => {
    const placed = rows.filter((row) => placesOf(row).length > 0).map(({ rule }) => rule)
    expect(shown.filter(({ rule }) => !placed.includes(rule)).map(print)).toEqual([])
  })
})

test('a case that names a seed names a rule', () => {
  const named = SOURCES.filter(({ source, place }) => /seed 00\d/.test(source) && rulesIn(source, place).length === 0)
  expect(named.map(({ folder }) => folder)).toEqual([])
})
