import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { randomRuns } from '../../../testdata/random-runs.ts'
import { type TestFiles, TestFleet } from '../../../testdata/test-fleet.ts'
import { kptfileText } from '../../../testdata/written-objects.ts'
import { decodePackageVariant } from '../../kinds/package-variant.ts'
import { answered } from '../../pipeline/calls.ts'
import { finish } from '../../progress.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { RenderedStep } from '../made-packages.ts'
import { planRender } from '../plan-render.ts'
import { renderStep } from './render-step.ts'
import { renderToFolder } from './render-to-folder.ts'
import { asksForFiles } from './unread-files.ts'

const KPTFILE = kptfileText('upf')
const CONTEXT = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kptfile.kpt.dev\ndata:\n  name: upf\n'
const POINT = { required: true }

function resource(name: string, value: number, { required = false } = {}): string {
  const annotations = required ? '  annotations:\n    kpt.dev/config-injection: required\n' : ''
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${annotations}data:\n  value: "${value}" # of ${name}\n  other: "0"\n`
}

function variant(revision: number, more: string): KrmObject {
  return KrmObject.fromDocument(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: edge-01-upf
  namespace: fleet
spec:
  upstream: {repo: catalog, package: upf, revision: ${revision}}
  downstream: {repo: edge-01, package: upf}
  packageContext: {data: {site: edge-01}}
${more}`)
}

class Fleet extends TestFleet {
  render(revision: number, more: string): void {
    finish(renderToFolder({ ...this.plan([variant(revision, more)]), isDryRun: false }))
  }

  /** Returns the package as it would be rendered, by a run that leaves files unread, or none. */
  rendered(revision: number, more: string, reading?: 'whole'): RenderedStep {
    const request = this.plan([variant(revision, more)])
    const plan = planRender({ ...request, places: () => request.places })
    const [step] = plan.steps
    if (step === undefined) throw new Error('there is a step')
    return answered(
      renderStep(step, { ...this.contextOf(plan), ...(reading === 'whole' && { unreadFiles: { between: () => new Set() } }) }),
    )
  }
}

/** Returns what a rendered step writes and reports. */
function answersOf({ changes, bytesOf, results, made }: RenderedStep): object {
  return {
    files: changes.map(({ path, op }) => [op, path, op === 'delete' ? '' : Buffer.from(bytesOf(path)).toString()]),
    results: results.map(({ severity, message }) => [severity, message]),
    outcomes: made.outcomes.map(({ result, path }) => [result, path]),
  }
}

const NAMES = ['a', 'b', 'c', 'd', 'sub/e', 'sub/f']
const side = fc.record(
  Object.fromEntries(
    NAMES.map((name) => [
      `${name}.yaml`,
      fc.constantFrom(undefined, ...[1, 1, 1, 2].map((value) => resource(name.replace('/', '-'), value))),
    ]),
  ),
)
const extras = fc.record({
  'sub/Kptfile': fc.constantFrom(undefined, undefined, KPTFILE),
  'point.yaml': fc.constantFrom(undefined, undefined, resource('point', 1, POINT)),
  'notes.txt': fc.constantFrom('one\n', 'two\n'),
})
const edit = fc.constantFrom<TestFiles>(
  {},
  { 'a.yaml': resource('a', 3) },
  { 'b.yaml': undefined },
  { 'c.yaml': `# Ours.\n${resource('c', 1)}` },
  { 'd.yaml': 'kind: [broken\n' },
  { 'sub/e.yaml': resource('sub-e', 4), 'notes.txt': 'ours\n' },
  { 'own.yaml': resource('own', 1, POINT) },
  { 'own.yaml': resource('a', 1), 'a.yaml': undefined },
  { 'sub/Kptfile': KPTFILE },
  { 'own/Kptfile': KPTFILE, 'own/x.yaml': resource('x', 1) },
  { '.krmignore': 'b.yaml\n' },
  { 'package-context.yaml': undefined },
  { 'package-context.yaml': undefined, 'b.yaml': CONTEXT },
)
const asked = fc.constantFrom(
  '',
  '  injectors:\n  - {kind: ConfigMap, name: source}\n',
  '  pipeline: {mutators: [{image: "example.com/set:v1", configPath: a.yaml}]}\n',
  '  pipeline: {mutators: [{image: "example.com/set:v1"}]}\n',
)

test('a package of which unchanged files stay unread is rendered as one that is read whole', () => {
  const revision = fc.tuple(side, extras).map(([files, more]): TestFiles => ({ Kptfile: KPTFILE, ...files, ...more }))
  const edits = fc.array(edit, { maxLength: 3 })
  fc.assert(
    fc.property(revision, revision, edits, asked, fc.constantFrom(1, 2), (before, after, changes, more, next) => {
      const fleet = new Fleet()
      try {
        fleet.writeAll('catalog/upf@v1', before)
        fleet.writeAll('catalog/upf@v2', after)
        fleet.render(1, '')
        for (const files of changes) fleet.writeAll('out/edge-01/upf', files)
        expect(answersOf(fleet.rendered(next, more))).toEqual(answersOf(fleet.rendered(next, more, 'whole')))
      } finally {
        fleet.remove()
      }
    }),
    { numRuns: randomRuns(10) },
  )
})

/** A fleet with its package as it was made of the first revision. */
function fleetOf(files: TestFiles): Fleet {
  const fleet = new Fleet()
  onTestFinished(() => fleet.remove())
  fleet.writeAll('catalog/upf@v1', { Kptfile: KPTFILE, ...files })
  fleet.render(1, '')
  return fleet
}

test('a file of its length is read when upstream changes it, one of another length always', () => {
  const fleet = fleetOf({ 'a.yaml': resource('a', 1), 'b.yaml': resource('b', 1) })
  fleet.writeAll('catalog/upf@v2', { Kptfile: KPTFILE, 'a.yaml': resource('a', 2), 'b.yaml': resource('b', 1) })
  const made = fleet.read('out/edge-01/upf/b.yaml')
  const rulesAfter = (text: string) => {
    fleet.writeAll('out/edge-01/upf', { 'b.yaml': text })
    return fleet.rendered(2, '').results.map(({ severity, tags }) => `${severity} ${tags.rule}`)
  }
  expect(rulesAfter(made.replace('kind: ', 'kind; '))).toEqual([])
  expect(rulesAfter(made.replace('kind: ', 'kind '))).toEqual(['warning unreadable-file'])
  fleet.writeAll('catalog/upf@v2', { 'b.yaml': resource('b', 2) })
  expect(rulesAfter(made.replace('kind: ', 'kind; '))).toContain('error unreadable-file')
})

test('an injection point that upstream brings is found again after its condition was taken away by hand', () => {
  const fleet = fleetOf({ 'a.yaml': resource('a', 1), 'point.yaml': resource('point', 1, POINT) })
  const kptfile = KrmObject.fromDocument(fleet.read('out/edge-01/upf/Kptfile'))
  kptfile.delete(['status'])
  kptfile.delete(['info'])
  fleet.writeAll('out/edge-01/upf', { Kptfile: kptfile.toText() })
  const { made, changes } = fleet.rendered(1, '')
  expect(changes.map(({ path }) => path)).toEqual(['Kptfile'])
  expect([...made.files.keys()]).not.toContain('a.yaml')
})

test.each([
  ['', false],
  ['  pipeline: {mutators: [{image: a/b}], validators: [{image: a/b, configMap: {a: b}}]}', false],
  ['  pipeline: {mutators: [{image: a/b}, {image: a/b, configPath: fn.yaml}]}', true],
  ['  pipeline: {validators: [{image: a/b, configPath: fn.yaml}]}', true],
])('a variant with the lines %j asks which files hold resources: %s', (lines, expected) => {
  expect(asksForFiles(decodePackageVariant(variant(1, lines)).variant)).toBe(expected)
})
