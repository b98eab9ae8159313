import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { splitDocuments } from '../src/folder/split-documents.ts'
import { lostLines } from '../testdata/conformance-runner/mutations/kept-lines.ts'
import { copyFolder, differingFiles, readFolder } from './folder-copy.ts'
import { bundlePath, runProgram } from './run-program.ts'

const KPT = process.env.KPT ?? 'kpt'

beforeAll(async () => {
  console.log(`kpt ${await kpt('version')}`)
})

/** Runs kpt to its end; returns all that it printed, throws it when it failed. */
async function kpt(...args: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await runProgram(KPT, args)
  if (exitCode !== 0) throw new Error(`kpt ${args.join(' ')} ended with ${exitCode}\n${stdout}${stderr}`)
  return `${stdout}${stderr}`.trim()
}

const render = (folder: string): Promise<string> => kpt('fn', 'render', folder, '--allow-exec', '--truncate-output=false')
const evaluate = (folder: string, name: string, ...args: readonly string[]): Promise<string> =>
  kpt('fn', 'eval', folder, '--exec', bundlePath(name), '--truncate-output=false', ...args)

const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8')

/** Returns what a folder lost from its files without need; documents are compared one by one. */
function lost(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...before].flatMap(([path, text]) => {
    if (!/Kptfile$|\.yaml$/.test(path)) return []
    const [old, now] = [documents(text), documents(after.get(path) ?? '')]
    return old.flatMap((document, index) => lostLines(document, now[index] ?? '').map((line) => `${path}: ${line}`))
  })
}

function documents(file: string): readonly string[] {
  return splitDocuments(file).chunks.map(({ text }) => text)
}

describe('examples/set-context-with-others: the three functions of one variant, in one pipeline', () => {
  test('the first render mutates, the second runs what was prepended, the third changes nothing (seed 000 rule 37)', async () => {
    const folder = copyFolder('examples/set-context-with-others')
    const states = [readFolder(folder)]
    for (let round = 0; round < 3; round++) {
      const printed = await render(folder)
      const runs = [...printed.matchAll(/\[PASS\] "dist\/([a-z-]+)\.mjs"/g)].map(([, name]) => name)
      const own = ['set-context', 'prepend-pipeline', 'inject-config']
      expect(runs).toEqual(round === 0 ? own : ['set-context', ...own, 'inject-config'])
      states.push(readFolder(folder))
    }
    const [start = new Map(), first = new Map(), second = new Map(), third = new Map()] = states
    expect(differingFiles(start, first)).toEqual(['Kptfile', 'package-context.yaml', 'store.yaml'])
    expect(differingFiles(first, second)).toEqual(['package-context.yaml'])
    expect(second.get('package-context.yaml')).toContain('  store: lyon\n  currency: eur\n')
    expect(differingFiles(second, third)).toEqual([])
    expect(lost(start, third)).toEqual([])
  })

  test('a variant that asks for less takes its functions out again', async () => {
    const folder = copyFolder('examples/set-context-with-others')
    await render(folder)
    const variant = read(folder, 'package-variant.yaml')
    writeFileSync(join(folder, 'package-variant.yaml'), variant.replace(/ {2}pipeline:\n(?: {4}.*\n)*/, ''))
    await render(folder)
    expect(read(folder, 'Kptfile')).not.toContain('PackageVariant.')
    expect(read(folder, 'Kptfile')).not.toContain('validators')
  })

  test('a variant with a fault changes no file', async () => {
    const folder = copyFolder('examples/set-context-with-others')
    const variant = read(folder, 'package-variant.yaml')
    writeFileSync(join(folder, 'package-variant.yaml'), variant.replace('region: fr', 'name: other'))
    const before = readFolder(folder)
    await expect(render(folder)).rejects.toThrow("must not contain the key 'name'")
    expect(differingFiles(before, readFolder(folder))).toEqual([])
  })
})

