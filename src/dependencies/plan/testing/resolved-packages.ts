import { resolve } from '../../../../testdata/conformance-runner/dependencies/commands.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../../json.ts'

/** Versions of a package, each with what it requires: `provider-a >=v1`. */
export type Versions = Readonly<Record<string, readonly string[]>>

/** Objects, and the versions of a closed catalog. */
export interface GivenPackages {
  /** Objects: `Configuration app v1.0.0`, a generated one with `generated` behind. The package has the name of the object. */
  readonly installed: readonly string[]
  readonly known: Readonly<Record<string, Versions>>
  readonly spec?: JsonRecord
}

/** Returns what is installed after `resolve-dependencies`, and its errors without their places. */
export function resolvedPackages({ installed, known, spec = {} }: GivenPackages): {
  readonly packages: readonly string[]
  readonly errors: readonly string[]
} {
  const { items, stderr } = resolve([...installed.map(installOf), catalogOf(known)], spec)
  const packages = items.flatMap((item) => (item.kind === 'Catalog' ? [] : [describe(item)])).sort()
  const errors = stderr.split('\n').filter((line) => line.includes('error: '))
  return { packages, errors: errors.map((line) => line.replace(/^.*error: /, '').replace(/ \([^()]*\.yaml:\d+:\d+\)/g, '')) }
}

function installOf(text: string): object {
  const [kind, name, version = '', mark] = text.split(' ')
  const reference = `xpkg.example.org/${name}${version.startsWith('sha256') ? '@' : ':'}${version}`
  const annotations = mark === 'generated' ? { 'krm-variants.dev/resolved': version } : undefined
  return { apiVersion: 'pkg.crossplane.io/v1', kind, metadata: { name, ...(annotations && { annotations }) }, spec: { package: reference } }
}

function catalogOf(known: GivenPackages['known']): object {
  const packages = Object.entries(known).map(([name, versions]) => ({
    ecosystem: 'crossplane',
    id: `xpkg.example.org/${name}`,
    kind: name.startsWith('provider') ? 'Provider' : 'Configuration',
    versions: Object.entries(versions).map(([version, required]) => ({ version, dependencies: required.map(dependencyOf) })),
  }))
  return { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'known' }, spec: { packages } }
}

function dependencyOf(text: string): object {
  const [name = '', ...range] = text.split(' ')
  return { [name.startsWith('provider') ? 'provider' : 'configuration']: `xpkg.example.org/${name}`, version: range.join(' ') }
}

function describe(item: JsonRecord): string {
  const at = (value: JsonValue | undefined, key: string) => (isRecord(value) ? lookup(value, key) : undefined)
  return `${String(item.kind)} ${String(at(item.metadata, 'name'))} ${String(at(item.spec, 'package')).replace('xpkg.example.org/', '')}`
}
