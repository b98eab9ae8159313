import { expect, test } from 'vitest'
import { type GivenPackages, resolvedPackages, type Versions } from './testing/resolved-packages.ts'

function after(given: GivenPackages) {
  return resolvedPackages({ ...given, spec: { strategy: 'native', ...given.spec } })
}

const PROVIDER: Versions = { 'v1.0.0': [], 'v2.0.0': [], 'v3.0.0': [] }

// The policy of upgrades and downgrades, for an object of a user and for a generated one.
test.each([
  { upgrades: 'none', mark: '', from: 'v1.0.0', wants: '>=v2.0.0', to: 'v1.0.0' },
  { upgrades: 'none', mark: ' generated', from: 'v1.0.0', wants: '>=v2.0.0', to: 'v1.0.0' },
  { upgrades: 'generated', mark: '', from: 'v1.0.0', wants: '>=v2.0.0', to: 'v1.0.0' },
  { upgrades: 'generated', mark: ' generated', from: 'v1.0.0', wants: '>=v2.0.0', to: 'v2.0.0' },
  { upgrades: 'all', mark: '', from: 'v1.0.0', wants: '>=v2.0.0', to: 'v2.0.0' },
  { upgrades: 'all', mark: ' generated', from: 'v1.0.0', wants: '>=v2.0.0', to: 'v2.0.0' },
  { upgrades: 'all', mark: '', from: 'v3.0.0', wants: '<v3.0.0', to: 'v3.0.0' },
  { upgrades: 'all', mark: '', from: 'v3.0.0', wants: '<v3.0.0', downgrades: true, to: 'v2.0.0' },
  { upgrades: 'generated', mark: ' generated', from: 'v3.0.0', wants: '<v3.0.0', downgrades: true, to: 'v2.0.0' },
  { upgrades: 'generated', mark: '', from: 'v3.0.0', wants: '<v3.0.0', downgrades: true, to: 'v3.0.0' },
  { upgrades: 'all', mark: '', from: 'v2.0.0', wants: '>=v2.0.0', to: 'v2.0.0' },
])('upgrades: $upgrades, downgrades: $downgrades: from $from ($mark) to $to where $wants is required', (row) => {
  const { upgrades, mark, from, wants, downgrades = false, to } = row
  const { packages, errors } = after({
    installed: ['Configuration app v1.0.0', `Provider provider-a ${from}${mark}`],
    known: { app: { 'v1.0.0': [`provider-a ${wants}`] }, 'provider-a': PROVIDER },
    spec: { upgrades, downgrades },
  })
  expect(packages).toEqual(['Configuration app app:v1.0.0', `Provider provider-a provider-a:${to}`])
  expect(errors.length).toBe(to === from && from !== 'v2.0.0' ? 1 : 0)
})

