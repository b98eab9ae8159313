import { expect, test } from 'vitest'
import { objectOf } from '../crossplane/testing/objects.ts'
import type { Finding } from '../finding.ts'
import { decodeSettings, optionFaults, optionsIn, SHARED_SETTINGS, setting, sharedOptions, toResults, WHOLE_NUMBER } from './options.ts'

test('missing options have their defaults', () => {
  expect(sharedOptions({}, undefined)).toEqual({
    read: {
      closed: false,
      globalPackageNamespace: 'kapp-controller-packaging-global',
      carvelSemver: '2024',
      crossplaneSemantics: 'current',
    },
    apis: [],
    clusters: [],
    catalog: undefined,
    severities: new Map(),
    strict: false,
    provided: [],
  })
})

test('options are read as they are written', () => {
  const config = objectOf({ apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, spec: { catalog: [{ id: 'x' }] } })
  const apis = [{ apiVersion: 'x.io/v1', kind: 'Site' }]
  const options = sharedOptions(
    {
      universe: 'closed',
      cluster: {
        kubernetesVersion: '1.31.2',
        crossplaneVersion: 'main',
        kappControllerVersion: '0.54.0',
        apis,
        globalPackageNamespace: 'global',
      },
      clusters: ['clusters/NAME/**'],
      catalog: [],
      carvelSemver: '2026',
      crossplaneSemantics: 'seed',
      rules: { 'dependency-missing': 'off' },
      strict: true,
    },
    config,
  )
  expect(options).toMatchObject({
    read: {
      closed: true,
      kubernetesVersion: '1.31.2',
      crossplaneVersion: 'main',
      kappControllerVersion: '0.54.0',
      globalPackageNamespace: 'global',
      carvelSemver: '2026',
      crossplaneSemantics: 'seed',
    },
    apis,
    clusters: ['clusters/NAME/**'],
    strict: true,
  })
  expect([options.catalog?.value, [...options.severities]]).toEqual([[{ id: 'x' }], [['dependency-missing', 'off']]])
  expect(sharedOptions({}, config).catalog).toBeUndefined()
})

test('a cluster has the options of all, and what is provided to it', () => {
  const options = sharedOptions(
    { cluster: { apis: [{ apiVersion: 'y.io/v1', kind: 'All' }] }, provided: [{ apiVersion: 'x.io/v1', kind: 'Site' }] },
    undefined,
  )
  expect(optionsIn('eu', options).apis.map(({ kind }) => kind)).toEqual(['All', 'Site'])
  const none = sharedOptions({}, undefined)
  expect(optionsIn('eu', none)).toBe(none)
})

test('the severity of an unknown rule is a fault, with the nearest rule', () => {
  expect(optionFaults({ rules: { 'dependency-missing': 'error', 'dependency-mising': 'off', zzz: 'off' } }, 'check')).toEqual([
    {
      severity: 'error',
      rule: 'unknown-field',
      path: ['spec', 'rules', 'dependency-mising'],
      message: "is no rule of check; did you mean 'dependency-missing'?",
      atKey: true,
      proposedKey: 'dependency-missing',
    },
    { severity: 'error', rule: 'unknown-field', path: ['spec', 'rules', 'zzz'], message: 'is no rule of check', atKey: true },
  ])
  expect(optionFaults({}, 'check')).toEqual([])
})

const configMap = (data: object) => objectOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data })

test('a ConfigMap has each option under its own name, those of the cluster too', () => {
  const data = {
    universe: 'closed',
    carvelSemver: '2026',
    crossplaneSemantics: 'seed',
    strict: 'true',
    kubernetesVersion: '1.31.2',
    crossplaneVersion: 'v2',
    kappControllerVersion: '0.54.0',
    globalPackageNamespace: 'global',
  }
  expect(decodeSettings(configMap(data), 'check', SHARED_SETTINGS)).toEqual({
    universe: 'closed',
    carvelSemver: '2026',
    crossplaneSemantics: 'seed',
    strict: true,
    cluster: { kubernetesVersion: '1.31.2', crossplaneVersion: 'v2', kappControllerVersion: '0.54.0', globalPackageNamespace: 'global' },
  })
  expect(decodeSettings(configMap({}), 'check', SHARED_SETTINGS)).toEqual({})
})

