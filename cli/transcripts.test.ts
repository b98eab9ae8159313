import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { recordRun } from '../testdata/cli/recorded-run.ts'
import { placeOfRun, readTranscripts, recordOf } from '../testdata/cli/transcript.ts'

const copies = mkdtempSync(join(tmpdir(), 'krm-variants-transcripts-'))
afterAll(() => rmSync(copies, { recursive: true }))

test.each(readTranscripts())('$name: $description', async (transcript) => {
  const { args, environment, stdin } = transcript
  const finished = await recordRun(placeOfRun(transcript, copies), args, { environment, read: async () => stdin })
  for (const stream of ['stdout', 'stderr'] as const) {
    const file = recordOf(transcript, stream)
    if (finished[stream] === '') expect(existsSync(file), `${file} is recorded, nothing was said`).toBe(false)
    else await expect(finished[stream]).toMatchFileSnapshot(file)
  }
  expect(finished.stdout + finished.stderr).not.toBe('')
  expect(finished.exitCode).toBe(transcript.exitCode)
})
