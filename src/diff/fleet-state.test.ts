import { expect, test } from 'vitest'
import { answered } from '../pipeline/calls.ts'
import { type FleetState, isEdited, rendererOf, variantOrigins } from './fleet-state.ts'
import { renderedFiles } from './package-objects.ts'
import { matrixFleet, matrixText, originOfPackage, webAt } from './testing/matrix-states.ts'
import { configText, type Files, KPTFILE_TEXT, renderedPackages, stateOfFiles, variantText } from './testing/states-of-files.ts'

const FLEET: Files = {
  'catalog/web@1/Kptfile': KPTFILE_TEXT,
  'catalog/web@1/a.yaml': configText('a', 'one'),
  'fleet/a.yaml': variantText('a', 'edge/a'),
  'fleet/far.yaml': variantText('far', 'far/a', { upstream: 'edge/a' }),
}
const PACKAGES: Files = { 'edge/a/Kptfile': KPTFILE_TEXT, 'edge/a/a.yaml': 'a', 'edge/a/b.yaml': 'b', 'edge/ab/Kptfile': KPTFILE_TEXT }

function committedOf(packages: Files): NonNullable<FleetState['committed']> {
  const { committed } = stateOfFiles(FLEET, packages)
  if (committed === undefined) throw new Error('must be committed')
  return committed
}

test.each<[string, Files, boolean]>([
  ['nothing', PACKAGES, false],
  ['the content of a file', { ...PACKAGES, 'edge/a/b.yaml': 'other' }, true],
  ['a file that is added', { ...PACKAGES, 'edge/a/c.yaml': 'c' }, true],
  ['a file that is gone', { 'edge/a/Kptfile': KPTFILE_TEXT, 'edge/a/a.yaml': 'a' }, true],
  ['the name of a file', { 'edge/a/Kptfile': KPTFILE_TEXT, 'edge/a/a.yaml': 'a', 'edge/a/c.yaml': 'b' }, true],
  ['another package', { ...PACKAGES, 'edge/ab/a.yaml': 'other' }, false],
])('a committed package is edited if one of its files differs: %s', (_, after, expected) => {
  expect(isEdited('edge/a', committedOf(PACKAGES), committedOf(after))).toBe(expected)
})

function stepOf(state: FleetState, folder: string) {
  const step = state.plan.steps.find((each) => each.folder === folder)
  if (step === undefined) throw new Error(`must have ${folder}`)
  return step
}

/** Returns the paths of a package that a state renders, with what a file that people added holds. */
function filesOf(state: FleetState, folder: string): readonly string[] {
  return [...renderedFiles(answered(rendererOf(state).render(stepOf(state, folder)))).keys()].sort()
}

test('a state renders its packages anew, or on top of the committed ones', () => {
  const created = stateOfFiles(FLEET)
  expect(filesOf(created, 'edge/a')).toEqual(['Kptfile', 'a.yaml', 'package-context.yaml'])
  const packages = { ...renderedPackages(FLEET), 'edge/a/own.yaml': configText('own', 'x') }
  expect(filesOf(stateOfFiles(FLEET, packages), 'edge/a')).toEqual(['Kptfile', 'a.yaml', 'own.yaml', 'package-context.yaml'])
})

test('the upstream of a package is the published revision, or the package of another variant as render leaves it', () => {
  const state = stateOfFiles(FLEET)
  const renderer = rendererOf(state)
  const own = renderer.upstreamOf(stepOf(state, 'edge/a'))
  expect([own?.source.place, own?.maker]).toEqual(['catalog/web@1', undefined])
  const made = renderer.upstreamOf(stepOf(state, 'far/a'))
  expect([made?.maker?.name, [...(made?.source.files.keys() ?? [])].includes('a.yaml')]).toEqual(['a', true])
})

const OPEN = { ber: ['status: open', 'region: north'] }
const MATRIX = matrixText(webAt(1), 'template: {labelExprs: [{key: region, valueExpr: target.labels.region}]}')

test('variants that sets make or keep have origins by namespace and name, those that sets remove and those of people have none', () => {
  const owned = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: gone, namespace: fleet, annotations: {krm-variants.dev/package-variant-set: fleet/web}}
spec:
  upstream: ${webAt(1)}
  downstream: {repo: muc, package: web}
`
  const files = matrixFleet(MATRIX, OPEN, { 'fleet/gone.yaml': owned, 'fleet/own.yaml': variantText('own', 'own/a') })
  const { sets } = stateOfFiles(files)
  expect(sets.flatMap(({ changes }) => changes.map(({ op }) => op)).sort()).toEqual(['create', 'remove'])
  const origins = [...variantOrigins(sets)]
  expect(origins.map(([key, { change }]) => [key.split('/')[0], key.endsWith(change.name), change.why?.repo])).toEqual([
    ['fleet', true, 'ber'],
  ])
})

test('an origin says where a field of the variant comes from, and what an expression gives for its target', () => {
  const origin = originOfPackage(matrixFleet(MATRIX, OPEN), 'ber/web')
  const source = origin.sourceOf(['spec', 'labels', 'region'], 'north')
  expect([source?.type, source?.path.slice(0, 3)]).toEqual(['expression', ['spec', 'template', 'labelExprs']])
  expect(origin.explain("target.name + '-' + target.labels.region")?.value).toBe('ber-north')
  expect(origin.explain('target.none')?.value).toBe('')
})

test('an origin without a set, a draft or a reason has no source and no expressions', () => {
  const { plan, change } = originOfPackage(matrixFleet(MATRIX, OPEN), 'ber/web')
  const { set: _, ...withoutSet } = plan
  const { draft: __, ...withoutDraft } = plan
  const { why: ___, ...withoutReason } = change
  const originsOf = (other: typeof withoutSet, of: typeof change = change) => [...variantOrigins([{ ...other, changes: [of] }]).values()]
  const path = ['spec', 'labels', 'region']
  for (const [origin] of [originsOf(withoutSet), originsOf(withoutDraft), originsOf(plan, withoutReason)])
    expect(origin?.sourceOf(path, 'north')).toBeUndefined()
  for (const [origin] of [originsOf(withoutDraft), originsOf(plan, withoutReason)]) expect(origin?.explain('target.name')).toBeUndefined()
})
