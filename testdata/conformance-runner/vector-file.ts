import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'
import type { JsonValue } from '../../src/json.ts'

/** A file of vectors, wherever it comes from. */
export interface VectorFile {
  /** The name in the report: the path below the tree, with slashes; a file that does not end in `.json` holds no vectors. */
  readonly name: string
  /** Where it lies, with slashes: the folders above the tree too, by which an adapter is found for a part of one. */
  readonly path: string
  /** @throws when there is no such file, or it is no JSON */
  read(): JsonValue
}

/** Every file of a tree, of a part of one, or the one file that the path names; in order. */
export function filesOfTree(root: string): readonly VectorFile[] {
  if (statSync(root).isFile()) return [fileAt(resolve(root), basename(root))]
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => fileAt(resolve(path), relative(root, path).split(sep).join('/')))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function fileAt(path: string, name: string): VectorFile {
  return { name, path: path.split(sep).join('/'), read: () => readJson(readFileSync(path, 'utf8')) }
}

const STRING_OR_LONG_INTEGER = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g
const LONG_INTEGER = '\0integer'

/** JSON, with integers beyond 2^53 as they are written. An empty text is null: it holds no cases. */
function readJson(text: string): JsonValue {
  if (text.trim() === '') return null
  const marked = text.replace(STRING_OR_LONG_INTEGER, (token) =>
    token.startsWith('"') ? token : JSON.stringify({ [LONG_INTEGER]: token }),
  )
  return JSON.parse(marked, (_, value) => (typeof value?.[LONG_INTEGER] === 'string' ? BigInt(value[LONG_INTEGER]) : value))
}
