import { expect, test } from 'vitest'
import { OneVariantFleet, rulesOf } from '../../../testdata/one-variant-fleet.ts'
import { packageOfTexts } from '../../../testdata/package-of-texts.ts'
import type { TestFiles } from '../../../testdata/test-fleet.ts'
import type { FieldPath } from '../../field-path.ts'
import { folderTree } from '../../folder/file-tree.ts'
import type { JsonValue } from '../../json.ts'
import { type PipelineItem, readPackageTree } from '../../pipeline/package-tree.ts'
import { functionsIn } from '../../pipeline/pipeline-steps.ts'
import { FunctionError } from '../../result.ts'
import { VARIANT_ANNOTATION } from '../../well-known.ts'
import { guardOfRendered, neededObjectsGuard } from './needed-objects.ts'

const CATALOG = 'ghcr.io/kptdev/krm-functions-catalog'
const LOCAL = 'annotations: {config.kubernetes.io/local-config: "true"}'

function kptfile(...functions: readonly string[]): string {
  if (functions.length === 0) return `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: shop, ${LOCAL}}\n`
  const lines = functions.map((fn) => `  - ${fn}\n`).join('')
  return `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: shop, ${LOCAL}}\npipeline:\n  mutators:\n${lines}`
}

function configMap(name: string, value: string, annotations = ''): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${annotations === '' ? '' : `, ${annotations}`}}\ndata: {value: ${value}}\n`
}

const REMOVE = `image: ${CATALOG}/remove-local-config-resources:v0.1.0`
const PREFIX = `{image: ${CATALOG}/ensure-name-substring:v0.2.0, configMap: {prepend: eu-}}`
const POINT = 'annotations: {kpt.dev/config-injection: optional, config.kubernetes.io/local-config: "true"}'

function revisions(...functions: readonly string[]): Readonly<Record<string, TestFiles>> {
  const files = (value: string): TestFiles => ({
    Kptfile: kptfile(...functions),
    'app.yaml': configMap('app', value),
    'local.yaml': configMap('local', value, LOCAL),
    'point.yaml': configMap('point', 'none', POINT),
    // The function that renames refuses two objects of one name, as two package contexts are.
    ...(!functions.includes(PREFIX) && {
      'db/Kptfile': `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: db, ${LOCAL}}\n`,
      'db/db.yaml': configMap('db', value),
    }),
  })
  return { v1: files('one'), v2: files('two') }
}

test('objects that the next render needs stay when a function of upstream removes local config', () => {
  const fleet = new OneVariantFleet(revisions(REMOVE))
  expect(rulesOf(fleet.render(1))).toContain('needed-by-render')
  const needed = ['Kptfile', 'db/Kptfile', 'db/package-context.yaml', 'package-context.yaml', 'point.yaml']
  expect(Object.keys(fleet.files())).toEqual(['Kptfile', 'app.yaml', ...needed.slice(1, 2), 'db/db.yaml', ...needed.slice(2)])
  const { fates } = fleet.render(2)
  expect(Object.fromEntries(fates)).toEqual({ updated: 1 })
  expect(fleet.readPackage('app.yaml')).toContain('value: two')
})

test('the package context keeps its name when a function of upstream renames all resources, and an injection point follows', () => {
  const fleet = new OneVariantFleet(revisions(PREFIX))
  expect(rulesOf(fleet.render(1))).toContain('needed-by-render')
  expect(fleet.readPackage('package-context.yaml')).toContain('name: kptfile.kpt.dev')
  expect(fleet.readPackage('point.yaml')).toContain('name: eu-point')
  expect(fleet.readPackage('app.yaml')).toContain('name: eu-app')
})

test('a package is refused when a function of its variant renames the package context', () => {
  const { v1 = {} } = revisions()
  const fleet = new OneVariantFleet({ v1: { ...v1, 'db/Kptfile': undefined } })
  fleet.spec = `  pipeline:\n    mutators:\n    - ${PREFIX.replace('{', '{name: eu, ')}\n`
  expect(rulesOf(fleet.render(1))).toContain('needed-by-render')
  expect(() => fleet.files()).toThrow()
})

test('the owner and the upstream of a package survive a function that replaces texts everywhere', () => {
  const replace = `{image: ${CATALOG}/search-replace:v0.2.0, configMap: {by-value-regex: '.*shop.*', put-value: gone}}`
  const fleet = new OneVariantFleet(revisions(replace))
  expect(rulesOf(fleet.render(1))).toContain('needed-by-render')
  const after = fleet.readPackage('Kptfile')
  expect(after).toContain('krm-variants.dev/package-variant: default/edge-shop')
  expect(after).toContain('directory: /shop')
  expect(Object.fromEntries(fleet.render(2).fates)).toEqual({ updated: 1 })
})

test('a package is refused when a function that upstream does not have removes what the next render needs', () => {
  const fleet = new OneVariantFleet(revisions())
  fleet.spec = `  pipeline:\n    mutators:\n    - {name: clean, ${REMOVE}}\n`
  const { results, fates } = fleet.render(1)
  expect(Object.fromEntries(fates)).toEqual({ failed: 1 })
  expect(results.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/`spec\.pipeline\.mutators\[0\]` .*'clean' removes 'Kptfile'/),
  )
})

test('a package is refused when a person adds a function that removes what the next render needs', () => {
  const fleet = new OneVariantFleet(revisions())
  fleet.render(1)
  fleet.editPackage('Kptfile', 'upstream:', `pipeline:\n  mutators:\n  - ${REMOVE}\nupstream:`)
  const before = fleet.files()
  expect(rulesOf(fleet.render(2))).toContain('needed-by-render')
  expect(fleet.files()).toEqual(before)
})

test('lists of objects without a name are cloned, go through functions and are updated', () => {
  const list = (kind: string, value: string) =>
    `apiVersion: v1\nkind: ${kind}\nitems:\n  - apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: inner}\n    data: {value: ${value}}\n`
  const files = (value: string): TestFiles => ({
    Kptfile: kptfile(`{image: ${CATALOG}/set-annotations:v0.1.4, configMap: {team: x}}`),
    'list.yaml': `${list('List', value)}---\n${list('ConfigMapList', value)}`,
  })
  const fleet = new OneVariantFleet({ v1: files('one'), v2: files('two') })
  expect(Object.fromEntries(fleet.render(1).fates)).toEqual({ created: 1 })
  expect(Object.fromEntries(fleet.render(2).fates)).toEqual({ updated: 1 })
  expect(fleet.readPackage('list.yaml').match(/value: two/g)).toHaveLength(2)
})

const FN = '{exec: clean, configPath: fn.yaml}'

const PACKAGE: Readonly<Record<string, string>> = {
  Kptfile: `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: shop}\npipeline: {mutators: [${FN}]}\n`,
  'app.yaml': configMap('app', '1'),
  'context.yaml': configMap('kptfile.kpt.dev', '1'),
  'fn.yaml': configMap('fn', '1'),
  'point.yaml': configMap('point', '1', POINT),
}

const treeOf = (files: Readonly<Record<string, string>>) => folderTree(Object.keys(files), (path) => Buffer.from(files[path] ?? ''))

type Guard = ReturnType<typeof guardOfRendered>

/** Returns the files after a function that leaves some items, and the findings about it; the findings alone if it is refused. */
function guarded(guard: Guard, leave: (items: readonly PipelineItem[]) => readonly PipelineItem[], files = PACKAGE) {
  const { root } = readPackageTree(treeOf(files), (path) => path)
  const [step] = functionsIn(root.kptfile)
  if (guard === undefined || step === undefined) throw new Error('a guard and a function')
  const check = guard(root)
  try {
    const { items, results } = check(step, '', { before: root.items, after: leave(root.items) })
    return { paths: items.map(({ path }) => path).sort(), messages: results.map(({ severity, message }) => `${severity} ${message}`) }
  } catch (error) {
    if (error instanceof FunctionError) return error.results.map(({ severity, tags, message }) => `${severity} ${tags.rule} ${message}`)
    throw error
  }
}

const none = () => []
const MADE = {
  ...PACKAGE,
  Kptfile: PACKAGE.Kptfile?.replace('{name: shop}', `{name: shop, annotations: {${VARIANT_ANNOTATION}: a/b}}`) ?? '',
}

test('of a package that a variant made all that the next render needs is kept, of another one the Kptfile', () => {
  expect(guarded(guardOfRendered(treeOf(PACKAGE)), none)).toEqual({
    paths: ['Kptfile'],
    messages: [expect.stringMatching(/^warning .*'clean' removes 'Kptfile': a folder without a Kptfile is no package, so it is kept$/)],
  })
  expect(guarded(guardOfRendered(treeOf(MADE)), none, MADE)).toEqual({
    paths: ['Kptfile', 'context.yaml', 'fn.yaml', 'point.yaml'],
    messages: [expect.stringMatching(/^warning .*'clean' removes 'Kptfile', .*: the next render needs that, so it is kept as it was$/)],
  })
  expect(guardOfRendered(treeOf({ 'sub/Kptfile': PACKAGE.Kptfile ?? '' }))).toBeUndefined()
})

test('a function that upstream has may remove what the next render needs, any other one is refused', () => {
  const upstream = (fn: string) => packageOfTexts({ Kptfile: PACKAGE.Kptfile?.replace(FN, fn) ?? '' })
  const kept = { paths: ['Kptfile', 'context.yaml', 'fn.yaml', 'point.yaml'], messages: [expect.stringMatching(/^warning /)] }
  const refused = [expect.stringMatching(/^error needed-by-render .* must leave what the next render needs as it is; 'clean' removes /)]
  expect(guarded(neededObjectsGuard('any'), none)).toEqual(kept)
  expect(guarded(neededObjectsGuard(upstream('{exec: clean, configPath: other.yaml}')), none)).toEqual(kept)
  for (const other of ['{exec: other}', '{image: clean}', '{exec: clean, name: b}'])
    expect(guarded(neededObjectsGuard(upstream(other)), none)).toEqual(refused)
  expect(guarded(neededObjectsGuard(packageOfTexts({})), none)).toEqual(refused)
  expect(guarded(neededObjectsGuard(undefined), none)).toEqual(refused)
})

test('a function that leaves what the next render needs has no finding', () => {
  const others = (items: readonly PipelineItem[]) => items.filter(({ path }) => path !== 'app.yaml')
  const paths = ['Kptfile', 'context.yaml', 'fn.yaml', 'point.yaml']
  expect(guarded(neededObjectsGuard(undefined), others)).toEqual({ paths, messages: [] })
})

/** Returns a function that sets a field of the Kptfile and leaves all items. */
const writing = (field: FieldPath, value: JsonValue) => (items: readonly PipelineItem[]) => {
  for (const { path, object } of items) if (path === 'Kptfile') object.set(field, value)
  return items
}

test.each<readonly [reason: string, field: FieldPath, value: JsonValue, name: string]>([
  ['a field that no Kptfile has', ['data'], { y: 'a' }, 'data'],
  ['such a field further down', ['pipeline', 'mutator'], [], 'pipeline.mutator'],
  ['a field of another type', ['pipeline', 'mutators'], 'none', 'pipeline.mutators'],
  [
    'a list with several faulty entries',
    ['pipeline', 'mutators'],
    [{ exec: 'clean', configPath: 'fn.yaml' }, 'a', 'b', { exec: 1 }],
    'pipeline.mutators[1]`, `pipeline.mutators[2]`, `pipeline.mutators[3]',
  ],
  [
    'a list with a faulty entry before the others',
    ['pipeline', 'mutators'],
    ['a', { exec: 'clean', configPath: 'fn.yaml' }],
    'pipeline.mutators[0]',
  ],
  ['a field of another type in an entry', ['pipeline', 'mutators', 0, 'exec'], 1, 'pipeline.mutators[0].exec'],
  ['a new list with a faulty entry', ['pipeline', 'validators'], [{ exec: 1 }], 'pipeline.validators'],
])('%s that a function writes into a Kptfile is left out with a warning, or the package is refused', (_, field, value, name) => {
  const { root } = readPackageTree(treeOf(PACKAGE), (path) => path)
  const [step] = functionsIn(root.kptfile)
  const text = root.kptfile.toText()
  const after = step && guardOfRendered(treeOf(PACKAGE))?.(root)(step, '', { before: root.items, after: writing(field, value)(root.items) })
  expect([root.kptfile.toText(), after?.items]).toEqual([text, root.items])
  const written = name.split('`, `').map((path) => `writes \`${path}\` into 'Kptfile'`)
  const done = `'clean' ${written.join(', ')}, which kpt and the next run refuse`
  const fix = 'add an `exclude` with the kind Kptfile to the function'
  expect(after?.results.map(({ severity, message, tags }) => [severity, tags.rule, message])).toEqual([
    ['warning', 'needed-by-render', `\`pipeline.mutators[0]\` ${done}, so it is left out: ${fix}`],
  ])
  expect(guarded(neededObjectsGuard(undefined), writing(field, value))).toEqual([
    `error needed-by-render \`pipeline.mutators[0]\` must leave a Kptfile that kpt reads; ${done}: ${fix}`,
  ])
})

