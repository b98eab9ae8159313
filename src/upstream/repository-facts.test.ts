import { expect, test } from 'vitest'
import { readFleet } from '../fleet/fleet.ts'
import { resourceListOf, type Written } from '../fleet/testing/fleet-of-objects.ts'
import type { JsonRecord } from '../json.ts'
import { publishedRevisions, repositoryFacts, workspaceRevisions } from './repository-facts.ts'
import { NO_REPOSITORY, type RepositoryOptions } from './repository-options.ts'

const fleetOf = (...objects: readonly Written[]) => readFleet(resourceListOf(objects).items)

const repository = (git: JsonRecord, namespace = 'default') => ({
  apiVersion: 'config.porch.kpt.dev/v1alpha1',
  kind: 'Repository',
  metadata: { name: 'catalog', namespace },
  spec: { git },
})
const OBJECT = repository({ repo: 'https://example.com/catalog', directory: '/net/', branch: 'trunk' })

test.each<[string, readonly Written[], Partial<RepositoryOptions> | undefined, object]>([
  ['neither options nor an object', [], undefined, { path: 'catalog', repo: 'catalog', directory: '', branch: 'main' }],
  ['an object', [OBJECT], undefined, { path: 'catalog', repo: 'https://example.com/catalog', directory: 'net', branch: 'trunk' }],
  ['an object of a git repository', [OBJECT], undefined, { isOci: false }],
  ['an object of an OCI registry', [{ ...OBJECT, spec: { type: 'oci' } }], undefined, { isOci: true }],
  ['an object of another namespace', [repository({ repo: 'https://x' }, 'other')], undefined, { repo: 'catalog', branch: 'main' }],
  ['an object without a branch', [repository({ repo: 'https://x' })], undefined, { repo: 'https://x', directory: '', branch: 'main' }],
  [
    'an object with fields that are no texts',
    [repository({ repo: 1, directory: 2, branch: 3 })],
    undefined,
    { repo: 'catalog', directory: '', branch: 'main' },
  ],
  [
    'a folder of the options',
    [OBJECT],
    { path: '/blueprints/' },
    { path: 'blueprints', repo: 'https://example.com/catalog', directory: 'net' },
  ],
  [
    'a git repository of the options, whose folder is its own',
    [OBJECT],
    { git: { repo: 'https://mirror' } },
    { path: 'catalog', repo: 'https://mirror', directory: '', branch: 'trunk' },
  ],
  [
    'a folder of a git repository',
    [OBJECT],
    { git: { repo: 'https://mirror', directory: '/a/b/' } },
    { repo: 'https://mirror', directory: 'a/b' },
  ],
])('the facts of a repository with %s', (_, objects, options, expected) => {
  const chosen = new Map(options === undefined ? [] : [['catalog', { ...NO_REPOSITORY, ...options }]])
  const facts = repositoryFacts('catalog', 'default', fleetOf(...objects), chosen)
  expect(facts).toMatchObject({ name: 'catalog', ...expected })
  expect(facts.options).toBe(chosen.get('catalog') ?? NO_REPOSITORY)
})

const revision = (name: string, workspaceName: string, more: JsonRecord = {}): JsonRecord => ({
  apiVersion: 'porch.kpt.dev/v1alpha1',
  kind: 'PackageRevision',
  metadata: { name },
  spec: { repository: 'catalog', packageName: 'web', workspaceName, ...more },
})
const FLEET = fleetOf(
  revision('a', 'one', { revision: 1 }),
  revision('b', 'two', { revision: 'v2' }),
  revision('c', 'draft'),
  revision('d', 'main', { revision: -1 }),
  revision('e', 'zero', { revision: 0 }),
  revision('f', 'elsewhere', { packageName: 'dns', revision: 7 }),
)

test('each workspace of a package has the number of its revision, a draft 0', () => {
  expect([...workspaceRevisions(FLEET, 'default', 'catalog', 'web')]).toEqual([
    ['one', '1'],
    ['two', 'v2'],
    ['draft', '0'],
    ['main', '-1'],
    ['zero', '0'],
  ])
  expect(workspaceRevisions(FLEET, 'other', 'catalog', 'web').size).toBe(0)
})

test('the published revisions of a package are those with a number above 0', () => {
  expect([...publishedRevisions(FLEET, 'default', 'catalog', 'web')]).toEqual(['v1', 'v2'])
  expect([...publishedRevisions(FLEET, 'default', 'catalog', 'dns')]).toEqual(['v7'])
  expect(publishedRevisions(FLEET, 'default', 'catalog', 'none').size).toBe(0)
})
