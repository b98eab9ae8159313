import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { writtenObject } from '../../../testdata/written-objects.ts'
import { wholeVariant } from '../../fleet/fleet-variants.ts'
import { packagePlaces } from '../../lifecycle/testing/places-of.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { sourceOfTexts } from '../../upstream/testing/source-of-texts.ts'
import { planRender } from '../plan-render.ts'
import { OPTIONS } from '../testing/render-of-texts.ts'
import { functionsToLose, lostFunctions } from './lost-functions.ts'

const VARIANT = KrmObject.fromDocument('apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: edge\n')

function kptfile(...images: readonly string[]): string {
  const head = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n'
  return images.length === 0 ? head : `${head}pipeline:\n  mutators:\n${images.map((image) => `    - image: ${image}\n`).join('')}`
}

/** Returns the findings of an update between packages, without the words behind the names of functions. */
function lost(base: Texts, theirs: Texts, ours: Texts = base): readonly string[] {
  const [was, is, own] = [packageOfTexts(base), packageOfTexts(theirs), packageOfTexts(ours)]
  const results = lostFunctions({ base: was, theirs: is, ours: own, variant: VARIANT, refs: { base: 'v1', theirs: 'v2' } })
  return results.map(({ severity, tags, resourceRef, message }) => {
    const names = message.match(/'set-[^']+'/g) ?? []
    return `${severity} ${tags.rule} ${resourceRef?.kind}: ${names.join(' ')}`
  })
}

const BOTH = kptfile('a.io/set-labels:v1', 'a.io/set-namespace:v1')

test('a revision without functions is a warning that names those of the package', () => {
  expect(lost({ Kptfile: BOTH }, { Kptfile: kptfile() })).toEqual(["warning functions-gone Kptfile: 'set-labels:v1' 'set-namespace:v1'"])
  expect(lost({ Kptfile: BOTH }, { Kptfile: kptfile() }, { Kptfile: kptfile('a.io/set-labels:v1') })).toEqual([
    "warning functions-gone Kptfile: 'set-labels:v1'",
  ])
})

test('a revision without a Kptfile is an error of its variant', () => {
  expect(lost({ Kptfile: BOTH }, {})).toEqual(["error upstream-no-package PackageVariant: 'set-labels:v1' 'set-namespace:v1'"])
})

test('a subpackage that becomes a folder is no error, one that loses all its functions is a warning', () => {
  const root = { Kptfile: kptfile('a.io/set-labels:v1') }
  expect(lost({ ...root, 'db/Kptfile': BOTH }, root)).toEqual([])
  expect(lost({ ...root, 'db/Kptfile': BOTH }, { ...root, 'db/Kptfile': kptfile() })).toEqual([
    "warning functions-gone Kptfile: 'set-labels:v1' 'set-namespace:v1'",
  ])
})

test('one function less is a change like any other, and functions that people added or deleted are not lost', () => {
  expect(lost({ Kptfile: BOTH }, { Kptfile: kptfile('a.io/set-labels:v1') })).toEqual([])
  expect(lost({ Kptfile: BOTH }, { Kptfile: kptfile() }, { Kptfile: kptfile() })).toEqual([])
  expect(lost({ Kptfile: kptfile() }, {}, { Kptfile: BOTH })).toEqual([])
  expect(lost({ Kptfile: BOTH }, {}, {})).toEqual([])
})

/** Returns the first finding of an update from v1 to v2. */
function found(base: Texts, theirs: Texts, ours: Texts = base) {
  const [was, is, own] = [packageOfTexts(base), packageOfTexts(theirs), packageOfTexts(ours)]
  const [result] = lostFunctions({ base: was, theirs: is, ours: own, variant: VARIANT, refs: { base: 'v1', theirs: 'v2' } })
  return result
}