test.each([
  [{ universe: 'half' }],
  [{ strict: 'yes' }],
  [{ carvelSemver: '2025' }],
  [{ crossplaneSemantics: 'old' }],
  [{ kubernetesVersion: '' }],
  [{ globalPackageNamespace: '' }],
  [{ unknown: 'x' }],
])('the data %j of a ConfigMap is refused', (data) => {
  expect(() => decodeSettings(configMap(data), 'check', SHARED_SETTINGS)).toThrow()
})

test.each([
  ['1', 1],
  ['999999999999999', 999999999999999],
  ['0', undefined],
  ['01', undefined],
  ['1000000000000000', undefined],
  ['1.5', undefined],
  ['-1', undefined],
  ['', undefined],
])('a number from 1: %j is %s', (text, number) => {
  expect(WHOLE_NUMBER.read(text)).toBe(number)
})

const PLACE = {
  ref: { apiVersion: 'v1', kind: 'A', name: 'a' },
  path: ['spec', 'a'],
  isOwnReading: false,
  position: { line: 3, column: 4 },
}
const finding = (more: Partial<Finding> = {}): Finding => ({
  rule: 'dependency-missing',
  message: 'm',
  place: PLACE,
  tags: { package: 'p' },
  ...more,
})
const severities = (given: Finding, rules: Readonly<Record<string, 'error' | 'warning' | 'info' | 'off'>>, strict = false) =>
  toResults([given], { severities: new Map(Object.entries(rules)), strict }).map(({ severity }) => severity)

test('a finding has the severity that the user gives its rule, else its own, else that of the rule', () => {
  expect(severities(finding({ severity: 'info' }), {})).toEqual(['info'])
  expect(severities(finding({ severity: 'info' }), { 'dependency-missing': 'warning' })).toEqual(['warning'])
  expect(severities(finding({ severity: 'info' }), { 'dependency-missing': 'off' })).toEqual([])
  expect(severities(finding({ severity: 'info' }), { 'dependency-cycle': 'off' })).toEqual(['info'])
  expect(severities(finding({ rule: 'package-repository' }), {})).toEqual(['error'])
})

test('a strict check takes warnings for errors, and nothing else', () => {
  expect(severities(finding({ severity: 'warning' }), {}, true)).toEqual(['error'])
  expect(severities(finding({ severity: 'info' }), {}, true)).toEqual(['info'])
  expect(severities(finding({ severity: 'error' }), { 'dependency-missing': 'warning' }, true)).toEqual(['error'])
  expect(severities(finding(), { 'dependency-missing': 'off' }, true)).toEqual([])
})

test('a result has the place of its finding, and no field and position for a whole object', () => {
  const [whole, field] = toResults(
    [
      finding({ severity: 'error', place: { ...PLACE, path: [] } }),
      finding({ severity: 'error', place: { ...PLACE, currentValue: 1, file: { path: 'a.yaml', index: 0 } }, proposedValue: 2 }),
    ],
    { severities: new Map(), strict: false },
  )
  expect(whole).toEqual({ severity: 'error', message: 'm', resourceRef: PLACE.ref, tags: { rule: 'dependency-missing', package: 'p' } })
  expect(field).toEqual({
    severity: 'error',
    message: 'm',
    resourceRef: PLACE.ref,
    field: { path: ['spec', 'a'], currentValue: 1, proposedValue: 2 },
    file: { path: 'a.yaml', index: 0 },
    position: { line: 3, column: 4 },
    tags: { rule: 'dependency-missing', package: 'p' },
  })
})

test('a text option gives the fields of its value, also of false, and refuses what it does not read', () => {
  const option = setting({ allowed: 'yes or no', read: (text) => ({ yes: true, no: false })[text] }, (strict) => ({ strict }))
  expect(option.allowed).toBe('yes or no')
  expect(['yes', 'no', 'maybe'].map((text) => option.read(text))).toEqual([{ strict: true }, { strict: false }, undefined])
})
