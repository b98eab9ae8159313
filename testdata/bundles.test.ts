import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bundlePath, runProgram } from '../e2e/run-program.ts'
import { readGoldenCase } from './golden-case.ts'
import { CATALOG_NAMES, findFunctions, findGoldenFolders } from './golden-folders.ts'

// Every golden case once more, as kpt would run it: a process, stdin, stdout, an exit code; not those of other versions than the newest.
describe.each(findGoldenFolders().filter(({ folder }) => readGoldenCase(folder).version === undefined))(
  '$functionName/$caseName',
  ({ functionName, folder }) => {
    test.concurrent('the bundle writes what is recorded', async ({ expect }) => {
      const { input, exitCode, expectedFile } = readGoldenCase(folder)
      const isBuiltIn = CATALOG_NAMES.includes(functionName)
      const finished = await runProgram(bundlePath(isBuiltIn ? 'krm-variants' : functionName), isBuiltIn ? ['fn', functionName] : [], input)
      expect(finished.stdout.toString('latin1')).toBe(readFileSync(expectedFile, 'latin1'))
      expect(finished.exitCode).toBe(exitCode)
      expect(finished.stderr === '').toBe(exitCode === 0)
    })
  },
)

// For one character of another alphabet Node would hold the whole text in twice the space, and read it longer at every start.
test.each(['krm-variants', ...findFunctions()])('the bundle of %s is ASCII', (name) => {
  expect(readFileSync(bundlePath(name), 'utf8').match(/.{0,30}[^\0-\x7f].{0,30}/)?.[0]).toBeUndefined()
})