test('faults that a Kptfile had before a function are not named, and stay', () => {
  const files = { ...PACKAGE, Kptfile: `${PACKAGE.Kptfile}data: {}\n` }
  const { root } = readPackageTree(treeOf(files), (path) => path)
  const [step] = functionsIn(root.kptfile)
  const leave = writing(['extra'], 'a')
  const after = step && guardOfRendered(treeOf(files))?.(root)(step, '', { before: root.items, after: leave(root.items) })
  expect(after?.results.map(({ message }) => message)).toEqual([expect.stringContaining("'clean' writes `extra` into 'Kptfile', which")])
  expect(root.kptfile.toText()).toBe(files.Kptfile)
  expect(guarded(neededObjectsGuard(undefined), writing(['info'], {}), files)).toMatchObject({ messages: [] })
})

test('a list without a value gets several faulty entries of a function, and has none again', () => {
  const files = { ...PACKAGE, Kptfile: PACKAGE.Kptfile?.replace('{mutators', '{validators: null, mutators') ?? '' }
  const { root } = readPackageTree(treeOf(files), (path) => path)
  const [step] = functionsIn(root.kptfile)
  const leave = writing(['pipeline', 'validators'], ['a', 'b', 'c'])
  if (step !== undefined) guardOfRendered(treeOf(files))?.(root)(step, '', { before: root.items, after: leave(root.items) })
  expect(root.kptfile.get(['pipeline', 'validators'])).toBeNull()
})

