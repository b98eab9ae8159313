import { isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { carvelPackage } from './carvel-objects.ts'
import { check, differ, list, record, resolves, text, texts } from './vectors.ts'

const FEWEST_SEGMENTS = 3

/** An example of seed 002. What is installed, and what is only validated, check-dependencies can tell; the rest is generated objects. */
export function judgeSeedExample(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const install = record(vector, 'install')
  const validates = record(install, 'options').install === false
  const nothingToDo = list(expected, 'creates').length === 0 && expected.satisfied !== undefined
  if (!validates && !nothingToDo) return resolves(vector)
  const errors = check(objectsOf(vector, install)).filter(({ severity }) => severity === 'error')
  const missing = errors.filter(({ tags }) => tags.rule === 'dependency-missing').map(({ tags }) => `missing ${tags.dependency}`)
  return text(expected, 'error') === '' ? differ('errors', errors, []) : differ('errors', missing, [withSegments(text(expected, 'error'))])
}

function objectsOf(vector: JsonRecord, install: JsonRecord): object[] {
  const refName = withSegments(text(install, 'refName'))
  const dependencies = list(install, 'dependencies').map(renamed)
  const packages = texts(vector, 'packages').map((name) => {
    const [, id = '', version = ''] = /^(.*?)\.(\d+\.\d+\.\d+.*)$/.exec(name) ?? []
    return carvelPackage(withSegments(id), version, withSegments(id) === refName ? { dependencies } : {})
  })
  const installed = Object.entries(record(vector, 'installed')).map(([id, version]) => packageInstall(withSegments(id), String(version)))
  return [...packages, ...installed, packageInstall(refName, '1.0.0', { dependencies: record(install, 'options') })]
}

function packageInstall(refName: string, constraints: string, spec: object = {}): object {
  return {
    apiVersion: 'packaging.carvel.dev/v1alpha1',
    kind: 'PackageInstall',
    metadata: { name: refName },
    spec: { packageRef: { refName, versionSelection: { constraints } }, ...spec },
  }
}

// Names of fewer than three segments are no legal refNames.
function withSegments(name: string): string {
  return name.split('.').length < FEWEST_SEGMENTS ? `${name}.test.carvel.dev` : name
}

function renamed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(renamed)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, key === 'refName' ? withSegments(String(child)) : renamed(child)]),
  )
}
