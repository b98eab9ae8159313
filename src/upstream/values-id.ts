import { compareText } from '../field-path.ts'
import { mayHoldResources, resourcesOfBytes } from '../folder/read-whole-package.ts'
import type { WholeFile, WholeFolder } from '../folder/whole-folder.ts'
import { gitTreeIdOf } from '../git/git-snapshot.ts'
import { isRecord, type JsonValue } from '../json.ts'
import { objectValue } from '../resource-list/item-document.ts'

/**
 * Returns an id for the values of a package's objects: the id that git would give the folder if each file were its values as JSON, with
 * sorted keys. Comments, styles and files without objects do not count.
 */
export function idOfValues({ files }: WholeFolder): string {
  const values = [...files].flatMap(([path, file]): [string, Pick<WholeFile, 'mode' | 'read'>][] => {
    const objects = mayHoldResources(path) ? resourcesOfBytes(path, file.read()) : []
    const values = objects.map((object) => sorted(objectValue(object)))
    const text = JSON.stringify(values, asText)
    return objects.length === 0 ? [] : [[path, { mode: REGULAR, read: () => Buffer.from(text) }]]
  })
  return gitTreeIdOf(new Map(values))
}

const REGULAR = 0o644

function asText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value
}

/** Returns a value with the keys of its maps in order. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}
