import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { sha256Hex } from '../../src/kubernetes/truncated-name.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { UsageError } from '../usage-error.ts'
import { fileDigest, ShardFolder, type ShardItem, shardChoices, writeShards } from './shard-files.ts'

let place = ''
beforeEach(() => {
  place = join(testFolder(), 'shards')
})

const itemOf = (name: string, isMade = false): ShardItem => ({
  object: KrmObject.fromDocument(`kind: A\nmetadata: {name: ${name}, namespace: fleet}\n`, { path: `${name}.yaml`, index: 1, line: 7 }),
  isMade,
})

/** Writes two shards, of which the second has a made variant. */
function write(): void {
  const files = new Map([['set.yaml', 'a'.repeat(64)]])
  const fleet = { version: '1', of: 2, variants: 2, config: undefined, choices: '["fleet"]', files, items: [itemOf('set')] }
  const shards = [
    { part: 1, variants: [itemOf('one')], names: ['one-more'] },
    { part: 2, variants: [itemOf('two', true)], names: [] },
  ]
  writeShards(place, 'shards', { fleet, shards, owners: ['fleet/one\t1\n', 'fleet/two\t2\nfleet/lost\t3\nfleet/odd\tx\n'] })
}

const read = () => new ShardFolder(place, 'shards', '1')

test('shards are read as they were written, and a made variant is in the first line of its file', () => {
  write()
  const shards = read()
  expect(shards.fleet).toMatchObject({ of: 2, variants: 2, config: undefined, choices: '["fleet"]', version: '1' })
  expect(shards.fleet.items.map(({ object, isMade }) => [object.name, object.file, isMade])).toEqual([
    ['set', { path: 'set.yaml', index: 1 }, false],
  ])
  const [one, two] = [shards.shard(1), shards.shard(2)]
  expect([one.names, two.names]).toEqual([['one-more'], []])
  expect([one, two].map(({ variants }) => variants.map(({ object, isMade }) => [object.positionOf([]).line, isMade]))).toEqual([
    [[7, false]],
    [[1, true]],
  ])
})

test.each([
  ['of another shard', ['fleet/two'], 1, ['two']],
  ['of the own shard', ['fleet/one'], 1, []],
  ['that no shard has', ['fleet/three'], 1, []],
  ['of a shard that there is not', ['fleet/lost', 'fleet/odd'], 1, []],
  ['of no name', [], 1, []],
])('variants %s are found by their names or not', (_, names, own, found) => {
  write()
  expect(
    read()
      .variantsNamed(new Set(names), own)
      .map(({ object }) => object.name),
  ).toEqual(found)
})

test.each<[string, string, string, string, string]>([
  ['of another format', 'fleet.json', '"formatVersion":1', '"formatVersion":2', "'shards' has shards of version 1, this is 1: plan again"],
  ['of another version', 'fleet.json', '"version":"1"', '"version":"0"', "'shards' has shards of version 0, this is 1: plan again"],
  ['of no version', 'fleet.json', '"version":"1"', '"version":1', "'shards' has shards of version unknown, this is 1: plan again"],
  ['with a path that leads out', 'fleet.json', '"set.yaml":', '"../set.yaml":', 'must have paths in the folder of the fleet'],
  ['of no shards', 'fleet.json', '"of":2', '"of":0', '`of`'],
  ['with an unknown field', 'fleet.json', '"of":2', '"of":2,"more":1', 'more'],
  ['of another fleet', 'shard-1.json', '"fleet":"', '"fleet":"0', "'shards/shard-1.json' must be of the fleet of 'fleet.json' beside it"],
  ['with another number', 'shard-1.json', '"part":1', '"part":2', "'shards/shard-1.json' must be shard 1, got 2"],
  ['with a variant that is no YAML', 'shard-1.json', 'kind: A', 'kind: [', 'must be a YAML document'],
])('a file of shards %s is refused', (_, file, from, to, words) => {
  write()
  const text = readFileSync(join(place, file), 'utf8')
  expect(text).toContain(from)
  writeFileSync(join(place, file), text.replace(from, to))
  const readFirst = () => read().shard(1)
  expect(readFirst).toThrow(UsageError)
  expect(readFirst).toThrow(words)
})

test.each(['shard-x.json', 'my-shard-1.json', 'shard-1.json.old'])(
  'a folder with %s takes no shards, and nothing is left beside it',
  (name) => {
    write()
    write()
    expect(readdirSync(place).toSorted()).toEqual(['fleet.json', 'shard-1.json', 'shard-2.json', 'variants.txt'])
    writeFileSync(join(place, name), 'mine\n')
    expect(write).toThrow("`--out` must be a new or empty folder or earlier shards, 'shards' is something else")
    expect(readFileSync(join(place, name), 'utf8')).toBe('mine\n')
    expect(readdirSync(join(place, '..'))).toEqual(['shards'])
  },
)

test('the digest of a file that is read in pieces is that of the whole, and a file that is not there has none', () => {
  const file = join(testFolder(), 'large')
  expect(fileDigest(file)).toBeUndefined()
  const text = 'x'.repeat(2 ** 20 + 5)
  writeFileSync(file, text)
  expect(fileDigest(file)).toBe(sha256Hex(text))
})

test('the choices of shards tell a configuration from none', () => {
  expect([shardChoices('fleet', undefined), shardChoices('fleet', 'c.yaml')]).toEqual(['["fleet"]', '["fleet","c.yaml"]'])
})
