import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OneVariantFleet } from '../../../testdata/one-variant-fleet.ts'
import type { TestFiles } from '../../../testdata/test-fleet.ts'
import { configMapText, kptfileText, writtenObject } from '../../../testdata/written-objects.ts'
import { answered } from '../../pipeline/calls.ts'
import { evaluate, type KrmFunction } from '../../run.ts'
import type { RenderedStep } from '../made-packages.ts'
import type { RenderOptions } from '../options.ts'
import { planRender } from '../plan-render.ts'
import { functionsOf, pipelineKptfile, type TestFunctions } from '../testing/functions-of.ts'
import { downstreamFolders } from './folder-request.ts'
import { renderStep } from './render-step.ts'

const config = (name: string, value: string) => configMapText(name, `data:\n  value: ${value}\n`)
const files = (value: string, more: TestFiles = {}): TestFiles => ({
  Kptfile: kptfileText('shop'),
  'a.yaml': config('a', value),
  'b.yaml': config('b', 'one'),
  'run.sh': 'echo\n',
  ...more,
})

interface Asked {
  readonly revision?: number
  readonly functions?: TestFunctions
  readonly options?: Partial<RenderOptions>
  /** The downstream package; `edge/shop` if unset. */
  readonly downstream?: string
  readonly op?: 'create' | 'update'
}

