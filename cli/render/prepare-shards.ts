import { realpathSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { NewVariant } from '../../functions/fan-out/fan-out.ts'
import { readVariants, VariantNames } from '../../src/fleet/fleet-variants.ts'
import { type NamedFolder, rootOf } from '../../src/folder/named-folder.ts'
import { foldedPath } from '../../src/folder/safe-path.ts'
import { downstreamConflicts } from '../../src/lifecycle/conflicts.ts'
import { policyResults } from '../../src/policy/judge-policies.ts'
import { type PolicyPackages, packagesAmong } from '../../src/policy/policy-packages.ts'
import { shardOf } from '../../src/render/selection.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import { isRepository } from '../../src/well-known.ts'
import { FleetReading } from '../fleet/fleet-reading.ts'
import { loadFleetNow, namedFolder } from '../fleet/read-fleet.ts'
import { withOnlyOptions } from '../function-config.ts'
import type { Host } from '../host.ts'
import { UsageError } from '../usage-error.ts'
import type { FleetRenderRequest } from './fleet-render-request.ts'
import { type DividedVariant, planFleet } from './planned-variants.ts'
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
  const folder: NamedFolder = namedFolder(dir, host)
  const read = loadFleetNow(dir, host, { packages: 'leave-out' })
  const paths = new Set(read.files.map(({ path }) => path))
  const taken: NewVariant[] = []
  const { items, made, options, results } = new FleetReading(read, dir, request, host).toRender(request, {
    judge: (plan) => policyResults(read.list.items, plan, packagesBelow(dir, host)),
    take: (variant) => !paths.has(variant.path) && taken.push(variant) > 0,
  })
  const isMade = (object: KrmObject): boolean => made.has(object.file?.path ?? '')
  const { others, variants } = planFleet({ items, taken, isMade, root: rootOf(folder) }, options)
  const written = readVariants(others.filter((item) => isPackageVariant(item) && !isMade(item)))
  const found = [...results, ...written.results, ...sharedRepositories(variants)]
  if (hasErrors(found)) throw new FunctionError(found)
  if (variants.length === 0) throw new UsageError(`'${dir}' must have a PackageVariant, or a PackageVariantSet that makes one`)
  const { functionConfig: config } = withOnlyOptions(read.list, 'render-variants', { config: request.config, dir: folder.shown }, host)
  const parts = partsOf(variants, of)
  const fleet = {
    version: host.version,
    of,
    variants: variants.length,
    config: config && { object: config, isMade: false },
    choices: shardChoices(dir, request.config),
    files: digestsOf([...paths], folder),
    items: [
      ...withoutTargets(others, variants).map((object) => ({ object, isMade: isMade(object) })),
      ...makersAmong(variants).map(itemOf),
    ],
  }
  writeShards(host.locate(out), out, { fleet, shards: shardsOf(parts), owners: ownersOf(parts) })
  return { variants: variants.length, results: found }
}

/** Returns the digest of each file of a fleet, by its path in the folder of the fleet. */
function digestsOf(paths: readonly string[], { disk, shown }: NamedFolder): ReadonlyMap<string, string> {
  const root = realpathSync(disk)
  const own = paths.map((path) => posix.relative(shown, path))
  return new Map(own.map((path) => [path, fileDigest(join(root, path)) ?? '']))
}

/** Returns the packages of a fleet on disk. They are read once a policy looks at them: there may be thousands. */
function packagesBelow(dir: string, host: Host): PolicyPackages {
  return (isWanted) => {
    const { list, results } = loadFleetNow(dir, host)
    if (hasErrors(results)) throw new FunctionError(results)
    return packagesAmong(list.items)(isWanted)
  }
}

function itemOf(variant: DividedVariant): ShardItem {
  return { object: variant.toObject(), isMade: variant.isMade }
}

/** Returns the variants of each shard. */
function partsOf(variants: readonly DividedVariant[], of: number): readonly (readonly DividedVariant[])[] {
  const parts = Array.from({ length: of }, (): DividedVariant[] => [])
  for (const variant of variants) parts[shardOf(variant.repo, of) - 1]?.push(variant)
  return parts
}

/** Returns one shard after the other, so that only one has objects at a time. */
function* shardsOf(parts: readonly (readonly DividedVariant[])[]): Generator<FleetShard> {
  const names = new VariantNames(parts.flatMap((variants) => variants.map(({ name }) => name)))
  for (const [index, variants] of parts.entries()) {
    const own = new Set(variants.map(({ name }) => name))
    const others = variants.flatMap(({ name }) => names.beginningWith(name)).filter((name) => !own.has(name))
    yield { part: index + 1, variants: variants.map(itemOf), names: [...new Set(others)] }
  }
}

/** Returns the lines of each shard in the list of owners. */
function* ownersOf(parts: readonly (readonly DividedVariant[])[]): Generator<string> {
  for (const [index, variants] of parts.entries()) yield variants.map(({ fullName }) => `${fullName}\t${index + 1}\n`).join('')
}

/**
 * Returns the objects that are no variants, without Repositories that only receive packages: a large fleet has as many of them as it has
 * variants.
 */
function withoutTargets(items: readonly KrmObject[], variants: readonly DividedVariant[]): readonly KrmObject[] {
  const targets = new Set(variants.map(({ repo }) => repo))
  for (const { upstreamRepo } of variants) targets.delete(upstreamRepo)
  const others = items.filter((item) => !isPackageVariant(item))
  return variants.some(mayInjectRepository) ? others : others.filter((item) => !(isRepository(item) && targets.has(item.name ?? '')))
}

function mayInjectRepository(variant: DividedVariant): boolean {
  const object = variant.toObject()
  return object.mayHold('injectors') && object.mayHold('Repository')
}

/** Returns the variants whose packages may be the upstream of others: every shard needs them, whichever shard makes them. */
function makersAmong(variants: readonly DividedVariant[]): readonly DividedVariant[] {
  const upstreams = new Set(variants.map(({ upstreamRepo }) => upstreamRepo))
  return variants.filter(({ repo }) => upstreams.has(repo))
}

/** Returns the faults of repositories that some file systems take for one another: they may be in several shards, which write at once. */
function sharedRepositories(variants: readonly DividedVariant[]): readonly Result[] {
  const spellings = new Map<string, string>()
  const doubtful = new Set<string>()
  for (const { repo } of variants) {
    const folded = foldedPath(repo)
    if ((spellings.get(folded) ?? repo) !== repo) doubtful.add(folded)
    spellings.set(folded, repo)
  }
  if (doubtful.size === 0) return []
  const concerned = variants.filter(({ repo }) => doubtful.has(foldedPath(repo)))
  const decoded = readVariants(concerned.map((variant) => variant.toObject())).variants
  return downstreamConflicts(decoded, ({ downstream }) => `${downstream.repo}/${downstream.package}`)
}
