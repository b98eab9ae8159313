import { expect, test } from 'vitest'
import { OneVariantFleet } from '../../../testdata/one-variant-fleet.ts'
import { configMapText, kptfileText, writtenObject } from '../../../testdata/written-objects.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError } from '../../result.ts'
import type { RenderOptions } from '../options.ts'
import { functionsOf, pipelineKptfile, type TestFunctions } from '../testing/functions-of.ts'
import { refusedBeforeRender, renderInMemory } from './render-in-memory.ts'

const files = (value: string) => ({
  Kptfile: kptfileText('shop'),
  'a.yaml': configMapText('a', `data:\n  value: ${value}\n`),
  'notes.txt': 'x',
})

function variant(name: string, revision: number, spec = ''): KrmObject {
  return writtenObject(
    `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: edge-${name}}
spec:
  upstream: {repo: catalog, package: shop, revision: ${revision}}
  downstream: {repo: edge, package: ${name}}
${spec}`,
    `${name}.yaml`,
  )
}

interface Asked {
  readonly variants?: readonly KrmObject[]
  readonly options?: Partial<RenderOptions>
  readonly functions?: TestFunctions
}

function request(fleet: OneVariantFleet, { variants = [variant('shop', 1, fleet.spec)], options, functions }: Asked) {
  return { ...fleet.plan(variants, options), ...(functions && { functions: functionsOf(functions) }) }
}

/** Returns the rules of the errors before a render; `subpackages` are those in the package of `edge-shop`. */
function refused(
  fleet: OneVariantFleet,
  asked: Asked = {},
  subpackages: Parameters<typeof refusedBeforeRender>[1] = [],
): readonly string[] {
  return refusedBeforeRender(request(fleet, asked), subpackages).map(({ severity, tags }) => `${severity} ${tags.rule}`)
}

function fleetOf(revisions: ConstructorParameters<typeof OneVariantFleet>[0] = { v1: files('one'), v2: files('two') }): OneVariantFleet {
  const fleet = new OneVariantFleet(revisions)
  fleet.render(1, { runs: false })
  return fleet
}

test('each package is rendered in memory, one after the other, and nothing is written', () => {
  const fleet = fleetOf()
  const before = fleet.files()
  const found = [...renderInMemory(request(fleet, { variants: [variant('shop', 2, fleet.spec), variant('web', 1)] }))]
  expect(found.map(({ step, changes }) => [step.op, step.folder, changes.length > 0])).toEqual([
    ['update', 'edge/shop', true],
    ['create', 'edge/web', true],
  ])
  expect(fleet.files()).toEqual(before)
})

test('a package that the variant must not change is left out', () => {
  const fleet = fleetOf()
  fleet.write('out/edge/web/Kptfile', kptfileText('web'))
  const spec = `${fleet.spec}  adoptionPolicy: adoptNone\n`
  expect(
    [...renderInMemory(request(fleet, { variants: [variant('shop', 1, fleet.spec), variant('web', 1, spec)] }))].map(
      ({ step }) => step.folder,
    ),
  ).toEqual(['edge/shop'])
})

test('faults that prevent rendering any package are thrown, and those of one package are among its results', () => {
  const missing = () => [...renderInMemory(request(fleetOf(), { variants: [variant('shop', 9)] }))]
  expect(missing).toThrow(FunctionError)
  const fleet = fleetOf()
  fleet.write('out/edge/shop/sub/Kptfile', '')
  const [found] = renderInMemory(request(fleet, { variants: [variant('shop', 2, fleet.spec)] }))
  expect(found?.results.map(({ tags }) => tags.rule)).toEqual(['kptfile'])
})

test('the edited files of a package are those that people made or changed, those without resources too; a new package has none', () => {
  const fleet = fleetOf()
  fleet.editPackage('a.yaml', 'one', 'mine')
  fleet.write('out/edge/shop/0.txt', 'x')
  fleet.write('out/edge/shop/tools/.git/config', 'x')
  const editedIn = (asked: Asked) => [...renderInMemory(request(fleet, asked))].map((each) => each.editedFiles())
  expect(editedIn({ variants: [variant('shop', 2, fleet.spec), variant('web', 1)] })).toEqual([['0.txt', 'a.yaml', 'tools/.git'], []])
})

