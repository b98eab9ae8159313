import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readTranscripts, recordOf, type Transcript } from '../testdata/cli/transcript.ts'
import { krmVariants } from './krm-variants.ts'

/** Runs the tool as its process would be, and remembers what it says. */
async function run({ args, folder, environment, stdin }: Transcript) {
  const said = { stdout: '', stderr: '' }
  const exitCode = await krmVariants(args, {
    read: async () => stdin,
    write: (text) => {
      said.stdout += text
    },
    warn: (text) => {
      said.stderr += text
    },
    locate: (path) => resolve(folder, path),
    environment,
    isTerminal: false,
    isErrorTerminal: false,
    onInterrupt: () => {},
    version: '1.2.3',
  })
  return { ...said, exitCode }
}

test.each(readTranscripts())('$name: $description', async (transcript) => {
  const finished = await run(transcript)
  for (const stream of ['stdout', 'stderr'] as const) {
    const file = recordOf(transcript, stream)
    if (finished[stream] === '') expect(existsSync(file), `${file} is recorded, nothing was said`).toBe(false)
    else await expect(finished[stream]).toMatchFileSnapshot(file)
  }
  expect(finished.stdout + finished.stderr).not.toBe('')
  expect(finished.exitCode).toBe(transcript.exitCode)
})
