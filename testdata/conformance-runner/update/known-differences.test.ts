import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import { formatDifference } from '../difference.ts'
import { casesOfList } from '../run-tree.ts'
import { judge, type Verdict } from '../verdict.ts'
import { PORCH_UPDATE } from './adapter.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'

function read(path: string): readonly JsonRecord[] {
  const file: JsonValue = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
  return casesOfList(file).filter(isRecord)
}

const VECTORS = ['resource-merge', 'resource-merge-more', 'copy-merge', 'fast-forward', 'force-delete-replace']

// Packages made for it, and what kpt 1.0.0-beta.56 made of them.
const DEVIATIONS = read('./deviations.json')

const verdicts = new Map<JsonRecord, Promise<Verdict>>()

/** Runs a case when it is asked for first. */
function verdictOf(vector: JsonRecord): Promise<Verdict> {
  const verdict = verdicts.get(vector) ?? judge(PORCH_UPDATE, vector, 0)
  verdicts.set(vector, verdict)
  return verdict
}

test.each(DEVIATIONS)('$name differs from kpt, by rows of the table', async (vector) => {
  const { outcome, judged } = await verdictOf(vector)
  const unexplained = judged.filter(({ known }) => known === undefined).map(({ difference }) => formatDifference(difference))
  expect({ outcome, unexplained }).toEqual({ outcome: 'known', unexplained: [] })
})

test('every row of the table explains a difference', async () => {
  const unused = new Set(KNOWN_DIFFERENCES)
  for (const vector of [...DEVIATIONS, ...VECTORS.flatMap((name) => read(`../../conformance/porch/update/${name}.json`))]) {
    // The rows that are left explain nothing of the other vectors.
    if (![...unused].some(({ holds }) => holds?.(vector) !== false)) continue
    for (const { known } of (await verdictOf(vector)).judged) if (known !== undefined) unused.delete(known)
  }
  expect([...unused].map(({ row }) => row)).toEqual([])
})
