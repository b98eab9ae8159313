import { createHash } from 'node:crypto'
import { isRecord, type JsonRecord } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { check, resolve, simulate, textIn } from './commands.ts'
import { catalog, entry, packageObject, packagesAmong, partsOf, withoutRegistry, withRegistry } from './crossplane-objects.ts'
import { differ, lacksText, list, record, records, text, texts } from './vectors.ts'

const SOURCE = 'registry.example.org/acme/package'

/** A Provider and its revisions, as a vector describes them. */
function provider(name: string, digest: string, each: JsonRecord, more: JsonRecord = {}): JsonRecord {
  const policy = text(each, 'revisionActivationPolicy')
  // Without a limit a vector means that nothing is deleted; the default of an object is 1.
  const limit = each.revisionHistoryLimit ?? 0
  const spec = { ...(policy !== '' && { revisionActivationPolicy: policy }), revisionHistoryLimit: limit }
  const object = packageObject('Provider', name, `${SOURCE}@sha256:${digest}`, spec)
  return { ...object, metadata: { name, generation: each.generation ?? 1 }, ...more }
}

function revisionObject(packageName: string, name: string, number: unknown, state: unknown): JsonRecord {
  return {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'ProviderRevision',
    metadata: { name, labels: { 'pkg.crossplane.io/package': packageName } },
    spec: {
      image: `${SOURCE}@sha256:${hex(name)}`,
      revision: Number(number),
      ...(typeof state === 'string' && state !== '' && { desiredState: state }),
    },
  }
}

function hex(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}

/** A revision of a list, after a run. */
interface Revision {
  readonly name: string
  readonly number: unknown
  readonly state: string
}

function revisionsAmong(items: readonly JsonRecord[]): readonly Revision[] {
  return items.flatMap((item) => {
    if (item.kind !== 'ProviderRevision') return []
    return [{ name: textIn(item, 'metadata', 'name'), number: record(item, 'spec').revision, state: textIn(item, 'spec', 'desiredState') }]
  })
}

/** The first reconcile of a package, as `simulate` shows it, and the revisions that are left when nothing changes any more. */
export function judgeReconcile(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const each = record(vector, 'package')
  const name = text(each, 'name')
  const revisions = records(vector, 'revisions').map((one) => revisionObject(name, text(one, 'name'), one.revision, one.desiredState))
  // The vectors are those of the main branch, whose names have the generation in them.
  const { states, items } = simulate([provider(name, text(each, 'digest'), each), ...revisions], [], {
    cluster: { crossplaneVersion: 'main' },
  })
  const steps = (states[0]?.rounds[0] ?? []).map(({ what }) => what)
  const after = revisionsAmong(items)
  const object = items.find(({ kind }) => kind === 'Provider') ?? {}
  const current = textIn(object, 'status', 'currentRevision')
  const own = after.find((one) => one.name === current)
  const isActive = own?.state === 'Active'
  return [
    ...differ('currentRevision', current, expected.currentRevision),
    ...differ('inactivate', namesIn(steps, /^ProviderRevision (\S+) becomes Inactive/), [...texts(expected, 'inactivate')].sort()),
    ...differ('delete', namesIn(steps, /^ProviderRevision (\S+) \(revision \d+\) is deleted/)[0] ?? null, expected.delete ?? null),
    ...differ(
      'apply',
      { revision: own?.number, isActive },
      {
        revision: record(expected, 'apply').revision,
        isActive: record(expected, 'apply').desiredState === 'Active',
      },
    ),
    ...(expected.condition === undefined
      ? []
      : differ('condition', isActive ? 'ActivePackageRevision' : 'InactivePackageRevision', expected.condition)),
    ...(vector.settled === undefined ? [] : differ('settled', after.map((one) => one.name).sort(), [...texts(vector, 'settled')].sort())),
  ]
}

function namesIn(steps: readonly string[], pattern: RegExp): readonly string[] {
  return steps.flatMap((what) => pattern.exec(what)?.[1] ?? []).sort()
}