test('examples/prepend-pipeline: prepended functions run from the second render on (seed 000 rule 13)', async () => {
  const folder = copyFolder('examples/prepend-pipeline')
  const start = readFolder(folder)
  await render(folder)
  expect(read(folder, 'Kptfile')).toContain('mutators:\n  - name: PackageVariant.store-lyon-checkout.region.0\n')
  expect(read(folder, 'package-context.yaml')).toContain('region: unknown')
  await render(folder)
  expect(read(folder, 'package-context.yaml')).toContain('region: fr # two letters\n  tier: test\n  currency: eur\n')
  const second = readFolder(folder)
  await render(folder)
  expect(differingFiles(second, readFolder(folder))).toEqual([])
  expect(lost(start, second)).toEqual([])
})

describe('examples/set-context', () => {
  test('only the lines of the package context that must change do', async () => {
    const folder = copyFolder('examples/set-context')
    const start = readFolder(folder)
    await render(folder)
    const first = readFolder(folder)
    expect(differingFiles(start, first)).toEqual(['package-context.yaml'])
    expect(first.get('package-context.yaml')).toBe(
      start.get('package-context.yaml')?.replace('region: unknown', 'region: fr').replace('tier: test', 'store: lyon'),
    )
    await render(folder)
    expect(differingFiles(first, readFolder(folder))).toEqual([])
  })

  test('values from the command line', async () => {
    const folder = copyFolder('examples/set-context')
    await evaluate(folder, 'set-context', '--', 'region=eu', 'open=yes', 'tills=012')
    expect(read(folder, 'package-context.yaml')).toContain('  region: eu # two letters\n  tier: test\n  open: "yes"\n  tills: "012"\n')
  })

  test('without arguments the variant among the items is taken', async () => {
    const folder = copyFolder('examples/set-context')
    await evaluate(folder, 'set-context')
    expect(read(folder, 'package-context.yaml')).toContain('  region: fr # two letters\n  store: lyon\n')
  })
})

describe('examples/inject-config', () => {
  test('points get what is below sources/, and a second render changes nothing', async () => {
    const folder = copyFolder('examples/inject-config')
    const start = readFolder(folder)
    await render(folder)
    const first = readFolder(folder)
    expect(differingFiles(start, first)).toEqual(['Kptfile', 'store.yaml'])
    expect(first.get('store.yaml')).toContain('  vlan: 340 # of the tills\n  # from here on handed out by DHCP\n  range: 10.34.0.0/20\n')
    expect(lost(start, first)).toEqual([])
    await render(folder)
    expect(differingFiles(first, readFolder(folder))).toEqual([])
  })

  test('the check names a stale point and its fields, and changes nothing', async () => {
    const folder = copyFolder('examples/inject-config')
    await render(folder)
    writeFileSync(join(folder, 'sources/stores.yaml'), read(folder, 'sources/stores.yaml').replace('vlan: 340', 'vlan: 341'))
    const before = readFolder(folder)
    const printed = await evaluate(folder, 'inject-config', '--', 'check=true')
    expect(printed).toContain("`spec` is stale: it was injected from 'lyon', which has changed since")
    expect(printed).toContain('differs in `spec.vlan`')
    expect(differingFiles(before, readFolder(folder))).toEqual([])
  })

  test('resources in the functionConfig', async () => {
    const folder = copyFolder('examples/inject-config')
    const config = `${folder}-config.yaml`
    writeFileSync(
      config,
      `apiVersion: fn.krm-variants.dev/v1alpha1
kind: InjectConfig
metadata:
  name: injection
spec:
  sources: [none]
  injectors:
  - name: made-up
  resources:
  - apiVersion: stores.example.com/v1
    kind: Network
    metadata:
      name: made-up
    spec:
      vlan: 0x10
`,
    )
    await evaluate(folder, 'inject-config', '--fn-config', config)
    expect(read(folder, 'store.yaml')).toContain('spec:\n  vlan: 0x10 # of the tills\n---\n')
  })
})
