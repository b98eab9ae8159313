import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SitesFleet } from '../../../testdata/sites-fleet.ts'
import { asRecord, lookup, parseJson } from '../../json.ts'
import type { Result } from '../../result.ts'
import type { RenderedStep } from '../made-packages.ts'

/** The fewest packages that have a record. */
const FEWEST = 20
/** One more, so that a record is written without one of them. */
const SITES = FEWEST + 1

/** Waits until new files have other times than those before. */
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30)

const all = Array.from({ length: SITES }, (_, site) => site)
const but = (...sites: readonly number[]) => all.filter((site) => !sites.includes(site))

/** Returns a fleet that was rendered once. */
function renderedFleet(prepare: (fleet: SitesFleet) => void = () => {}): SitesFleet {
  const fleet = new SitesFleet(SITES)
  prepare(fleet)
  expect(fleet.run().opened).toEqual(all)
  return fleet
}

test('a second run opens no package and leaves the record as it is', () => {
  const fleet = renderedFleet()
  const before = statSync(fleet.record).ino
  expect(fleet.run()).toEqual({ opened: [], warnings: [] })
  expect(statSync(fleet.record).ino).toBe(before)
})

test('the record holds its form, two digests of each package, and one of each upstream package in a folder', () => {
  const fleet = renderedFleet()
  const record = asRecord(parseJson(readFileSync(fleet.record, 'utf8')))
  const packages = Object.entries(asRecord(lookup(record, 'packages')))
  expect(Object.keys(record)).toEqual(['form', 'packages', 'upstreams'])
  expect(lookup(record, 'form')).toBe(3)
  expect(packages.map(([folder]) => folder)).toEqual(all.map((site) => `site-${site}/web`))
  for (const [, digests] of packages) expect(digests).toMatch(/^[0-9a-f]{32} [0-9a-f]{32}$/)
  expect(lookup(record, 'upstreams')).toEqual({ 'catalog web v1': expect.stringMatching(/^[0-9a-f]{32}$/) })
})

test.each([
  [FEWEST - 1, false],
  [FEWEST, true],
])('a fleet of %d packages leaves a record: %j', (sites, isLeft) => {
  const fleet = new SitesFleet(sites)
  fleet.run()
  expect(existsSync(fleet.record)).toBe(isLeft)
})

/** The changes between two runs, each with the sites whose packages are opened then. */
const CHANGES: readonly (readonly [string, (fleet: SitesFleet) => void, readonly number[]])[] = [
  ['an edited file', (fleet) => fleet.edit('out/site-3/web/a.yaml', 'revision: 1', 'revision: 7'), [3]],
  ['a file that is touched', (fleet) => utimesSync(fleet.place(4, 'a.yaml'), new Date(0), new Date(0)), [4]],
  ['a new file', (fleet) => fleet.write('out/site-5/web/own.txt', ''), [5]],
  ['a removed file', (fleet) => rmSync(fleet.place(6, 'notes.txt')), [6]],
  ['an executable file', (fleet) => chmodSync(fleet.place(7, 'notes.txt'), 0o755), [7]],
  ['a removed package', (fleet) => rmSync(fleet.place(8), { recursive: true }), [8]],
  ['another spec of a variant', (fleet) => fleet.specs.set(9, '  packageContext: {data: {a: b}}\n'), [9]],
  ['a name that begins with the name of another variant and a dot', (fleet) => fleet.names.set(11, 'site-10x.b'), [10, 11]],
  ['another revision for one variant', (fleet) => fleet.upstreams.set(12, 'repo: catalog, package: web, revision: 2'), [12]],
  ['another object that nothing injects', (fleet) => fleet.setValue('b'), []],
  ['another upstream that one variant names', (fleet) => fleet.write('catalog/web@v2/notes.txt', 'other\n'), [12]],
  ['another content upstream', (fleet) => fleet.write('catalog/web@v1/notes.txt', 'other\n'), but(12)],
  ['another file upstream', (fleet) => fleet.write('catalog/web@v1/new.txt', 'new\n'), but(12)],
  ['another comment upstream', (fleet) => fleet.edit('catalog/web@v1/a.yaml', 'kind: A', 'kind: A # a'), but(12)],
  ['another mode upstream', (fleet) => chmodSync(join(fleet.root, 'catalog/web@v1/notes.txt'), 0o755), but(12)],
]

test('after a change, a run opens the packages that the change concerns, and the run after it opens none', () => {
  const fleet = renderedFleet()
  for (const [name, change, opened] of CHANGES) {
    change(fleet)
    expect([name, fleet.run().opened, fleet.run().opened]).toEqual([name, opened, []])
  }
})