const SEED = { crossplaneSemantics: 'seed' }

/** The rules of seed 003: on forms, on objects that two packages bring, on revisions, and on the objects of one that is deleted. */
export function judgeSeedRule(vector: JsonRecord): readonly Difference[] {
  const event = text(vector, 'event')
  if (event === 'validate') return judgeForms(vector)
  if (event === 'install both') return judgeWinners(vector)
  if (event.startsWith('delete revision ')) return judgeDeleted(vector, event.replace('delete revision ', ''))
  if (event.startsWith('install ')) return judgeInstalled(vector, event.replace('install ', ''))
  return judgeSeedRevisions(vector, event)
}

function judgeForms(vector: JsonRecord): readonly Difference[] {
  const configuration = {
    apiVersion: 'meta.pkg.crossplane.io/v1',
    kind: 'Configuration',
    metadata: { name: 'written' },
    spec: { dependsOn: list(vector, 'dependsOn').filter(isRecord) },
  }
  const faults = check([configuration], SEED).filter(({ tags }) => tags.rule === 'dependency-form-invalid')
  const isRefused = faults.some(({ severity }) => severity === 'error')
  return differ('error', isRefused, record(vector, 'expect').error)
}

/** The packages that get a revision, where several bring the same objects. */
function judgeWinners(vector: JsonRecord): readonly Difference[] {
  const packages = Object.entries(record(vector, 'packages'))
  const sourceOf = (name: string) => `${SOURCE}/${name.toLowerCase()}`
  const objects = packages.map(([name]) => packageObject('Provider', name.toLowerCase(), `${sourceOf(name)}:v1.0.0`))
  const entries = packages.map(([name, brought]) => {
    const brings = (Array.isArray(brought) ? brought : []).map((object) => broughtObject(String(object)))
    return entry(sourceOf(name), 'Provider', [{ version: 'v1.0.0', digest: `sha256:${hex(name)}`, dependencies: [], brings }])
  })
  const { items } = simulate([...objects, catalog(entries)], [], SEED)
  return differ('winners', revisionsAmong(items).length, record(vector, 'expect').winners)
}

function broughtObject(object: string): JsonRecord {
  const [, name] = /^composition\/(.*)$/.exec(object) ?? []
  if (name !== undefined) return { apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', name }
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: object.toLowerCase() }
}

function judgeDeleted(vector: JsonRecord, revision: string): readonly Difference[] {
  const owned = record(vector, 'objects')
  const owners = Object.values(owned).flatMap((names) => (Array.isArray(names) ? names.map(String) : []))
  const revisions = [...new Set(owners)].map((name, i) => revisionObject('package', name, i + 1, 'Inactive'))
  const definitions = Object.entries(owned).map(([name, names]) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name,
      ownerReferences: (Array.isArray(names) ? names : []).map((one) => ({
        apiVersion: 'pkg.crossplane.io/v1',
        kind: 'ProviderRevision',
        name: String(one),
        uid: `ProviderRevision ${String(one)}`,
        controller: false,
      })),
    },
  }))
  const gone = {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'ProviderRevision',
    metadata: { name: revision, deletionTimestamp: '2026-01-01T00:00:00Z' },
  }
  const { items } = simulate([...revisions, ...definitions], [gone], SEED)
  const left = new Set(items.map((item) => textIn(item, 'metadata', 'name')))
  const deleted = Object.keys(owned).filter((name) => !left.has(name))
  return differ('objectsDeleted', deleted.sort(), [...texts(record(vector, 'expect'), 'objectsDeleted')].sort())
}

/**
 * Returns the differences of the revisions that resolve-dependencies leaves of a package after an event. A revision is named by the hash of
 * its image.
 */
