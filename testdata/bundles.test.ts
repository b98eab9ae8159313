import { readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { bundlePath, runProgram } from '../e2e/run-program.ts'
import { readGoldenCase } from './golden-case.ts'
import { findGoldenFolders } from './golden-folders.ts'

// Every golden case once more, as kpt would run it: a process, stdin, stdout, an exit code.
describe.each(findGoldenFolders())('$functionName/$caseName', ({ functionName, folder }) => {
  test.concurrent('the bundle writes what is recorded', async ({ expect }) => {
    const { input, exitCode, expectedFile } = readGoldenCase(folder)
    const finished = await runProgram(bundlePath(functionName), [], input)
    expect(finished.stdout.toString('latin1')).toBe(readFileSync(expectedFile, 'latin1'))
    expect(finished.exitCode).toBe(exitCode)
    expect(finished.stderr === '').toBe(exitCode === 0)
  })
})
