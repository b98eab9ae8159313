import { expect, test } from 'vitest'
import { readFleet } from '../fleet/fleet.ts'
import type { FleetVariant } from '../fleet/fleet-variants.ts'
import { repository, resourceListOf, revision, type Written } from '../fleet/testing/fleet-of-objects.ts'
import { EMPTY_FOLDER, fileInMemory, type WholeFolder } from '../folder/whole-folder.ts'
import type { GitRevision, KptfileUpstream } from '../kinds/kptfile-upstream.ts'
import { decodePackageVariant, type PackageVariant } from '../kinds/package-variant.ts'
import type { UpstreamFields } from '../kinds/upstream-schema.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { Chain } from './chain.ts'
import { NO_REPOSITORY, type RepositoryOptions } from './repository-options.ts'
import { type SourcePlaces, sourceOfTexts } from './testing/source-of-texts.ts'
import { UpstreamLibrary } from './upstream-library.ts'
import type { UpstreamLookup } from './upstream-search.ts'

const WEB = { Kptfile: 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n' }
const REPO = 'https://example.com/catalog.git'
const GIT = { git: { repo: REPO } }

interface Surroundings extends SourcePlaces {
  readonly repositories?: Readonly<Record<string, Partial<RepositoryOptions>>>
  readonly objects?: readonly Written[]
  readonly out?: string
  readonly chain?: Chain<FleetVariant>
}

function libraryOf({ repositories = {}, objects = [], out, chain, ...places }: Surroundings): UpstreamLibrary {
  const options = new Map(Object.entries(repositories).map(([name, each]) => [name, { ...NO_REPOSITORY, ...each }]))
  const fleet = readFleet(resourceListOf(objects).items)
  return new UpstreamLibrary(
    sourceOfTexts(places),
    fleet,
    { repositories: options, clone: 'kpt', ...(out !== undefined && { out }) },
    chain,
  )
}

const web = (revisionName: number | string = 1, repo = 'catalog'): UpstreamFields => ({ repo, package: 'web', revision: revisionName })

function variantOf(upstream: UpstreamFields): PackageVariant {
  const spec = { upstream, downstream: { repo: 'edge', package: 'web' } }
  const text = JSON.stringify({ apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'PackageVariant', metadata: { name: 'a' }, spec })
  return decodePackageVariant(KrmObject.fromDocument(text)).variant
}

const placeOf = (found: UpstreamLookup | undefined) =>
  found === undefined ? undefined : 'revision' in found ? found.revision.source.place : found.fault.rule

const gitRepository = (name: string, repo: string, directory?: string): Written => ({
  apiVersion: 'config.porch.kpt.dev/v1alpha1',
  kind: 'Repository',
  metadata: { name },
  spec: { git: { repo, ...(directory !== undefined && { directory }) } },
})

test('variants that ask for one revision get the same answer', () => {
  const library = libraryOf({ folders: { 'catalog/web@v1': WEB, 'catalog/web@v2': WEB } })
  expect(library.wanted({ upstream: web() })).toBe(library.wanted({ upstream: web(), namespace: 'default' }))
  expect([web(2), web(3)].map((upstream) => placeOf(library.wanted({ upstream })))).toEqual(['catalog/web@v2', 'upstream-missing'])
})

test('a repository that git cannot read, and a path that leads out of the fleet, are faults of the upstream', () => {
  expect(libraryOf({ fails: true, repositories: { catalog: GIT } }).wanted({ upstream: web() })).toMatchObject({
    fault: { rule: 'upstream-git', message: 'cannot be read: no route to the host', path: ['spec', 'upstream', 'repo'] },
  })
})

test('a revision is published in a folder of its own or as a tag, not in the folder of the newest state or on a branch', () => {
  const own = libraryOf({ folders: { 'catalog/web@v1': WEB, 'catalog/web': WEB } })
  expect([1, 2].map((each) => placeOf(own.published(web(each), 'default')))).toEqual(['catalog/web@v1', 'upstream-missing'])
  expect([1, 2].map((each) => own.isPublished(web(each), 'default'))).toEqual([true, false])
  const inGit = libraryOf({ commits: { c1: WEB }, names: { 'refs/tags/web/v1': 'c1', v2: 'c1' }, repositories: { catalog: GIT } })
  expect([1, 'v2'].map((each) => inGit.isPublished(web(each), 'default'))).toEqual([true, false])
  expect(libraryOf({ fails: true, repositories: { catalog: GIT } }).isPublished(web(), 'default')).toBe(true)
})

test.each<[string, Surroundings, string | undefined]>([
  ['whose repository is no folder', {}, undefined],
  ['whose repository has other packages', { folders: { 'catalog/dns@v1': WEB } }, 'warning'],
  ['whose package has other revisions', { folders: { 'catalog/web@v2': WEB } }, 'error others'],
  ['that is there', { folders: { 'catalog/web@v1': WEB } }, undefined],
  ['that is no package', { folders: { 'catalog/web@v1': { 'README.md': 'text' } } }, 'error others'],
  ['where render writes the packages', { out: 'out' }, 'error'],
  ['of a repository in git', { folders: { 'catalog/web@v2': WEB }, repositories: { catalog: GIT } }, undefined],
  ['of a fleet with PackageRevisions', { folders: { 'catalog/web@v2': WEB }, objects: [revision('catalog', 'dns', 1)] }, undefined],
])('an upstream %s: the fault of one that is in no folder is %j', (_, surroundings, expected) => {
  const fault = libraryOf(surroundings).missingInFolders(web(), 'default')
  expect(fault && `${fault.severity}${fault.hasOthers ? ' others' : ''}`).toBe(expected)
})

test('a fault of another kind is not one of a missing folder', () => {
  const objects = [gitRepository('catalog', 'https://ada:secret@example.com/catalog')]
  expect(libraryOf({ objects, out: 'out' }).missingInFolders(web(), 'default')).toBeUndefined()
})

test('the folders of an upstream are those of its revision and the one of the newest state', () => {
  const library = libraryOf({ repositories: { catalog: { ...GIT, path: '../blueprints/' } } })
  expect(library.foldersOf(web(), 'default')).toEqual(['../blueprints/web@v1', '../blueprints/web@1', '../blueprints/web'])
  expect(library.folders({ upstream: web() })).toEqual({ repository: '../blueprints', package: '../blueprints/web', ...GIT })
  expect(libraryOf({}).folders({ upstream: web(1, 'other') })).toEqual({ repository: 'other', package: 'other/web', git: undefined })
})

test.each<[string, Surroundings, UpstreamFields, string | undefined]>([
  ['among folders', { folders: { 'catalog/web@v1': WEB, 'catalog/web@v10': WEB, 'catalog/web@v9': WEB } }, web(), 'v10'],
  [
    'among tags',
    {
      commits: { c: WEB },
      names: { 'refs/tags/web/v2': 'c', 'refs/tags/web/v1': 'c' },
      tags: ['web/v1', 'web/v2'],
      repositories: { catalog: GIT },
    },
    web(),
    'v2',
  ],
  ['among PackageRevisions', { folders: { 'catalog/web@v1': WEB }, objects: [revision('catalog', 'web', 3)] }, web(), 'v3'],
  [
    'that is really there',
    { commits: { c: WEB }, names: { 'refs/tags/web/v1': 'c' }, tags: ['web/v1', 'v7'], repositories: { catalog: GIT } },
    web(),
    'v1',
  ],
  ['without prereleases', { folders: { 'catalog/web@v1': WEB, 'catalog/web@v2.0.0-rc.1': WEB } }, web(), 'v1'],
  ['with prereleases', { folders: { 'catalog/web@v2.0.0-rc.1': WEB, 'catalog/web@v2.0.0-rc.2': WEB } }, web('v2.0.0-rc.1'), 'v2.0.0-rc.2'],
  ['where only the newest state is there', { folders: { 'catalog/web': WEB } }, web(), undefined],
])('the newest revision is the highest %s', (_, surroundings, upstream, expected) => {
  expect(libraryOf(surroundings).newest(upstream, 'default').newest).toBe(expected)
})

test('an upstream without a known revision has its fault, one with any revision has none', () => {
  expect(libraryOf({}).newest(web(), 'default')).toMatchObject({ asked: ['v1', '1'], fault: { rule: 'upstream-missing' } })
  expect(libraryOf({ folders: { 'catalog/web': WEB } }).newest(web(), 'default')).toEqual({ asked: ['v1', '1'] })
  expect(libraryOf({ folders: { 'catalog/web@v2': WEB } }).newest(web(), 'default')).toEqual({ asked: ['v1', '1'], newest: 'v2' })
  const failing = libraryOf({ fails: true, repositories: { catalog: GIT }, objects: [revision('catalog', 'web', 3)] })
  expect(failing.newest(web(), 'default')).toMatchObject({ asked: ['v1', '1'], fault: { rule: 'upstream-git' } })
  expect(failing.newest(web(), 'default').newest).toBeUndefined()
})

test('a library has a revision that is a PackageRevision or is found', () => {
  const library = libraryOf({ folders: { 'catalog/web@v1': WEB }, objects: [revision('catalog', 'web', 3), revision('catalog', 'web', 0)] })
  const has = ['v1', 'v2', 'v3', 'v0'].map((each) => library.has(web(each), 'default'))
  expect(has).toEqual([true, false, true, false])
})

test('the address of an upstream has its repository without .git, both folders that a Kptfile may name, and the names of the revision', () => {
  const library = libraryOf({ repositories: { catalog: { git: { repo: REPO, directory: '/blueprints/' } } } })
  expect(library.address(web(3), 'default')).toEqual({
    repo: 'https://example.com/catalog',
    directories: ['web', 'blueprints/web'],
    names: ['v3', '3'],
  })
})

test('a workspace is asked for by the number of its PackageRevision, a floating tag by what the options say', () => {
  const library = libraryOf({ objects: [revision('catalog', 'web', 3)], repositories: { catalog: { tags: new Map([['stable', 'v4']]) } } })
  const namesOf = (upstream: Partial<UpstreamFields>) => library.address({ repo: 'catalog', package: 'web', ...upstream }, 'default').names
  expect(namesOf({ workspaceName: 'w3' })).toEqual(['v3', '3'])
  expect(namesOf({ workspaceName: 'other' })).toEqual(['other'])
  expect(namesOf({ revision: 'stable' })).toEqual(['v4', '4'])
  expect(namesOf({ revision: -1 })).toEqual(['main'])
})

test('a folder of a repository has a name in each repository with its address and above it', () => {
  const library = libraryOf({
    repositories: { catalog: GIT, deep: { git: { repo: REPO, directory: 'net' } }, other: { git: { repo: 'https://example.com/other' } } },
    objects: [gitRepository('porch', 'https://example.com/catalog/'), gitRepository('Bad_Name', REPO)],
  })
  const namesOf = (repo: string, directory: string) =>
    library.namesOf({ repo, directory }, 'default').map((each) => `${each.repo} ${each.package}`)
  expect(namesOf('https://example.com/catalog', 'net/upf')).toEqual(['catalog net/upf', 'deep upf', 'porch net/upf'])
  expect(namesOf(REPO, 'network')).toEqual(['catalog network', 'porch network'])
  expect(namesOf('plain', 'web')).toEqual(['plain web'])
  expect(namesOf('https://example.com/unknown', 'web')).toEqual([])
})

const at = (ref: string, repo = REPO, directory = 'web'): GitRevision => ({ repo, directory, ref })
const locked = (ref: string, commit = '', repo = REPO, directory = 'web'): KptfileUpstream => ({
  upstreamLock: { ...at(ref, repo, directory), commit },
})

const IN_GIT = { commits: { c1: WEB, c2: WEB }, names: { 'refs/tags/web/v1': 'c1', 'refs/tags/web/v2': 'c2' } }

test('the original of a package is the revision of its lock, else of its upstream; none where its Kptfile names none', () => {
  const library = libraryOf({ ...IN_GIT, repositories: { catalog: GIT } })
  const original = (written: KptfileUpstream) => library.original(written, variantOf(web(2)))
  expect(placeOf(original({ upstream: at('v2'), ...locked('v1', 'c1') }))).toBe('web at c1')
  expect(placeOf(original({ upstream: at('v2') }))).toBe('web at c2')
  expect([original({}), original({ upstream: at('') })]).toEqual([undefined, undefined])
  expect(original(locked('v1', 'c1'))).toBe(original(locked('v1', 'c1')))
  expect(placeOf(original(locked('v1', 'c3')))).toBe('upstream-missing')
})

test('the original is looked for in each repository with the address of the Kptfile, not in the one that the variant names now', () => {
  const folders = { 'new/web@v1': WEB, 'old/web@v1': WEB, 'older/dns@v1': WEB, 'plain/web@v1': WEB }
  const objects = [gitRepository('older', REPO), gitRepository('old', REPO), gitRepository('new', 'https://example.com/new')]
  const library = libraryOf({ folders, objects })
  const original = (written: KptfileUpstream) => placeOf(library.original(written, variantOf(web(1, 'new'))))
  expect(original(locked('v1'))).toBe('old/web@v1')
  expect(original(locked('v1', '', 'https://example.com/new'))).toBe('new/web@v1')
  expect(original(locked('v1', '', 'https://example.com/nobody'))).toBe('new/web@v1')
  expect(original(locked('v1', '', 'older'))).toBe('new/web@v1')
  expect(original(locked('v1', '', 'plain'))).toBe('plain/web@v1')
})

test('the original of a repository that is gone, as after its renaming, is looked for in the one of the variant too', () => {
  const objects = [gitRepository('old', REPO), gitRepository('new', 'https://example.com/new')]
  const original = (more: Surroundings) => placeOf(libraryOf({ objects, ...more }).original(locked('v1'), variantOf(web(1, 'new'))))
  expect(original({ folders: { 'new/web@v1': WEB } })).toBe('new/web@v1')
  expect(original({ folders: { 'new/web@v1': WEB, 'old/dns@v1': WEB } })).toBe('upstream-missing')
  expect(original({ folders: { 'new/web@v1': WEB }, repositories: { old: GIT } })).toBe('upstream-missing')
})

test('an unpublished original without a chain is a state that no list has', () => {
  const found = libraryOf({ repositories: { catalog: GIT } }).original({ ...locked('v1'), tree: '0123456789abcdef' }, variantOf(web()))
  expect(found).toMatchObject({
    fault: { rule: 'upstream-missing', message: expect.stringContaining("tree 0123456789ab of 'catalog/web'") },
  })
})

/** Returns the chain of a variant that makes the package `catalog/web`, which was other content at the tree `t1`. */
function chainOfWeb(hasHistory = true): Chain<FleetVariant> {
  const maker = { ...variantOf(web(1, 'source')), downstream: { repo: 'catalog', package: 'web' } }
  const content = (text: string): WholeFolder => ({
    ...EMPTY_FOLDER,
    files: new Map([['Kptfile', fileInMemory(Buffer.from(text), 0o644)]]),
  })
  return new Chain(
    [maker],
    {
      folder: () => content(WEB.Kptfile),
      shown: (folder) => `out/${folder}`,
      ...(hasHistory && {
        tree: (folder: string, id: string) => (id === 't1' && folder === 'catalog/web' ? content('kind: A\n') : undefined),
      }),
    },
    'kpt',
  )
}

test('an upstream that a variant makes is the package before the run, unless a revision of it is published', () => {
  const made = libraryOf({ chain: chainOfWeb() }).wanted({ upstream: web() })
  expect(made).toMatchObject({
    revision: { origin: { ref: 'v1', directory: 'web' }, maker: { name: 'a' }, source: { place: 'out/catalog/web' } },
  })
  const wanted = (more: Surroundings, upstream: UpstreamFields = web()) => libraryOf({ chain: chainOfWeb(), ...more }).wanted({ upstream })
  expect(wanted({}, { repo: 'catalog', package: 'web' })).toMatchObject({ revision: { origin: { ref: 'main' } } })
  expect(wanted({}, { repo: 'catalog', package: 'web', workspaceName: 'work' })).toMatchObject({ revision: { origin: { ref: 'work' } } })
  expect(wanted({ folders: { 'catalog/web@v1': WEB } })).toMatchObject({ revision: { source: { place: 'catalog/web@v1' } } })
  expect(wanted({ folders: { 'catalog/web': WEB } })).toMatchObject({ revision: { source: { place: 'out/catalog/web' } } })
  expect(placeOf(wanted({ folders: { 'catalog/web@v1': { 'README.md': 'text' } } }))).toBe('upstream-no-package')
  expect(placeOf(wanted({ objects: [gitRepository('catalog', 'https://ada:secret@example.com/c')] }))).toBe('repository-address')
  expect(placeOf(wanted({ folders: { 'catalog/dns@v1': WEB } }, { repo: 'catalog', package: 'dns', revision: 1 }))).toBe('catalog/dns@v1')
})

test('the original of a package that a variant makes is its state at the tree', () => {
  const original = (tree: string, repo = 'catalog', hasHistory = true) =>
    libraryOf({ chain: chainOfWeb(hasHistory) }).original({ ...locked('v1', '', repo), tree }, variantOf(web(1, repo)))
  expect(original('t1')).toMatchObject({
    revision: { origin: { tree: 't1', directory: 'web', ref: 'v1' }, source: { place: 'out/catalog/web' } },
  })
  expect(original('t2')).toMatchObject({ fault: { message: expect.stringContaining('is in no commit of this clone') } })
  expect(original('t2', 'catalog', false)).toMatchObject({ fault: { message: expect.stringContaining('is not in the list') } })
  expect(placeOf(original('t1', '..'))).toBe('upstream-missing')
})

test('the revision that a Kptfile names is found in a repository with its address; a missing one is a fault, an unknown address nothing', () => {
  const library = libraryOf({ ...IN_GIT, repositories: { empty: { git: { repo: REPO, directory: 'net' } }, catalog: GIT } })
  expect(placeOf(library.named({ ...at('v1', REPO, '/web/'), commit: 'c1' }, 'default'))).toBe('web at c1')
  expect(placeOf(library.named(at('v9'), 'default'))).toBe('upstream-missing')
  expect(library.named(at('v1', 'https://example.com/unknown'), 'default')).toBeUndefined()
})

test('what a package without a variant may have been made of is its revision and the newest state of its folder', () => {
  const folders = { 'catalog/web@v1': WEB, 'catalog/web': WEB, 'other/web': WEB }
  const recorded = (
    written: KptfileUpstream,
    objects = [gitRepository('catalog', REPO), gitRepository('other', 'https://example.com/o')],
  ) => {
    const { revisions, reason } = libraryOf({ folders, objects }).recorded(written, 'default')
    return revisions.length > 0 ? revisions.map(({ source }) => source.place) : reason
  }
  expect(recorded(locked('v1'))).toEqual(['catalog/web@v1', 'catalog/web'])
  expect(recorded({ upstream: at('v2') })).toEqual(['catalog/web'])
  expect(recorded({ upstream: at('v1'), ...locked('v2') })).toEqual(['catalog/web'])
  expect(recorded({})).toBe('its Kptfile names none')
  expect(recorded({ upstream: at('') })).toBe('its Kptfile names none')
  expect(recorded(locked('v1', '', 'https://example.com/moved'))).toEqual(['catalog/web@v1', 'catalog/web', 'other/web'])
  expect(recorded(locked('v1'), [])).toMatch(/^must name an existing package/)
})

test('the Kptfile of a repository whose packages are below a folder names that folder too', () => {
  const repositories = { catalog: { git: { repo: REPO, directory: 'net' } } }
  const library = libraryOf({ folders: { 'catalog/web@v1': WEB, 'catalog/dns@v1': WEB }, repositories, objects: [repository('edge')] })
  const original = (directory: string) => placeOf(library.original(locked('v1', '', REPO, directory), variantOf(web())))
  expect(['net/dns', '/net/dns/', 'elsewhere/dns', 'network/dns'].map(original)).toEqual([
    'catalog/dns@v1',
    'catalog/dns@v1',
    'catalog/web@v1',
    'catalog/web@v1',
  ])
})
