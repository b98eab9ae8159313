import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'

const SCHEMA = JSON.parse(readFileSync(new URL('../../schemas/output/plan.json', import.meta.url), 'utf8'))
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(SCHEMA)

function faultsOf(text: string): readonly string[] {
  return validate(JSON.parse(text)) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

test.each([
  { reason: 'a plan in full', options: [] },
  { reason: 'a part of it', options: ['--only', 'create'] },
  { reason: 'as much as fits', options: ['--max-chars', '3000'] },
  { reason: 'the least that fits', options: ['--max-chars', '700'] },
])('$reason of the example fleet is what the schema says', async ({ options }) => {
  const { stdout } = await recordRun('.', ['plan', 'examples/fleet', '--format', 'json', ...options])
  expect(faultsOf(stdout)).toEqual([])
})

test('the schema refuses what it does not know', () => {
  expect(faultsOf('{"formatVersion": 1, "counts": {}, "sets": [], "results": [], "more": 1}')).not.toEqual([])
})
