import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, test } from 'vitest'
import { placeOfRun, readRecord, readTranscripts } from '../testdata/cli/transcript.ts'
import { bundlePath, ROOT } from './run-program.ts'

/** The transcripts are of version 1.2.3. */
const { version: VERSION }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** Returns true for a transcript with a saved plan of version 1.2.3: a bundle of another version refuses the plan for the version alone. */
function holdsSavedPlan({ folder }: { readonly folder: string }): boolean {
  const plan = join(folder, 'input/plan.json')
  return existsSync(plan) && readFileSync(plan, 'utf8').includes('"version": "1.2.3"')
}

const copies = mkdtempSync(join(tmpdir(), 'krm-variants-transcripts-'))
afterAll(() => rmSync(copies, { recursive: true }))

// Every other transcript once more with the bundle, as a process in the folder of the case.
describe('dist/krm-variants.mjs', () => {
  test.concurrent.for(readTranscripts().filter((transcript) => !holdsSavedPlan(transcript)))('$name', async (transcript, { expect }) => {
    const { args, environment, stdin, exitCode } = transcript
    // By the path of Node: a transcript may have a PATH of its own.
    const child = spawn(process.execPath, [bundlePath('krm-variants'), ...args], {
      cwd: placeOfRun(transcript, copies),
      env: { PATH: process.env.PATH, ...environment },
    })
    child.stdin.on('error', () => {}).end(stdin)
    const [stdout, stderr, [ended]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    expect({ stdout: stdout.replaceAll(`"version": "${VERSION}"`, '"version": "1.2.3"'), stderr, exitCode: ended }).toEqual({
      stdout: readRecord(transcript, 'stdout'),
      stderr: readRecord(transcript, 'stderr'),
      exitCode,
    })
  })
})
