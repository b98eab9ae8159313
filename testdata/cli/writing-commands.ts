import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testFolder } from '../test-folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A command that writes a folder, and the folder. */
export interface Writer {
  readonly name: string
  readonly from: string
  readonly args: readonly string[]
  /** Runs before the command, and changes the folder. */
  readonly before?: (folder: string) => Promise<void>
}

const PLATFORM = `xpkg.example.org/acme/platform:v2.0.0@sha256:${'4b'.repeat(32)}=platform`

/** Changes a rendered fleet so that the next render updates, makes and removes packages. */
async function changeFleet(folder: string): Promise<void> {
  const sets = readFileSync(join(folder, 'sets.yaml'), 'utf8')
  writeFileSync(join(folder, 'sets.yaml'), sets.replace('revision: 3', 'revision: 4').replace('store-kel-01', 'store-muc-01'))
}

export const WRITERS: readonly Writer[] = [
  { name: 'promote', from: 'testdata/cli/promote/input', args: promoteTo('europe', '4') },
  { name: 'outdated --write', from: 'testdata/cli/outdated/input', args: ['outdated', '--write', '.'] },
  { name: 'check --fix', from: 'testdata/cli/check/input', args: ['check', '--fix', '.'] },
  { name: 'resolve', from: 'testdata/cli/resolve-diff/input', args: ['resolve', '.'] },
  { name: 'adopt', from: 'testdata/cli/adopt-dry-run/input', args: ['adopt', '--from-cluster', 'cluster/sets.yaml', 'fleet'] },
  { name: 'sync', from: 'examples/sync/fleet', args: ['sync', '--for', 'flux', '.'] },
  { name: 'catalog add', from: 'testdata/cli/catalog-add/input', args: ['catalog', 'add', PLATFORM] },
  { name: 'schema --into', from: 'testdata/cli/promote/input', args: ['schema', '--write', 'schemas', '--into', '.'] },
  { name: 'run', from: 'testdata/cli/run-catalog-function/input/shop', args: ['run', '.'] },
  { name: 'run --status', from: 'testdata/cli/run-catalog-function/input/shop', args: ['run', '--status', '.'] },
  { name: 'fn --write', from: 'examples/fleet', args: ['fn', 'fan-out', '.', '--write'] },
  { name: 'render', from: 'testdata/cli/outdated/input', args: ['render', '.'], before: changeFleet },
]

export function promoteTo(ring: string, revision: string): readonly string[] {
  return ['promote', '--matrix', 'tills', '--package', 'tills', '--ring', ring, '--to', revision, '.']
}

/** Makes a new folder for a command. */
export async function folderFor({ from, before }: Writer): Promise<string> {
  const folder = testFolder()
  cpSync(join(ROOT, from), folder, { recursive: true })
  await before?.(folder)
  return folder
}

/** Returns the texts of all files of a folder, by path. */
export function textsIn(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const places = entries.map(({ parentPath, name }) => join(parentPath, name))
  return new Map(places.map((place) => [place.slice(folder.length + 1), readFileSync(place, 'utf8')]))
}