/** Renders the package of one variant in memory, as its fleet is on disk. */
function rendered(fleet: OneVariantFleet, { revision = 1, functions, options = {}, downstream = 'shop' }: Asked = {}): RenderedStep {
  const variant = writtenObject(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: edge-shop}
spec:
  upstream: {repo: catalog, package: shop, revision: ${revision}}
  downstream: {repo: edge, package: ${downstream}}
${fleet.spec}`)
  const request = fleet.plan([variant], options)
  const plan = planRender({
    ...request,
    places: () => request.places,
    downstreams: downstreamFolders(request.out),
    ...(functions && { functions: functionsOf(functions) }),
  })
  const [step] = plan.steps
  if (step === undefined) throw new Error(plan.results.map(({ message }) => message).join())
  return answered(renderStep(step, fleet.contextOf(plan)))
}

const changesOf = ({ changes }: RenderedStep) => changes.map(({ op, path }) => `${op} ${path}`)
const findingsOf = ({ results }: RenderedStep) =>
  results.map(({ severity, tags, message }) => `${severity} ${tags.rule} ${/; (it is .*|upstream .*)$/.exec(message)?.[1] ?? ''}`.trim())
const textOf = (step: RenderedStep, path: string) => Buffer.from(step.bytesOf(path)).toString()

/** Returns a fleet whose package was rendered from the first revision. */
function fleetOf(revisions: Readonly<Record<string, TestFiles>>): OneVariantFleet {
  const fleet = new OneVariantFleet(revisions)
  fleet.render(1, { runs: false })
  return fleet
}

const CONFLICT = '<<<<<<< HEAD\nkind: A\n'

test('of a new package every file is made, with the bytes and permissions of upstream, and nothing was there before', () => {
  const fleet = new OneVariantFleet({ v1: files('one') })
  chmodSync(join(fleet.root, 'catalog/shop@v1/run.sh'), 0o755)
  const step = rendered(fleet)
  expect(changesOf(step)).toEqual(['Kptfile', 'a.yaml', 'b.yaml', 'package-context.yaml', 'run.sh'].map((path) => `create ${path}`))
  expect([step.modeOf('run.sh'), step.modeOf('a.yaml'), step.modeOf('nowhere')]).toEqual([0o755, 0o644, 0o644])
  expect([textOf(step, 'run.sh'), textOf(step, 'nowhere')]).toEqual(['echo\n', ''])
  expect([step.before('a.yaml'), step.isAsRead('a.yaml'), step.results, step.leftovers]).toEqual([undefined, undefined, [], []])
})

test('a package as it was rendered has no change, and its files are those on disk', () => {
  const fleet = fleetOf({ v1: files('one') })
  const step = rendered(fleet)
  expect([step.changes, step.results]).toEqual([[], []])
  expect([textOf(step, 'b.yaml'), textOf(step, 'run.sh')]).toEqual([fleet.readPackage('b.yaml'), 'echo\n'])
  expect(Buffer.from(step.before('b.yaml') ?? []).toString()).toBe(fleet.readPackage('b.yaml'))
})

test('an update changes what upstream changed, and the files are checked to be as they were read', () => {
  const fleet = fleetOf({ v1: files('one'), v2: files('two') })
  const step = rendered(fleet, { revision: 2 })
  expect(changesOf(step)).toEqual(['update Kptfile', 'update a.yaml'])
  expect(textOf(step, 'a.yaml')).toContain('value: two')
  const isAsRead = step.isAsRead('a.yaml')
  expect(isAsRead?.()).toBe(true)
  fleet.write('out/edge/shop/a.yaml', 'other, and longer than before by far: this is no file of the same size\n')
  expect(isAsRead?.()).toBe(false)
  expect(step.isAsRead('nowhere')).toBeUndefined()
})

test('a changed bit of upstream is a change, also of a file that need not be read, and other permissions stay', () => {
  const fleet = fleetOf({ v1: files('one'), v2: files('two') })
  chmodSync(join(fleet.root, 'catalog/shop@v2/run.sh'), 0o755)
  chmodSync(join(fleet.root, 'out/edge/shop/a.yaml'), 0o600)
  const step = rendered(fleet, { revision: 2 })
  expect(changesOf(step)).toEqual(['update Kptfile', 'update a.yaml', 'update run.sh'])
  expect([step.modeOf('run.sh'), step.modeOf('a.yaml')]).toEqual([0o755, 0o600])
  expect(textOf(step, 'run.sh')).toBe('echo\n')
})

test('a moved package is read and changed where it is', () => {
  const fleet = fleetOf({ v1: files('one'), v2: files('two') })
  fleet.write('out/edge/shop/b.yaml', CONFLICT)
  const step = rendered(fleet, { revision: 2, downstream: 'web', options: { followRenames: true } })
  expect(step.step).toMatchObject({ op: 'update', folder: 'edge/web', movedFrom: 'edge/shop' })
  expect(changesOf(step)).toEqual(['update Kptfile', 'update a.yaml', 'update package-context.yaml'])
  expect(findingsOf(step)).toEqual(['warning unreadable-file it is left as it is'])
})

test.each<[string, TestFiles, string, Partial<RenderOptions>]>([
  ['stays, with a warning, if upstream left it', files('two'), 'warning unreadable-file it is left as it is', {}],
  [
    'is an error if upstream changed it',
    files('one', { 'b.yaml': config('b', 'two') }),
    'error unreadable-file upstream changed this file, and that cannot be merged into it',
    {},
  ],
  [
    'stays, with a warning, if upstream removed it',
    files('two', { 'b.yaml': undefined }),
    'warning unreadable-file it is left as it is, though upstream removed it',
    {},
  ],
])('a file that cannot be read %s, and nothing else is said of it', (_, v2, finding, options) => {
  const fleet = fleetOf({ v1: files('one'), v2 })
  fleet.write('out/edge/shop/b.yaml', CONFLICT)
  const step = rendered(fleet, { revision: 2, options })
  expect(findingsOf(step)).toEqual([finding])
  expect(step.changes.length > 0).toBe(finding.startsWith('warning'))
  expect(step.changes.some(({ path }) => path === 'b.yaml')).toBe(false)
})

test('a file that cannot be read and that the strategy replaces has no finding', () => {
  const fleet = fleetOf({ v1: files('one'), v2: files('one', { 'b.yaml': config('b', 'two') }) })
  fleet.write('out/edge/shop/b.yaml', CONFLICT)
  const step = rendered(fleet, { revision: 2, options: { updateStrategy: 'force-delete-replace', discardEdits: true } })
  expect(findingsOf(step).filter((finding) => finding.includes('unreadable'))).toEqual([])
  expect(changesOf(step)).toContain('update b.yaml')
})

test('the warnings about other files stay beside a file that cannot be read', () => {
  const fleet = fleetOf({ v1: files('one'), v2: files('two', { 'b.yaml': undefined }) })
  fleet.write('out/edge/shop/b.yaml', CONFLICT)
  fleet.write('out/edge/shop/a.yaml', undefined)
  expect(findingsOf(rendered(fleet, { revision: 2 })).map((finding) => finding.split(' ')[1])).toEqual([
    'unreadable-file',
    'change-passed-over',
  ])
})

test('of a package with an unreadable Kptfile nothing is made, and the fault is among its findings', () => {
  const fleet = fleetOf({
    v1: files('one', { 'sub/Kptfile': kptfileText('sub') }),
    v2: files('two', { 'sub/Kptfile': kptfileText('sub') }),
  })
  fleet.write('out/edge/shop/sub/Kptfile', '')
  const step = rendered(fleet, { revision: 2 })
  expect(findingsOf(step)).toEqual(['error kptfile'])
  expect([step.changes, step.made.files.size]).toEqual([[], 0])
})

const edit = (fn: KrmFunction) => (input: string) => evaluate(fn, input)
const PIPED = files('one', { Kptfile: pipelineKptfile('image: test.io/run') })
const addAt = (path: string) =>
  edit((list) => {
    if (!list.items.some(({ name }) => name === 'new')) list.add({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } }, path)
  })

test('what functions write is among the changes, with their bytes', () => {
  const fleet = new OneVariantFleet({ v1: PIPED })
  const set = edit(({ items }) => items.find(({ name }) => name === 'a')?.set(['data', 'value'], 'two'))
  const step = rendered(fleet, { functions: { run: set } })
  expect(changesOf(step)).toContain('create a.yaml')
  expect(textOf(step, 'a.yaml')).toContain('value: two')
  expect(step.functions).toMatchObject({ outcome: 'done', ran: ['run'] })
})

test.each([
  { end: 'fail', functions: { run: () => ({ exitCode: 1 }) }, outcome: 'failed' },
  { end: 'cannot run', functions: {}, outcome: 'unmatched' },
])('a package whose functions $end has no changes', ({ functions, outcome }) => {
  const step = rendered(new OneVariantFleet({ v1: PIPED }), { functions })
  expect([step.changes, step.functions?.outcome]).toEqual([[], outcome])
})

test('a package has the changes of the functions before the one that failed where its Kptfile asks for that', () => {
  const Kptfile = pipelineKptfile('image: test.io/run', 'image: test.io/fail').replace(
    'metadata:\n',
    'metadata:\n  annotations: {kpt.dev/save-on-render-failure: "true"}\n',
  )
  const step = rendered(new OneVariantFleet({ v1: { ...PIPED, Kptfile } }), {
    functions: { run: addAt('new.yaml'), fail: () => ({ exitCode: 1 }) },
  })
  expect(step.functions?.outcome).toBe('saved')
  expect(changesOf(step)).toContain('create new.yaml')
})

test('functions that write below a link fail, and the package stays as it is', () => {
  const fleet = fleetOf({ v1: PIPED })
  symlinkSync('.', join(fleet.root, 'out/edge/shop/gen'))
  const step = rendered(fleet, { functions: { run: addAt('gen/new.yaml') } })
  expect([step.functions?.outcome, step.functions?.results.map(({ severity, tags }) => `${severity} ${tags.rule}`)]).toEqual([
    'failed',
    ['error path-collision'],
  ])
  expect(step.changes).toEqual([])
})
