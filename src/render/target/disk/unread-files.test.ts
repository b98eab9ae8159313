import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { NamedFolder } from '../../../package/named-folder.ts'
import { diskFolder } from '../../../package/whole-folder.ts'
import { finish } from '../../../progress.ts'
import { KrmObject } from '../../../resource-list/krm-object.ts'
import type { RenderOptions } from '../../options.ts'
import { UnwritableFiles } from '../../package/package-changes.ts'
import { planRender } from '../../plan-render.ts'
import type { RenderedStep } from '../made-packages.ts'
import { MadePackages } from '../made-packages.ts'
import { planFolder } from './plan-folder.ts'
import { type FolderRenderContext, renderStep } from './render-step.ts'
import { renderToFolder } from './render-to-folder.ts'
import { UnreadFiles } from './unread-files.ts'

/** Files by path; undefined takes one away. */
type Files = Readonly<Record<string, string | undefined>>

const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n'
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

const OPTIONS: RenderOptions = {
  repositories: new Map(),
  clone: 'kpt',
  status: false,
  followRenames: false,
  discardEdits: false,
  allowMoved: false,
  allowEmpty: false,
}

class Fleet {
  readonly #root = mkdtempSync(join(tmpdir(), 'unread-'))
  readonly #dir: NamedFolder = { disk: this.#root, shown: 'fleet' }
  readonly #out: NamedFolder = { disk: join(this.#root, 'out'), shown: 'out' }

  write(folder: string, files: Files): void {
    for (const [path, text] of Object.entries(files)) {
      const place = join(this.#root, folder, path)
      mkdirSync(dirname(place), { recursive: true })
      if (text === undefined) rmSync(place, { force: true })
      else writeFileSync(place, text)
    }
  }

  read(path: string): string {
    return readFileSync(join(this.#root, path), 'utf8')
  }

  render(revision: number, more: string): void {
    finish(renderToFolder({ ...this.#request(revision, more), isDryRun: false }))
  }

  /** The package as it would be rendered, by a run that leaves files unread, or none. */
  fill(revision: number, more: string, reading?: 'whole'): RenderedStep {
    const request = this.#request(revision, more)
    const plan = planRender({ ...request, places: () => request.places })
    const [step] = plan.steps
    if (step === undefined) throw new Error('there is a step')
    const folderOf = (folder: string) => diskFolder(join(this.#out.disk, folder))
    const folderContext: FolderRenderContext = {
      plan,
      made: new MadePackages(plan, folderOf),
      unreadFiles: reading === 'whole' ? { between: () => new Set() } : new UnreadFiles(plan.renderContext),
      unwritable: new UnwritableFiles(),
      placeOf: (folder) => ({ disk: join(this.#out.disk, folder), shown: `out/${folder}` }),
      folderOf,
    }
    return renderStep(step, folderContext)
  }

  remove(): void {
    rmSync(this.#root, { recursive: true })
  }

  #request(revision: number, more: string) {
    return planFolder({
      items: [variant(revision, more)],
      dir: this.#dir,
      out: this.#out,
      options: OPTIONS,
      git: { cache: join(this.#root, 'cache'), offline: true },
      allowOutside: false,
      terms: { only: [], shard: undefined },
    })
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
const edit = fc.constantFrom<Files>(
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
  const revision = fc.tuple(side, extras).map(([files, more]): Files => ({ Kptfile: KPTFILE, ...files, ...more }))
  const edits = fc.array(edit, { maxLength: 3 })
  fc.assert(
    fc.property(revision, revision, edits, asked, fc.constantFrom(1, 2), (before, after, changes, more, next) => {
      const fleet = new Fleet()
      try {
        fleet.write('catalog/upf@v1', before)
        fleet.write('catalog/upf@v2', after)
        fleet.render(1, '')
        for (const files of changes) fleet.write('out/edge-01/upf', files)
        expect(answersOf(fleet.fill(next, more))).toEqual(answersOf(fleet.fill(next, more, 'whole')))
      } finally {
        fleet.remove()
      }
    }),
    { numRuns: 200 },
  )
})

/** A fleet with its package as it was made of the first revision. */
function fleetOf(files: Files): Fleet {
  const fleet = new Fleet()
  onTestFinished(() => fleet.remove())
  fleet.write('catalog/upf@v1', { Kptfile: KPTFILE, ...files })
  fleet.render(1, '')
  return fleet
}

test('a file of its length is read when upstream changes it, one of another length always', () => {
  const fleet = fleetOf({ 'a.yaml': resource('a', 1), 'b.yaml': resource('b', 1) })
  fleet.write('catalog/upf@v2', { Kptfile: KPTFILE, 'a.yaml': resource('a', 2), 'b.yaml': resource('b', 1) })
  const made = fleet.read('out/edge-01/upf/b.yaml')
  const rulesAfter = (text: string) => {
    fleet.write('out/edge-01/upf', { 'b.yaml': text })
    return fleet.fill(2, '').results.map(({ severity, tags }) => `${severity} ${tags.rule}`)
  }
  expect(rulesAfter(made.replace('kind: ', 'kind; '))).toEqual([])
  expect(rulesAfter(made.replace('kind: ', 'kind '))).toEqual(['warning unreadable-file'])
  fleet.write('catalog/upf@v2', { 'b.yaml': resource('b', 2) })
  expect(rulesAfter(made.replace('kind: ', 'kind; '))).toContain('error unreadable-file')
})

test('an injection point that upstream brings is found again after its condition was taken away by hand', () => {
  const fleet = fleetOf({ 'a.yaml': resource('a', 1), 'point.yaml': resource('point', 1, POINT) })
  const kptfile = KrmObject.fromDocument(fleet.read('out/edge-01/upf/Kptfile'))
  kptfile.delete(['status'])
  kptfile.delete(['info'])
  fleet.write('out/edge-01/upf', { Kptfile: kptfile.toText() })
  const { made, changes } = fleet.fill(1, '')
  expect(changes.map(({ path }) => path)).toEqual(['Kptfile'])
  expect([...made.files.keys()]).not.toContain('a.yaml')
})
