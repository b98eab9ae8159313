import { expect, test } from 'vitest'
import type { JsonValue } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import { rangeReader } from '../range.ts'
import { Collector } from '../reading/collector.ts'
import { fieldAt } from '../reading/field.ts'
import { type DeclaredDependency, readDependencies } from './dependencies.ts'

/** Returns the dependencies of a package in words, and the findings about them. */
function read(dependencies: JsonValue): { readonly found: readonly string[]; readonly faults: readonly string[] } {
  const object = { apiVersion: 'data.packaging.carvel.dev/v1alpha1', kind: 'Package', metadata: { name: 'a' }, spec: { dependencies } }
  const collector = new Collector('carvel', rangeReader(DIALECTS.k14s), [])
  const found = readDependencies(fieldAt(KrmObject.fromDocument(JSON.stringify(object)), ['spec', 'dependencies']), collector)
  return { found: found.map(inWords), faults: collector.findings.map(({ message }) => message) }
}

function inWords(declared: DeclaredDependency): string {
  const end = declared.optional ? ' (optional)' : ''
  if (declared.type === 'gvk') return `${declared.apiVersion} ${declared.kind}${end}`
  if (declared.type === 'alternatives') return `(${declared.alternatives.map(inWords).join(' or ')})${end}`
  return `${declared.refName} ${declared.constraint ?? 'any'}${declared.alias === undefined ? '' : ` as ${declared.alias}`}${end}`
}

const DB = { refName: 'db.example.com', version: '>=1.0.0' }

test.each<[string, JsonValue, string]>([
  ['a package', { package: DB }, 'db.example.com >=1.0.0'],
  ['a package of any version', { package: { refName: 'db.example.com' } }, 'db.example.com any'],
  ['an optional package with an alias', { package: DB, optional: true, alias: 'store' }, 'db.example.com >=1.0.0 as store (optional)'],
  [
    'a selection of versions',
    { packageRef: { refName: 'db.example.com', versionSelection: { constraints: '1.x' } } },
    'db.example.com 1.x',
  ],
  ['a kind', { gvk: { group: 'a.io', version: 'v1', kind: 'Db' } }, 'a.io/v1 Db'],
  [
    'alternatives',
    { or: [{ package: DB }, { package: { refName: 'sql.example.com' } }] },
    '(db.example.com >=1.0.0 or sql.example.com any)',
  ],
])('%s is a dependency', (_, dependency, words) => {
  expect(read([dependency])).toEqual({ found: [words], faults: [] })
  expect(read({ packages: [dependency] })).toEqual({ found: [words], faults: [] })
})

test.each<[string, JsonValue, RegExp]>([
  ['no form', { optional: true }, /must have exactly one of .*, got none of them$/],
  [
    'two forms',
    { package: DB, gvk: { group: 'a.io', version: 'v1', kind: 'Db' } },
    /must have exactly one of .*, got 'package' and 'gvk'$/,
  ],
  ['an empty list of alternatives', { or: [] }, /must have at least one alternative$/],
])('a dependency with %s is a fault, and none', (_, dependency, fault) => {
  expect(read([dependency])).toEqual({ found: [], faults: [expect.stringMatching(fault)] })
})

test('a version beside a selection of versions is a fault, and the selection counts', () => {
  const { found, faults } = read([{ packageRef: { ...DB, versionSelection: { constraints: '1.x' } } }])
  expect(found).toEqual(['db.example.com 1.x'])
  expect(faults).toEqual([expect.stringContaining("must not be set beside 'versionSelection'")])
})
