import { existsSync, lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { isGitFolder } from '../../src/folder/safe-path.ts'
import { StagingError } from '../../src/folder/staging.ts'
import { writeFiles } from '../../src/folder/write-files.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup, parseJson } from '../../src/json.ts'
import { MAX_INPUT_BYTES } from '../../src/resource-list/limits.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import { JsonFields } from '../../src/schema/json-fields.ts'
import { cutText } from '../../src/wording.ts'
import type { Host } from '../host.ts'
import { isFile, isFolder } from '../place-kind.ts'
import { printJson } from '../print/print-value.ts'
import { UsageError } from '../usage-error.ts'

/** The version of schemas/output/saved-plan.json. */
const FORMAT_VERSION = 2

/** A plan with everything that it was made from. Nothing in it is opened or run: it is compared with what is read anew. */
export interface SavedPlan extends PlanInputs {
  /** The text of `--version`, which has the tool's commit. */
  readonly version: string
  /** The folder of the fleet, relative to the caller's working directory. */
  readonly folder: string
  /** The folder for the packages, if the caller named one. */
  readonly packages?: string
  readonly options: CallerOptions
  readonly changes: JsonValue
}

/** The choices of the caller beside the folders. */
export interface CallerOptions {
  /** The file with the options of render-variants. */
  readonly config?: string
  readonly followRenames: boolean
  readonly discardEdits: boolean
  readonly allowOutside: boolean
}

/** The inputs that a plan was made from. */
export interface PlanInputs {
  /** The SHA-256 of the options of render-variants as they were decoded. */
  readonly optionsDigest: string
  /** The SHA-256 of every file, by its path from the folder of the fleet. */
  readonly files: ReadonlyMap<string, string>
  readonly upstreams: readonly BoundUpstream[]
}

/** An upstream package of the fleet, and what its revision was. */
export interface BoundUpstream {
  /** `NAMESPACE/REPOSITORY/PACKAGE@REVISION`, as variants ask for it. */
  readonly name: string
  /** `git`: a commit; `folder`: its files are among those of the plan; `missing`: it could not be read. */
  readonly from: 'git' | 'folder' | 'missing'
  readonly commit?: string
}

/**
 * Writes a plan to a file, beside its place and then renamed.
 *
 * @throws UsageError for a place that must not be taken; StagingError when the file cannot be written
 */
export function writeSavedPlan(file: string, plan: SavedPlan, host: Host): void {
  const place = requirePlanFile(file, host)
  const { version, folder, packages, options, optionsDigest, files, upstreams, changes } = plan
  const saved = {
    formatVersion: FORMAT_VERSION,
    version,
    folder,
    packages,
    options,
    optionsDigest,
    files: recordOf(files),
    upstreams,
    changes,
  }
  writeFiles(dirname(place), [{ path: basename(place), op: 'update', text: `${printJson(saved, 2)}\n` }])
}

/** Returns a record with keys of any name, even `__proto__`, sorted. */
function recordOf(map: ReadonlyMap<string, string>): JsonRecord {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Returns the place of the file for a plan: a new one, or an earlier plan.
 *
 * @throws UsageError for any other file, however it is spelt or linked, and for a place within `.git`; StagingError for a folder that must
 *   not
 * be searched
 */
export function requirePlanFile(file: string, host: Host): string {
  const wanted = host.locate(file)
  const above = dirname(wanted)
  const { isBelowFolder, found } = lookFor(wanted)
  if (found?.isSymbolicLink() === true) throw new UsageError(`\`--out\` must be a new file or a saved plan, '${file}' is a link`)
  if (found !== undefined && !(found.isFile() && isSavedPlan(wanted)))
    throw new UsageError(
      `\`--out\` must be a new file or a saved plan, '${file}' is ${found.isDirectory() ? 'a folder' : 'something else'}`,
    )
  const place = join(isBelowFolder ? realpathSync(above) : above, basename(wanted))
  if (place.split(sep).some(isGitFolder)) throw new UsageError(`\`--out\` must not be within .git, got '${file}'`)
  return place
}

/**
 * Returns what is at a place, and if the folder above is there.
 *
 * @throws StagingError for a folder that must not be searched: the plan cannot be written there
 */
function lookFor(place: string): { readonly isBelowFolder: boolean; readonly found: Stats | undefined } {
  try {
    const isBelowFolder = isFolder(dirname(place))
    return { isBelowFolder, found: isBelowFolder ? lstatSync(place, { throwIfNoEntry: false }) : undefined }
  } catch (cause) {
    throw new StagingError(place, { cause, isPartial: false })
  }
}

function isSavedPlan(place: string): boolean {
  const saved = statSync(place).size > MAX_INPUT_BYTES ? null : parseJson(readFileSync(place, 'utf8'))
  return isRecord(saved) && ['formatVersion', 'version', 'files', 'changes'].every((key) => Object.hasOwn(saved, key))
}

/**
 * Reads a saved plan. The plan is not trusted: anyone may have written it.
 *
 * @throws FunctionError with every fault of its form; UsageError for a file that is no plan, or one of another version of the tool
 */
export function readSavedPlan(file: string, host: Host): SavedPlan {
  const place = host.locate(file)
  const { size } = statSync(place)
  if (!isFile(place)) throw new UsageError(`'${file}' must be a plan that plan --out saved`)
  if (size > MAX_INPUT_BYTES) throw new UsageError(`'${file}' must be a plan of at most ${MAX_INPUT_BYTES} bytes, got ${size}`)
  const text = readFileSync(place, 'utf8')
  const saved = parseJson(text)
  if (!isRecord(saved) || lookup(saved, 'formatVersion') === undefined)
    throw new UsageError(`'${file}' must be a plan that plan --out saved`)
  const version = lookup(saved, 'version')
  if (lookup(saved, 'formatVersion') !== FORMAT_VERSION || (typeof version === 'string' && version !== host.version))
    throw new UsageError(
      `'${file}' is a plan of version ${typeof version === 'string' ? version : 'unknown'}, this is ${host.version}: plan again with --out`,
    )
  const decoder = new PlanDecoder(file)
  for (const key of repeatedKeys(text)) decoder.fields.fault(key, 'must be in its map once, occurs twice')
  const plan = decoder.plan(saved)
  if (decoder.faults.length > 0) throw new FunctionError(decoder.faults)
  return plan
}

/** Returns the keys that a map of a JSON text has more than once: `JSON.parse` takes the last, and another reader may take the first. */
function repeatedKeys(text: string): ReadonlySet<string> {
  const repeated = new Set<string>()
  const open: Set<string>[] = []
  for (const [token, quoted] of text.matchAll(/("(?:[^"\\]|\\.)*")(?:\s*:)?|[{}]/g)) {
    const keys = open.at(-1)
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (quoted !== undefined && keys !== undefined && token !== quoted) {
      const key = String(JSON.parse(quoted))
      if (keys.has(key)) repeated.add(key)
      keys.add(key)
    }
  }
  return repeated
}

const OPERATIONS = ['create', 'update', 'rename', 'remove']
const SOURCES = ['git', 'folder', 'missing'] as const
const DIGEST = /^[0-9a-f]{64}$/
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
/** Longer than any path that a file system takes, and as much of one as a message shows. */
const LONGEST_PATH = 4096
const SHOWN = 100

/** Decodes a plan of this version and notes every fault of its form. */
class PlanDecoder {
  readonly faults: Result[] = []
  readonly fields: JsonFields

  constructor(file: string) {
    this.fields = new JsonFields('a plan', (message) => {
      this.faults.push({ severity: 'error', message, file: { path: file, index: 0 }, tags: { rule: 'saved-plan' } })
    })
  }

  plan(saved: JsonRecord): SavedPlan {
    const { fields } = this
    const known = ['formatVersion', 'version', 'folder', 'packages', 'options', 'optionsDigest', 'files', 'upstreams', 'changes']
    fields.onlyKeys(saved, known)
    const packages = lookup(saved, 'packages')
    return {
      version: fields.text(lookup(saved, 'version'), 'version'),
      folder: this.#path(lookup(saved, 'folder'), 'folder'),
      ...(packages !== undefined && { packages: this.#path(packages, 'packages') }),
      options: this.#options(fields.record(lookup(saved, 'options'), 'options')),
      optionsDigest: fields.hash(lookup(saved, 'optionsDigest'), 'optionsDigest', DIGEST),
      files: this.#files(fields.record(lookup(saved, 'files'), 'files')),
      upstreams: fields.list(lookup(saved, 'upstreams'), 'upstreams').map((entry, i) => this.#upstream(entry, `upstreams[${i}]`)),
      changes: fields.list(lookup(saved, 'changes'), 'changes').map((entry, i) => this.#change(entry, `changes[${i}]`)),
    }
  }

  #options(options: JsonRecord): CallerOptions {
    this.fields.onlyKeys(options, ['config', 'followRenames', 'discardEdits', 'allowOutside'], 'options.')
    const config = lookup(options, 'config')
    return {
      ...(config !== undefined && { config: this.#path(config, 'options.config') }),
      followRenames: this.fields.boolean(lookup(options, 'followRenames'), 'options.followRenames'),
      discardEdits: this.fields.boolean(lookup(options, 'discardEdits'), 'options.discardEdits'),
      allowOutside: this.fields.boolean(lookup(options, 'allowOutside'), 'options.allowOutside'),
    }
  }

  #files(files: JsonRecord): ReadonlyMap<string, string> {
    return new Map(
      Object.keys(files).map((path) => [path, this.fields.hash(lookup(files, path), `files[${JSON.stringify(path)}]`, DIGEST)]),
    )
  }

  #upstream(entry: JsonValue, field: string): BoundUpstream {
    const { fields } = this
    const upstream = fields.record(entry, field)
    fields.onlyKeys(upstream, ['name', 'from', 'commit'], `${field}.`)
    const from = fields.oneOf(lookup(upstream, 'from'), `${field}.from`, SOURCES)
    const commit = from === 'git' ? fields.hash(lookup(upstream, 'commit'), `${field}.commit`, COMMIT) : undefined
    if (from !== 'git' && lookup(upstream, 'commit') !== undefined) fields.fault(`${field}.commit`, 'must be of an upstream in git only')
    return {
      name: fields.text(lookup(upstream, 'name'), `${field}.name`),
      from: from ?? 'missing',
      ...(commit !== undefined && { commit }),
    }
  }

  #change(entry: JsonValue, field: string): JsonValue {
    const { fields } = this
    const change = fields.record(entry, field)
    fields.onlyKeys(change, ['op', 'namespace', 'name', 'was', 'spec'], `${field}.`)
    fields.oneOf(lookup(change, 'op'), `${field}.op`, OPERATIONS)
    for (const key of ['namespace', 'name']) fields.text(lookup(change, key), `${field}.${key}`)
    if (lookup(change, 'was') !== undefined) fields.text(lookup(change, 'was'), `${field}.was`)
    if (lookup(change, 'spec') !== undefined) fields.record(lookup(change, 'spec'), `${field}.spec`)
    return entry
  }

  #path(value: JsonValue | undefined, field: string): string {
    const text = this.fields.text(value, field)
    if (typeof value === 'string' && (text === '' || text.length > LONGEST_PATH || text.includes('\0')))
      this.fields.fault(field, `must be a path of at most ${LONGEST_PATH} characters`, cutText(value, SHOWN))
    return text
  }
}

/**
 * Returns true if a path of a plan lies in the working directory after links are followed. A plan of another author may point elsewhere.
 */
export function isBelowCaller(path: string, host: Host): boolean {
  const root = realpathSync(host.locate('.'))
  let nearest = host.locate(path)
  while (!existsSync(nearest)) nearest = dirname(nearest)
  const way = relative(root, realpathSync(nearest))
  return way !== '..' && !way.startsWith(`..${sep}`) && !way.startsWith(sep) && !host.locate(path).includes('\0')
}
