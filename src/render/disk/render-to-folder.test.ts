import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OneVariantFleet } from '../../../testdata/one-variant-fleet.ts'
import { configMapText, kptfileText, writtenObject } from '../../../testdata/written-objects.ts'
import { finish } from '../../progress.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError, type Result } from '../../result.ts'
import type { RenderOptions } from '../options.ts'
import { functionsOf, pipelineKptfile, type TestFunctions } from '../testing/functions-of.ts'
import type { FolderRequest } from './folder-request.ts'
import { renderToFolder } from './render-to-folder.ts'

const files = (value: string, Kptfile = kptfileText('shop')) => ({ Kptfile, 'a.yaml': configMapText('a', `data:\n  value: ${value}\n`) })

/** Returns the variant of the package `edge/NAME`, which is made from `catalog/PACKAGE` at a revision. */
function variant(name: string, revision = 1, packageName = 'shop'): KrmObject {
  return writtenObject(
    `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: edge-${name}}
spec:
  upstream: {repo: catalog, package: ${packageName}, revision: ${revision}}
  downstream: {repo: edge, package: ${name}}
`,
    `${name}.yaml`,
  )
}

interface Asked extends Partial<Pick<FolderRequest, 'isDryRun' | 'failFast' | 'look'>> {
  readonly variants: readonly KrmObject[]
  readonly options?: Partial<RenderOptions>
  readonly functions?: TestFunctions
}

function render(fleet: OneVariantFleet, { variants, options = {}, functions, isDryRun = false, ...more }: Asked) {
  const plan = fleet.plan(variants, options)
  return finish(renderToFolder({ ...plan, ...more, ...(functions && { functions: functionsOf(functions) }), isDryRun }))
}

/** Returns the errors of a run that is refused. */
function refusal(run: () => unknown): readonly Result[] {
  try {
    run()
  } catch (error) {
    if (error instanceof FunctionError) return error.results
    throw error
  }
  return []
}

const isThere = (fleet: OneVariantFleet, path: string) => existsSync(join(fleet.root, 'out/edge', path))
const rulesOf = (results: readonly Result[]) => results.map(({ severity, tags }) => `${severity} ${tags.rule}`)
const PIPED = files('one', pipelineKptfile('image: test.io/run'))
const fail = () => ({ exitCode: 1 })

test('a run reports the end of each package, by its variant and counted', () => {
  const fleet = new OneVariantFleet({ v1: files('one'), v2: files('two') })
  render(fleet, { variants: [variant('a'), variant('b')] })
  const { fates, variants } = render(fleet, { variants: [variant('a', 2), variant('b'), variant('c'), variant('d')] })
  expect([...(variants ?? [])]).toEqual([
    ['default/edge-a', 'updated'],
    ['default/edge-b', 'unchanged'],
    ['default/edge-c', 'created'],
    ['default/edge-d', 'created'],
  ])
  expect(Object.fromEntries(fates)).toEqual({ updated: 1, unchanged: 1, created: 2 })
})

test('a package that its variant must not change is left, and not opened', () => {
  const fleet = new OneVariantFleet({ v1: files('one') })
  fleet.write('out/edge/a/Kptfile', kptfileText('a'))
  const looked: string[] = []
  const { fates } = render(fleet, {
    variants: [variant('a'), variant('b')],
    look: ({ step }, fate) => looked.push(`${step.folder} ${fate}`),
  })
  expect(Object.fromEntries(fates)).toEqual({ left: 1, created: 1 })
  expect(looked).toEqual(['edge/b created'])
  expect(fleet.read('out/edge/a/Kptfile')).toBe(kptfileText('a'))
})

test('a dry run writes nothing and reports the same', () => {
  const fleet = new OneVariantFleet({ v1: files('one') })
  const asked = { variants: [variant('a')] }
  const dry = render(fleet, { ...asked, isDryRun: true })
  expect(isThere(fleet, 'a')).toBe(false)
  const { fates, variants, results } = render(fleet, asked)
  expect([dry.fates, dry.variants, dry.results]).toEqual([fates, variants, results])
})

test('the runs of functions are counted by name, and lost edits', () => {
  const fleet = new OneVariantFleet({ v1: PIPED, v2: files('two', PIPED.Kptfile) })
  const functions = { run: (input: string) => input }
  const first = render(fleet, { variants: [variant('a'), variant('b')], functions })
  expect([Object.fromEntries(first.functions), first.lost]).toEqual([{ run: 2 }, 0])
  for (const name of ['a', 'b']) fleet.edit(`out/edge/${name}/a.yaml`, 'value: one', 'value: mine')
  const second = render(fleet, { variants: [variant('a', 2), variant('b', 2)], functions })
  expect(second.lost).toBe(2)
  expect(rulesOf(second.results)).toEqual(['warning edit-lost'])
  expect(second.results[0]?.message).toMatch(/; the same for out\/edge\/b$/)
})