test('a sound entry that a function adds beside a faulty one stays, also when the function moves the others', () => {
  const { root } = readPackageTree(treeOf(PACKAGE), (path) => path)
  const [step] = functionsIn(root.kptfile)
  const [clean, added] = [{ exec: 'clean', configPath: 'fn.yaml' }, { image: 'example.com/lint:v1' }]
  const leave = writing(['pipeline', 'mutators'], [added, { image: 7 }, clean])
  const after = step && guardOfRendered(treeOf(PACKAGE))?.(root)(step, '', { before: root.items, after: leave(root.items) })
  expect(after?.results.map(({ message }) => message)).toEqual([expect.stringContaining('writes `pipeline.mutators[1]` into')])
  expect(root.kptfile.get(['pipeline', 'mutators'])).toEqual([added, clean])
})

test('what a function writes into a Kptfile and kpt reads stays', () => {
  const { root } = readPackageTree(treeOf(PACKAGE), (path) => path)
  const [step] = functionsIn(root.kptfile)
  const after =
    step && neededObjectsGuard(undefined)(root)(step, '', { before: root.items, after: writing(['info'], { site: 'a' })(root.items) })
  expect(after?.results).toEqual([])
  expect(root.kptfile.get(['info', 'site'])).toBe('a')
})

test('a package whose upstream has a function that writes a field into every object is rendered again', () => {
  const put = `{image: ${CATALOG}/search-replace:v0.2.0, configMap: {by-path: data.y, put-value: a}}`
  const files: TestFiles = { Kptfile: kptfile(put), 'app.yaml': configMap('app', 'one') }
  const fleet = new OneVariantFleet({ v1: files, v2: { ...files, 'app.yaml': configMap('app', 'two') } })
  expect(rulesOf(fleet.render(1))).toContain('needed-by-render')
  expect([/^data:/m.test(fleet.readPackage('Kptfile')), fleet.readPackage('app.yaml').includes('"y": a')]).toEqual([false, true])
  expect(Object.fromEntries(fleet.render(2).fates)).toEqual({ updated: 1 })
})

