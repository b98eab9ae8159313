import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'vitest'
import { readRecord, readTranscripts } from '../testdata/cli/transcript.ts'
import { bundlePath, ROOT } from './run-program.ts'

/** The transcripts are of version 1.2.3. */
const { version: VERSION }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

// Every transcript once more with the bundle, as a process in the folder of the case.
describe('dist/krm-variants.mjs', () => {
  test.concurrent.for(readTranscripts())('$name', async (transcript, { expect }) => {
    const { args, folder, environment, stdin, exitCode } = transcript
    const child = spawn(bundlePath('krm-variants'), args, { cwd: folder, env: { PATH: process.env.PATH, ...environment } })
    child.stdin.on('error', () => {}).end(stdin)
    const [stdout, stderr, [ended]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    expect({ stdout: stdout.replaceAll(`"version": "${VERSION}"`, '"version": "1.2.3"'), stderr, exitCode: ended }).toEqual({
      stdout: readRecord(transcript, 'stdout'),
      stderr: readRecord(transcript, 'stderr'),
      exitCode,
    })
  })
})