test('the edited files of a package whose revision is not known are not known', () => {
  const fleet = fleetOf()
  fleet.editPackage('Kptfile', 'ref: v1', 'ref: v7')
  const [found] = renderInMemory(request(fleet, {}))
  expect(found?.editedFiles()).toBeUndefined()
})

test('the edited files of a moved package are those in its present folder', () => {
  const fleet = fleetOf()
  fleet.editPackage('a.yaml', 'one', 'mine')
  const moved = writtenObject(
    variant('shop', 1, fleet.spec).toText().replace('package: shop}\n  packageContext', 'package: web}\n  packageContext'),
    'shop.yaml',
  )
  const [found] = renderInMemory(request(fleet, { variants: [moved], options: { followRenames: true } }))
  expect([found?.step.folder, found?.editedFiles()]).toEqual(['edge/web', ['a.yaml']])
})

test('a fleet that can be rendered is not refused', () => {
  expect(refused(fleetOf())).toEqual([])
  expect(refused(fleetOf(), { variants: [variant('shop', 2), variant('web', 1)] })).toEqual([])
})

test('a missing upstream is refused, and what is no error is not reported', () => {
  expect(refused(fleetOf(), { variants: [variant('shop', 9)] })).toEqual(['error upstream-missing'])
  const fleet = fleetOf()
  expect(refused(fleet, { variants: [], options: { allowEmpty: true } })).toEqual([])
})

test('a package that goes with edits is refused, unless its functions or its upstream are not here', () => {
  const piped = { v1: { ...files('one'), Kptfile: pipelineKptfile('image: test.io/run') } }
  const gone = (functions: TestFunctions | undefined, prepare: (fleet: OneVariantFleet) => void = () => {}) => {
    const fleet = fleetOf(piped)
    fleet.editPackage('a.yaml', 'one', 'mine')
    prepare(fleet)
    return refused(fleet, { variants: [], options: { allowEmpty: true }, ...(functions && { functions }) })
  }
  expect(gone({ run: (input) => input })).toEqual(['error discard-edits'])
  expect(gone(undefined)).toEqual(['error discard-edits'])
  expect(gone({})).toEqual([])
  expect(gone({ run: (input) => input }, (fleet) => fleet.editPackage('Kptfile', 'ref: v1', 'ref: v7'))).toEqual([])
})

test('functions that an update would lose are refused, and none of a package that stays', () => {
  const fleet = fleetOf({
    v1: { ...files('one'), Kptfile: pipelineKptfile('image: test.io/run') },
    v2: { ...files('two'), Kptfile: undefined, 'sub/x.yaml': configMapText('x') },
  })
  expect(refused(fleet, { variants: [variant('shop', 2, fleet.spec)] })).toEqual(['error upstream-no-package'])
  expect(refused(fleet)).toEqual([])
})

const asking = (ref: string) =>
  writtenObject(
    `${kptfileText('net')}upstream:\n  type: git\n  git: {repo: catalog, directory: /net, ref: ${ref}}\nupstreamLock:\n  type: git\n  git: {repo: catalog, directory: /net, ref: v1}\n`,
    'out/edge/shop/net/Kptfile',
  )

test('a subpackage that asks for a missing revision is refused, in a package that is updated alone', () => {
  const fleet = fleetOf()
  fleet.write('catalog/net@v1/Kptfile', kptfileText('net'))
  fleet.write('catalog/net@v2/Kptfile', kptfileText('net'))
  const within = (owner: string, ref: string) => refused(fleet, {}, [{ kptfile: asking(ref), owner, path: 'net' }])
  expect(within('default/edge-shop', 'v9')).toEqual(['error upstream-missing'])
  expect(within('default/edge-shop', 'v2')).toEqual([])
  expect(within('default/edge-shop', 'v1')).toEqual([])
  expect(within('default/other', 'v9')).toEqual([])
  const fresh = new OneVariantFleet({ v1: files('one') })
  expect(refused(fresh, {}, [{ kptfile: asking('v9'), owner: 'default/edge-shop', path: 'net' }])).toEqual([])
})
