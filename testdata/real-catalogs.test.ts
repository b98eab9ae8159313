import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { checkDependencies } from '../functions/check-dependencies/check-dependencies.ts'
import { resolveDependencies } from '../functions/resolve-dependencies/resolve-dependencies.ts'
import { evaluate, type KrmFunction } from '../src/run.ts'
import { printResourceList } from './conformance-runner/wire.ts'
import { SHARED_MUST_BE_THERE } from './shared-folder.ts'

// Every package of the public files, read where they lie, beside the repository, as one closed universe for each system. What a file does
// not say, such as the versions that exist, is what others require of it.
const REAL = fileURLToPath(new URL('../../shared/real/dependencies', import.meta.url))
const there = existsSync(REAL)

test('the real files are there, on a machine that must have them', () => {
  expect(there || !SHARED_MUST_BE_THERE).toBe(true)
})

interface Entry {
  readonly file: string
  readonly name: string | null
  readonly version?: string | null
  readonly scope?: string | null
  readonly kind?: string
  readonly parse_error: string | null
  readonly dependsOn?: readonly { readonly package: string; readonly constraint: string | null }[]
}

function entriesOf(ecosystem: string): readonly Entry[] {
  return there ? JSON.parse(readFileSync(`${REAL}/${ecosystem}/INDEX.json`, 'utf8')).entries : []
}

function documentsOf(ecosystem: string, file: string): object[] {
  const documents = parseAllDocuments(readFileSync(`${REAL}/${ecosystem}/${file}`, 'utf8')).map((document) => document.toJS())
  return documents.filter((document) => typeof document === 'object' && document !== null && !Array.isArray(document))
}

interface Run {
  readonly exitCode: number
  readonly items: readonly object[]
  readonly results: readonly { readonly severity: string; readonly message: string; readonly tags: { readonly rule: string } }[]
}

function run(fn: KrmFunction, kind: string, objects: readonly object[]): Run {
  const config = { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind, spec: { universe: 'closed' } }
  const items = objects.map((object, i) => ({ object, path: `object-${i}.yaml`, index: 0 }))
  const { stdout, exitCode } = evaluate(fn, printResourceList(items, config))
  // js-yaml, since the yaml library takes as long as the functions.
  return { exitCode, items: [], results: [], ...(load(stdout) as Partial<Run>) }
}

// Forms that Crossplane no longer has, and what a platform needs, are faults that no plan can mend.
const MENDABLE = ['dependency-missing', 'dependency-conflict', 'no-version-available', 'gvk-missing', 'dependency-cycle']

function mendable(objects: readonly object[]): string[] {
  const { results } = run(checkDependencies, 'CheckDependencies', objects)
  return results.filter(({ severity, tags }) => severity === 'error' && MENDABLE.includes(tags.rule)).map(({ message }) => message)
}

// The place of an item is given to it by each run.
function withoutPlace(object: { readonly metadata?: { readonly annotations?: object } }): object {
  const annotations = Object.entries(object.metadata?.annotations ?? {}).filter(([key]) => !/^(internal\.)?config\./.test(key))
  return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(annotations) } }
}

/** Resolves what is installed; what comes of it is judged by check-dependencies, and a second run. */
function judge(objects: readonly object[]): 'resolved' | 'impossible' {
  const { exitCode, items, results } = run(resolveDependencies, 'ResolveDependencies', objects)
  const errors = results.filter(({ severity }) => severity === 'error')
  if (exitCode === 0) {
    expect(mendable(items)).toEqual([])
    expect(run(resolveDependencies, 'ResolveDependencies', items).items.map(withoutPlace)).toEqual(items.map(withoutPlace))
    return 'resolved'
  }
  expect(['unresolvable', 'generated-name-collision']).toEqual(expect.arrayContaining(errors.map(({ tags }) => tags.rule)))
  for (const { message } of errors) expect(message).toMatch(/cannot get what is required: |cannot be installed: |would be installed as /)
  expect(items).toHaveLength(objects.length)
  return 'impossible'
}

function catalog(packages: readonly object[]): object {
  return { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'real' }, spec: { packages } }
}

function count(outcomes: readonly string[]): { readonly resolved: number; readonly impossible: number } {
  return {
    resolved: outcomes.filter((each) => each === 'resolved').length,
    impossible: outcomes.filter((each) => each !== 'resolved').length,
  }
}

