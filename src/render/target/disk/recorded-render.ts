import type { FieldPath } from '../../../field-path.ts'
import { type JsonRecord, type JsonValue, lookup } from '../../../json.ts'
import type { Result } from '../../../result.ts'
import type { RuleId } from '../../../rules/rule-id.ts'
import { JsonFields } from '../../../schema/json-fields.ts'
import { FATES, type Fate } from '../../render-summary.ts'

/** The content of the record that a run leaves for the next run. */
export interface RecordedRender {
  readonly packages: ReadonlyMap<string, RecordedPackage>
  /** A digest of each upstream package in a folder, by the name of its revision, as the packages were made from it. */
  readonly upstreams: ReadonlyMap<string, string>
  readonly run?: RecordedRun
}

/** The inputs of a package, and the state in which the render left its files, each as a digest. */
export interface RecordedPackage {
  readonly inputs: string
  readonly files: string
}

/** A run after which the same run changes nothing, and what that run reports. */
export interface RecordedRun {
  readonly request: string
  /** Folders outside of the fleet that upstream packages were looked for in, each with its real path. */
  readonly places: readonly (readonly [string, string])[]
  /** A digest of all files outside of packages. */
  readonly others: string
  readonly git: readonly GitAnswer[]
  readonly trusted: readonly string[]
  readonly fates: readonly (readonly [Fate, number])[]
  readonly results: readonly Result[]
}

/** The commits that names in a git repository led to. */
export interface GitAnswer {
  readonly repository: string
  readonly names: readonly string[]
  readonly commits: readonly (string | null)[]
}

/** The version of the form. The record of another version is not read. */
const FORM = 1
const DIGEST = /^[0-9a-f]{32}$/
const RUN_KEYS = ['request', 'places', 'others', 'git', 'trusted', 'fates', 'results']
const RESULT_KEYS = ['severity', 'message', 'resourceRef', 'field', 'file', 'position', 'proposedKey', 'tags']

/** Returns the record as JSON. */
export function encodeRender({ packages, upstreams, run }: RecordedRender): object {
  return {
    form: FORM,
    packages: Object.fromEntries(Array.from(packages, ([folder, { inputs, files }]) => [folder, `${inputs} ${files}`])),
    ...(upstreams.size > 0 && { upstreams: Object.fromEntries(upstreams) }),
    ...(run && { run }),
  }
}

/**
 * Decodes a record. Returns undefined if any value is not as `encodeRender` writes it: a run without the record does the same work again,
 * a run with a wrong record may leave out work.
 */
export function decodeRender(content: JsonRecord): RecordedRender | undefined {
  if (lookup(content, 'form') !== FORM) return undefined
  const decoder = new RenderDecoder()
  const decoded = decoder.render(content)
  return decoder.isFaulty ? undefined : decoded
}

