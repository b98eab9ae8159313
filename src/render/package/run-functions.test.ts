import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { configMapText, kptfileText, writtenObject } from '../../../testdata/written-objects.ts'
import { wholeVariant } from '../../fleet/fleet-variants.ts'
import { fileInMemory } from '../../folder/whole-folder.ts'
import { packagePlaces } from '../../lifecycle/testing/places-of.ts'
import { answered, known } from '../../pipeline/calls.ts'
import type { Result } from '../../result.ts'
import { evaluate } from '../../run.ts'
import { sourceOfTexts } from '../../upstream/testing/source-of-texts.ts'
import { unchanged } from '../clone/rendered-package.ts'
import { planRender } from '../plan-render.ts'
import { functionsOf, pipelineKptfile, type TestFunctions } from '../testing/functions-of.ts'
import { OPTIONS } from '../testing/render-of-texts.ts'
import { packageToRun, runFunctions } from './run-functions.ts'

const config = (value: string) => configMapText('a', `data:\n  value: ${value}\n`)

/** Returns a function that sets the value of ConfigMaps, and notes each call. */
function setTo(value: string, calls: string[] = []) {
  return (input: string) => {
    calls.push(value)
    return evaluate(({ items }) => {
      for (const item of items) if (item.kind === 'ConfigMap') item.set(['data', 'value'], value)
    }, input)
  }
}

const SET = pipelineKptfile('image: test.io/set')

interface Asked {
  readonly files: Texts
  /** The package as people left it; unset for a new one. */
  readonly ours?: Texts | undefined
  readonly unread?: Texts
  readonly isMoved?: boolean
  readonly functions?: TestFunctions
  readonly results?: readonly Result[]
  /** The package as the last render left it; null if that is not known. */
  readonly base?: Texts | null | undefined
  readonly source?: Texts
  /** The files as a new clone of the revision has them. */
  readonly left?: Texts
  readonly spec?: string
}