test('a config stays in its file, and a package context may move', () => {
  const moved = (from: string) => (items: readonly PipelineItem[]) =>
    items.map((item) => (item.path === from ? { ...item, path: 'moved.yaml' } : item))
  expect(guarded(neededObjectsGuard('any'), moved('fn.yaml'))).toMatchObject({
    paths: Object.keys(PACKAGE).sort(),
    messages: [expect.stringContaining("moves 'fn.yaml' to 'moved.yaml'")],
  })
  expect(guarded(neededObjectsGuard('any'), moved('context.yaml'))).toMatchObject({
    paths: expect.arrayContaining(['moved.yaml']),
    messages: [],
  })
})

test('the name of a package context is put back, and that of an injection point is followed', () => {
  const rename = (path: string) => (items: readonly PipelineItem[]) => {
    for (const item of items) if (item.path === path) item.object.set(['metadata', 'name'], 'new')
    return items
  }
  expect(guarded(neededObjectsGuard('any'), rename('context.yaml'))).toMatchObject({
    messages: [expect.stringContaining("changes `metadata.name` of 'context.yaml'")],
  })
  expect(guarded(neededObjectsGuard('any'), rename('point.yaml'))).toMatchObject({ messages: [] })
  expect(guarded(neededObjectsGuard(undefined), rename('point.yaml'))).toEqual([
    expect.stringMatching(/^error .*`metadata\.name` of 'point/),
  ])
})
