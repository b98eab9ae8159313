import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import { formatDifference } from '../difference.ts'
import { casesOfList } from '../run-tree.ts'
import { judge } from '../verdict.ts'
import { PORCH_UPDATE } from './adapter.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'

function read(path: string): readonly JsonRecord[] {
  const file: JsonValue = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
  return casesOfList(file).filter(isRecord)
}

const VECTORS = ['copy-merge', 'fast-forward', 'force-delete-replace', 'resource-merge', 'resource-merge-more']

// Packages made for it, and what kpt 1.0.0-beta.56 made of them.
const DEVIATIONS = read('./deviations.json')

test.each(DEVIATIONS)('$name differs from kpt, by rows of the table', async (vector) => {
  const { outcome, judged } = await judge(PORCH_UPDATE, vector, 0)
  const unexplained = judged.filter(({ known }) => known === undefined).map(({ difference }) => formatDifference(difference))
  expect({ outcome, unexplained }).toEqual({ outcome: 'known', unexplained: [] })
})

test('every row of the table explains a difference', async () => {
  const vectors = [...DEVIATIONS, ...VECTORS.flatMap((name) => read(`../../conformance/porch/update/${name}.json`))]
  const used = new Set<unknown>()
  for (const vector of vectors) for (const { known } of (await judge(PORCH_UPDATE, vector, 0)).judged) used.add(known)
  expect(KNOWN_DIFFERENCES.filter((row) => !used.has(row)).map(({ row }) => row)).toEqual([])
})
