import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testFolder } from '../testdata/test-folder.ts'
import { differingFiles, readFolder } from './folder-copy.ts'
import { bumpVariants, editPackages } from './render/edits.ts'
import { meaningOf } from './render/workspace.ts'
import { bundlePath, ROOT, runProgram } from './run-program.ts'

const KPT = process.env.KPT ?? 'kpt'

/** One folder with the example fleet and its catalog, since a function sees nothing else. */
function makeFolder(): string {
  const folder = testFolder()
  for (const name of ['fleet', 'catalog']) cpSync(join(ROOT, 'examples', name), join(folder, name), { recursive: true })
  rmSync(join(folder, 'fleet/render.yaml'))
  return folder
}

/** The options lie beside the folder: kpt does not send them twice. */
function optionsFor(folder: string): string {
  const path = `${folder}.yaml`
  onTestFinished(() => rmSync(path, { force: true }))
  writeFileSync(
    path,
    'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata:\n  name: options\nspec:\n  out: clusters\n  fleet: example\n',
  )
  return path
}

async function asFunction(folder: string): Promise<void> {
  const options = ['--exec', bundlePath('render-variants'), '--fn-config', optionsFor(folder)]
  const { stderr, exitCode } = await runProgram(KPT, ['fn', 'eval', folder, ...options])
  if (exitCode !== 0) throw new Error(stderr)
}

async function asTool(folder: string): Promise<void> {
  const options = ['--config', optionsFor(folder), '--no-fan-out', '--no-run']
  const { stderr, exitCode } = await runProgram(bundlePath('krm-variants'), ['render', folder, ...options])
  if (exitCode !== 0) throw new Error(stderr)
}

/** Returns what the resources of the packages say: a function sees no other file. */
function resourcesIn(folder: string): ReadonlyMap<string, unknown> {
  const files = [...readFolder(join(folder, 'clusters'))].filter(([path]) => /\.yaml$|(^|\/)Kptfile$/.test(path))
  return meaningOf(new Map(files))
}

test('under kpt the function makes and updates the packages that the tool makes, and a run more changes nothing', async () => {
  const [byFunction, byTool] = [makeFolder(), makeFolder()]
  await asFunction(byFunction)
  await asTool(byTool)
  expect(resourcesIn(byFunction)).toEqual(resourcesIn(byTool))
  expect(resourcesIn(byFunction).size).toBeGreaterThan(100)
  for (const folder of [byFunction, byTool]) {
    editPackages(join(folder, 'clusters'))
    bumpVariants(join(folder, 'fleet'))
  }
  await asFunction(byFunction)
  await asTool(byTool)
  expect(resourcesIn(byFunction)).toEqual(resourcesIn(byTool))
  const before = readFolder(byFunction)
  await asFunction(byFunction)
  expect(differingFiles(before, readFolder(byFunction))).toEqual([])
})
