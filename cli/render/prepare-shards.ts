import { realpathSync } from 'node:fs'
import { join, posix } from 'node:path'
import { scalarText } from '../../src/json.ts'
import type { NamedFolder } from '../../src/package/named-folder.ts'
import { foldedPath } from '../../src/package/safe-path.ts'
import { policyResults } from '../../src/policy/judge-policies.ts'
import { type PolicyPackages, packagesAmong } from '../../src/policy/policy-packages.ts'
import { readVariants, VariantNames } from '../../src/render/fleet-variants.ts'
import { shardOf } from '../../src/render/selection.ts'
import { readFleetFolder } from '../../src/render/target/disk/read-fleet-folder.ts'
import { downstreamConflicts } from '../../src/render/target/lifecycle/conflicts.ts'
import { fleetItems } from '../../src/render/target/list/fleet-items.ts'
import { ListFolders } from '../../src/render/target/list/list-folders.ts'
import { groupOf } from '../../src/resource-list/identity.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { isPackageVariant, variantMark } from '../../src/variant/find-variant.ts'
import { PORCH_CONFIG_GROUP } from '../../src/well-known.ts'
import { selectionOf } from '../../src/yaml/read/wanted.ts'
import { withOnlyOptions } from '../function-config.ts'
import type { Host } from '../host.ts'
import { readFolder, requireFolder } from '../read-input.ts'
import { UsageError } from '../usage-error.ts'
import { type FleetRenderRequest, fleetOf } from './run-render.ts'
import { type FleetShard, fileDigest, type ShardItem, shardChoices, writeShards } from './shard-files.ts'

/** The number of shards, and the folder for them. */
interface ShardsRequest {
  readonly shards: number
  readonly out: string
  readonly request: FleetRenderRequest
}

/** The number of variants in the shards that were written, and the findings about the fleet. */
export interface WrittenShards {
  readonly variants: number
  readonly results: readonly Result[]
}

/**
 * Plans a fleet once and writes a file for each shard, from which `render --plan OUT --shard I/N` renders that shard without reading the
 * others.
 *
 * @throws FunctionError with every fault of the fleet; UsageError for a folder that must not be taken
 */
export function prepareShards(dir: string, { shards: of, out, request }: ShardsRequest, host: Host): WrittenShards {
  const folder: NamedFolder = { disk: requireFolder(dir, host), shown: posix.join(dir, '.') }
  const read = readFleetFolder(folder)
  const { items, made, options, results } = fleetOf(read, folder, request, host, (plan) =>
    policyResults(read.list.items, plan, packagesBelow(dir, host)),
  )
  const own = fleetItems(items, new ListFolders(items, folder.shown === '.' ? '' : folder.shown), options)
  const variants = own.filter(isPackageVariant)
  const isMade = (object: KrmObject): boolean => made.has(object.file?.path ?? '')
  const written = readVariants(variants.filter((variant) => !isMade(variant)))
  const places = variants.map(placeOf)
  const found = [...results, ...written.results, ...sharedRepositories(variants, places)]
  if (hasErrors(found)) throw new FunctionError(found)
  if (variants.length === 0) throw new UsageError(`'${dir}' must have a PackageVariant, or a PackageVariantSet that makes one`)
  const item = (object: KrmObject): ShardItem => ({ object, isMade: isMade(object) })
  const { functionConfig: config } = withOnlyOptions(read.list, 'render-variants', { config: request.config, dir: folder.shown }, host)
  const parts = partsOf(variants, places, of)
  const root = realpathSync(folder.disk)
  const digests = read.paths
    .map((shown) => posix.relative(folder.shown, shown))
    .map((path) => [path, fileDigest(join(root, path)) ?? ''] as const)
  const fleet = {
    version: host.version,
    of,
    variants: variants.length,
    config: config && { object: config, isMade: false },
    choices: shardChoices(dir, request.config),
    files: new Map(digests),
    items: [...withoutTargets(own, places), ...makersAmong(variants, places)].map(item),
  }
  writeShards(host.locate(out), out, { fleet, shards: shardsOf(parts, item), owners: ownersOf(parts) })
  return { variants: variants.length, results: found }
}

