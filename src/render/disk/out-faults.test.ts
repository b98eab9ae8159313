import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { TestFleet } from '../../../testdata/test-fleet.ts'
import { packagePlace } from '../../lifecycle/testing/places-of.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import type { RenderOptions } from '../options.ts'
import { planRender, type RenderPlan } from '../plan-render.ts'
import { outFaults, packageGaps } from './out-faults.ts'

const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n'

/** A fleet with the packages `web` and `deep/web` in the repository `catalog`. */
function catalogFleet(): TestFleet {
  const fleet = new TestFleet()
  onTestFinished(() => fleet.remove())
  for (const path of ['web@v1', 'deep/web@v1']) fleet.write(`catalog/${path}/Kptfile`, KPTFILE)
  return fleet
}

/** Returns the plan of variants, each given by its upstream package and its downstream `REPO/PACKAGE`. */
function planOf(fleet: TestFleet, variants: readonly (readonly [string, string])[], options: Partial<RenderOptions> = {}): RenderPlan {
  const items = variants.map(([upstream, downstream], index) => {
    const [repo, ...rest] = downstream.split('/')
    const text = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: v${index}}
spec:
  upstream: {repo: catalog, package: ${upstream}, revision: 1}
  downstream: {repo: ${repo}, package: ${rest.join('/')}}
`
    return KrmObject.fromDocument(text, { path: 'fleet.yaml', index, line: 1 })
  })
  const request = fleet.plan(items, options)
  const plan = planRender({ ...request, places: () => request.places })
  expect(plan.steps).toHaveLength(variants.length)
  return plan
}

const shown = ({ severity, tags, file, message }: Result) => `${severity} ${tags.rule} ${file?.path ?? ''}#${file?.index ?? ''} ${message}`

/** Returns the faults of a folder for packages, given by its path below the fleet. */
function faults(fleet: TestFleet, out: string, variants: readonly (readonly [string, string])[], options?: Partial<RenderOptions>) {
  const folders = { dir: { disk: fleet.root, shown: 'fleet' }, out: { disk: join(fleet.root, out), shown: `fleet/${out}` } }
  return outFaults(planOf(fleet, variants, options), folders).map(shown)
}

test('packages must not be written into the repository of their upstreams, which is one error for all variants', () => {
  const message =
    "error out-in-upstream # `out` must not be the folder of upstream packages, got 'fleet/catalog', which is that of repository 'catalog'"
  expect(
    faults(catalogFleet(), 'catalog', [
      ['web', 'edge/web'],
      ['deep/web', 'edge/deep'],
    ]),
  ).toEqual([message])
})

test.each<[string, string, string, boolean]>([
  ['at its upstream', 'web', 'catalog/web', true],
  ['in its upstream', 'web', 'catalog/web/sub', true],
  ['around its upstream', 'deep/web', 'catalog/deep', true],
  ['beside its upstream', 'web', 'catalog/web2', false],
  ['around a folder whose name begins so', 'deep/web', 'catalog/de', false],
  ['elsewhere', 'web', 'edge/web', false],
])('a package %s is written there: %4$j is an error', (_, upstream, downstream, isError) => {
  const message = `error out-in-upstream fleet.yaml#0 \`spec.downstream\` must not be the folder of its own upstream package, got '${downstream}' below 'fleet/.'`
  expect(faults(catalogFleet(), '.', [[upstream, downstream]])).toEqual(isError ? [message] : [])
})

test('a repository in a checkout of git must not get the packages, and the folder that holds the fleet too may', () => {
  const fleet = catalogFleet()
  const git = (repo: string) => ({
    repositories: new Map([['catalog', { trusted: true, revisions: new Map(), tags: new Map(), git: { repo } }]]),
  })
  expect(faults(fleet, 'checkout', [['web', 'edge/web']], git('checkout'))).toEqual([])
  fleet.write('checkout/a', '')
  expect(faults(fleet, 'checkout', [['web', 'edge/web']], git('checkout'))).toEqual([expect.stringContaining("'fleet/checkout'")])
  expect(faults(fleet, '.', [['web', 'edge/web']], git('.'))).toEqual([])
  expect(faults(fleet, 'checkout', [['web', 'edge/web']], git('https://example.com/checkout'))).toEqual([])
})

/** A checkout that leaves out some files. */
function sparseCheckout(...leftOut: readonly string[]): TestFleet {
  const fleet = new TestFleet()
  onTestFinished(() => fleet.remove())
  const own = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', fleet.root, ...own, ...args], { stdio: 'pipe' })
  for (const site of ['a', 'b', 'c', 'd', 'e']) fleet.writeAll(`out/${site}/web`, { Kptfile: KPTFILE, 'sub/a.yaml': 'kind: A\n' })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'a')
  git('sparse-checkout', 'set', '--no-cone', '/*', ...leftOut.map((path) => `!/out/${path}`))
  return fleet
}

/** Returns the findings about a checkout, for a run with steps for some packages. */
function gaps(fleet: TestFleet, steps: readonly string[], { selection, movedFrom }: { selection?: unknown; movedFrom?: string } = {}) {
  const plan = steps.map((folder) => ({ folder, ...(movedFrom !== undefined && { movedFrom }) }))
  const out = { disk: join(fleet.root, 'out'), shown: 'out' }
  return packageGaps(
    { steps: plan, leftovers: [{ place: packagePlace('d/web') }] },
    { out, ...(selection !== undefined && { selection }) },
  ).map(shown)
}

const missing = (names: string) =>
  `error not-checked-out # packages below 'out' are not wholly in this checkout, although git has them: ${names}; \`git sparse-checkout add\` with their folders (of submodules, \`git submodule update --init\`) brings them, and --only renders a part of the fleet`

test('packages that a checkout leaves out, whole or in part, are one error that names three', () => {
  expect(gaps(sparseCheckout(), ['a/web'])).toEqual([])
  const fleet = sparseCheckout('a/web/sub', 'b/web')
  expect(gaps(fleet, ['a/web', 'b/web'])).toEqual([missing("'a/web', 'b/web'")])
  expect(gaps(sparseCheckout('a/web', 'b/web', 'c/web', 'd/web'), ['a/web', 'b/web', 'c/web'])).toEqual([
    missing("'a/web', 'b/web', 'c/web' and 1 more"),
  ])
})

test('a part of the fleet asks for its own packages only, also for those that it moves or removes', () => {
  const fleet = sparseCheckout('b/web', 'd/web/sub')
  expect(gaps(fleet, ['a/web'], { selection: {} })).toEqual([missing("'d/web'")])
  expect(gaps(sparseCheckout('b/web'), ['a/web'], { selection: {} })).toEqual([])
  expect(gaps(sparseCheckout('b/web'), ['a/web'], { selection: {}, movedFrom: 'b/web' })).toEqual([missing("'b/web'")])
})