class RenderDecoder {
  isFaulty = false
  readonly #fields = new JsonFields('a record', () => {
    this.isFaulty = true
  })

  render(content: JsonRecord): RecordedRender {
    this.#fields.onlyKeys(content, ['form', 'packages', 'upstreams', 'run'])
    const packages = this.#fields.record(lookup(content, 'packages'), 'packages')
    const upstreams = this.#fields.record(lookup(content, 'upstreams') ?? {}, 'upstreams')
    const run = lookup(content, 'run')
    return {
      packages: new Map(Object.keys(packages).map((folder) => [folder, this.#package(lookup(packages, folder))])),
      upstreams: new Map(Object.keys(upstreams).map((name) => [name, this.#fields.hash(lookup(upstreams, name), 'upstreams', DIGEST)])),
      ...(run !== undefined && { run: this.#run(run) }),
    }
  }

  #package(value: JsonValue | undefined): RecordedPackage {
    const [inputs, files, ...others] = this.#fields.text(value, 'packages').split(' ')
    if (others.length > 0) this.isFaulty = true
    return { inputs: this.#fields.hash(inputs, 'packages', DIGEST), files: this.#fields.hash(files, 'packages', DIGEST) }
  }

  #run(value: JsonValue): RecordedRun {
    const fields = this.#fields
    const run = this.#map(value, 'run', RUN_KEYS)
    return {
      request: fields.text(lookup(run, 'request'), 'request'),
      places: this.#pairs(lookup(run, 'places'), 'places').map(([place, real]) => [
        fields.text(place, 'places'),
        fields.text(real, 'places'),
      ]),
      others: fields.hash(lookup(run, 'others'), 'others', DIGEST),
      git: fields.list(lookup(run, 'git'), 'git').map((answer) => this.#gitAnswer(answer)),
      trusted: this.#texts(lookup(run, 'trusted'), 'trusted'),
      fates: this.#pairs(lookup(run, 'fates'), 'fates').map(([name, count]) => [
        fields.oneOf(name, 'fates', FATES) ?? 'unchanged',
        fields.count(count, 'fates', 0),
      ]),
      results: fields.list(lookup(run, 'results'), 'results').map((result) => this.#result(result)),
    }
  }

  #gitAnswer(value: JsonValue): GitAnswer {
    const answer = this.#map(value, 'git', ['repository', 'names', 'commits'])
    const commits = this.#fields.list(lookup(answer, 'commits'), 'commits')
    return {
      repository: this.#fields.text(lookup(answer, 'repository'), 'repository'),
      names: this.#texts(lookup(answer, 'names'), 'names'),
      commits: commits.map((commit) => (commit === null ? null : this.#fields.text(commit, 'commits'))),
    }
  }

  #result(value: JsonValue): Result {
    const fields = this.#fields
    const result = this.#map(value, 'results', RESULT_KEYS)
    const [ref, field, file] = [lookup(result, 'resourceRef'), lookup(result, 'field'), lookup(result, 'file')]
    const [position, proposedKey] = [lookup(result, 'position'), lookup(result, 'proposedKey')]
    const tags = fields.record(lookup(result, 'tags'), 'tags')
    const texts = Object.fromEntries(Object.keys(tags).map((tag) => [tag, fields.text(lookup(tags, tag), 'tags')]))
    return {
      severity: fields.oneOf(lookup(result, 'severity'), 'severity', ['error', 'warning', 'info']) ?? 'error',
      message: fields.text(lookup(result, 'message'), 'message'),
      ...(ref !== undefined && { resourceRef: this.#ref(ref) }),
      ...(field !== undefined && { field: this.#field(field) }),
      ...(file !== undefined && { file: this.#file(file) }),
      ...(position !== undefined && { position: this.#position(position) }),
      ...(proposedKey !== undefined && { proposedKey: fields.text(proposedKey, 'proposedKey') }),
      tags: { ...texts, rule: fields.text(lookup(tags, 'rule'), 'rule') as RuleId },
    }
  }

  #ref(value: JsonValue): NonNullable<Result['resourceRef']> {
    const ref = this.#map(value, 'resourceRef', ['apiVersion', 'kind', 'name', 'namespace'])
    const namespace = lookup(ref, 'namespace')
    return {
      apiVersion: this.#fields.text(lookup(ref, 'apiVersion'), 'apiVersion'),
      kind: this.#fields.text(lookup(ref, 'kind'), 'kind'),
      name: this.#fields.text(lookup(ref, 'name'), 'name'),
      ...(namespace !== undefined && { namespace: this.#fields.text(namespace, 'namespace') }),
    }
  }

  #field(value: JsonValue): NonNullable<Result['field']> {
    const field = this.#map(value, 'field', ['path', 'currentValue', 'proposedValue'])
    const [currentValue, proposedValue] = [lookup(field, 'currentValue'), lookup(field, 'proposedValue')]
    const path: FieldPath = this.#fields
      .list(lookup(field, 'path'), 'path')
      .map((step) => (typeof step === 'number' ? this.#fields.count(step, 'path', 0) : this.#fields.text(step, 'path')))
    return { path, ...(currentValue !== undefined && { currentValue }), ...(proposedValue !== undefined && { proposedValue }) }
  }

  #file(value: JsonValue): NonNullable<Result['file']> {
    const file = this.#map(value, 'file', ['path', 'index'])
    return { path: this.#fields.text(lookup(file, 'path'), 'path'), index: this.#fields.count(lookup(file, 'index'), 'index', 0) }
  }

  #position(value: JsonValue): NonNullable<Result['position']> {
    const position = this.#map(value, 'position', ['line', 'column'])
    return {
      line: this.#fields.count(lookup(position, 'line'), 'line', 1),
      column: this.#fields.count(lookup(position, 'column'), 'column', 1),
    }
  }

  #map(value: JsonValue, field: string, keys: readonly string[]): JsonRecord {
    const record = this.#fields.record(value, field)
    this.#fields.onlyKeys(record, keys)
    return record
  }

  #pairs(value: JsonValue | undefined, field: string): readonly (readonly JsonValue[])[] {
    return this.#fields.list(value, field).map((entry) => {
      const pair = this.#fields.list(entry, field)
      if (pair.length !== 2) this.isFaulty = true
      return pair
    })
  }

  #texts(value: JsonValue | undefined, field: string): readonly string[] {
    return this.#fields.list(value, field).map((text) => this.#fields.text(text, field))
  }
}
