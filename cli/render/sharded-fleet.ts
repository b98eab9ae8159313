import { realpathSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { NamedFolder } from '../../src/folder/named-folder.ts'
import { parseJson } from '../../src/json.ts'
import { printable } from '../../src/printable.ts'
import type { OtherShards } from '../../src/render/disk/plan-folder.ts'
import type { Shard } from '../../src/render/selection.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import { shellWord } from '../../src/shell-word.ts'
import { isPackageVariant, namespacedName } from '../../src/variant/find-variant.ts'
import { namedFolder } from '../fleet/read-fleet.ts'
import type { Host } from '../host.ts'
import { UsageError } from '../usage-error.ts'
import { fileDigest, ShardFolder, type ShardItem, shardChoices } from './shard-files.ts'

/** The part of a fleet that `plan --shards` wrote for one shard. */
export interface ReadShard {
  readonly folder: NamedFolder
  /** The objects of the shard, and the options of render-variants as functionConfig. */
  readonly list: ResourceList
  /** The files that the variants of sets would be written to. */
  readonly made: ReadonlySet<string>
  readonly elsewhere: OtherShards
}

interface ShardRequest {
  readonly shard?: Shard
  readonly config?: string
}

/**
 * Reads one shard of a fleet: its own variants, and what all shards share. Of the fleet itself, the digests of its files are compared.
 *
 * @throws FunctionError with every file that changed since; UsageError for other choices than those of the plan, or files of others
 */
export function readShard(dir: string, sharded: string, { shard, config: named }: ShardRequest, host: Host): ReadShard {
  if (shard === undefined) throw new UsageError(`\`--plan ${sharded}\` has shards: name one with --shard I/N`)
  const folder: NamedFolder = namedFolder(dir, host)
  const shards = new ShardFolder(host.locate(sharded), sharded, host.version)
  const { of, choices, config, items, files } = shards.fleet
  if (shard.of !== of)
    throw new UsageError(`\`--shard\` must be one of ${of}, the number of shards in '${sharded}', got ${shard.part}/${shard.of}`)
  if (choices !== shardChoices(dir, named)) throw otherChoices(choices, sharded, shard)
  const changed = changedFiles(files, folder, sharded)
  if (changed.length > 0) throw new FunctionError(changed)
  const { variants, names } = shards.shard(shard.part)
  const own = new Set(variants.map(({ object }) => namespacedName(object)))
  const shared = items.filter(({ object }) => !isPackageVariant(object) || !own.has(namespacedName(object)))
  const makers = shared.filter(({ object }) => isPackageVariant(object))
  const objects = [...variants, ...shared].map(({ object }) => object)
  return {
    folder,
    list: ResourceList.of(objects, config?.object),
    made: new Set([...variants, ...makers].flatMap(madeFile)),
    elsewhere: {
      count: Math.max(0, shards.fleet.variants - variants.length - makers.length),
      names,
      variantsNamed: (names) => shards.variantsNamed(names, shard.part).map(({ object }) => object),
    },
  }
}

/** Returns the refusal of another folder or file with options than those of the plan, with the call that has the ones of the plan. */
function otherChoices(planned: string, sharded: string, { part, of }: Shard): UsageError {
  const message = `the folder and the options must be those that '${sharded}' was planned with`
  const [folder, config] = choicesIn(planned)
  if (folder === undefined) return new UsageError(`${message}: plan again with --shards`)
  const options = [...(config === undefined ? [] : ['--config', config]), '--plan', sharded, '--shard', `${part}/${of}`]
  const call = ['krm-variants', 'render', folder, ...options].map(shellWord).join(' ')
  return new UsageError(`${message}: ${printable(call)}; for others, plan again with --shards`)
}

/** Returns the folder and the file with options, if any, that `shardChoices` made a text of; nothing for any other text. */
function choicesIn(text: string): readonly string[] {
  const choices = parseJson(text)
  return Array.isArray(choices) && choices.every((choice) => typeof choice === 'string') ? choices : []
}

function madeFile({ object, isMade }: ShardItem): readonly string[] {
  return isMade && object.file !== undefined ? [object.file.path] : []
}

function changedFiles(files: ReadonlyMap<string, string>, folder: NamedFolder, sharded: string): readonly Result[] {
  const root = realpathSync(folder.disk)
  return [...files].flatMap(([path, digest]): readonly Result[] => {
    const now = fileDigest(join(root, path))
    if (now === digest) return []
    const message = `must be as it was for '${sharded}', ${now === undefined ? 'is gone' : 'changed'}; plan again with --shards`
    return [{ severity: 'error', message, file: { path: posix.join(folder.shown, path), index: 0 }, tags: { rule: 'plan-outdated' } }]
  })
}
