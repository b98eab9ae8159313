import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { configMapText, kptfileText, writtenObject } from '../../../testdata/written-objects.ts'
import { readFleet } from '../../fleet/fleet.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { PackageSource } from '../../upstream/source-package.ts'
import { type SourcePlaces, sourceOfTexts } from '../../upstream/testing/source-of-texts.ts'
import { UpstreamLibrary } from '../../upstream/upstream-library.ts'
import { OPTIONS } from '../testing/render-of-texts.ts'
import { askedRevisions, isCarried } from './subpackage-revisions.ts'

const git = (field: string, ref: string, repo = 'catalog') =>
  `${field}:\n  type: git\n  git: {repo: ${repo}, directory: /net, ref: ${ref}}\n`

/** Returns the Kptfile of the subpackage `sub/net`, which asks for a revision and is at another one. */
function kptfileAt(asked: string | undefined, at: string | undefined, repo = 'catalog'): KrmObject {
  const text = `${asked === undefined ? '' : git('upstream', asked, repo)}${at === undefined ? '' : git('upstreamLock', at, repo)}`
  return writtenObject(kptfileText('net', text), 'out/shop/sub/net/Kptfile')
}

const NET = { Kptfile: kptfileText('net') }
const FOLDERS = { 'catalog/net@v1': NET, 'catalog/net@v2': { ...NET, 'a.yaml': configMapText('a') } }

interface Asked {
  readonly upstream?: Texts
  readonly places?: SourcePlaces
  readonly source?: PackageSource
}

function asked(kptfile: KrmObject, { upstream = {}, places = { folders: FOLDERS }, source = sourceOfTexts(places) }: Asked = {}) {
  const library = new UpstreamLibrary(source, readFleet([]), {
    ...OPTIONS,
    repositories: new Map([['catalog', { trusted: true, revisions: new Map(), tags: new Map() }]]),
  })
  return askedRevisions(kptfile, { folder: 'sub/net', upstream: packageOfTexts(upstream), namespace: undefined }, library)
}

/** Returns the rule, the field and the message of each error. */
function errorsOf(found: ReturnType<typeof askedRevisions>): readonly (readonly [string, string | undefined, string])[] {
  if (found === undefined || !('results' in found)) throw new Error('must be refused')
  return found.results.map(({ tags, field, message }) => [tags.rule, field?.path.join('.'), message])
}

test('a subpackage that asks for another revision gets both, the present one as the base', () => {
  const found = asked(kptfileAt('v2', 'v1'))
  if (found === undefined || 'results' in found) throw new Error('must be found')
  expect([found.revisions.base, found.revisions.theirs].map(({ source }) => source.place)).toEqual(['catalog/net@v1', 'catalog/net@v2'])
  expect([found.value.upstream?.ref, found.value.upstreamLock?.ref]).toEqual(['v2', 'v1'])
})

test.each<[string, KrmObject, Asked]>([
  ['without an upstream', kptfileAt(undefined, 'v1'), {}],
  ['without a lock', kptfileAt('v2', undefined), {}],
  ['at the revision that it asks for', kptfileAt('v1', 'v1'), {}],
  ['that upstream has just so', kptfileAt('v2', 'v1'), { upstream: { 'sub/net/Kptfile': kptfileAt('v2', 'v1').toText() } }],
])('a subpackage %s asks for no other revision', (_, kptfile, more) => {
  expect(asked(kptfile, more)).toBeUndefined()
})

test.each<[string, boolean, Texts]>([
  ['the same upstream and lock', true, { 'sub/net/Kptfile': kptfileAt('v2', 'v1').toText() }],
  ['another upstream', false, { 'sub/net/Kptfile': kptfileAt('v3', 'v1').toText() }],
  ['another lock', false, { 'sub/net/Kptfile': kptfileAt('v2', 'v2').toText() }],
  ['no such subpackage', false, { 'net/Kptfile': kptfileAt('v2', 'v1').toText() }],
])("a subpackage is upstream's if upstream has %s there: %s", (_, expected, upstream) => {
  expect(isCarried(kptfileAt('v2', 'v1'), 'sub/net', packageOfTexts(upstream))).toBe(expected)
})

test('an upstream that cannot be read is an error at its field', () => {
  const kptfile = writtenObject(kptfileText('net', 'upstream: 3\n'), 'out/shop/sub/net/Kptfile')
  const [[rule, field] = []] = errorsOf(asked(kptfile))
  expect([rule, field]).toEqual(['kptfile', 'upstream'])
})

test('a repository that the fleet does not name is an error with both revisions and the repository', () => {
  expect(errorsOf(asked(kptfileAt('v2', 'v1', 'https://example.com/other')))).toEqual([
    [
      'upstream-missing',
      'upstream.git.repo',
      expect.stringMatching(
        /to bring the subpackage from 'v1' to 'v2', got 'https:\/\/example\.com\/other'.*`upstream\.git\.ref` 'v1' leaves/,
      ),
    ],
  ])
})

test('a revision that is missing is an error at the ref, which says where the subpackage is', () => {
  expect(errorsOf(asked(kptfileAt('v9', 'v1')))).toEqual([
    ['upstream-missing', 'upstream.git.ref', expect.stringMatching(/; the subpackage is at 'v1', as `upstreamLock` says$/)],
  ])
})

test('a present revision that is missing is an error with its own rule', () => {
  expect(errorsOf(asked(kptfileAt('v2', 'v8'))).map(([rule]) => rule)).toEqual(['original-missing'])
})

test('faults of the tree of either revision, and documents beside a Kptfile, are errors', () => {
  const source = sourceOfTexts({ folders: FOLDERS })
  const broken = (at: string): PackageSource => ({
    ...source,
    folder: (path) => {
      const found = source.folder(path)
      const fault = { severity: 'error', message: `bad ${path}`, tags: { rule: 'unsafe-path' } } as const
      return found && { ...found, faults: path.endsWith(at) ? [fault] : [] }
    },
  })
  for (const at of ['v1', 'v2'])
    expect(errorsOf(asked(kptfileAt('v2', 'v1'), { source: broken(at) }))).toEqual([['unsafe-path', undefined, `bad catalog/net@${at}`]])
  const two = { 'catalog/net@v1': NET, 'catalog/net@v2': { Kptfile: `${kptfileText('net')}---\n${configMapText('a')}` } }
  expect(errorsOf(asked(kptfileAt('v2', 'v1'), { places: { folders: two } })).map(([rule]) => rule)).toEqual(['kptfile-documents'])
})