/** Runs the functions of a rendered package. */
function ran({ files, ours, unread, isMoved, functions, results = [], base, source = {}, left, spec = '' }: Asked) {
  const variant = writtenObject(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: edge-shop}
spec:
  upstream: {repo: catalog, package: shop, revision: 1}
  downstream: {repo: edge, package: shop}
${spec}`)
  const { steps, renderContext } = planRender({
    items: [variant],
    options: OPTIONS,
    packageSource: sourceOfTexts({ folders: { 'catalog/shop@v1': { Kptfile: kptfileText('shop') } } }),
    places: () => packagePlaces({}),
    ...(functions && { functions: functionsOf(functions) }),
  })
  const [step] = steps
  if (step === undefined) throw new Error('one step')
  const downstream = ours && packageOfTexts(ours)
  const contents = [...packageOfTexts(files)].map(([path, content]) => [path, unchanged(sameOf(path) ?? content, 'ours')] as const)
  function sameOf(path: string) {
    return ours?.[path] === files[path] ? downstream?.get(path) : undefined
  }
  const request = {
    variant: wholeVariant(step.variant),
    upstream: step.upstream,
    folder: 'out/shop',
    ...(isMoved !== undefined && { isMoved }),
    ...(downstream && { downstream }),
    ...(unread && { unread: new Map(Object.entries(unread).map(([path, text]) => [path, fileInMemory(Buffer.from(text), 0o644)])) }),
  }
  const from = base !== undefined && {
    base: () => known(base === null ? undefined : packageOfTexts(base)),
    source: packageOfTexts(source),
    ...(left && { left: () => known(new Map(Object.entries(left).map(([path, text]) => [path, Buffer.from(text)]))) }),
  }
  const rendered = { files: new Map(contents), results, outcomes: [] }
  const pkg = packageToRun(rendered, request, renderContext)
  const made = answered(runFunctions(rendered, from || undefined, request, renderContext))
  return {
    made,
    pkg,
    rules: made.results.map(({ severity, tags }) => `${severity} ${tags.rule}`),
    changed: Object.fromEntries([...(made.run?.changed ?? [])].map(([path, bytes]) => [path, Buffer.from(bytes ?? []).toString()])),
  }
}

const NEW = { Kptfile: SET, 'a.yaml': config('one') }

test('a new package has the run of its functions', () => {
  const { made, rules, changed } = ran({ files: NEW, functions: { set: setTo('two') } })
  expect(made.run).toMatchObject({ outcome: 'done', ran: ['set'] })
  expect(changed).toEqual({ 'a.yaml': config('two') })
  expect(rules).toEqual([])
})

test('no function runs where functions are left to others, and in a package with an error', () => {
  expect(ran({ files: NEW }).made).not.toHaveProperty('run')
  const calls: string[] = []
  const error: Result = { severity: 'error', message: 'm', tags: { rule: 'kptfile' } }
  const { made } = ran({ files: NEW, functions: { set: setTo('two', calls) }, results: [error] })
  expect([made.run, made.results, calls]).toEqual([undefined, [error], []])
  expect(ran({ files: NEW, functions: { set: setTo('two') }, results: [{ ...error, severity: 'warning' }] }).made.run?.ran).toEqual(['set'])
})

test('a new package without functions has the run of none', () => {
  const { made } = ran({ files: { Kptfile: kptfileText('shop') }, functions: {} })
  expect(made.run).toEqual({ outcome: 'done', changed: new Map(), ran: [], results: [] })
})

const DONE = { Kptfile: SET, 'a.yaml': config('two') }
const grow = (input: string) =>
  evaluate(({ items }) => {
    for (const item of items) if (item.kind === 'ConfigMap') item.set(['data', 'value'], `${item.get(['data', 'value'])}x`)
  }, input)

test.each<[string, Omit<Asked, 'files'> & { readonly ours: Texts }, readonly string[] | undefined, readonly string[]]>([
  ['has no functions', { ours: { Kptfile: kptfileText('shop') }, functions: {} }, [], []],
  ['is as its functions make it', { ours: DONE, functions: { set: setTo('two') } }, undefined, []],
  ['is as the last render left it', { ours: NEW, functions: { set: setTo('two') }, base: NEW, left: NEW }, undefined, []],
  ['was edited since its functions ran', { ours: NEW, functions: { set: setTo('two') }, base: null, left: DONE }, ['set'], []],
  ['was edited, and it is not known how the last render left it', { ours: NEW, functions: { set: setTo('two') } }, ['set'], []],
  ['has functions that cannot run here', { ours: NEW, functions: {} }, undefined, []],
  ['has functions that change their own output', { ours: NEW, functions: { set: grow } }, undefined, ['warning functions-behind']],
])('of an unchanged package that %s, the functions run only if the package waits for them', (_, asked, names, expected) => {
  const { made, rules } = ran({ ...asked, files: asked.ours })
  expect(made.run?.ran).toEqual(names)
  expect(rules).toEqual(expected)
})

test('the warning about functions that change their own output comes after the findings of the package, at its Kptfile', () => {
  const info: Result = { severity: 'info', message: 'm', tags: { rule: 'inject-config' } }
  const { made } = ran({ files: NEW, ours: NEW, functions: { set: grow }, results: [info] })
  expect(made.results.map(({ tags, file }) => [tags.rule, file?.path])).toEqual([
    ['inject-config', undefined],
    ['functions-behind', 'out/shop/Kptfile'],
  ])
})

test.each<[string, Partial<Asked>]>([
  ['at another place', { isMoved: true }],
  ['with another content', { ours: { ...DONE, 'a.yaml': config('old') } }],
  ['with another file', { ours: { ...DONE, 'b.yaml': configMapText('b') } }],
])('the functions of a package %s run, whatever they make of it', (_, asked) => {
  expect(ran({ files: DONE, ours: DONE, functions: { set: setTo('two') }, ...asked }).made.run?.ran).toEqual(['set'])
})

test('the finding of a function of the variant is at the variant', () => {
  const pipeline = '  pipeline: {mutators: [{name: fail, image: test.io/fail}]}\n'
  const Kptfile = pipelineKptfile('{name: PackageVariant.edge-shop.fail.0, image: test.io/fail}')
  const { made } = ran({ files: { Kptfile }, spec: pipeline, functions: { fail: () => ({ exitCode: 1 }) } })
  expect(made.run?.outcome).toBe('failed')
  expect(made.run?.results.map(({ file, field }) => [file?.path, field?.path])).toEqual([['a.yaml', ['spec', 'pipeline', 'mutators', 0]]])
})

/** An update of a package: the last render wrote `two`, people wrote `mine`, and the functions write `two` again. */
const EDITED: Asked = {
  files: { Kptfile: SET, 'a.yaml': config('mine') },
  ours: { Kptfile: pipelineKptfile('image: test.io/set # old'), 'a.yaml': config('mine') },
  base: { Kptfile: SET, 'a.yaml': config('two') },
  source: { 'a.yaml': config('one') },
  functions: { set: setTo('two') },
}

test('an edit that a function writes over is a lost edit, and the message names the function', () => {
  const { made, rules } = ran(EDITED)
  expect(rules).toEqual(['warning edit-lost'])
  expect(made.results[0]?.message).toMatch(/'mine' here; the function 'test\.io\/set' of the package writes 'two'/)
})

test.each<[string, Partial<Asked>]>([
  ['of a new package', { ours: undefined }],
  ['where the last render is not known', { base: null }],
  ['where the former revision is not known', { base: undefined }],
  ['where the functions change nothing', { functions: { set: (input) => input } }],
  ['where the functions fail', { functions: { set: () => ({ exitCode: 1 }) } }],
])('no edit is lost %s', (_, asked) => {
  expect(ran({ ...EDITED, ...asked }).rules).toEqual([])
})

test('an edit in a file that the update had no reason to read is found if the functions write over it', () => {
  const { 'a.yaml': text = '', ...files } = EDITED.files
  const asked = { ...EDITED, files, ours: { Kptfile: EDITED.ours?.Kptfile ?? '' }, unread: { 'a.yaml': text, 'notes.txt': 'x' } }
  const { rules, changed, pkg } = ran(asked)
  expect(rules).toEqual(['warning edit-lost'])
  expect(changed).toEqual({ 'a.yaml': config('two') })
  expect(pkg.paths).toEqual(['Kptfile', 'a.yaml', 'notes.txt'])
  expect(['Kptfile', 'a.yaml', 'notes.txt', 'nowhere'].map((path) => Buffer.from(pkg.read(path)).toString())).toEqual([SET, text, 'x', ''])
})

test('a file that was read wins over its bytes on disk, and counts once', () => {
  const { pkg } = ran({ ...EDITED, unread: { 'a.yaml': 'other' } })
  expect(pkg.paths).toEqual(['Kptfile', 'a.yaml'])
  expect(Buffer.from(pkg.read('a.yaml')).toString()).toBe(config('mine'))
})
