import { posix } from 'node:path'
import { textAsRead } from '../../src/folder/assemble-file.ts'
import type { PackageFile } from '../../src/folder/package.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Schema } from '../../src/schema/schema.ts'

/** The change of one file: its new text, none because the file has the line, or none for a reason. */
export type Modeline =
  | { readonly path: string; readonly does: 'write'; readonly line: string; readonly text: string; readonly before: string }
  | { readonly path: string; readonly does: 'keep' }
  | { readonly path: string; readonly does: 'leave'; readonly why: string }

/** The schemas to be named, and the folder of their files, relative to the folder of the package. */
export interface SchemaFolder {
  readonly schemas: readonly Schema[]
  readonly folder: string
}

/**
 * Returns the change that adds a line with the schema for editors, for each file that holds objects of one of the kinds. Other files are
 * left out.
 *
 * @see https://github.com/redhat-developer/yaml-language-server#using-inlined-schema
 */
export function planModelines(files: readonly PackageFile[], known: SchemaFolder): readonly Modeline[] {
  return files.flatMap((file) => {
    const objects = file.documents.flatMap(({ object }) => (object === undefined ? [] : [object]))
    const schemas = new Set(objects.map((object) => schemaOf(object, known.schemas)))
    const [schema] = schemas
    if (schemas.size === 1 && schema !== undefined) return [planFile(file, schema, known.folder)]
    if ([...schemas].every((each) => each === undefined)) return []
    return [{ path: file.path, does: 'leave', why: `it holds ${[...new Set(objects.map(({ kind }) => kind))].join(' and ')}` }]
  })
}

function schemaOf({ apiVersion, kind }: KrmObject, schemas: readonly Schema[]): Schema | undefined {
  return schemas.find(({ title, properties }) => title === kind && [undefined, apiVersion].includes(properties?.apiVersion?.const))
}

function planFile(file: PackageFile, schema: Schema, folder: string): Modeline {
  const { path } = file
  if (path.endsWith('.json')) return { path, does: 'leave', why: 'JSON has no comments' }
  const target = posix.relative(posix.dirname(path), posix.join(folder, schemaFile(schema)))
  if (/\s/.test(target)) return { path, does: 'leave', why: `the line takes no blanks, and the schema is at '${target}'` }
  const text = textAsRead(file)
  const named = HEAD.exec(text)?.[0].match(LINE)?.[2]
  if (named === target) return { path, does: 'keep' }
  if (named !== undefined && posix.basename(named) !== posix.basename(target)) {
    return { path, does: 'leave', why: `it names another schema, '${named}'` }
  }
  return {
    path,
    does: 'write',
    line: modeline(target),
    text: named === undefined ? addLine(text, target) : changeLine(text, target),
    before: text,
  }
}

/** Returns the file name of a schema in its folder. */
export function schemaFile({ $id = '' }: Schema): string {
  return posix.basename($id)
}

/** The text above the first value of a file: comments, directives, blank lines, and `---`. */
const HEAD = /^\uFEFF?(?:[ \t]*(?:#.*|%.*|---[ \t]*)?\r?\n)*/

const LINE = /^(\uFEFF?)#[ \t]+yaml-language-server[ \t]*:[ \t]*\$schema=(\S+)/m

export function modeline(target: string): string {
  return `# yaml-language-server: $schema=${target}`
}

/** Returns the text with the modeline as first line, after a byte order mark, with the line end of the file. */
function addLine(text: string, target: string): string {
  const end = /^.*\r\n/.test(text) ? '\r\n' : '\n'
  return text.replace(/^\uFEFF?/, (mark) => `${mark}${modeline(target)}${end}`)
}

function changeLine(text: string, target: string): string {
  return text.replace(LINE, (_, mark: string) => `${mark}${modeline(target)}`)
}
