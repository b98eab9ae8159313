import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { readRecord, readTranscripts } from '../testdata/cli/transcript.ts'

const FOLDER = fileURLToPath(new URL('../schemas/output', import.meta.url))
// What plan --out writes is no output that a transcript records: saved-plan.test.ts validates it. diff needs a repository: diff.test.ts.
const COMMANDS = readdirSync(FOLDER).flatMap((file) =>
  ['saved-plan.json', 'diff.json'].includes(file) ? [] : [file.replace(/\.json$/, '')],
)

describe.each(COMMANDS)('schemas/output/%s.json', (command) => {
  const schema: { readonly required: readonly string[] } = JSON.parse(readFileSync(`${FOLDER}/${command}.json`, 'utf8'))
  const recorded = readTranscripts().filter(({ args }) => args[0] === command && args.join(' ').includes('--format json'))
  const printed = recorded.map((transcript) => readRecord(transcript, 'stdout')).filter((text) => text !== '')

  test('has what every recorded run prints', () => {
    const ajv = new Ajv({ strict: false, allErrors: true })
    const faults = printed.map((text) => ajv.validate(schema, JSON.parse(text)) || ajv.errorsText())
    expect(faults).toEqual(printed.map(() => true))
    expect(printed.length).toBeGreaterThan(1)
  })

  test('requires the version of the format', () => {
    expect(schema.required).toContain('formatVersion')
  })
})
