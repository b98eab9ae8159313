import { readFileSync, type Stats, statSync } from 'node:fs'
import { MAX_INPUT_BYTES } from '../resource-list/limits.ts'
import { WireError } from '../resource-list/wire-error.ts'

/**
 * Returns the bytes of a file. A pipe or a device is not opened, since reading one may never end.
 *
 * @param name  the name of the file in messages
 * @throws WireError for anything but a file, and for a file of more than `MAX_INPUT_BYTES`; the error of node:fs when nothing is there
 */
export function readBoundedFile(place: string, name = place): Uint8Array {
  const stats = statSync(place)
  const kind = KINDS.find(({ is }) => is(stats))
  if (kind !== undefined) throw new WireError(`${name}: expected a file, found ${kind.noun}`)
  if (stats.size > MAX_INPUT_BYTES) throw new WireError(`${name}: expected at most ${MAX_INPUT_BYTES} bytes, found ${stats.size}`)
  return readFileSync(place)
}

/** Returns the text of a file, with replacement characters for bytes that are not UTF-8. Throws as `readBoundedFile`. */
export function readBoundedText(place: string): string {
  return Buffer.from(readBoundedFile(place, place)).toString('utf8')
}

/** The things besides a file that a path may lead to. */
const KINDS: readonly { readonly noun: string; readonly is: (stats: Stats) => boolean }[] = [
  { noun: 'a folder', is: (stats) => stats.isDirectory() },
  { noun: 'a pipe', is: (stats) => stats.isFIFO() },
  { noun: 'a socket', is: (stats) => stats.isSocket() },
  { noun: 'a device', is: (stats) => !stats.isFile() },
]
