import { cpSync, existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { recordRun } from '../testdata/cli/recorded-run.ts'
import { readTranscripts, recordOf, type Transcript } from '../testdata/cli/transcript.ts'
import { testFolder } from '../testdata/test-folder.ts'

/**
 * Returns the folder in which a transcript runs. `convert` reads every file of the repository around a tree, and this repository has
 * thousands: a copy has only its own.
 */
function folderOf({ args, folder }: Transcript): string {
  if (args[0] !== 'convert') return folder
  const copy = testFolder()
  cpSync(folder, copy, { recursive: true })
  return copy
}

test.each(readTranscripts())('$name: $description', async (transcript) => {
  const { args, environment, stdin } = transcript
  const finished = await recordRun(folderOf(transcript), args, { environment, read: async () => stdin })
  for (const stream of ['stdout', 'stderr'] as const) {
    const file = recordOf(transcript, stream)
    if (finished[stream] === '') expect(existsSync(file), `${file} is recorded, nothing was said`).toBe(false)
    else await expect(finished[stream]).toMatchFileSnapshot(file)
  }
  expect(finished.stdout + finished.stderr).not.toBe('')
  expect(finished.exitCode).toBe(transcript.exitCode)
})
