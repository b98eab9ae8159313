import { posix } from 'node:path'
import { isJsonText, type JsonValue, jsonString } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { PackageFile } from './package.ts'

/**
 * Returns the new text of a file, as JSON if the file was JSON, and if a new file has the ending `.json`: an edit writes YAML between the
 * braces, which no reader of JSON accepts. kpt also writes a file with one object and this ending as JSON (kyaml kio byteio_writer.go).
 *
 * @param file    the path of the file, and the file until now; undefined for a new file
 * @param texts   the texts of the objects in the new file
 * @param laidOut the new text of the file, in YAML
 * @example  `{"a": "b", c: d}` → `{\n  "a": "b",\n  "c": "d"\n}\n`
 */
export function withJsonKept(file: WrittenFile, texts: readonly string[], laidOut: string): string {
  const { path, before } = file
  const [text, ...others] = texts
  if (text === undefined || others.length > 0 || posix.extname(path) !== '.json') return laidOut
  if ((before !== undefined && !wasJson(before)) || isJsonText(laidOut)) return laidOut
  return `${printJsonFile(KrmObject.fromDocument(text).toJson(), '')}\n`
}

/** A file to be written. */
export interface WrittenFile {
  readonly path: string
  readonly before: PackageFile | undefined
}

function wasJson({ documents }: PackageFile): boolean {
  return isJsonText(documents.map(({ separator, before, text, after }) => separator + before + text + after).join(''))
}

/** Prints JSON, with integers of any size and two columns of indentation for each level. */
function printJsonFile(value: JsonValue, indent: string): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? jsonString(value) : JSON.stringify(value)
  const deeper = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const members = Array.isArray(value)
    ? value.map((member: JsonValue) => printJsonFile(member, deeper))
    : Object.entries(value).map(([key, member]) => `${jsonString(key)}: ${printJsonFile(member, deeper)}`)
  return members.length === 0 ? open + close : `${open}\n${members.map((member) => deeper + member).join(',\n')}\n${indent}${close}`
}