test('the messages name both revisions, and each function once by its name, its image or its program', () => {
  const pipeline =
    'pipeline:\n  mutators:\n  - {image: a.io/x/set-labels:v1}\n  - {image: a.io/y/set-labels:v1, configMap: {a: b}}\n  - {name: mine, image: set-image}\n  validators:\n  - {exec: bin/check}\n'
  const Kptfile = `${kptfile()}${pipeline}`
  expect(found({ Kptfile }, { Kptfile: kptfile() })?.message).toBe(
    "`pipeline` has no functions in revision 'v2', and has 'set-labels:v1', 'mine', 'check' in 'v1': packages that are updated lose these, and what people changed in them",
  )
  expect(found({ Kptfile }, {})).toMatchObject({
    message: expect.stringMatching(
      /must name a revision with a Kptfile, as 'v1' is: in 'v2' the Kptfile is missing, and the package would lose its functions 'set-labels:v1', 'mine', 'check'/,
    ),
    field: { path: ['spec', 'upstream'] },
  })
})

test('a warning is at the empty pipeline of the new revision, or at its kind where it has none', () => {
  expect(found({ Kptfile: BOTH }, { Kptfile: `${kptfile()}pipeline: {}\n` })).toMatchObject({
    field: { path: ['pipeline'] },
    position: { line: 5 },
  })
  expect(found({ Kptfile: BOTH }, { Kptfile: kptfile() })).toMatchObject({ field: { path: ['pipeline'] }, position: { line: 2 } })
})

test('validators are functions, too', () => {
  const validators = `${kptfile()}pipeline:\n  validators:\n  - {image: set-x}\n`
  expect(lost({ Kptfile: BOTH }, { Kptfile: validators })).toEqual([])
  expect(lost({ Kptfile: validators }, { Kptfile: kptfile() })).toEqual(["warning functions-gone Kptfile: 'set-x'"])
})

const PLACED = (ref: string) =>
  writtenObject(`${BOTH}upstream:\n  type: git\n  git: {repo: catalog, directory: /shop, ref: ${ref}}\n`, 'out/shop/Kptfile')

/** Returns the rules of what an update of a package to a revision would take from it. */
function toLose(kptfileOfPackage: KrmObject | undefined, revision = 2, faults: readonly Result[] = []): readonly string[] {
  const folders = { 'catalog/shop@v1': { Kptfile: BOTH }, 'catalog/shop@v2': { Kptfile: kptfile() } }
  const given = sourceOfTexts({ folders })
  const folder = (path: string) => {
    const source = given.folder(path)
    return source && { ...source, faults: path.endsWith('v1') ? faults : [] }
  }
  const variant = writtenObject(
    `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: edge}\nspec:\n  upstream: {repo: catalog, package: shop, revision: ${revision}}\n  downstream: {repo: edge, package: shop}\n`,
  )
  const { steps, renderContext } = planRender({
    items: [variant],
    options: OPTIONS,
    packageSource: { ...given, folder },
    places: () => packagePlaces({}),
  })
  const [step] = steps
  if (step === undefined) throw new Error('one step')
  const read = () => packageOfTexts({ Kptfile: BOTH })
  const asked = { variant: () => wholeVariant(step.variant), upstream: step.upstream, read }
  return functionsToLose(kptfileOfPackage, asked, renderContext.upstreams).map(({ severity, tags }) => `${severity} ${tags.rule}`)
}

test('a package that is brought to a revision without functions has a warning before', () => {
  expect(toLose(PLACED('v1'))).toEqual(['warning functions-gone'])
})

test.each<[string, Parameters<typeof toLose>]>([
  ['that is not there', [undefined]],
  ['that stays at its revision', [PLACED('v2')]],
  ['whose revision is not at hand', [PLACED('v7')]],
  ['whose upstream cannot be read', [writtenObject(`${BOTH}upstream: 3\n`, 'Kptfile')]],
  ['whose revision has faults', [PLACED('v1'), 2, [{ severity: 'error', message: 'm', tags: { rule: 'unsafe-path' } }]]],
])('no warning is about a package %s', (_, asked) => {
  expect(toLose(...asked)).toEqual([])
})
