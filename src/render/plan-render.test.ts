import { expect, test } from 'vitest'
import { kptfileText } from '../../testdata/written-objects.ts'
import type { DownstreamPlace } from '../lifecycle/package-steps.ts'
import { packagePlaces, variantsOf, type WrittenPlace } from '../lifecycle/testing/places-of.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { sourceOfTexts } from '../upstream/testing/source-of-texts.ts'
import { type FleetToRender, planRender, type RenderPlan } from './plan-render.ts'
import { packageChange } from './removed-packages.ts'
import { OPTIONS } from './testing/render-of-texts.ts'

const SOURCE = sourceOfTexts({ folders: { 'catalog/app@v1': { Kptfile: kptfileText('app') } } })

/** Plans the packages of some variants, of which each is named like its downstream. */
function plan(
  downstreams: readonly string[],
  places: Readonly<Record<string, WrittenPlace>>,
  more: Partial<FleetToRender> = {},
): RenderPlan {
  const items = variantsOf(...downstreams).map(({ object }) => object)
  return planRender({ items, options: OPTIONS, packageSource: SOURCE, places: () => packagePlaces(places), ...more })
}

/** Returns the steps of a plan, then what becomes of packages without a variant. */
function stepsOf({ steps, leftovers }: RenderPlan): readonly string[] {
  return [...steps.map(({ op, folder }) => `${op} ${folder}`), ...leftovers.map(({ op, place }) => `${op} ${place.folder}`)]
}

const rulesOf = ({ results }: RenderPlan) => results.map(({ severity, tags }) => `${severity} ${tags.rule}`)

test('a variant without a package creates one, one with its package updates it, and a package without a variant goes', () => {
  const planned = plan(['a/app', 'b/app', 'c/app'], {
    'a/app': { owner: 'a-app' },
    'c/app': { owner: 'c-app' },
    'd/app': { owner: 'd-app' },
  })
  expect(stepsOf(planned)).toEqual(['update a/app', 'create b/app', 'update c/app', 'remove d/app'])
  expect(planned.steps.map(({ upstream }) => upstream.origin.ref)).toEqual(['v1', 'v1', 'v1'])
  expect(planned.results.filter(({ severity }) => severity === 'error')).toEqual([])
})

test('of selected variants only their packages are touched, and of packages without a variant those that may go', () => {
  const places = { 'a/app': { owner: 'a-app' }, 'b/app': { owner: 'b-app' }, 'd/app': { owner: 'd-app' }, 'e/app': { owner: 'e-app' } }
  const select = (mayGo: (owner: string, repo: string) => boolean) =>
    stepsOf(plan(['a/app', 'b/app'], places, { selection: { has: ({ name }) => name === 'a-app', mayGo } }))
  expect(select(() => false)).toEqual(['update a/app'])
  expect(select(() => true)).toEqual(['update a/app', 'remove d/app', 'remove e/app'])
  expect(select((owner, repo) => owner === 'default/d-app' && repo === 'd')).toEqual(['update a/app', 'remove d/app'])
})

test('a missing upstream is one error for all variants that ask for it, and none of them gets a step', () => {
  const planned = plan(['a/app', 'b/app'], { 'a/app': { owner: 'a-app' } }, { packageSource: sourceOfTexts({}) })
  expect(rulesOf(planned)).toEqual(['error upstream-missing'])
  expect(planned.steps).toEqual([])
})

test('the findings of an upstream package are reported once, and its faults too', () => {
  const finding = (rule: Result['tags']['rule'], severity: 'error' | 'warning'): Result => ({ severity, message: 'm', tags: { rule } })
  const packageSource = {
    ...SOURCE,
    folder: (path: string) => {
      const found = SOURCE.folder?.(path)
      return found && { ...found, faults: [finding('upstream-no-package', 'error')], results: [finding('functions-gone', 'warning')] }
    },
  }
  expect(rulesOf(plan(['a/app', 'b/app'], {}, { packageSource }))).toEqual(['error upstream-no-package', 'warning functions-gone'])
})

test('an upstream whose name cannot be a folder is an error of its variant', () => {
  const [good] = variantsOf('a/app')
  const bad = KrmObject.fromDocument(
    JSON.stringify({ ...Object(good?.object.toJson()) }).replace('"package":"app","rev', '"package":"../app","rev'),
  )
  const planned = planRender({ items: [bad], options: OPTIONS, packageSource: SOURCE, places: () => packagePlaces({}) })
  expect(planned.steps).toEqual([])
  expect(planned.results.map(({ severity }) => severity)).toEqual(['error'])
})

test('the packages keep the earlier name of their fleet where the caller says so, unless one has the present name', () => {
  const named =
    (...fleets: readonly string[]): FleetToRender['places'] =>
    () => {
      const places = packagePlaces(Object.fromEntries(fleets.map((_, at) => [`r${at}/app`, { owner: `r${at}-app` }])))
      const owned = places.owned.map((place, at): DownstreamPlace => {
        const fleet = fleets[at]
        return { ...place, owner: { variant: `default/r${at}-app`, deletionPolicy: 'delete', ...(fleet && { fleet }) } }
      })
      return { ...places, owned, at: (folder) => owned.find((place) => place.folder === folder) }
    }
  const fleetOf = (places: FleetToRender['places'], keepsName?: (fleet: string) => boolean) =>
    plan(['r0/app'], {}, { places, options: { ...OPTIONS, fleet: 'now' }, ...(keepsName && { keepsName }) }).renderContext.options.fleet
  const before = (fleet: string) => fleet === 'before'
  expect(fleetOf(named('before'), before)).toBe('before')
  expect(fleetOf(named('before'))).toBe('now')
  expect(fleetOf(named('other'), before)).toBe('now')
  expect(fleetOf(named('before', 'now'), before)).toBe('now')
})

test('a change of packages names those that are removed or lose their owner, and keeps those that are updated or left', () => {
  const { steps, leftovers } = plan(['a/app', 'b/app', 'c/app'], { 'a/app': { owner: 'a-app' }, 'c/app': {}, 'd/app': { owner: 'd-app' } })
  const orphan = leftovers.map((each) => ({ ...each, op: 'orphan' as const, place: { ...each.place, folder: 'e/app' } }))
  const changeOf = (all: typeof leftovers) => packageChange({ steps, leftovers: all, options: OPTIONS }, {})
  expect(changeOf(leftovers)).toMatchObject({ what: 'packages', removed: new Map([['d/app', 'd/app']]), fate: 'removed' })
  expect(changeOf(orphan)).toMatchObject({ removed: new Map([['e/app', 'e/app']]), fate: 'left to themselves' })
  const both = changeOf([...leftovers, ...orphan])
  expect([...both.removed.keys(), both.fate, both.kept]).toEqual(['d/app', 'e/app', 'removed or left to themselves', ['a/app', 'c/app']])
})

test('the names of variants elsewhere count where functions are distinguished by the name of their variant', () => {
  const { renderContext } = plan(['a/app'], {}, { elsewhere: { count: 1, names: ['a-app.more'] } })
  expect(renderContext.variantNames.beginningWith('a-app')).toEqual(['a-app.more'])
})
