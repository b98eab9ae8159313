import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../testdata/package-of-texts.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { RepositoryFacts } from './repository-facts.ts'
import { NO_REPOSITORY } from './repository-options.ts'
import {
  gitFault,
  kptfileDocumentFaults,
  kptfileKindFaults,
  missingTree,
  missingUpstream,
  noPackage,
  otherCommit,
  outsideFault,
  type SearchedPlaces,
  secretFault,
  upstreamKptfileFaults,
  upstreamNameFaults,
} from './upstream-faults.ts'

const NOWHERE: SearchedPlaces = { folders: [], beside: [], besideRepository: [], fleets: [], tags: [], hasGit: true, repositories: [] }

/** A package `shop` at revision 1 of a git repository, below a folder of it. */
function asked(directory: string) {
  const options = { ...NO_REPOSITORY, git: { repo: 'https://example.com/catalog', directory } }
  const facts = { name: 'catalog', options, path: 'catalog', repo: 'https://example.com/catalog', directory, branch: 'main', isOci: false }
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

const MANY = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

test.each<[string, Partial<SearchedPlaces>, string]>([
  [
    'tags of the package, at most five',
    { tags: MANY.map((each) => `shop/${each}`) },
    "; git has 'shop/a', 'shop/b', 'shop/c', 'shop/d', 'shop/e'",
  ],
  ['tags of a package of a similar name', { tags: ['shopp/v1', 'v9'] }, "; did you mean 'shopp'?"],
  ['only other tags, at most five', { tags: MANY }, "; its latest tags are 'a', 'b', 'c', 'd', 'e'"],
  ['no tags', {}, '; the repository has no tags'],
  ['a branch without packages', { withoutPackage: { ref: 'v1', packages: [] } }, "; 'v1' has no folder with a Kptfile"],
  [
    'five packages',
    { withoutPackage: { ref: 'v1', packages: ['pa', 'pb', 'pc', 'pd', 'pe'] } },
    "; 'v1' has the packages 'pa', 'pb', 'pc', 'pd', 'pe'",
  ],
  [
    'seven packages',
    { withoutPackage: { ref: 'v1', packages: MANY.map((each) => `p${each}`) } },
    "; 'v1' has the packages 'pa', 'pb', 'pc', 'pd', 'pe' and 2 more",
  ],
  [
    'the package below another folder',
    { withoutPackage: { ref: 'v1', packages: ['dns', 'net/shop'] } },
    "; 'v1' has the packages 'dns', 'net/shop'; did you mean 'net/shop'?",
  ],
  [
    'a package of a similar name',
    { withoutPackage: { ref: 'v1', packages: ['dns', 'shopp'] } },
    "; 'v1' has the packages 'dns', 'shopp'; did you mean 'shopp'?",
  ],
  [
    'a tag of the repository at which the package is missing',
    { tags: ['v1'], withoutPackage: { ref: 'v1', packages: ['dns'] } },
    "; 'v1' has the packages 'dns'",
  ],
  [
    'nothing that a function may read',
    { hasGit: false, tags: ['shop/v2'] },
    '; git repositories are read by the tool `krm-variants render`, not by a function',
  ],
])('a missing upstream of a git repository with %s', (_, places, end) => {
  const { message } = missingUpstream(asked(''), { ...NOWHERE, folders: ['catalog/shop@v1'], ...places })
  const git = places.hasGit === false ? '' : ", nor in git at 'shop/v1', 'v1' of 'https://example.com/catalog'"
  expect(message).toBe(`must name an existing package, found none at 'catalog/shop@v1'${git}${end}`)
})

test('a missing commit of the options is named, and not the tag that the options pass over', () => {
  const { facts, names } = asked('')
  const revisions = new Map(names.map((name) => [name, { commit: 'c9' }]))
  const pinned = { ...asked(''), facts: { ...facts, options: { ...facts.options, revisions } } }
  expect(missingUpstream(pinned, { ...NOWHERE, tags: ['v1'] }).message).toBe(
    "must name an existing package, found none at , nor in git at 'c9' of 'https://example.com/catalog'; its latest tags are 'v1'",
  )
})

test('an upstream of a git repository that names no revision says so', () => {
  expect(missingUpstream({ ...asked(''), names: [] }, NOWHERE)).toEqual({
    severity: 'error',
    rule: 'upstream-missing',
    path: ['spec', 'upstream'],
    message:
      "must name an existing package, found none at , nor in git, since no revision is named, of 'https://example.com/catalog'; the repository has no tags",
  })
})

const RENDER_VARIANTS = '; a RenderVariants says where it is: spec.repositories.catalog.path for a folder'

test.each<[string, Partial<SearchedPlaces>, Partial<RepositoryFacts>, string]>([
  ['nothing', {}, { repo: 'catalog' }, `${RENDER_VARIANTS}, or spec.repositories.catalog.git.repo`],
  [
    'an address without its password',
    {},
    { repo: 'https://ada:s3cret@example.com/c' },
    `${RENDER_VARIANTS}, or spec.repositories.catalog.git.repo, such as 'https://example.com/c' of its Repository`,
  ],
  ['no git', { hasGit: false }, {}, RENDER_VARIANTS],
  [
    'a repository of a similar name',
    { repositories: ['other', 'catalogue'] },
    {},
    "; `spec.repositories` of a RenderVariants must have 'catalog', has 'catalogue'",
  ],
  [
    'another fleet that has it',
    { fleets: ['..', 'b'], repositories: ['catalogue'] },
    {},
    "; the folder '..' has it: run the command there, or name '../catalog' in `spec.repositories.catalog.path` of a RenderVariants",
  ],
  [
    'a path of its own',
    { besideRepository: ['blueprint'], fleets: ['..'] },
    { options: { ...NO_REPOSITORY, path: 'blueprints' }, path: 'blueprints' },
    "; 'spec.repositories.catalog.path' of a RenderVariants says so; did you mean 'blueprint'?",
  ],
  ['another revision', { beside: ['catalog/shop@v2', 'catalog/shop', 'catalog/dns'] }, {}, "; there is 'catalog/shop', 'catalog/shop@v2'"],
  [
    'many revisions, of which five are named',
    { beside: MANY.map((each) => `catalog/shop@${each}`) },
    {},
    "; there is 'catalog/shop@a', 'catalog/shop@b', 'catalog/shop@c', 'catalog/shop@d', 'catalog/shop@e'",
  ],
  ['a package of a similar name', { beside: ['catalog/shopp@v1', 'catalog/dns'] }, {}, "; did you mean 'catalog/shopp'?"],
  [
    'an OCI registry',
    {},
    { isOci: true },
    `; packages are not read from OCI, the \`spec.type\` of Repository 'catalog'${RENDER_VARIANTS}, or spec.repositories.catalog.git.repo`,
  ],
  ['half of a bare repository', { beside: ['catalog/objects'] }, {}, `${RENDER_VARIANTS}, or spec.repositories.catalog.git.repo`],
])('a missing upstream in folders with %s', (_, places, more, end) => {
  const { facts, ...others } = asked('')
  const question = { ...others, facts: { ...facts, repo: 'catalog', options: NO_REPOSITORY, ...more } }
  const { message } = missingUpstream(question, { ...NOWHERE, folders: ['catalog/shop@v1'], ...places })
  expect(message).toBe(`must name an existing package, found none at 'catalog/shop@v1'${end}`)
})

test('a path that leads to a bare git repository must be its address', () => {
  const { facts, ...others } = asked('')
  const places = { ...NOWHERE, beside: ['catalog/hooks', 'catalog/objects', 'catalog/refs'] }
  expect(missingUpstream(asked(''), places).message).not.toContain('bare git repository')
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

test('each fault of an upstream has its rule, its field and its words', () => {
  const origin = { repo: 'https://ada:s3cret@example.com/c', directory: 'shop', ref: 'v1', resolvedRef: 'v1', commit: 'f'.repeat(40) }
  const { facts } = asked('')
  expect([
    noPackage('catalog/shop@v1'),
    otherCommit({ ref: 'v1', commit: '0'.repeat(40) }, origin),
    gitFault('no route'),
    outsideFault("'../x' is outside"),
    secretFault({ ...facts, repo: origin.repo }),
  ]).toEqual([
    {
      severity: 'error',
      rule: 'upstream-no-package',
      path: ['spec', 'upstream'],
      message: "must name a package, but there is no Kptfile in 'catalog/shop@v1'",
    },
    {
      severity: 'error',
      rule: 'upstream-missing',
      path: ['spec', 'upstream'],
      message: `must name an existing package, commit 000000000000 is not in 'https://example.com/c', where 'v1' is ffffffffffff now`,
    },
    { severity: 'error', rule: 'upstream-git', path: ['spec', 'upstream', 'repo'], message: 'cannot be read: no route' },
    {
      severity: 'error',
      rule: 'outside-fleet',
      path: ['spec', 'upstream', 'package'],
      message: "must be in a folder of the fleet, '../x' is outside; --allow-outside allows it",
    },
    {
      severity: 'error',
      rule: 'repository-address',
      path: ['spec', 'upstream', 'repo'],
      message: expect.stringMatching(/^must be a Repository whose .* that of 'catalog' is 'https:\/\/example\.com\/c' with one$/),
    },
  ])
})

test('a fault of a name says the field and the value', () => {
  const upstream = { repo: '../x', package: 'shop', revision: 'a..b' }
  expect(upstreamNameFaults(upstream)).toMatchObject([
    { severity: 'error', rule: 'package-path', path: ['spec', 'upstream', 'repo'], message: expect.stringMatching(/, got '\.\.\/x'$/) },
    {
      severity: 'error',
      rule: 'revision-name',
      path: ['spec', 'upstream', 'revision'],
      message: expect.stringMatching(/ref, .*, got 'a\.\.b'$/),
    },
  ])
})

test('a Kptfile of an upstream is of the kind and version of kpt, and has one document', () => {
  const kptfile = KrmObject.fromDocument('{"apiVersion": "kpt.dev/v2", "kind": "Kptfile", "metadata": {"name": "a"}}')
  expect(upstreamKptfileFaults(kptfile)).toMatchObject([
    {
      severity: 'error',
      tags: { rule: 'kptfile' },
      field: { path: ['apiVersion'] },
      message: expect.stringContaining('in the Kptfile of an upstream package'),
    },
  ])
  const one = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\n'
  const faultsOf = (texts: Texts) => kptfileDocumentFaults(packageOfTexts(texts)).map(({ severity, file }) => `${severity} ${file?.path}`)
  expect(faultsOf({ Kptfile: `${one}---\n${one}---\n${one}`, 'sub/Kptfile': `${one}---\n${one}`, 'a.yaml': `${one}---\n${one}` })).toEqual([
    'error Kptfile',
    'error Kptfile',
    'error sub/Kptfile',
  ])
  expect(faultsOf({ Kptfile: one })).toEqual([])
})
