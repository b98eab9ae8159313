import { describe, expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { NO_KINDS } from '../reading/served-kinds.ts'
import { commonDigest, findVersionToInstall, findVersionToUpdate, noValidVersion, withoutOutdated } from './resolver.ts'
import { digest, objectOf, packageObject, READER, read } from './testing/objects.ts'

const A = digest('a')
const B = digest('b')

describe('the version that a missing package is installed in', () => {
  const TAGS = ['v1.0.0', 'v1.2.0', 'v2.0.0', 'v2', 'v3.0.0-rc.1', 'latest']

  test.each([
    { rule: 'the highest version in the range', constraint: '>=v1.0.0', found: 'v2.0.0' },
    { rule: 'a prerelease is chosen only by a range that names one', constraint: '>=v3.0.0-0', found: 'v3.0.0-rc.1' },
    { rule: 'an empty constraint admits every version', constraint: '', found: 'v3.0.0-rc.1' },
    { rule: 'a digest is itself, known or not', constraint: A, found: A },
    { rule: 'no version is in the range', constraint: '>=v4.0.0', found: undefined },
    { rule: 'a constraint that does not parse admits none', constraint: '>>v1', found: undefined },
  ])('$rule', ({ constraint, found }) => {
    expect(findVersionToInstall(constraint, TAGS, READER)).toBe(found)
  })

  test('a partial tag is never chosen', () => {
    expect(findVersionToInstall('>=v1.0.0', ['v1.0.0', 'v2', 'v1.5'], READER)).toBe('v1.0.0')
  })
})

describe('the version that an installed package moves to', () => {
  const wanted = { source: 'xpkg.example.org/helm', available: ['v1.0.0', 'v2.0.0', 'v2.5.0', 'v3.0.0'], downgrades: false }

  test.each([
    { rule: 'the lowest version above the installed one', installed: 'v1.0.0', constraints: ['>=v2.0.0'], found: 'v2.0.0' },
    { rule: 'a version that satisfies all parents', installed: 'v1.0.0', constraints: ['>=v2.0.0', '>v2.0.0 <v3.0.0'], found: 'v2.5.0' },
    { rule: 'the installed version if it satisfies all', installed: 'v2.0.0', constraints: ['>=v1.0.0'], found: 'v2.0.0' },
    { rule: 'the digest that all parents require', installed: 'v1.0.0', constraints: [A, A], found: A },
  ])('$rule', ({ installed, constraints, found }) => {
    expect(findVersionToUpdate({ ...wanted, installed, constraints }, READER)).toEqual({ version: found })
  })

  test('a lower version needs downgrades, and then the highest one is chosen', () => {
    const lower = { ...wanted, installed: 'v3.0.0', constraints: ['<v3.0.0'] }
    expect(findVersionToUpdate(lower, READER)).toEqual({ error: noValidVersion('xpkg.example.org/helm', ['<v3.0.0']) })
    expect(findVersionToUpdate({ ...lower, downgrades: true }, READER)).toEqual({ version: 'v2.5.0' })
  })

  test('digests that differ are an error', () => {
    expect(findVersionToUpdate({ ...wanted, installed: A, constraints: [A, B] }, READER)).toHaveProperty('error')
  })

  test('a package that is installed by digest meets no range: Crossplane panics there', () => {
    expect(findVersionToUpdate({ ...wanted, installed: A, constraints: ['>=v1.0.0'] }, READER)).toEqual({
      error: noValidVersion('xpkg.example.org/helm', ['>=v1.0.0']),
    })
  })
})

describe('the packages that take part in a resolution with upgrades', () => {
  const locked = (source: string, version: string, ...dependencies: readonly [string, string][]) => ({
    source,
    version,
    dependencies: dependencies.map(([of, constraint]) => ({ source: of, constraint })),
  })
  const names = (packages: readonly ReturnType<typeof locked>[]) => withoutOutdated(packages, READER)

  test('a package that no package requires takes part', () => {
    const app = locked('app', 'v1.0.0')
    expect(names([app])).toEqual([app])
  })

  test('a package that meets one of its constraints takes part, one that meets none does not', () => {
    const parents = [locked('one', 'v1.0.0', ['helm', '>=v2'], ['sql', '>=v2']), locked('two', 'v1.0.0', ['helm', '>=v1'])]
    const helm = locked('helm', 'v1.0.0')
    const sql = locked('sql', 'v1.0.0')
    expect(names([...parents, helm, sql])).toEqual([...parents, helm])
  })

  test('a digest is met by itself alone', () => {
    const parent = locked('one', 'v1.0.0', ['helm', A], ['sql', A])
    expect(names([parent, locked('helm', A), locked('sql', B)])).toEqual([parent, locked('helm', A)])
  })
})

describe('commonDigest', () => {
  test('is the digest that all parents require', () => {
    expect(commonDigest([A, A])).toEqual({ digest: A })
  })

  test('is empty if all parents require ranges', () => {
    expect(commonDigest(['>=v1', ''])).toEqual({ digest: '' })
  })

  test('two digests are an error', () => {
    expect(commonDigest([A, B])).toEqual({ error: `a dependency package has different digests in parent constraints ([${A} ${B}])` })
  })

  test('a digest beside a range is an error', () => {
    expect(commonDigest([A, '>=v1'])).toEqual({ error: `a dependency package has different types of parent constraints ([${A} >=v1])` })
  })
})

describe('the steps of a release', () => {
  const app = packageObject('app', 'xpkg.example.org/app:v1.0.0')
  const source = 'xpkg.example.org/helm'
  const catalog = (range: string, ...versions: readonly string[]) => [
    {
      id: 'xpkg.example.org/app',
      kind: 'Provider',
      versions: [{ version: 'v1.0.0', dependencies: [{ provider: source, version: range }] }],
    },
    { id: source, kind: 'Provider', versions: versions.map((version) => ({ version, dependencies: [] })) },
  ]
  const steps = (objects: readonly KrmObject[], known: readonly object[], crossplaneVersion: string, upgrades: 'none' | 'all' = 'none') => {
    const { controller } = read(objects, known, { crossplaneVersion })
    const policy = { upgrades, downgrades: false, prune: false }
    const plan = controller?.installMissing({ kinds: NO_KINDS, policy, maxSteps: 10 })
    return { steps: plan?.steps.map(({ version }) => version), failures: plan?.failures.flatMap(({ sentences }) => sentences) }
  }

  test('before v2.1 a partial tag is chosen, from then on never', () => {
    const known = catalog('>=v1.0.0', 'v1.2.0', 'v2')
    expect(steps([app], known, 'v2.0.2').steps).toEqual(['v2'])
    expect(steps([app], known, 'v2.1.0').steps).toEqual(['v1.2.0'])
  })

  test('before v2.2 an entry that meets no constraint still asks for what it requires', () => {
    const known = [
      {
        id: 'xpkg.example.org/z',
        kind: 'Provider',
        versions: [{ version: 'v1.0.0', dependencies: [{ provider: source, version: '>=v2.0.0' }] }],
      },
      {
        id: source,
        kind: 'Provider',
        versions: [
          { version: 'v1.0.0', dependencies: [{ provider: 'xpkg.example.org/old', version: '>=v1.0.0' }] },
          { version: 'v2.0.0', dependencies: [] },
        ],
      },
      { id: 'xpkg.example.org/old', kind: 'Provider', versions: [{ version: 'v1.5.0', dependencies: [] }] },
    ]
    const objects = [packageObject('z', 'xpkg.example.org/z:v1.0.0'), packageObject('helm', `${source}:v1.0.0`)]
    expect(steps(objects, known, 'v2.1.3', 'all').steps).toEqual(['v1.5.0', 'v2.0.0'])
    expect(steps(objects, known, 'v2.2.0', 'all').steps).toEqual(['v2.0.0'])
  })

  test('before v2.3 a caret of 0 ends at the next major version, and a space joins no conditions', () => {
    expect(steps([app], catalog('^0.2.3', '0.2.9', '0.9.0'), 'v2.2.1').steps).toEqual(['0.9.0'])
    expect(steps([app], catalog('^0.2.3', '0.2.9', '0.9.0'), 'v2.3.0').steps).toEqual(['0.2.9'])
    const messages = read([app], catalog('>=v1.0.0 <v2.0.0', 'v1.2.0'), { crossplaneVersion: 'v2.2.1' })
      .findings()
      .map(({ message }) => message)
    expect(messages).toEqual([
      expect.stringContaining(
        'is no version constraint of Crossplane before v2.3: improper constraint: >=v1.0.0 <v2.0.0; write ">=1.0.0, <2.0.0"',
      ),
    ])
  })

  test('v2.1 and v2.2 do not find a rewritten package to upgrade it', () => {
    const rewrite = { matchImages: [{ prefix: source }], rewriteImage: { prefix: 'mirror.example.org/helm' } }
    const config = objectOf({ apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'ImageConfig', metadata: { name: 'mirror' }, spec: rewrite })
    const objects = [app, packageObject('helm', `${source}:v1.0.0`), config]
    const known = catalog('>=v2.0.0', 'v1.0.0', 'v2.0.0')
    const [old, newer] = ['v2.2.1', 'v2.3.4'].map((version) => steps(objects, known, version, 'all'))
    expect([old?.steps, newer?.steps]).toEqual([[], ['v2.0.0']])
    expect(old?.failures?.[0]).toContain('an ImageConfig rewrites it to mirror.example.org/helm')
  })
})
