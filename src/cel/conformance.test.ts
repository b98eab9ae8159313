import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CEL } from '../../testdata/conformance-runner/cel/adapter.ts'
import type { JsonRecord } from '../json.ts'

const FOLDER = new URL('../../testdata/conformance/cel/', import.meta.url)

test.each(readdirSync(FOLDER))('%s: every answer is that of cel-go, or its difference is meant', (file) => {
  const vectors = CEL.cases(JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')))
  const differing = vectors.flatMap((vector) => CEL.run(vector).map((difference) => ({ vector, difference })))
  const unmeant = differing.filter(({ vector, difference }) => !isMeant(vector, difference))
  expect(vectors.length).toBeGreaterThan(500)
  expect(unmeant.map(({ vector, difference }) => `${String(vector.expr)}: ${difference}`)).toEqual([])
})

function isMeant(vector: JsonRecord, difference: string): boolean {
  return CEL.known.some(({ holds, shows }) => holds(vector) && shows.test(difference))
}