test.each<GivenPackages & { readonly rule: string; readonly packages: readonly string[]; readonly errors?: readonly string[] }>([
  {
    rule: 'a package that is missing is installed, then what that requires',
    installed: ['Configuration app v1.0.0'],
    known: { app: { 'v1.0.0': ['base >=v1'] }, base: { 'v1.1.0': ['provider-a <v2'] }, 'provider-a': PROVIDER },
    packages: ['Configuration app app:v1.0.0', 'Configuration base base:v1.1.0', 'Provider provider-a provider-a:v1.0.0'],
  },
  {
    rule: 'what two packages require of one package is installed once, as the first wants, and the second fails',
    installed: ['Configuration app v1.0.0', 'Configuration net v1.0.0'],
    known: { app: { 'v1.0.0': ['provider-a >=v2'] }, net: { 'v1.0.0': ['provider-a <v2'] }, 'provider-a': PROVIDER },
    packages: ['Configuration app app:v1.0.0', 'Configuration net net:v1.0.0'],
    errors: ['xpkg.example.org/net v1.0.0 requires'],
  },
  {
    rule: 'two parents that move one package back and forth fail in the end',
    installed: ['Configuration app v1.0.0', 'Configuration net v1.0.0', 'Provider provider-a v1.0.0'],
    known: { app: { 'v1.0.0': ['provider-a >=v2'] }, net: { 'v1.0.0': ['provider-a <v2'] }, 'provider-a': PROVIDER },
    spec: { upgrades: 'all', downgrades: true },
    packages: ['Configuration app app:v1.0.0', 'Configuration net net:v1.0.0', 'Provider provider-a provider-a:v1.0.0'],
    errors: ['does not have a valid version'],
  },
  {
    rule: 'a package of which no version is known fails',
    installed: ['Configuration app v1.0.0'],
    known: { app: { 'v1.0.0': ['provider-a >=v2'] } },
    packages: ['Configuration app app:v1.0.0'],
    errors: ['provider-a'],
  },
  {
    rule: 'a package of which no version fits fails',
    installed: ['Configuration app v1.0.0'],
    known: { app: { 'v1.0.0': ['provider-a >=v4'] }, 'provider-a': PROVIDER },
    packages: ['Configuration app app:v1.0.0'],
    errors: ['provider-a'],
  },
  {
    rule: 'Crossplane removes nothing, also with prune',
    installed: ['Configuration app v1.0.0', 'Provider provider-a v1.0.0 generated', 'Provider provider-b v1.0.0'],
    known: { app: { 'v1.0.0': [] }, 'provider-a': PROVIDER, 'provider-b': PROVIDER },
    spec: { prune: true },
    packages: ['Configuration app app:v1.0.0', 'Provider provider-a provider-a:v1.0.0', 'Provider provider-b provider-b:v1.0.0'],
  },
  {
    rule: 'a generated package that no package requires stays without prune',
    installed: ['Configuration app v1.0.0', 'Provider provider-a v1.0.0 generated'],
    known: { app: { 'v1.0.0': [] }, 'provider-a': PROVIDER },
    packages: ['Configuration app app:v1.0.0', 'Provider provider-a provider-a:v1.0.0'],
  },
  {
    rule: 'an upgraded package brings along what its new version requires',
    installed: ['Configuration app v1.0.0', 'Configuration base v1.0.0'],
    known: {
      app: { 'v1.0.0': ['base >=v2.0.0'] },
      base: { 'v1.0.0': [], 'v2.0.0': ['provider-a >=v1.0.0', 'provider-b =v2.0.0'] },
      'provider-a': PROVIDER,
      'provider-b': PROVIDER,
    },
    spec: { upgrades: 'all' },
    packages: [
      'Configuration app app:v1.0.0',
      'Configuration base base:v2.0.0',
      'Provider provider-a provider-a:v3.0.0',
      'Provider provider-b provider-b:v2.0.0',
    ],
  },
  {
    rule: 'a digest that is required replaces another one',
    installed: [`Configuration app v1.0.0`, `Provider provider-a sha256:${'a'.repeat(64)}`],
    known: { app: { 'v1.0.0': [`provider-a sha256:${'b'.repeat(64)}`] } },
    spec: { upgrades: 'all' },
    packages: ['Configuration app app:v1.0.0', `Provider provider-a provider-a@sha256:${'b'.repeat(64)}`],
  },
  {
    rule: 'a digest that is there is met by itself alone',
    installed: [`Configuration app v1.0.0`, `Provider provider-a sha256:${'a'.repeat(64)}`],
    known: { app: { 'v1.0.0': [`provider-a sha256:${'a'.repeat(64)}`] } },
    packages: ['Configuration app app:v1.0.0', `Provider provider-a provider-a@sha256:${'a'.repeat(64)}`],
  },
])('native: $rule', ({ rule: _, packages, errors = [], ...given }) => {
  const answer = after(given)
  expect({ packages: answer.packages, errors: answer.errors.length }).toEqual({ packages, errors: errors.length })
  for (const [at, text] of errors.entries()) expect(answer.errors[at]).toContain(text)
})
