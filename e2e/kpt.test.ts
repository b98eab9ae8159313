import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { copyFolder, differingFiles, readFolder } from './folder-copy.ts'
import { bundlePath, ROOT, runProgram } from './run-program.ts'

const KPT = process.env.KPT ?? 'kpt'
const FAN_OUT = bundlePath('fan-out')
// What kpt does to files by itself is what it does around a function that does nothing.
const IDENTITY = 'cat'

beforeAll(async () => {
  console.log(`kpt ${await kpt('version')}`)
})

const MODES: readonly { readonly mode: string; readonly run: (folder: string, exec: string) => Promise<string> }[] = [
  { mode: 'fn eval --exec', run: (folder, exec) => kpt('fn', 'eval', folder, '--exec', exec, '--truncate-output=false') },
  { mode: 'fn render --allow-exec', run: renderWith },
]

describe.each(MODES)('kpt $mode on examples/fleet', ({ run }) => {
  test('fan-out adds its variants and leaves every other file as kpt itself would', async () => {
    const [fleet, untouched] = [copyFolder('examples/fleet'), copyFolder('examples/fleet')]
    await run(fleet, FAN_OUT)
    await run(untouched, IDENTITY)
    const changed = differingFiles(readFolder(untouched), readFolder(fleet)).filter((path) => path !== 'Kptfile')
    expect(changed.length).toBeGreaterThan(0)
    expect(changed.filter((path) => !/^(.*\/)?variants\/[^/]+\/[^/]+\.yaml$/.test(path))).toEqual([])
  })

  test('a second run changes nothing: every render is a run (seed 001 rule 81)', async () => {
    const fleet = copyFolder('examples/fleet')
    await run(fleet, FAN_OUT)
    const first = readFolder(fleet)
    await run(fleet, FAN_OUT)
    expect(differingFiles(first, readFolder(fleet))).toEqual([])
  })
})

// What prepend-pipeline writes into a Kptfile runs in the render after it: two renders to get there, a third to stay.
test('the repository is a package of which only the examples are read, and comes to rest', async () => {
  const examples = copyFolder('examples')
  const root = dirname(examples)
  renameSync(examples, join(root, 'examples'))
  for (const file of ['Kptfile', '.krmignore', 'package.json', 'tsconfig.json']) copyFileSync(join(ROOT, file), join(root, file))
  // The fleet names an image, for which kpt needs a container runtime.
  runByProgram(join(root, 'examples/fleet'), FAN_OUT)
  const render = (): Promise<string> => kpt('fn', 'render', root, '--allow-exec')
  await render()
  await render()
  const second = readFolder(root)
  await render()
  expect(differingFiles(second, readFolder(root))).toEqual([])
})

/** Renders the fleet by the pipeline of its own Kptfile, with `exec` in the place of fan-out. */
async function renderWith(folder: string, exec: string): Promise<string> {
  const kptfile = join(folder, 'Kptfile')
  writeFileSync(
    kptfile,
    readFileSync(kptfile, 'utf8').replace(/image: .*\/fan-out:.*/, () => `exec: ${exec}`),
  )
  return kpt('fn', 'render', folder, '--allow-exec', '--truncate-output=false')
}

/** Runs kpt to its end; returns what it printed, throws all of it when it failed. */
async function kpt(...args: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await runProgram(KPT, args)
  if (exitCode !== 0) throw new Error(`kpt ${args.join(' ')} ended with ${exitCode}\n${stdout}${stderr}`)
  return stdout.toString().trim()
}

/** Writes a program in the place of the image of fan-out into the Kptfile of a fleet. */
function runByProgram(folder: string, exec: string): void {
  const kptfile = join(folder, 'Kptfile')
  writeFileSync(
    kptfile,
    readFileSync(kptfile, 'utf8').replace(/image: .*\/fan-out:.*/, () => `exec: ${exec}`),
  )
}
