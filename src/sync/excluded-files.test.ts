import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import type { DeployedPackage } from './deployed-packages.ts'
import { appliedLocalConfigs, excludedFiles } from './excluded-files.ts'
import type { Deployment } from './options.ts'

const object = (path: string, name = 'a', kind = 'ConfigMap') => writtenObject(`kind: ${kind}\nmetadata:\n  name: ${name}\n`, path)

const content = (fields: Partial<DeployedPackage>): DeployedPackage => ({
  packageName: 'dns',
  isRendered: true,
  isKustomized: false,
  isBuilt: false,
  applied: [],
  local: [],
  strange: new Map(),
  folder: 'packages/dns',
  inGit: undefined,
  ...fields,
})

const deployment = (contents: readonly DeployedPackage[], packageName: string | undefined = 'dns'): Deployment => ({
  name: 'd',
  set: '',
  repository: 'one',
  repositoryObject: object('fleet/one.yaml'),
  packageName,
  isBuilt: false,
  contents,
  url: '',
  isOci: false,
  branch: 'main',
  tag: undefined,
  folder: '',
  secret: undefined,
  project: undefined,
  destination: undefined,
  targetNamespace: undefined,
  wave: 0,
  waitsFor: [],
})

/** Returns the patterns that follow those of the package context. */
const excluded = (...of: Parameters<typeof deployment>) =>
  excludedFiles(deployment(...of)).replace('{package-context.yaml,*/package-context.yaml', '{…')

test('a package without files for tools leaves out the package context alone', () => {
  const local = [object('packages/dns/package-context.yaml'), object('packages/dns/sub/package-context.yaml')]
  expect(excludedFiles(deployment([content({ local, applied: [object('packages/dns/a.yaml')] })]))).toBe(
    '{package-context.yaml,*/package-context.yaml}',
  )
})

test('files that only tools read are left out once, in the order of their paths', () => {
  const local = ['z.yaml', 'sub/b.yaml', 'z.yaml', 'my-package-context.yaml'].map((path) => object(`packages/dns/${path}`))
  const strange = new Map([['notes.yaml', undefined]])
  expect(excluded([content({ local, strange })])).toBe('{…,my-package-context.yaml,notes.yaml,sub/b.yaml,z.yaml}')
})

test('a file with an object for the cluster is not left out', () => {
  const path = 'packages/dns/a.yaml'
  expect(excluded([content({ local: [object(path)], strange: new Map([['a.yaml', undefined]]), applied: [object(path, 'b')] })])).toBe(
    '{…}',
  )
})

test('in a whole Repository each file has the folder of its package', () => {
  const contents = [
    content({ local: [object('packages/dns/s.yaml')] }),
    content({ packageName: 'web', folder: '', local: [object('s.yaml')] }),
  ]
  expect(excludedFiles({ ...deployment(contents), packageName: undefined })).toBe(
    '{package-context.yaml,*/package-context.yaml,dns/s.yaml,web/s.yaml}',
  )
})

test('a character with a meaning in patterns is any character', () => {
  expect(excluded([content({ strange: new Map([['a{b}[c]*?!,\\.yaml', undefined]]) })])).toBe(
    '{…,a?b??c???????.yaml}'.replace('???????', '??????'),
  )
})

test('an object for tools beside objects for the cluster is warned of, once for all places', () => {
  const mixed = content({
    local: [object('packages/dns/a.yaml', 'setters'), object('packages/dns/b.yaml', 'own')],
    applied: [object('packages/dns/a.yaml', 'b')],
  })
  const results = appliedLocalConfigs([deployment([mixed]), deployment([mixed])])
  expect(results).toEqual([
    {
      severity: 'warning',
      message:
        "ConfigMap 'setters' is for tools on disk, in a file with objects for the cluster: Argo CD applies the whole file; move the object into a file of its own; so in 1 other place of the fleet",
      resourceRef: mixed.local[0]?.ref,
      file: { path: 'packages/dns/a.yaml', index: 0 },
      position: { line: 3, column: 9 },
      tags: { rule: 'sync-local-config' },
    },
  ])
  expect(appliedLocalConfigs([deployment([mixed])])[0]?.message).toMatch(/a file of its own$/)
})

test('different objects are warned of each, and packages that Argo CD builds not at all', () => {
  const path = 'packages/dns/a.yaml'
  const mixed = content({ local: [object(path, 'a'), object(path, 'b'), object(path, 'a', 'Secret')], applied: [object(path, 'c')] })
  expect(appliedLocalConfigs([deployment([mixed, { ...mixed, packageName: 'web' }])]).map(({ message }) => message.slice(0, 14))).toEqual([
    "ConfigMap 'a' ",
    "ConfigMap 'b' ",
    "Secret 'a' is ",
    "ConfigMap 'a' ",
    "ConfigMap 'b' ",
    "Secret 'a' is ",
  ])
  expect(appliedLocalConfigs([deployment([{ ...mixed, isBuilt: true }])])).toEqual([])
})
