import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { beforeAll, describe, expect, test } from 'vitest'
import { readRecord, readTranscripts } from '../../testdata/cli/transcript.ts'
import { runProgram } from '../run-program.ts'
import { GO } from './present-hosts.ts'

const MODULE = 'github.com/owenrumney/go-sarif/v3@v3.3.1'

/** The SARIF 2.1.0 schema of OASIS, as a published Go module carries it in a string of its source. */
async function readSchema(): Promise<object> {
  const { stdout, stderr, exitCode } = await runProgram('go', ['mod', 'download', '-json', MODULE])
  if (exitCode !== 0) throw new Error(stderr)
  const { Dir }: { readonly Dir: string } = JSON.parse(stdout.toString())
  const source = readFileSync(join(Dir, 'pkg/report/v210/sarif/schema.go'), 'utf8')
  const [text = ''] = /\{[\s\S]*\}/.exec(source.slice(source.indexOf('`'), source.lastIndexOf('`'))) ?? []
  // Draft 04, of which ajv knows all but the names of these two.
  const { $schema: _, id: __, ...schema } = JSON.parse(text)
  return schema
}

describe.skipIf(!GO.present)('SARIF 2.1.0', () => {
  const recorded = readTranscripts().filter(({ args }) => args.join(' ').includes('--format sarif'))
  let validate: (report: unknown) => string[]

  beforeAll(async () => {
    const check = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(await readSchema())
    validate = (report) => (check(report) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`))
  })

  test('refuses what is none', () => {
    expect(validate({ version: '2.1.0', runs: [{ tool: {}, results: [{ level: 'bad' }] }] })).not.toEqual([])
  })

  test.each(recorded)('takes what $name prints', (transcript) => {
    expect(validate(JSON.parse(readRecord(transcript, 'stdout')))).toEqual([])
  })
})
