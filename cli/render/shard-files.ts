import { createHash } from 'node:crypto'
import { closeSync, existsSync, lstatSync, openSync, readdirSync, readFileSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../src/folder/make-folder.ts'
import { pathFault } from '../../src/folder/safe-path.ts'
import { LEAVING, STAGED } from '../../src/folder/staged-move.ts'
import { naming, writeAt } from '../../src/folder/write-at.ts'
import { type JsonRecord, type JsonValue, lookup, parseJson } from '../../src/json.ts'
import { sha256Hex } from '../../src/kubernetes/truncated-name.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { WireError } from '../../src/resource-list/wire-error.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { JsonFields } from '../../src/schema/json-fields.ts'
import { namespacedName } from '../../src/variant/find-variant.ts'
import { UsageError } from '../usage-error.ts'

/** An object of a fleet, as a file of the fleet has it or as a set makes it. */
export interface ShardItem {
  readonly object: KrmObject
  /** True for a variant that a set makes, which is in no file. */
  readonly isMade: boolean
}

/** The part of a sharded fleet that every shard needs. */
export interface ShardedFleet {
  /** The text of `--version`. */
  readonly version: string
  /** The number of shards. */
  readonly of: number
  /** The number of all variants. */
  readonly variants: number
  /** The options of render-variants, if the fleet has any. */
  readonly config: ShardItem | undefined
  /** The choices of the caller that change what is rendered, as text. */
  readonly choices: string
  /** The SHA-256 of each file of the fleet, by its path from the folder of the fleet. */
  readonly files: ReadonlyMap<string, string>
  /** The objects of the fleet, without its variants but those that make upstreams, and without repositories that only receive packages. */
  readonly items: readonly ShardItem[]
}

/** One shard of a fleet. */
export interface FleetShard {
  readonly part: number
  readonly variants: readonly ShardItem[]
  /** Names of variants of other shards that begin with the name of a variant of this shard. */
  readonly names: readonly string[]
}

/** Returns the choices of the caller that shards are made with, as text. */
export function shardChoices(dir: string, config: string | undefined): string {
  return JSON.stringify(config === undefined ? [dir] : [dir, config])
}

const FORMAT_VERSION = 1
const FLEET = 'fleet.json'
const OWNERS = 'variants.txt'
const shardFile = (part: number): string => `shard-${part}.json`

/** The largest file that is read, in bytes. A larger shard is no part of a fleet that was divided well. */
const MOST_BYTES = 2 ** 29

/**
 * Writes the shards of a fleet into a folder, beside its place and then renamed. The shards are taken one by one, so that only one is text
 * at a time.
 *
 * @param owners  lines with `NAMESPACE/NAME` of each variant and its shard, in pieces
 * @throws UsageError for a folder that is neither empty nor of earlier shards
 */
export function writeShards(
  place: string,
  named: string,
  { fleet, shards, owners }: { readonly fleet: ShardedFleet; readonly shards: Iterable<FleetShard>; readonly owners: Iterable<string> },
): void {
  requireShardFolder(place, named)
  const beside = `${place}.${crypto.randomUUID()}${STAGED}`
  try {
    makeFolder(beside)
    const { version, of, variants: count, config, choices, files, items } = fleet
    const shared = {
      formatVersion: FORMAT_VERSION,
      version,
      of,
      variants: count,
      choices,
      files: Object.fromEntries(files),
      items: items.map(encodeItem),
    }
    const text = JSON.stringify({ ...shared, ...(config && { config: encodeItem(config) }) })
    writeAt(join(beside, FLEET), text)
    for (const { part, variants, names } of shards)
      writeAt(join(beside, shardFile(part)), JSON.stringify({ fleet: sha256Hex(text), part, names, variants: variants.map(encodeItem) }))
    writePieces(join(beside, OWNERS), owners)
    if (existsSync(place)) renameSync(place, `${beside}${LEAVING}`)
    renameSync(beside, place)
  } finally {
    rmSync(beside, { recursive: true, force: true })
    rmSync(`${beside}${LEAVING}`, { recursive: true, force: true })
  }
}

function writePieces(place: string, pieces: Iterable<string>): void {
  const file = openSync(place, 'wx')
  try {
    naming(place, () => {
      for (const piece of pieces) writeFileSync(file, piece)
    })
  } finally {
    closeSync(file)
  }
}

function requireShardFolder(place: string, named: string): void {
  const found = lstatSync(place, { throwIfNoEntry: false })
  if (found === undefined) return
  const entries = found.isDirectory() ? readdirSync(place) : ['']
  if (entries.length > 0 && !entries.every((name) => name === FLEET || name === OWNERS || /^shard-\d+\.json$/.test(name)))
    throw new UsageError(`\`--out\` must be a new or empty folder or earlier shards, '${named}' is something else`)
}

function encodeItem({ object, isMade }: ShardItem): JsonRecord {
  const { file } = object
  const origin = file === undefined ? {} : { path: file.path, index: file.index, line: isMade ? 1 : object.positionOf([]).line }
  return { ...origin, ...(isMade && { made: true }), text: object.toText() }
}

/** The shards of a fleet in a folder. Anyone may have written them: each value is decoded, and each is used as a fleet of others is. */
export class ShardFolder {
  readonly #place: string
  readonly #named: string
  readonly #digest: string
  readonly fleet: ShardedFleet

  /**
   * @param named    the folder as the caller names it
   * @param version  the text of `--version`
   * @throws UsageError for a folder without shards, or with shards of another version
   */
  constructor(place: string, named: string, version: string) {
    this.#place = place
    this.#named = named
    const text = this.#read(FLEET)
    this.#digest = sha256Hex(text)
    const decoder = new ShardDecoder(`${named}/${FLEET}`)
    const value = decoder.parse(text)
    const written = lookup(value, 'version')
    if (lookup(value, 'formatVersion') !== FORMAT_VERSION || written !== version)
      throw new UsageError(
        `'${named}' has shards of version ${typeof written === 'string' ? written : 'unknown'}, this is ${version}: plan again with --shards`,
      )
    this.fleet = decoder.fleet(value)
  }

  /** Returns one shard. @throws UsageError for a file that is missing, or of another fleet, or not as `writeShards` wrote it */
  shard(part: number): FleetShard {
    const file = shardFile(part)
    const decoder = new ShardDecoder(`${this.#named}/${file}`)
    const value = decoder.parse(this.#read(file))
    if (lookup(value, 'fleet') !== this.#digest)
      throw new UsageError(`'${this.#named}/${file}' must be of the fleet of '${FLEET}' beside it: plan again with --shards`)
    const shard = decoder.shard(value)
    if (shard.part !== part) throw new UsageError(`'${this.#named}/${file}' must be shard ${part}, got ${shard.part}`)
    return shard
  }

  /** Returns the variants of other shards that own a package: those of the given `NAMESPACE/NAME`. */
  variantsNamed(names: ReadonlySet<string>, own: number): readonly ShardItem[] {
    if (names.size === 0) return []
    const parts = new Set<number>()
    for (const line of this.#read(OWNERS).split('\n')) {
      const [name = '', part] = line.split('\t')
      if (names.has(name) && Number(part) !== own) parts.add(Number(part))
    }
    const isKnown = (part: number) => Number.isInteger(part) && part >= 1 && part <= this.fleet.of
    return [...parts].filter(isKnown).flatMap((part) => this.shard(part).variants.filter(({ object }) => names.has(namespacedName(object))))
  }

  #read(name: string): string {
    const place = join(this.#place, name)
    const stats = lstatSync(place, { throwIfNoEntry: false })
    if (stats?.isFile() !== true || stats.size > MOST_BYTES)
      throw new UsageError(`'${this.#named}/${name}' must be a file that plan --shards wrote`)
    return readFileSync(place, 'utf8')
  }
}

const DIGEST = /^[0-9a-f]{64}$/

/** Decodes the files of shards. @throws UsageError with the first fault */
class ShardDecoder {
  readonly #fields: JsonFields

  constructor(file: string) {
    this.#fields = new JsonFields('a file of shards', (message) => {
      throw new UsageError(`'${file}' must be as plan --shards wrote it: ${message}`)
    })
  }

  parse(text: string): JsonRecord {
    return this.#fields.record(parseJson(text), 'the file')
  }

  fleet(value: JsonRecord): ShardedFleet {
    const fields = this.#fields
    fields.onlyKeys(value, ['formatVersion', 'version', 'of', 'variants', 'choices', 'files', 'items', 'config'])
    const files = fields.record(lookup(value, 'files'), 'files')
    const config = lookup(value, 'config')
    return {
      version: fields.text(lookup(value, 'version'), 'version'),
      of: fields.count(lookup(value, 'of'), 'of', 1),
      variants: fields.count(lookup(value, 'variants'), 'variants', 1),
      choices: fields.text(lookup(value, 'choices'), 'choices'),
      config: config === undefined ? undefined : this.#item(config, 'config'),
      files: new Map(Object.keys(files).map((path) => [this.#path(path), fields.hash(lookup(files, path), 'files', DIGEST)])),
      items: fields.list(lookup(value, 'items'), 'items').map((each, index) => this.#item(each, `items[${index}]`)),
    }
  }

  shard(value: JsonRecord): FleetShard {
    const fields = this.#fields
    fields.onlyKeys(value, ['fleet', 'part', 'names', 'variants'])
    return {
      part: fields.count(lookup(value, 'part'), 'part', 1),
      names: fields.list(lookup(value, 'names'), 'names').map((name, index) => fields.text(name, `names[${index}]`)),
      variants: fields.list(lookup(value, 'variants'), 'variants').map((each, index) => this.#item(each, `variants[${index}]`)),
    }
  }

  #item(value: JsonValue, field: string): ShardItem {
    const fields = this.#fields
    const item = fields.record(value, field)
    fields.onlyKeys(item, ['path', 'index', 'line', 'made', 'text'], `${field}.`)
    const [path, made] = [lookup(item, 'path'), lookup(item, 'made')]
    if (made !== undefined && made !== true) fields.fault(`${field}.made`, 'must be true', made)
    const text = fields.text(lookup(item, 'text'), `${field}.text`)
    const origin = path === undefined ? undefined : { path: fields.text(path, `${field}.path`), ...this.#placeIn(item, field) }
    try {
      return { object: KrmObject.fromDocument(text, origin), isMade: made === true }
    } catch (error) {
      if (error instanceof WireError) fields.fault(`${field}.text`, `must be a YAML document: ${error.message}`)
      throw error
    }
  }

  #placeIn(item: JsonRecord, field: string): { readonly index: number; readonly line: number } {
    return {
      index: this.#fields.count(lookup(item, 'index'), `${field}.index`, 0),
      line: this.#fields.count(lookup(item, 'line'), `${field}.line`, 1),
    }
  }

  #path(path: string): string {
    const fault = pathFault(path)
    if (fault !== undefined) this.#fields.fault('files', `must have paths in the folder of the fleet: ${quoteText(path)} ${fault}`)
    return path
  }
}

const CHUNK = 2 ** 20

/** Returns the SHA-256 of a file, which is read in pieces; undefined if there is none. */
export function fileDigest(place: string): string | undefined {
  if (lstatSync(place, { throwIfNoEntry: false }) === undefined) return undefined
  const hash = createHash('sha256')
  const piece = Buffer.alloc(CHUNK)
  const file = openSync(place, 'r')
  try {
    for (let length = readSync(file, piece); length > 0; length = readSync(file, piece)) hash.update(piece.subarray(0, length))
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}
