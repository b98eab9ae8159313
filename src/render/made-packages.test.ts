import { expect, test } from 'vitest'
import type { Texts } from '../../testdata/package-of-texts.ts'
import { configMapText, kptfileText } from '../../testdata/written-objects.ts'
import { EMPTY_FOLDER, fileInMemory, type WholeFolder } from '../folder/whole-folder.ts'
import { packagePlaces, variantsOf } from '../lifecycle/testing/places-of.ts'
import { answered } from '../pipeline/calls.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { sourceOfTexts } from '../upstream/testing/source-of-texts.ts'
import { MadePackages, type RenderedStep, upstreamNotMade } from './made-packages.ts'
import { planRender } from './plan-render.ts'
import { OPTIONS } from './testing/render-of-texts.ts'

const KPTFILE = kptfileText('app')
const bytes = (text: string) => Buffer.from(text)

function folderOfTexts(texts: Texts): WholeFolder {
  return { ...EMPTY_FOLDER, files: new Map(Object.entries(texts).map(([path, text]) => [path, fileInMemory(bytes(text), 0o644)])) }
}

/** Returns the packages of a run in which `edge/app` is made from `base/app`, which a variant makes and which is in a folder before. */
function chained(before: Texts = {}) {
  const [maker] = variantsOf('base/app')
  if (maker === undefined) throw new Error('one variant')
  const text = JSON.stringify(maker.object.toJson())
  const follower = text
    .replace('"catalog"', '"base"')
    .replace('"base-app"', '"edge-app"')
    .replace('"repo":"base","package":"app"}}', '"repo":"edge","package":"app"}}')
  const folder = (path: string) => (path === 'base/app' ? folderOfTexts(before) : EMPTY_FOLDER)
  const plan = planRender({
    items: [maker.object, KrmObject.fromDocument(follower, { path: 'fleet.yaml', index: 1, line: 1 })],
    options: OPTIONS,
    packageSource: sourceOfTexts({ folders: { 'catalog/app@v1': { Kptfile: KPTFILE } } }),
    places: () => packagePlaces(Object.keys(before).length === 0 ? {} : { 'base/app': { owner: 'base-app' } }),
    downstreams: { folder, shown: (path) => path },
  })
  const [first, second] = plan.steps
  if (first === undefined || second === undefined) throw new Error(plan.results.map(({ message }) => message).join())
  return { first, second, plan, made: new MadePackages(plan, folder) }
}

/** Returns a rendered step with some changes of files; a file without a text is deleted. */
function rendered(step: RenderedStep['step'], changes: Readonly<Record<string, string | undefined>>): RenderedStep {
  return {
    ...{ step, made: { files: new Map(), results: [], outcomes: [] }, results: [], leftovers: [] },
    changes: Object.entries(changes).map(([path, text]) => ({ path, op: text === undefined ? 'delete' : 'update' })),
    bytesOf: (path) => bytes(changes[path] ?? ''),
    before: () => undefined,
    isAsRead: () => undefined,
    modeOf: () => 0o755,
  }
}

/** Returns the files of the upstream that a step is rendered from, and the steps that were rendered for it. */
function upstreamOf(made: MadePackages, step: RenderedStep['step'], render: (step: RenderedStep['step']) => void = () => {}) {
  const asked: string[] = []
  const found = answered(
    made.upstreamOf(step, function* (other) {
      asked.push(other.folder)
      render(other)
      yield* []
    }),
  )
  return { asked, files: found && [...found.source.files.keys()].sort(), tree: found?.origin.tree }
}

test('an upstream that no variant makes is the one of the step, and only makers of others are kept', () => {
  const { first, second, made } = chained()
  expect(first.upstream.maker).toBeUndefined()
  expect(upstreamOf(made, first)).toMatchObject({ asked: [], files: ['Kptfile'] })
  expect([made.has(first.variant), made.has(second.variant)]).toEqual([true, false])
})

test('the upstream that a variant makes is rendered once, and has its files as the run leaves them', () => {
  const { first, second, made } = chained({ Kptfile: KPTFILE, 'old.yaml': configMapText('old'), 'kept.yaml': configMapText('kept') })
  const render = (step: RenderedStep['step']) => made.take(rendered(step, { 'old.yaml': undefined, 'new.yaml': configMapText('new') }))
  const found = upstreamOf(made, second, render)
  expect(found).toMatchObject({ asked: [first.folder], files: ['Kptfile', 'kept.yaml', 'new.yaml'] })
  expect(upstreamOf(made, second, render)).toEqual({ ...found, asked: [] })
})

test('a new package has only what the run makes, and one that the run does not make is missing', () => {
  const fresh = chained()
  expect(upstreamOf(fresh.made, fresh.second, (step) => fresh.made.take(rendered(step, { Kptfile: KPTFILE }))).files).toEqual(['Kptfile'])
  const none = chained()
  expect(upstreamOf(none.made, none.second)).toMatchObject({ asked: ['base/app'], files: undefined })
})

test('the package of a maker that the run leaves alone is the one that is there', () => {
  const { second, plan } = chained({ Kptfile: KPTFILE })
  const left = { ...plan, steps: plan.steps.map((step) => ({ ...step, op: 'leave' as const })) }
  const made = new MadePackages(left, () => folderOfTexts({ Kptfile: KPTFILE, 'a.yaml': configMapText('a') }))
  expect(upstreamOf(made, second)).toMatchObject({ asked: [], files: ['Kptfile', 'a.yaml'] })
})

test('a package whose upstream was not made is an error that names the package and its variant', () => {
  const { second } = chained()
  const { severity, message, resourceRef } = upstreamNotMade(second)
  expect([severity, resourceRef?.name, message]).toEqual([
    'error',
    'edge-app',
    expect.stringContaining("'base/app' of PackageVariant 'base-app' was not made"),
  ])
})
