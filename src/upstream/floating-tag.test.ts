import { expect, test } from 'vitest'
import { readFleet } from '../fleet/fleet.ts'
import type { KnownRevisions } from '../fleet/releases/behind.ts'
import { GitError } from '../git/run-git.ts'
import type { UpstreamFields } from '../kinds/upstream-schema.ts'
import { FloatingTag } from './floating-tag.ts'
import { NO_REPOSITORY } from './repository-options.ts'
import type { GitPackageSource } from './source-package.ts'

const REPO = 'https://example.com/catalog'
const [C3, C4, C9] = ['3', '4', '9'].map((digit) => digit.repeat(40))

/** The places in which a floating tag is looked up. */
interface Places {
  /** The tags of the options. */
  readonly options?: Readonly<Record<string, string>>
  /** The tags of git with their commits; absent: no git repository is named. */
  readonly git?: Readonly<Record<string, string | undefined>>
  /** The revisions that are found; absent: all. */
  readonly has?: readonly string[]
  readonly found?: KnownRevisions
  readonly hasSource?: boolean
}

const UPSTREAM: UpstreamFields = { repo: 'catalog', package: 'web', revision: 3 }

function floatingTag({ options = {}, git, has, found = { asked: ['v3', '3'], newest: 'v9' }, hasSource = true }: Places): FloatingTag {
  const source: GitPackageSource = {
    commits: (_, names) => names.map((name) => git?.[name.replace('refs/tags/', '')]),
    tags: () => Object.keys(git ?? {}),
    packages: () => [],
    folder: () => undefined,
  }
  const repository = { ...NO_REPOSITORY, tags: new Map(Object.entries(options)), ...(git && { git: { repo: REPO } }) }
  return new FloatingTag('stable', {
    library: { newest: () => found, has: ({ revision }) => has === undefined || has.includes(String(revision)) },
    packageSource: hasSource ? { git: source } : {},
    fleet: readFleet([]),
    options: { repositories: new Map([['catalog', repository]]) },
  })
}

const newest = (places: Places) => floatingTag(places).newest(UPSTREAM, 'default')

const messageOf = (places: Places) => newest(places).fault?.message

test.each<[string, Places, string]>([
  ['the options say so', { options: { stable: 'v4' } }, 'v4'],
  ['the options say so with the number of Porch', { options: { stable: '4' } }, 'v4'],
  ['the options say the revision that is there', { options: { stable: 'v3' } }, 'v3'],
  ['the options come before git', { options: { stable: 'v4' }, git: { stable: C9, v9: C9 } }, 'v4'],
  ['the tag of the package in git', { git: { 'web/stable': C4, 'web/v3': C3, 'web/v4': C4 } }, 'v4'],
  ['the tag of the repository in git', { git: { stable: C4, v3: C3, v4: C4 } }, 'v4'],
  ['the tag of the package before that of the repository', { git: { stable: C9, 'web/stable': C4, v4: C4, v9: C9 } }, 'v4'],
  ['the newest of two revisions at its commit', { git: { stable: C4, v4: C4, 'v4.1.0': C4 } }, 'v4.1.0'],
  ['a prerelease at its commit', { git: { stable: C4, v3: C3, 'v4.0.0-rc.1': C4 } }, 'v4.0.0-rc.1'],
])('the floating tag names a revision: %s', (_, places, expected) => {
  expect(newest(places)).toEqual({ asked: ['v3', '3'], newest: expected })
})