test('a package whose functions fail is not written, and the others are', () => {
  const fleet = new OneVariantFleet({ v1: PIPED })
  fleet.writeAll('catalog/plain@v1', files('one'))
  const looked: string[] = []
  const asked = {
    variants: [variant('a'), variant('b', 1, 'plain')],
    functions: { run: fail },
    look: (_: unknown, fate: string) => looked.push(fate),
  }
  const { fates, results } = render(fleet, asked)
  expect(Object.fromEntries(fates)).toEqual({ failed: 1, created: 1 })
  expect(rulesOf(results)).toEqual(['error function-failed'])
  expect([isThere(fleet, 'a'), isThere(fleet, 'b')]).toEqual([false, true])
  expect(looked).toEqual(['failed', 'created'])
})

test('the failure of a new package is at its upstream, and that of a package that is there in the package', () => {
  const fleet = new OneVariantFleet({ v1: PIPED })
  const pathsOf = (results: readonly Result[]) => results.map(({ file }) => file?.path)
  expect(pathsOf(render(fleet, { variants: [variant('a')], functions: { run: fail } }).results)).toEqual(['fleet/catalog/shop@v1/Kptfile'])
  render(fleet, { variants: [variant('a')], functions: { run: (input) => input } })
  fleet.edit('out/edge/a/a.yaml', 'value: one', 'value: mine')
  expect(pathsOf(render(fleet, { variants: [variant('a')], functions: { run: fail } }).results)).toEqual(['out/edge/a/Kptfile'])
})

test('with failFast, one failure refuses the run at the first failed package, and nothing is written', () => {
  const fleet = new OneVariantFleet({ v1: PIPED })
  fleet.writeAll('catalog/plain@v1', files('one'))
  const looked: string[] = []
  const variants = [variant('a', 1, 'plain'), variant('b'), variant('c', 1, 'plain')]
  const run = () => render(fleet, { variants, functions: { run: fail }, failFast: true, look: ({ step }) => looked.push(step.folder) })
  expect(rulesOf(refusal(run))).toEqual(['error function-failed'])
  expect(['a', 'b', 'c'].map((name) => isThere(fleet, name))).toEqual([false, false, false])
  expect(looked).toEqual(['edge/a', 'edge/b'])
  expect(refusal(() => render(fleet, { variants, functions: { run: (input) => input }, failFast: true }))).toEqual([])
})

test('a function without a runner refuses the run', () => {
  const fleet = new OneVariantFleet({ v1: PIPED })
  const found = refusal(() => render(fleet, { variants: [variant('a'), variant('b')], functions: {} }))
  expect(found.map(({ tags, file, message }) => [tags.rule, file?.path, /\(.*\)$/.exec(message)?.[0]])).toEqual([
    ['no-runner', 'fleet/catalog/shop@v1/Kptfile', '(2 packages need it)'],
  ])
  expect(isThere(fleet, 'a')).toBe(false)
})

test('an error of one package refuses the whole run with the errors of all packages, and none is looked at from then on', () => {
  const fleet = new OneVariantFleet({ v1: files('one'), v2: files('two') })
  render(fleet, { variants: [variant('a'), variant('b'), variant('c')] })
  for (const name of ['b', 'c']) fleet.write(`out/edge/${name}/sub${name}/Kptfile`, '')
  const looked: string[] = []
  const variants = ['a', 'b', 'c', 'd'].map((name) => variant(name, 2))
  const found = refusal(() => render(fleet, { variants, look: ({ step }) => looked.push(step.folder) }))
  expect(found.map(({ file }) => file?.path)).toEqual(['out/edge/b/subb/Kptfile'])
  expect(found[0]?.message).toMatch(/; the same for out\/edge\/c$/)
  expect(looked).toEqual(['edge/a'])
  expect([isThere(fleet, 'd'), fleet.read('out/edge/a/a.yaml').includes('two')]).toEqual([false, false])
})

test('a package without a variant is removed, in a dry run only reported, and with edits refused', () => {
  const fleet = new OneVariantFleet({ v1: files('one') })
  render(fleet, { variants: [variant('a'), variant('b')] })
  const asked = { variants: [variant('a')] }
  expect(render(fleet, { ...asked, isDryRun: true }).leftovers.map(({ op, place }) => `${op} ${place.folder}`)).toEqual(['remove edge/b'])
  expect(isThere(fleet, 'b')).toBe(true)
  fleet.edit('out/edge/b/a.yaml', 'value: one', 'value: mine')
  expect(rulesOf(refusal(() => render(fleet, asked)))).toEqual(['error discard-edits'])
  expect(isThere(fleet, 'b')).toBe(true)
  fleet.edit('out/edge/b/a.yaml', 'value: mine', 'value: one')
  expect(render(fleet, asked).leftovers.map(({ op, place }) => `${op} ${place.folder}`)).toEqual(['remove edge/b'])
  expect(isThere(fleet, 'b')).toBe(false)
})
