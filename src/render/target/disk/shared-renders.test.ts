import fc from 'fast-check'
import { expect, test } from 'vitest'
import { catalogFunctions, type TestFiles, TestFleet } from '../../../../testdata/test-fleet.ts'
import { finish } from '../../../progress.ts'
import { KrmObject } from '../../../resource-list/krm-object.ts'
import { planRender } from '../../plan-render.ts'
import type { RenderedStep } from '../made-packages.ts'
import { renderStep } from './render-step.ts'
import { renderToFolder } from './render-to-folder.ts'
import { SharedRenders } from './shared-renders.ts'

/** A variant with values of its own. */
interface Site {
  readonly name: string
  readonly repo: string
  readonly values: readonly string[]
}

function variantOf({ name, repo, values: [site = '', zone = '', label = ''] }: Site, revision: number, more: string): KrmObject {
  return KrmObject.fromDocument(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: ${name}
  namespace: fleet
spec:
  upstream: {repo: catalog, package: upf, revision: ${revision}}
  downstream: {repo: ${repo}, package: upf}
  labels: {zone: ${JSON.stringify(label)}}
  packageContext: {data: {site: ${JSON.stringify(site)}, zone: ${JSON.stringify(zone)}}}
  pipeline:
    mutators:
    - {name: labels, image: "set-labels:v0.2.0", configMap: {site: ${JSON.stringify(site)}, at: "a ${zone}"}}
    - {name: setters, image: "apply-setters:v0.2.0", configMap: {value: ${JSON.stringify(zone)}}}
${more}`)
}

class Fleet extends TestFleet {
  readonly #runs: boolean

  /** @param runs  true to run the functions of packages */
  constructor(runs = false) {
    super()
    this.#runs = runs
  }

  render(variants: readonly KrmObject[]): void {
    finish(renderToFolder({ ...this.#request(variants), isDryRun: false }))
  }

  /** Returns each package as it would be rendered. */
  rendered(variants: readonly KrmObject[], isShared: boolean): readonly RenderedStep[] {
    const request = this.#request(variants)
    const plan = planRender({ ...request, places: () => request.places })
    const folderContext = { ...this.contextOf(plan), ...(isShared && { shared: new SharedRenders(plan.renderContext) }) }
    return plan.steps.map((step) => renderStep(step, folderContext))
  }

  #request(variants: readonly KrmObject[]) {
    return { ...this.plan(variants), ...(this.#runs && { functions: catalogFunctions() }) }
  }
}

/** Returns what rendered steps write and report. */
function answersOf(rendered: readonly RenderedStep[]): readonly object[] {
  return rendered.map(({ step, changes, bytesOf, modeOf, results, functions }) => ({
    folder: step.folder,
    functions: functions && [functions.outcome, functions.ran, functions.results.map(({ message }) => message)],
    changed: functions && [...functions.changed].map(([path, bytes]) => [path, bytes && Buffer.from(bytes).toString()]),
    files: changes.map(({ path, op }) => [op, path, ...(op === 'delete' ? [] : [Buffer.from(bytesOf(path)).toString(), modeOf(path)])]),
    results: results.map(({ severity, message }) => [severity, message]),
  }))
}

/** Returns the number of packages that took the render of another one. */
function countShared(rendered: readonly RenderedStep[]): number {
  return rendered.filter(({ made }) => made.files.size === 0).length
}

function kptfile(more = ''): string {
  return `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n${more}`
}

function resource(value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  value: "${value}" # kpt-set: \${value}\n  other: "0"\n`
}

// Among them words of the upstream and of Kptfiles, that YAML does not read as texts, and that begin with others.
const word = fc.constantFrom(
  'north',
  'south',
  'upf',
  'main',
  'git',
  'labels',
  'fleet',
  'yes',
  '12',
  '1e3',
  'a b',
  'north-1',
  '',
  "it's",
  'é',
)
const values = fc.array(fc.oneof({ arbitrary: fc.constant(undefined), weight: 5 }, { arbitrary: word, weight: 1 }), {
  minLength: 3,
  maxLength: 3,
})
/** Sites whose values are words that no other site has, but for some. */
const sites = fc
  .array(fc.tuple(fc.constantFrom('edge', 'edge', 'edge', 'git', 'shop.one', 'shop'), values), { minLength: 4, maxLength: 9 })
  .map((all) =>
    all.map(([name, own], index): Site => {
      const words = own.map((each, at) => each ?? `${'abc'[at]}${index}`)
      return { name: `${name}-${index}`, repo: `${name}-${index % 2 ? 'r' : 's'}${index}`, values: words }
    }),
  )
const side = fc.record<TestFiles>({
  Kptfile: fc.constantFrom(
    kptfile(),
    kptfile('info:\n  description: of north\n'),
    kptfile('pipeline:\n  mutators:\n  - image: set-labels:v0.2.0\n    configMap: {zone: main}\n'),
  ),
  'a.yaml': fc.constantFrom(resource('north'), resource('2'), undefined),
  'b.yaml': fc.constantFrom(resource('1'), undefined),
  'sub/Kptfile': fc.constantFrom(undefined, undefined, kptfile()),
  'package-context.yaml': fc.constantFrom(
    undefined,
    undefined,
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kptfile.kpt.dev\ndata:\n  zone: north\n',
  ),
})
const edit = fc.constantFrom<TestFiles>(
  { 'a.yaml': resource('mine') },
  { 'b.yaml': undefined },
  { 'own.txt': 'mine\n' },
  { '.krmignore': 'b.yaml\n' },
  { 'a.yaml': 'kind: [broken\n' },
  { 'package-context.yaml': undefined },
)
const edits = fc.array(fc.tuple(fc.nat(8), edit), { maxLength: 3 })
const more = fc.constantFrom('', '', '', '', '  injectors: [{kind: ConfigMap, name: source}]\n')

test('a package that takes the render of another one is what its own render makes of it, new and updated', () => {
  let shared = 0
  fc.assert(
    fc.property(sites, side, side, edits, more, word, fc.boolean(), (all, before, after, changes, asked, moved, runs) => {
      const fleet = new Fleet(runs)
      try {
        fleet.writeAll('catalog/upf@v1', before)
        fleet.writeAll('catalog/upf@v2', after)
        const first = all.map((site) => variantOf(site, 1, ''))
        const made = fleet.rendered(first, true)
        expect(answersOf(made)).toEqual(answersOf(fleet.rendered(first, false)))
        fleet.render(first)
        for (const [at, files] of changes) fleet.writeAll(`out/${all[at % all.length]?.repo}/upf`, files)
        const second = all.map(({ values: [, ...values], ...site }) =>
          variantOf({ ...site, values: [moved === '' ? (values[0] ?? '') : `${moved}-${site.name}`, ...values] }, 2, asked),
        )
        for (const variants of [second, first, all.map((site) => variantOf(site, 2, asked))]) {
          const updated = fleet.rendered(variants, true)
          expect(answersOf(updated)).toEqual(answersOf(fleet.rendered(variants, false)))
          shared += countShared(updated)
        }
        shared += countShared(made)
      } finally {
        fleet.remove()
      }
    }),
    { numRuns: 25 },
  )
  expect(shared).toBeGreaterThan(25)
})

test.each([
  ['left to kpt', false, [4, 4, 3]],
  ['run', true, [4, 0, 0]],
] as const)(
  'with functions %s, packages with other names and values take the render of the first, once the second was compared; an edited package does not',
  (_, runs, [created, unchanged, updated]) => {
    const fleet = new Fleet(runs)
    try {
      fleet.writeAll('catalog/upf@v1', { Kptfile: kptfile(), 'a.yaml': resource('1'), 'b.yaml': resource('1') })
      fleet.writeAll('catalog/upf@v2', { Kptfile: kptfile(), 'a.yaml': resource('2'), 'b.yaml': resource('1') })
      const all = Array.from(
        { length: 6 },
        (_, at): Site => ({ name: `edge-${at}`, repo: `repo-${at}`, values: [`site-${at}`, `zone-${at}`, `at-${at}`] }),
      )
      const [first, second] = [1, 2].map((revision) => all.map((site) => variantOf(site, revision, '')))
      expect(countShared(fleet.rendered(first ?? [], true))).toBe(created)
      fleet.render(first ?? [])
      expect(countShared(fleet.rendered(first ?? [], true))).toBe(unchanged)
      fleet.writeAll('out/repo-3/upf', { 'a.yaml': resource('mine') })
      expect(countShared(fleet.rendered(second ?? [], true))).toBe(updated)
    } finally {
      fleet.remove()
    }
  },
)