function judgeSeedRevisions(vector: JsonRecord, event: string): readonly Difference[] {
  const expected = record(vector, 'expect')
  const [, chosen] = /^user sets (\S+) Active$/.exec(event) ?? []
  const [, back] = /^spec\.package back to (\S+)$/.exec(event) ?? []
  const given = records(vector, 'revisions').map((each) => ({
    name: text(each, 'name'),
    number: each.revision,
    state: text(each, 'desiredState'),
  }))
  const wasActive = given.find(({ state }) => state === 'Active')?.name
  const isCollection = event === 'gc'
  const wanted = chosen ?? back ?? (isCollection ? (wasActive ?? '') : 'new')
  const policy = isCollection || text(vector, 'policy') === 'Manual' ? 'Manual' : 'Automatic'
  const settings = { revisionActivationPolicy: policy, ...(vector.limit !== undefined && { revisionHistoryLimit: vector.limit ?? 0 }) }
  const status = wasActive === undefined ? {} : { status: { currentRevision: hex(wasActive) } }
  const objects = [
    provider('package', hex(wanted), settings, status),
    ...given.map(({ name, number, state }) => revisionObject('package', hex(name), number, name === chosen ? 'Active' : state)),
  ]
  const names = new Map([...given.map(({ name }) => name), wanted].map((name) => [hex(name), name]))
  const { items } = resolve(objects, { lifecycle: true, ...SEED })
  const after = revisionsAmong(items).map((each) => ({ ...each, name: names.get(each.name) ?? each.name }))
  const find = (name: string) => after.find((each) => each.name === name)
  const created = after.find(({ name }) => !given.some((each) => each.name === name))
  const deleted = given.filter(({ name }) => find(name) === undefined).map(({ name }) => name)
  const inactivated = given.filter(({ name, state }) => (state === 'Active' || name === chosen) && find(name)?.state !== 'Active')
  const renumbered = after.filter(({ name, number }) => given.some((each) => each.name === name && each.number !== number))
  const answers: Readonly<Record<string, unknown>> = {
    created: created && { desiredState: created.state, revision: created.number },
    inactivated: inactivated.map(({ name }) => name).sort(),
    deleted: deleted.sort(),
    renumbered: Object.fromEntries(renumbered.map(({ name, number }) => [name, number])),
    active: after.find(({ state }) => state === 'Active')?.name ?? null,
    deletedNever: list(expected, 'deletedNever').filter((name) => !deleted.includes(String(name))),
  }
  return Object.entries(expected).flatMap(([key, value]) => differ(key, answers[key], value))
}

/** Returns the differences of what is installed with a package, and of its own revision without its requirements. */
function judgeInstalled(vector: JsonRecord, name: string): readonly Difference[] {
  const expected = record(vector, 'expect')
  const dependencies = texts(record(record(vector, 'packages'), name), 'dependsOn').map((each) => {
    const [source = '', ...range] = each.split(' ')
    return { package: withRegistry(source), ...(range.length > 0 && { version: range.join(' ') }) }
  })
  const known = Object.entries(record(vector, 'available')).map(([id, versions]) =>
    entry(withRegistry(id), 'Provider', Array.isArray(versions) ? versions : []),
  )
  const own = entry(withRegistry(name), 'Configuration', [{ version: 'v1.0.0', digest: `sha256:${hex(name)}`, dependencies }])
  const objects = [packageObject('Configuration', 'self', `${withRegistry(name)}:v1.0.0`), catalog([own, ...known])]
  if (expected.creates !== undefined) {
    const { items } = resolve(objects, { strategy: 'native', ...SEED })
    const made = packagesAmong(items).filter((item) => textIn(item, 'metadata', 'name') !== 'self')
    const parts = made.map((item) => partsOf(withoutRegistry(textIn(item, 'spec', 'package'))))
    return differ('creates', Object.fromEntries(parts.map(({ source, version }) => [source, version])), expected.creates)
  }
  const { states, items } = simulate(objects, [], SEED)
  const said = states.flatMap(({ results }) =>
    results.map(({ message }) => message.replaceAll('"', '').replaceAll('registry.example.org/', '')),
  )
  return [
    ...differ(
      'revisionCreated',
      items.some(({ kind }) => kind === 'ConfigurationRevision'),
      expected.revisionCreated,
    ),
    ...lacksText([text(expected, 'status')], said.join('\n')),
  ]
}
