import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { recordRun } from '../testdata/cli/recorded-run.ts'
import { readTranscripts, recordOf } from '../testdata/cli/transcript.ts'

test.each(readTranscripts())('$name: $description', async (transcript) => {
  const { args, folder, environment, stdin } = transcript
  const finished = await recordRun(folder, args, { environment, read: async () => stdin })
  for (const stream of ['stdout', 'stderr'] as const) {
    const file = recordOf(transcript, stream)
    if (finished[stream] === '') expect(existsSync(file), `${file} is recorded, nothing was said`).toBe(false)
    else await expect(finished[stream]).toMatchFileSnapshot(file)
  }
  expect(finished.stdout + finished.stderr).not.toBe('')
  expect(finished.exitCode).toBe(transcript.exitCode)
})
