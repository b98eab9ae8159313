import { describe, expect, test } from 'vitest'
import { type DependencyForms, readDependsOn } from './dependencies.ts'
import { collector, fieldOf } from './testing/objects.ts'

const SOURCE = 'xpkg.example.org/acme/helm'

/** Returns the items of dependsOn without their fields, and the findings with their severity. */
function read(items: readonly unknown[], forms: DependencyForms = 'current') {
  const found = collector()
  const dependencies = readDependsOn(fieldOf(items), forms, found).map((each) =>
    Object.fromEntries(Object.entries(each).filter(([key]) => key !== 'field' && key !== 'constraintField')),
  )
  return { dependencies, findings: found.findings.map(({ rule, severity, message }) => `${rule} ${severity ?? 'error'}: ${message}`) }
}

const PROVIDER = { type: 'package', apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', source: SOURCE, constraint: '>=v1' }

describe('the forms of today', () => {
  test.each([
    { key: 'provider', kind: 'Provider' },
    { key: 'configuration', kind: 'Configuration' },
    { key: 'function', kind: 'Function' },
  ])('the key $key requires a $kind', ({ key, kind }) => {
    expect(read([{ [key]: SOURCE, version: '>=v1' }])).toEqual({ dependencies: [{ ...PROVIDER, kind }], findings: [] })
  })

  test('apiVersion, kind and package name the object that installs the package', () => {
    const explicit = { apiVersion: 'pkg.example.org/v2', kind: 'Add', package: SOURCE, version: '>=v1' }
    expect(read([explicit]).dependencies).toEqual([{ ...PROVIDER, apiVersion: 'pkg.example.org/v2', kind: 'Add' }])
  })

  test.each([
    {
      api: 'pkg.crossplane.io/v1',
      kind: 'Provder',
      words: "must be one of 'Configuration', 'Provider', 'Function', got 'Provder'; did you mean",
    },
    {
      api: 'meta.pkg.crossplane.io/v1',
      kind: 'Provider',
      words: "must be 'pkg.crossplane.io/v1', got 'meta.pkg.crossplane.io/v1'",
    },
  ])('$kind of $api installs no package', ({ api, kind, words }) => {
    const { dependencies, findings } = read([{ apiVersion: api, kind, package: SOURCE, version: '>=v1' }])
    expect({ dependencies, findings }).toEqual({ dependencies: [], findings: [expect.stringContaining(words)] })
  })

  test.each([`${SOURCE}:v1.0.0`, `${SOURCE}@sha256:aa`])('the source %s has what `version` is for', (source) => {
    expect(read([{ provider: source, version: '>=v1' }]).findings).toEqual([
      `dependency-form-invalid error: \`value[0].provider\` must be a source without tag and digest, whose place is \`version\`, got "${source}"`,
    ])
  })

  test('a source with capital letters is in no registry', () => {
    expect(read([{ provider: 'xpkg.example.org/Acme/helm', version: '>=v1' }]).findings).toEqual([
      expect.stringContaining('must have a path of 2 to 255 lowercase letters'),
    ])
  })

  test('apiVersion, kind and package count only together', () => {
    expect(read([{ provider: SOURCE, kind: 'Function', version: '>=v1' }])).toEqual({ dependencies: [PROVIDER], findings: [] })
  })

  test('of several forms the explicit one is used, then configuration, provider and function, with a warning', () => {
    const { dependencies, findings } = read([{ function: SOURCE, provider: SOURCE, configuration: SOURCE, version: '>=v1' }])
    expect(dependencies).toEqual([{ ...PROVIDER, kind: 'Configuration' }])
    expect(findings).toEqual([expect.stringMatching(/^dependency-form-invalid warning: .*takes 'configuration'/)])
    const explicit = { apiVersion: 'pkg.crossplane.io/v1', kind: 'Function', package: SOURCE }
    expect(read([{ ...explicit, provider: 'xpkg.example.org/other' }]).dependencies).toEqual([
      { ...PROVIDER, kind: 'Function', constraint: '' },
    ])
  })

  test('an item without a form is left out and reported', () => {
    const { dependencies, findings } = read([{ version: '>=v1' }])
    expect(dependencies).toEqual([])
    expect(findings).toEqual([expect.stringMatching(/^dependency-form-invalid error: .*must have one of 'provider'/)])
  })

  test.each([
    { form: { crd: 'buckets.example.org' }, place: 'packages are required by source' },
    { form: { crossplane: '>=v1.20' }, place: '`spec.crossplane.version`' },
  ])('a form of seed 003 is refused: $place', ({ form, place }) => {
    const { dependencies, findings } = read([form])
    expect(dependencies).toEqual([])
    expect(findings).toEqual([expect.stringContaining(place)])
  })

  test('a misspelt key is reported with the nearest known one', () => {
    expect(read([{ provider: SOURCE, versoin: '>=v1' }]).findings).toEqual([expect.stringContaining("did you mean 'version'?")])
  })

  test('a version that is no text is reported', () => {
    expect(read([{ provider: SOURCE, version: 1.2 }]).findings).toEqual([expect.stringContaining('must be a string, got 1.2')])
  })

  test('a source without a registry is a warning', () => {
    expect(read([{ provider: 'acme/helm', version: '>=v1' }]).findings).toEqual([
      expect.stringMatching(/^dependency-form-invalid warning: .*must name its registry, such as xpkg\.crossplane\.io\/acme\/helm/),
    ])
  })
})

describe('the forms of seed 003', () => {
  test('a package has its range behind the source or beside it', () => {
    const own = { ...PROVIDER, kind: '' }
    expect(read([{ package: `${SOURCE} >=v1` }, { package: SOURCE, version: '>=v1' }], 'seed').dependencies).toEqual([own, own])
  })

  test('a definition is required by its name, or by group, version and kind', () => {
    const { dependencies } = read(
      [{ crd: 'buckets.example.org' }, { crd: { group: 'example.org', version: 'v1', kind: 'Bucket' } }],
      'seed',
    )
    expect(dependencies).toEqual([
      { type: 'gvk', wanted: { definition: 'buckets.example.org' } },
      { type: 'gvk', wanted: { apiVersion: 'example.org/v1', kind: 'Bucket' } },
    ])
  })

  test('a range of Crossplane is an item', () => {
    expect(read([{ crossplane: '>=v1.20' }], 'seed').dependencies).toEqual([{ type: 'crossplane', constraint: '>=v1.20' }])
  })

  test.each([
    { item: {}, found: 'got none of them' },
    { item: { package: SOURCE, crossplane: '>=v1' }, found: "got 'package' and 'crossplane'" },
  ])('an item has exactly one form: $found', ({ item, found }) => {
    const { dependencies, findings } = read([item], 'seed')
    expect(dependencies).toEqual([])
    expect(findings).toEqual([expect.stringContaining(found)])
  })
})