test('a run with another choice of its caller opens every package', () => {
  const fleet = renderedFleet()
  for (const run of [{ request: 'another' }, { options: 'another' }]) expect([run, fleet.run(run).opened]).toEqual([run, all])
})

/** Adds a place to the upstream package into which the ConfigMap of the fleet is injected. */
function addInjectionPoint(fleet: SitesFleet): void {
  const point = 'metadata:\n  name: values\n  annotations: {kpt.dev/config-injection: required}\ndata: {value: x}\n'
  fleet.write('catalog/web@v1/values.yaml', `apiVersion: v1\nkind: ConfigMap\n${point}`)
}

test('a package into which objects are injected is opened when an object of the fleet changes', () => {
  const fleet = renderedFleet((each) => {
    each.runsFunctions = false
    addInjectionPoint(each)
    for (const site of all) each.specs.set(site, '  injectors: [{name: values}]\n')
  })
  expect(fleet.run().opened).toEqual([])
  fleet.setValue('b')
  expect(fleet.run().opened).toEqual(all)
  expect(readFileSync(fleet.place(3, 'values.yaml'), 'utf8')).toContain('value: b')
})

/** Records that no run writes. */
const DAMAGED: readonly (readonly [string, (record: string) => string | undefined])[] = [
  ['is missing', () => undefined],
  ['is empty', () => ''],
  ['is a list', () => '[]'],
  ['has another form', (record) => record.replace('"form":3', '"form":2')],
  ['has no packages', (record) => record.replace('"packages"', '"others"')],
  ['has no upstreams', (record) => record.replace('"upstreams"', '"others"')],
  ['has a number for a package', (record) => record.replace('"packages":{', '"packages":{"other/web":1,')],
  ['has one digest for a package', (record) => record.replace(/ [0-9a-f]{32}"/, '"')],
  ['has a digest that is too long', (record) => record.replace(/([0-9a-f]{32})"/, '$10"')],
  ['has more before a digest', (record) => record.replace(/:"([0-9a-f]{32}) /, ':"0$1 ')],
  ['has no digest of an upstream', (record) => record.replace(/"([0-9a-f]{32})"/, '"$1 $1"')],
]

test('a record that is not as a run writes it is not read', () => {
  const fleet = renderedFleet()
  const written = readFileSync(fleet.record, 'utf8')
  expect([fleet.last().digests.packages.size, fleet.last().digests.upstreams.size]).toEqual([SITES, 1])
  for (const [name, damage] of DAMAGED) {
    fleet.write('cache/record', damage(written))
    expect([name, fleet.last().digests]).toEqual([name, { packages: new Map(), upstreams: new Map() }])
  }
})

test('a folder is known as a package where the last run left it, and as it left it', () => {
  const fleet = renderedFleet()
  expect(['site-3/web', 'site-3', '', 'site-99/web'].map((folder) => fleet.last().isPackage(folder))).toEqual([true, false, false, false])
  const places = [fleet.place(3).replace(/\/$/, ''), join(fleet.root, 'elsewhere/site-3/web'), join(fleet.root, 'out')]
  expect(places.map((place) => fleet.last().isPackageAt(place))).toEqual([true, false, false])
  renameSync(join(fleet.root, 'out/site-3'), join(fleet.root, 'elsewhere'))
  symlinkSync(join(fleet.root, 'elsewhere'), join(fleet.root, 'out/site-3'))
  expect(fleet.last().isPackage('site-3/web')).toBe(false)
})

test('the files of a package are looked at once in a run', () => {
  const fleet = renderedFleet()
  const last = fleet.last()
  expect(last.isPackage('site-3/web')).toBe(true)
  fleet.write('out/site-3/web/own.txt', '')
  expect(last.isPackage('site-3/web')).toBe(true)
  expect(fleet.last().isPackage('site-3/web')).toBe(false)
})

const FINDING: Result = { severity: 'warning', message: 'm', tags: { rule: 'edit-lost' } }

function withFunctions(run: Partial<NonNullable<RenderedStep['functions']>>, ...changed: readonly string[]): Partial<RenderedStep> {
  const files = new Map(changed.map((path) => [path, new Uint8Array()]))
  return { functions: { outcome: 'done', results: [], ran: ['f'], changed: files, ...run } }
}

/** Returns a package that the next run would leave as it is, or not. */
function made(isSettled: boolean): RenderedStep['made'] {
  return { files: new Map(), results: [], outcomes: [], isSettled: () => isSettled }
}

/** How a run leaves a package, and if the next run opens the package. */
const LEFT: readonly (readonly [string, boolean, Partial<RenderedStep>])[] = [
  ['with a finding', true, { results: [FINDING] }],
  ['with the file of an interrupted run', true, { leftovers: ['a.yaml.krm-variants-new'] }],
  ['without the result of failed functions', true, withFunctions({ outcome: 'failed' })],
  ['with a finding of a function', true, withFunctions({ results: [FINDING] })],
  ['with a file that a function changed, and nothing to do for the next run', false, withFunctions({}, 'Kptfile')],
  [
    'with a file that a function changed, and something to do for the next run',
    true,
    { ...withFunctions({}, 'a.yaml'), made: made(false) },
  ],
  ['with functions that changed nothing', false, { ...withFunctions({}), made: made(false) }],
]

test('a package that the next run may change or has to report on is opened by it', () => {
  const fleet = new SitesFleet(LEFT.length + FEWEST)
  fleet.run({ taken: (rendered) => ({ ...rendered, ...LEFT[fleet.siteOf(rendered.step.folder)]?.[2] }) })
  const { opened } = fleet.run()
  expect(LEFT.map(([name], site) => [name, opened.includes(site)])).toEqual(LEFT.map(([name, isOpened]) => [name, isOpened]))
  expect(opened.filter((site) => site >= LEFT.length)).toEqual([])
})

/** Returns the fields of a variant with a package context and one function of the catalog. */
const withFunction = (image: string, fields: string) =>
  `  packageContext: {data: {team: red}}\n  pipeline: {mutators: [{name: f, image: 'ghcr.io/kptdev/krm-functions-catalog/${image}', ${fields}}]}\n`
const SELECTED = 'selectors: [{kind: ConfigMap}]'

test.each([
  ['a label into the Kptfile and the package context', withFunction('set-labels:v0.2.0', 'configMap: {team: a}'), false],
  [
    'over a value of the variant in the package context',
    withFunction('search-replace:v0.2.0', `configMap: {by-path: data.team, put-value: blue}, ${SELECTED}`),
    true,
  ],
  ['over its own config in the Kptfile', withFunction('search-replace:v0.2.0', 'configMap: {by-value: green, put-value: blue}'), true],
])('after a function wrote %s, the next run opens the package only if the variant writes it again', (_, fields, isOpened) => {
  const fleet = renderedFleet((each) => each.specs.set(3, fields))
  expect(fleet.run().opened).toEqual(isOpened ? [3] : [])
})

test('a package is opened by each run if a function writes over what was injected', () => {
  const injected = (image: string, configMap: string) =>
    `  injectors: [{name: values}]\n${withFunction(image, `configMap: {${configMap}}, ${SELECTED}`)}`
  const fleet = renderedFleet((each) => {
    addInjectionPoint(each)
    for (const site of all) each.specs.set(site, '  injectors: [{name: values}]\n')
    each.specs.set(3, injected('search-replace:v0.2.0', 'by-path: data.value, put-value: b'))
    each.specs.set(4, injected('set-labels:v0.2.0', 'team: a'))
  })
  expect(fleet.run().opened).toEqual([3])
})

test('a package that is moved is opened by the run that moves it and by the next one', () => {
  const fleet = renderedFleet()
  fleet.downstreams.set(3, 'other')
  expect([fleet.run().opened, fleet.run().opened, fleet.run().opened]).toEqual([[3], [3], []])
})

test('a package that is made from a package of the run is opened by each run', () => {
  const fleet = renderedFleet((each) => each.upstreams.set(3, 'repo: site-4, package: web, workspaceName: main'))
  expect(fleet.run().opened).toEqual([3])
  expect(fleet.upstreamsOfRecord()).toEqual(['catalog web v1'])
})

test('an upstream in git, which has another commit when it changes, is no upstream in a folder', () => {
  const fleet = new SitesFleet(SITES)
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', join(fleet.root, 'lib'), ...args], { stdio: 'pipe' })
  const commit = (text: string) => {
    fleet.write('lib/web/notes.txt', text)
    git('add', '-A')
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', text)
  }
  fleet.write('lib/web/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n')
  git('init', '-q', '-b', 'main')
  commit('one')
  fleet.upstreams.set(3, 'repo: lib, package: web, workspaceName: main')
  fleet.options = {
    repositories: new Map([['lib', { trusted: true, revisions: new Map(), tags: new Map(), git: { repo: join(fleet.root, 'lib') } }]]),
  }
  expect([fleet.run().opened, fleet.run().opened, fleet.upstreamsOfRecord()]).toEqual([all, [], ['catalog web v1']])
  commit('two')
  expect(fleet.run()).toEqual({ opened: [3], warnings: [] })
})

test('the upstream of a package that is left to its owner is not in the record', () => {
  const fleet = new SitesFleet(SITES)
  fleet.write('out/site-3/web/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n')
  fleet.upstreams.set(3, 'repo: catalog, package: web, revision: 2')
  fleet.run()
  expect(fleet.upstreamsOfRecord()).toEqual(['catalog web v1'])
})

test('a package of which a file was changed since the run began is opened by the next run', () => {
  const fleet = renderedFleet()
  fleet.specs.set(3, '  packageContext: {data: {a: b}}\n')
  const started = Date.now()
  const touch = () => fleet.edit('out/site-4/web/a.yaml', 'revision: 1', 'revision: 7')
  touch()
  expect(fleet.run({ started }).opened).toEqual([3, 4])
  expect(fleet.run().opened).toEqual([4])
  expect(fleet.run().opened).toEqual([])
})

test('a new or changed package that a person changes before the record is written is opened by the next run', () => {
  const fleet = new SitesFleet(SITES)
  fleet.run({ committed: () => fleet.edit('out/site-3/web/a.yaml', 'revision: 1', 'revision: 7') })
  expect(fleet.run().opened).toEqual([3])
  rmSync(fleet.place(6), { recursive: true })
  fleet.run({ committed: () => chmodSync(fleet.place(6, 'notes.txt'), 0o755) })
  expect(fleet.run().opened).toEqual([6])
  for (const site of [4, 5]) fleet.specs.set(site, '  packageContext: {data: {a: b}}\n')
  pause()
  fleet.run({ started: Date.now(), committed: () => fleet.write('out/site-4/web/notes.txt', 'mine\n') })
  expect(fleet.run().opened).toEqual([4])
})

test('new and changed packages of an upstream whose first package would change again are not recorded, unchanged ones are', () => {
  const fleet = new SitesFleet(SITES)
  fleet.upstreams.set(4, 'repo: catalog, package: web, revision: 2')
  const asked: string[] = []
  const isStable = (folder: string) => {
    asked.push(folder)
    return folder === 'site-4/web'
  }
  fleet.run({ isStable })
  expect(asked).toEqual(['site-0/web', 'site-4/web'])
  expect(fleet.run({ isStable }).opened).toEqual(but(4))
  expect(asked).toEqual(['site-0/web', 'site-4/web'])
  fleet.specs.set(5, '  packageContext: {data: {a: b}}\n')
  fleet.run({ isStable })
  expect(fleet.run({ isStable }).opened).toEqual([5])
})

const inPlace = (site: number, revision: number, packages: string) =>
  `fleet.yaml#${site} upstream-changed-in-place: \`spec.upstream\` has another content at 'fleet/catalog/web@v${revision}' than at the last render, and the same revision 'v${revision}': of ${packages} made from it, those made before the change keep the former content; take the change back and put it into a new revision, since an update from a changed revision loses the change`

test('an upstream that changes in its folder under the same revision is a warning at its first package until the change is taken back', () => {
  const fleet = renderedFleet((each) => each.upstreams.set(0, 'repo: catalog, package: web, revision: 2'))
  fleet.write('catalog/web@v1/notes.txt', 'other\n')
  const warnings = [inPlace(1, 1, '20 packages')]
  expect([fleet.run().warnings, fleet.run().warnings]).toEqual([warnings, warnings])
  fleet.write('catalog/web@v1/notes.txt', 'notes\n')
  expect(fleet.run().warnings).toEqual([])
  fleet.write('catalog/web@v2/notes.txt', 'other\n')
  expect(fleet.run().warnings).toEqual([inPlace(0, 2, '1 package')])
})

test('an upstream that changes before its first package is made is no warning, then or later', () => {
  const fleet = renderedFleet()
  fleet.write('catalog/web@v1/notes.txt', 'other\n')
  rmSync(join(fleet.root, 'out'), { recursive: true })
  expect([fleet.run(), fleet.run()]).toEqual([
    { opened: all, warnings: [] },
    { opened: [], warnings: [] },
  ])
})

test('the record has the upstream of a package that is not in the record', () => {
  const fleet = new SitesFleet(SITES)
  const run = (revision: number) => {
    fleet.upstreams.set(3, `repo: catalog, package: web, revision: ${revision}`)
    fleet.run({ taken: (rendered) => (fleet.siteOf(rendered.step.folder) === 3 ? { ...rendered, results: [FINDING] } : rendered) })
    return fleet.upstreamsOfRecord()
  }
  fleet.writeAll('catalog/web@v3', { Kptfile: fleet.read('catalog/web@v2/Kptfile') })
  expect([run(2), run(3), run(1)]).toEqual([['catalog web v1', 'catalog web v2'], ['catalog web v1', 'catalog web v3'], ['catalog web v1']])
})