/** Returns the packages of a fleet on disk. They are read once a policy looks at them: there may be thousands. */
function packagesBelow(dir: string, host: Host): PolicyPackages {
  return (isWanted) => {
    const { list, results } = readFolder(dir, host)
    if (hasErrors(results)) throw new FunctionError(results)
    return packagesAmong(list.items)(isWanted)
  }
}

/** The upstream and the downstream of a variant, as far as shards need them. */
interface VariantPlace {
  readonly repo: string
  readonly upstreamRepo: string
}

const PLACE = selectionOf({ path: ['spec', 'downstream'], keys: ['repo'] })
const UPSTREAM = selectionOf({ path: ['spec', 'upstream'], keys: ['repo'] })

function placeOf(variant: KrmObject): VariantPlace {
  const [downstream] = variant.pick(PLACE)
  const [upstream] = variant.pick(UPSTREAM)
  return { repo: scalarText(downstream?.repo), upstreamRepo: scalarText(upstream?.repo) }
}

/** Returns the variants of each shard. */
function partsOf(variants: readonly KrmObject[], places: readonly VariantPlace[], of: number): readonly (readonly KrmObject[])[] {
  const parts = Array.from({ length: of }, (): KrmObject[] => [])
  const known = new Map<string, KrmObject[] | undefined>()
  for (const [index, variant] of variants.entries()) {
    const { repo = '' } = places[index] ?? {}
    const part = known.get(repo) ?? parts[shardOf(repo, of) - 1]
    known.set(repo, part)
    part?.push(variant)
  }
  return parts
}

function* shardsOf(parts: readonly (readonly KrmObject[])[], item: (object: KrmObject) => ShardItem): Generator<FleetShard> {
  const names = new VariantNames(parts.flat().map(({ name = '' }) => name))
  for (const [index, variants] of parts.entries()) {
    const own = new Set(variants.map(({ name = '' }) => name))
    const others = variants.flatMap(({ name = '' }) => names.beginningWith(name)).filter((name) => !own.has(name))
    yield { part: index + 1, variants: variants.map(item), names: [...new Set(others)] }
  }
}

function* ownersOf(parts: readonly (readonly KrmObject[])[]): Generator<string> {
  for (const [index, variants] of parts.entries()) for (const variant of variants) yield `${variantMark(variant)}\t${index + 1}\n`
}

/**
 * Returns the objects that are no variants, without Repositories that only receive packages: a large fleet has as many of them as it has
 * variants.
 */
function withoutTargets(items: readonly KrmObject[], places: readonly VariantPlace[]): readonly KrmObject[] {
  const targets = new Set(places.map(({ repo }) => repo))
  for (const { upstreamRepo } of places) targets.delete(upstreamRepo)
  const others = items.filter((item) => !isPackageVariant(item))
  const isInjected = items.some((item) => isPackageVariant(item) && item.mayHold('injectors') && item.mayHold('Repository'))
  return isInjected ? others : others.filter((item) => !(isRepository(item) && targets.has(item.name ?? '')))
}

/** Returns the variants whose packages may be the upstream of others: every shard needs them, whichever shard makes them. */
function makersAmong(variants: readonly KrmObject[], places: readonly VariantPlace[]): readonly KrmObject[] {
  const upstreams = new Set(places.map(({ upstreamRepo }) => upstreamRepo))
  return variants.filter((_, index) => upstreams.has(places[index]?.repo ?? ''))
}

function isRepository({ kind, apiVersion = '' }: KrmObject): boolean {
  return kind === 'Repository' && groupOf(apiVersion) === PORCH_CONFIG_GROUP
}

/** Returns the faults of repositories that some file systems take for one another: they may be in several shards, which write at once. */
function sharedRepositories(variants: readonly KrmObject[], places: readonly VariantPlace[]): readonly Result[] {
  const spellings = new Map<string, string>()
  const doubtful = new Set<string>()
  for (const { repo } of places) {
    const folded = foldedPath(repo)
    if ((spellings.get(folded) ?? repo) !== repo) doubtful.add(folded)
    spellings.set(folded, repo)
  }
  if (doubtful.size === 0) return []
  const concerned = variants.filter((_, index) => doubtful.has(foldedPath(places[index]?.repo ?? '')))
  return downstreamConflicts(readVariants(concerned).variants, ({ downstream }) => `${downstream.repo}/${downstream.package}`)
}