describe.runIf(there)('crossplane', () => {
  const entries = entriesOf('crossplane').filter(({ name }) => name !== null && /^[a-z0-9-]+$/.test(name))
  const sourceOf = ({ name }: Entry): string => `xpkg.upbound.io/upbound/${name}`
  const required = entries.flatMap(({ dependsOn = [] }) => dependsOn).filter((each) => each.package.split('/').length > 2)

  // The versions of a package that files name are those that exist; a package whose files are there requires what these say, each in
  // turn.
  function packageOf(id: string) {
    const files = entries.filter((entry) => sourceOf(entry) === id)
    const named = required.filter((each) => each.package === id).flatMap(({ constraint }) => versionsIn(constraint ?? ''))
    const versions = [...new Set([...named, 'v0.0.1'])].sort()
    const kind = kindOf(id)
    return {
      ecosystem: 'crossplane',
      id,
      kind: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
      versions: versions.map((version, i) => ({ version, dependencies: dependenciesOf(files[i % Math.max(files.length, 1)]) })),
    }
  }

  /** The kind of a package as a requirement spells it. */
  function kindOf(id: string): string {
    return /\/[^/]*(provider|function)[^/]*$/.exec(id)?.[1] ?? 'configuration'
  }

  function versionsIn(constraint: string): string[] {
    return [...constraint.matchAll(/\d+(?:\.\d+){0,2}/g)].map(([version]) => `v${[...version.split('.'), '0', '0'].slice(0, 3).join('.')}`)
  }

  function dependenciesOf(entry: Entry | undefined): readonly Readonly<Record<string, string>>[] {
    const dependsOn = entry?.dependsOn?.filter((each) => each.package.split('/').length > 2) ?? []
    return dependsOn.map((each) => ({ [kindOf(each.package)]: each.package, version: each.constraint ?? '>=v0.0.0' }))
  }

  const packages = [...new Set([...entries.map(sourceOf), ...required.map((each) => each.package)])].sort().map(packageOf)
  const install = (id: string, kind: string, version: string): object => ({
    apiVersion: 'pkg.crossplane.io/v1',
    kind,
    metadata: { name: id.replace(/^.*\//, '') },
    spec: { package: `${id}:${version}` },
  })

  /** The part of the catalog that a package can need. */
  function partFor(wanted: readonly string[]): typeof packages {
    const needed = new Set(wanted)
    // A set can grow while it is walked.
    for (const id of needed) {
      const versions = packages.find((each) => each.id === id)?.versions ?? []
      for (const { dependencies } of versions)
        for (const { version, ...ids } of dependencies) for (const each of Object.values(ids)) needed.add(each)
    }
    return packages.filter(({ id }) => needed.has(id))
  }

  function judgeTogether(wanted: typeof packages): string {
    const installs = wanted.map(({ id, kind, versions }) => install(id, kind, versions.at(-1)?.version ?? ''))
    return judge([catalog(partFor(wanted.map(({ id }) => id))), ...installs])
  }

  test('every package is resolved alone, or it is told why it cannot be', () => {
    const { resolved, impossible } = count(packages.map((each) => judgeTogether([each])))
    expect(resolved + impossible).toBe(packages.length)
    expect(resolved).toBeGreaterThan(impossible)
    expect(impossible).toBeGreaterThan(0)
  })

  test('packages that do not know of each other are resolved together', () => {
    const withFiles = packages.filter(({ id }) => entries.some((entry) => sourceOf(entry) === id))
    const { resolved, impossible } = count(withFiles.map((_, i) => judgeTogether(withFiles.slice(i, i + 3))))
    expect(resolved).toBeGreaterThan(0)
    expect(impossible).toBeGreaterThan(0)
  })
})

describe.runIf(there)('glasskube', () => {
  const entries = entriesOf('glasskube').filter(
    ({ name, version, file }) => name !== null && file.endsWith('package.yaml') && !file.startsWith('other-') && version !== null,
  )
  const lists = entriesOf('glasskube').filter(({ file }) => file.endsWith('_versions.yaml'))

  function glasskubeCatalog(): object[] {
    const known = entries.map(({ file, name, version, scope }) => {
      const [manifest = {}] = documentsOf('glasskube', file)
      const {
        dependencies = [],
        components = [],
        defaultNamespace,
      } = manifest as { dependencies?: object[]; components?: object[]; defaultNamespace?: string }
      return {
        id: name,
        version: { version, dependencies, components, ...(scope && { scope }), ...(defaultNamespace && { defaultNamespace }) },
      }
    })
    const ids = [...new Set([...known.map(({ id }) => id), ...lists.map(({ file }) => file.replace('_versions.yaml', ''))])]
    return ids.map((id) => {
      const own = known.filter((each) => each.id === id).map(({ version }) => version)
      const listed = lists.filter(({ file }) => file === `${id}_versions.yaml`).flatMap(({ file }) => documentsOf('glasskube', file))
      const all = listed.flatMap((list) => (list as { versions?: { version: string }[] }).versions ?? []).map(({ version }) => version)
      const others = all.filter((version) => !own.some((each) => each.version === version))
      return { ecosystem: 'glasskube', id, versions: [...own, ...others.map((version) => ({ version, dependencies: [] }))] }
    })
  }

  test.each(entries)('$name $version', ({ name, version, scope }) => {
    const installed = {
      apiVersion: 'packages.glasskube.dev/v1alpha1',
      kind: scope === 'Namespaced' ? 'Package' : 'ClusterPackage',
      metadata: { name, ...(scope === 'Namespaced' && { namespace: 'apps' }) },
      spec: { packageInfo: { name, version } },
    }
    // Nobody publishes keycloak-operator-crds.
    const expected = name === 'keycloak-operator' ? 'impossible' : 'resolved'
    expect(judge([catalog(glasskubeCatalog()), installed])).toBe(expected)
  })
})

describe.runIf(there)('carvel', () => {
  // Released Packages have no dependencies yet: what is there is enough, and stays as it is.
  test.each(entriesOf('carvel').filter((entry) => entry.parse_error === null))('$file', ({ file }) => {
    const objects = documentsOf('carvel', file).filter((object) => 'kind' in object && 'apiVersion' in object)
    if (objects.length === 0) return expect(objects).toEqual([])
    const { items, results } = run(resolveDependencies, 'ResolveDependencies', objects)
    const errors = results.filter(({ severity }) => severity === 'error').map(({ tags }) => tags.rule)
    // An unknown key in a form is told as check-dependencies tells it.
    expect(errors.filter((rule) => rule !== 'dependency-form-invalid')).toEqual([])
    expect(items).toHaveLength(objects.length)
  })
})
