import { describe, expect, test } from 'vitest'
import { CATALOG, evaluateCatalogFunction } from '../src/catalog/catalog.ts'
import { evaluate, type KrmFunction, type Outcome } from '../src/run.ts'
import { type GoldenCase, readGoldenCase } from './golden-case.ts'
import { CATALOG_NAMES, findCollections, findFunctions, findGoldenFolders, findStrays } from './golden-folders.ts'

test('every function has golden cases, every collection of cases a function', () => {
  expect(findCollections().sort()).toEqual([...findFunctions(), ...CATALOG_NAMES].sort())
})

test('no file lies in a collection that is no part of a case', () => {
  expect(findStrays()).toEqual([])
})

describe.each(findGoldenFolders())('$functionName/$caseName', ({ functionName, folder }) => {
  let first: Promise<FirstRun> | undefined
  const firstRun = () => {
    first ??= runCase(functionName, readGoldenCase(folder))
    return first
  }

  test('writes what is recorded', async () => {
    const { golden, outcome } = await firstRun()
    await expect(outcome.stdout).toMatchFileSnapshot(golden.expectedFile)
    expect(outcome.exitCode).toBe(golden.exitCode)
    expect(outcome.stderr === '').toBe(golden.exitCode === 0)
  })

  test('a second run changes nothing, unless the case says why', async () => {
    const { golden, evaluated, outcome } = await firstRun()
    const { stdout } = outcome
    const again = evaluated(stdout)
    if (golden.notIdempotent === undefined) expect(again).toMatchObject({ stdout, exitCode: golden.exitCode })
    else expect(again.stdout, 'the reason in `notIdempotent` no longer holds').not.toBe(stdout)
  })
})

/** The run of a case on its input, from which the tests of the case begin. */
interface FirstRun {
  readonly golden: GoldenCase
  readonly evaluated: (input: string) => Outcome
  readonly outcome: Outcome
}

async function runCase(functionName: string, golden: GoldenCase): Promise<FirstRun> {
  const evaluated = await evaluatorOf(functionName, golden.version)
  return { golden, evaluated, outcome: evaluated(golden.input) }
}

/** The function of a folder: functions/fan-out/fan-out.ts exports fanOut; one of the catalog in a version, by default the newest. */
async function evaluatorOf(name: string, version?: string): Promise<(input: string) => Outcome> {
  const builtIn = CATALOG.find((fn) => fn.name === name)
  if (builtIn !== undefined) return (input) => evaluateCatalogFunction(builtIn, version ?? builtIn.versions[0] ?? '', input)
  const exportName = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const module: Record<string, KrmFunction> = await import(`../functions/${name}/${name}.ts`)
  const fn = module[exportName]
  if (fn === undefined) throw new Error(`functions/${name}/${name}.ts must export ${exportName}`)
  return (input) => evaluate(fn, input)
}
