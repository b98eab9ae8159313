import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { NO_REPOSITORY } from './repository-options.ts'
import { kptfileKindFaults, missingTree, missingUpstream, type SearchedPlaces, upstreamNameFaults } from './upstream-faults.ts'

const NOWHERE: SearchedPlaces = { folders: [], beside: [], besideRepository: [], fleets: [], tags: [], hasGit: true, repositories: [] }

/** A package `shop` at revision 1 of a git repository, below a folder of it. */
function asked(directory: string) {
  const options = { ...NO_REPOSITORY, git: { repo: 'https://example.com/catalog', directory } }
  const facts = { name: 'catalog', options, path: 'catalog', repo: 'https://example.com/catalog', directory, branch: 'main' }
  return { facts, packageName: 'shop', names: ['v1'] }
}

test.each([
  {
    what: 'the folder of the package is not at its tag',
    directory: 'shop',
    places: { tags: ['shop/v1'], withoutPackage: { ref: 'shop/v1', packages: ['shop'] } },
    end: "; no folder 'shop/shop' is at 'shop/v1'; 'shop/v1' has the packages 'shop'; did you mean 'shop'?",
  },
  { what: 'its tag is of a file', directory: '', places: { tags: ['v1'] }, end: "; the tag 'v1' is no commit" },
  { what: 'there are other tags', directory: '', places: { tags: ['shop/v2'] }, end: "; git has 'shop/v2'" },
  {
    what: 'its folder is empty',
    directory: '',
    places: { folders: ['catalog/shop@v1'], beside: ['catalog/shop@v1'] },
    end: "; 'catalog/shop@v1' holds no Kptfile and no other file",
  },
  {
    what: 'another revision is there beside an empty folder',
    directory: '',
    places: { folders: ['catalog/shop@v1'], beside: ['catalog/shop@v1', 'catalog/shop@v2'] },
    end: "; 'catalog/shop@v1' holds no Kptfile and no other file; there is 'catalog/shop@v2'",
  },
  {
    what: 'the only folder names no revision',
    directory: '',
    places: { folders: ['catalog/shop@v1'], beside: ['catalog/shop'] },
    end: "; 'catalog/shop' holds the newest state: name the folder of each revision with it, 'catalog/shop@v1'",
  },
])('the fault of a missing upstream names the cause: $what', ({ directory, places, end }) => {
  const { message } = missingUpstream(asked(directory), { ...NOWHERE, ...places })
  expect(message.slice(message.indexOf("'https://example.com/catalog'") + "'https://example.com/catalog'".length)).toBe(end)
})

test('a path that leads to a bare git repository must be its address', () => {
  const { facts, ...others } = asked('')
  const places = { ...NOWHERE, beside: ['catalog/hooks', 'catalog/objects', 'catalog/refs'] }
  expect(missingUpstream({ ...others, facts: { ...facts, options: NO_REPOSITORY } }, places).message).toMatch(
    /; 'catalog' is a bare git repository: a RenderVariants names it in `spec.repositories.catalog.git.repo`, not in `spec.repositories.catalog.path`$/,
  )
})

test.each<[Readonly<Record<string, string | number>>, readonly string[]]>([
  [{}, []],
  [{ repo: '../x' }, ['repo']],
  [{ package: 'a/../../b' }, ['package']],
  [{ revision: 'v1' }, []],
  [{ revision: 3 }, []],
  [{ revision: '3' }, []],
  [{ revision: '' }, []],
  [{ revision: 'a..b' }, ['revision']],
  [{ workspaceName: 'a b' }, ['workspaceName']],
  [{ workspaceName: 'main' }, []],
  [{ repo: '../x', revision: 'a..b', workspaceName: '~' }, ['repo', 'revision', 'workspaceName']],
])('of the names of an upstream, %j, those that are no folder and no ref of git are faults: %j', (fields, faulty) => {
  const faults = upstreamNameFaults({ repo: 'catalog', package: 'shop', ...fields })
  expect(faults.map(({ path }) => path.at(-1))).toEqual(faulty)
})

test.each([
  ['kpt.dev/v1', 'Kptfile', undefined],
  ['kpt.dev/v2', 'Kptfile', "`apiVersion` must be 'kpt.dev/v1' in a Kptfile, got 'kpt.dev/v2'"],
  ['kpt.dev/v1', 'Package', "`kind` must be 'Kptfile' in a Kptfile, got 'Package'"],
  ['v1', 'ConfigMap', "`kind` must be 'Kptfile' in a Kptfile, got 'ConfigMap'"],
])('a Kptfile of %s %s has the fault %j', (apiVersion, kind, message) => {
  const kptfile = KrmObject.fromDocument(JSON.stringify({ apiVersion, kind, metadata: { name: 'a' } }))
  expect(kptfileKindFaults(kptfile, 'a Kptfile').map((fault) => fault.message)).toEqual(message === undefined ? [] : [message])
})

test('a state that is gone can be fetched only where there is a history', () => {
  const message = (hasHistory: boolean) => missingTree('0123456789abcdef', 'clusters/a', { hasHistory }).message
  expect(message(true)).toMatch(/tree 0123456789ab of 'clusters\/a' is in no commit of this clone.*fetch the whole history/)
  expect(message(false)).toMatch(/the state 0123456789ab of 'clusters\/a' is not in the list.*undo the change/)
})