test.each<[string, Places, string]>([
  ['without the tag', { git: { v3: C3 } }, "is not compared: there is no tag 'stable' of repository 'catalog'"],
  ['without git', { git: { stable: C4, v4: C4 }, hasSource: false }, "is not compared: there is no tag 'stable' of repository 'catalog'"],
  ['without an option', { options: { next: 'v4' } }, "is not compared: there is no tag 'stable' of repository 'catalog'"],
  [
    'at a commit without a revision',
    { git: { stable: C9, v3: C3 } },
    "is not compared with tag 'stable' of repository 'catalog': no revision of 'catalog/web' has a tag at its commit 999999999999",
  ],
  [
    'of a revision that is missing',
    { options: { stable: '4' }, has: ['v9'] },
    "is not compared with tag 'stable' of repository 'catalog', which names 'v4': 'catalog/web' has no such revision; the newest is 'v9'",
  ],
  [
    'of a revision that is missing where none is known',
    { options: { stable: 'v4' }, has: [], found: { asked: ['v3'] } },
    "is not compared with tag 'stable' of repository 'catalog', which names 'v4': 'catalog/web' has no such revision",
  ],
  ['of a branch', { options: { stable: 'main' } }, "is not compared with tag 'stable' of repository 'catalog': 'main' has no order"],
  [
    'of an earlier revision',
    { options: { stable: 'v2' }, found: { asked: ['v3'] } },
    "is later than tag 'stable' of repository 'catalog', which names 'v2': a tag only raises revisions, so go back by hand",
  ],
])('a floating tag %s is a warning at the revision', (_, places, message) => {
  const { asked, newest: revision, fault } = newest(places)
  expect([asked[0], revision, fault?.message]).toEqual(['v3', undefined, message])
  expect(fault).toMatchObject({ severity: 'warning', rule: 'tag-without-revision', path: ['spec', 'upstream', 'revision'] })
})

test('a revision without an order is compared with every tag', () => {
  expect(newest({ options: { stable: 'v2' }, found: { asked: ['main'] } })).toEqual({ asked: ['main'], newest: 'v2' })
})

test('the fault of the upstream itself comes first', () => {
  const fault = { severity: 'error', rule: 'upstream-missing', path: ['spec'], message: 'm' } as const
  expect(newest({ options: { stable: 'v4' }, found: { asked: ['v3'], fault } })).toEqual({ asked: ['v3'], fault })
})

test('a repository that cannot be read is a fault, any other error is thrown', () => {
  const failing = (error: Error) =>
    new FloatingTag('stable', {
      library: {
        newest: () => {
          throw error
        },
        has: () => true,
      },
      packageSource: {},
      fleet: readFleet([]),
      options: { repositories: new Map() },
    })
  const tag = failing(new GitError('no route'))
  expect(tag.newest(UPSTREAM, 'default')).toEqual({
    asked: [],
    fault: { severity: 'error', rule: 'upstream-git', path: ['spec', 'upstream', 'repo'], message: 'cannot be read: no route' },
  })
  expect(tag.instead).toBeUndefined()
  expect(() => failing(new TypeError('a fault of the tool')).newest(UPSTREAM, 'default')).toThrow(TypeError)
})

test('the floating tags that there are instead are sorted, each once, without versions and the tags of other packages', () => {
  const tag = floatingTag({ options: { next: 'v4' }, git: { 'web/edge': C4, beta: C4, next: C4, v4: C4, 'web/v4': C4, 'dns/old': C4 } })
  expect(tag.instead).toEqual([])
  tag.newest(UPSTREAM, 'default')
  tag.newest(UPSTREAM, 'default')
  expect(tag.instead).toEqual(['beta', 'edge', 'next'])
})

test.each<[string, Places, boolean]>([
  ['the options have it', { options: { stable: 'v4' } }, true],
  ['git has it at any commit', { git: { stable: C9 } }, true],
  ['no repository has it', { git: { next: C9 } }, false],
  ['git cannot be read', { found: { asked: [], fault: { severity: 'error', rule: 'upstream-git', path: [], message: 'm' } } }, true],
  [
    'the upstream is missing',
    { found: { asked: [], fault: { severity: 'error', rule: 'upstream-missing', path: [], message: 'm' } } },
    false,
  ],
])('the tag may exist: %s', (_, places, mayExist) => {
  const tag = floatingTag(places)
  tag.newest(UPSTREAM, 'default')
  expect(tag.instead === undefined).toBe(mayExist)
})

test('a tag that one of several repositories has is nowhere missing', () => {
  const tag = floatingTag({ options: { stable: 'v4' } })
  tag.newest(UPSTREAM, 'default')
  tag.newest({ ...UPSTREAM, repo: 'other' }, 'default')
  expect(tag.instead).toBeUndefined()
  expect(messageOf({ git: {} })).toContain('there is no tag')
})
