import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonValue, lookup } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { describeChoice, describeValue, quoteText } from '../schema/describe-value.ts'
import { duplicateKeyFaults } from '../schema/document-faults.ts'
import type { Fault } from '../schema/fault.ts'
import { didYouMean } from '../schema/nearest-name.ts'
import { UPSTREAM_TREE_ANNOTATION } from '../well-known.ts'

/** kpt's ways to update a package (kpt.dev/v1 UpdateStrategyType). */
export const UPDATE_STRATEGIES = ['resource-merge', 'fast-forward', 'force-delete-replace', 'copy-merge'] as const
export type UpdateStrategy = (typeof UPDATE_STRATEGIES)[number]

/** A package at a revision of a git repository, as a Kptfile names the package (kpt.dev/v1 Git, GitLock). A missing field is ''. */
export interface GitRevision {
  readonly repo: string
  readonly directory: string
  readonly ref: string
}

/** The upstream of a package, and the revision that the package was last updated to (kpt.dev/v1 Upstream, UpstreamLock). */
export interface KptfileUpstream {
  readonly upstream?: GitRevision & { readonly updateStrategy?: UpdateStrategy }
  readonly upstreamLock?: GitRevision & { readonly commit: string }
  /** The git tree of an unpublished upstream that a variant of the same fleet makes. */
  readonly tree?: string
}

/**
 * Returns `upstream`, `upstreamLock` and the upstream's tree of a Kptfile, with the faults of the fields that are read and every duplicate
 * key of the Kptfile. A field of a wrong type is a fault and is missing in the value.
 */
export function readKptfileUpstream(kptfile: KrmObject): { readonly value: KptfileUpstream; readonly faults: readonly Fault[] } {
  const upstream = readGit(kptfile, 'upstream', ['repo', 'directory', 'ref'])
  const lock = readGit(kptfile, 'upstreamLock', ['repo', 'directory', 'ref', 'commit'])
  const strategy = readStrategy(kptfile)
  const tree = kptfile.annotations.get(UPSTREAM_TREE_ANNOTATION)
  const value = {
    ...(upstream.value !== undefined && {
      upstream: { ...gitRevision(upstream.value), ...(strategy.value !== undefined && { updateStrategy: strategy.value }) },
    }),
    ...(lock.value !== undefined && { upstreamLock: { ...gitRevision(lock.value), commit: lock.value.get('commit') ?? '' } }),
    ...(tree !== undefined && { tree }),
  }
  return { value, faults: [...duplicateKeyFaults(kptfile), ...upstream.faults, ...strategy.faults, ...lock.faults] }
}

interface Read<Value> {
  readonly value?: Value
  readonly faults: readonly Fault[]
}

/**
 * Returns the strings of `git` below a key, by field. The value is undefined if the key or `git` is missing or null; a value that is no
 * string is a fault.
 */
function readGit(kptfile: KrmObject, key: string, fields: readonly string[]): Read<ReadonlyMap<string, string>> {
  const holder = kptfile.get([key])
  if (holder === undefined || holder === null) return { faults: [] }
  if (!isRecord(holder)) return { faults: [wrongKptfileField([key], 'a map', holder)] }
  const git = lookup(holder, 'git')
  if (git === undefined || git === null) return { faults: [] }
  if (!isRecord(git)) return { faults: [wrongKptfileField([key, 'git'], 'a map', git)] }
  const written = fields.flatMap((field) => {
    const value = lookup(git, field)
    return value === undefined || value === null ? [] : [{ field, value: textOf(kptfile, [key, 'git', field], value) }]
  })
  return {
    value: new Map(written.flatMap(({ field, value }) => (typeof value === 'string' ? [[field, value] as const] : []))),
    faults: written.flatMap(({ field, value }) =>
      typeof value === 'string' ? [] : [wrongKptfileField([key, 'git', field], 'a string', value)],
    ),
  }
}

/** Returns a number or boolean as it is written, as kpt reads it into a text: `1.0` for `ref: 1.0`, and all digits of a commit. */
function textOf(kptfile: KrmObject, path: FieldPath, value: JsonValue): JsonValue {
  const [scalar] = typeof value === 'object' || typeof value === 'string' ? [] : kptfile.scalars(path)
  return scalar?.text ?? value
}

function gitRevision(texts: ReadonlyMap<string, string>): GitRevision {
  return { repo: texts.get('repo') ?? '', directory: texts.get('directory') ?? '', ref: texts.get('ref') ?? '' }
}

function readStrategy(kptfile: KrmObject): Read<UpdateStrategy> {
  const path = ['upstream', 'updateStrategy']
  const written = isRecord(kptfile.get(['upstream'])) ? kptfile.get(path) : undefined
  if (written === undefined || written === null || written === '') return { faults: [] }
  const value = UPDATE_STRATEGIES.find((strategy) => strategy === written)
  if (value !== undefined) return { value, faults: [] }
  const found = typeof written === 'string' ? `${quoteText(written)}${didYouMean(written, UPDATE_STRATEGIES)}` : describeValue(written)
  const message = `must be ${describeChoice(UPDATE_STRATEGIES)} in a Kptfile, got ${found}`
  return { faults: [{ severity: 'error', rule: 'kptfile', path, message }] }
}

/** Returns the fault of a field of a Kptfile that has a value of another type than it must. */
export function wrongKptfileField(path: FieldPath, allowed: string, found: JsonValue): Fault {
  return { severity: 'error', rule: 'kptfile', path, message: `must be ${allowed} in a Kptfile, got ${describeValue(found)}` }
}
