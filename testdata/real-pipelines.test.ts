import { cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readFolders, runFolders, type WrittenFolders, writeRuns } from '../cli/run/run-folders.ts'
import { finish } from '../src/progress.ts'
import { CATALOG_BUILTINS } from '../src/render/runs/catalog-builtins.ts'
import { FunctionError } from '../src/result.ts'
import { SHARED_MUST_BE_THERE } from './shared-folder.ts'

// Packages of public repositories, with the functions that are built in and nothing else. What kpt makes of the same packages with the real
// functions is compared in `npm run conformance`.
const REAL = '../shared/real/packages'
const there = SHARED_MUST_BE_THERE || existsSync(REAL)

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'real-pipelines-')))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a package. Returns the rules of the errors if nothing was run. */
function run(dir: string): WrittenFolders | readonly string[] {
  try {
    const read = readFolders([dir], { locate: (path) => path })
    const runners = { builtins: CATALOG_BUILTINS, programs: new Map(), allowExec: false, imagePrefix: undefined, program: () => neverRun }
    return writeRuns(finish(runFolders(read, runners, { status: false })), { dryRun: false, diff: false })
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    return error.results.filter(({ severity }) => severity === 'error').map(({ tags }) => tags.rule)
  }
}

function neverRun(): never {
  throw new Error('a program was run')
}

/** The number of packages that ran functions without a failure. */
let withFunctions = 0

const packages = there ? readdirSync(REAL, { withFileTypes: true }).filter((entry) => entry.isDirectory()) : []

test.skipIf(!there).each(packages)('a second run of $name changes nothing', ({ name }) => {
  const dir = join(folder, name)
  cpSync(join(REAL, name), dir, { recursive: true })
  const first = run(dir)
  const second = run(dir)
  if (!('files' in first)) {
    expect(first).not.toEqual([])
    expect(second).toEqual(first)
    return
  }
  expect(second).toMatchObject({ files: [], failed: first.failed, functionsRun: first.functionsRun })
  if (first.failed === 0 && first.functionsRun > 0) withFunctions += 1
})

test.skipIf(!there)('at least nine packages ran functions', () => {
  expect(withFunctions).toBeGreaterThanOrEqual(9)
})
