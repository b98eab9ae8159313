import { parse } from 'yaml'
import type { JsonRecord } from '../../../src/json.ts'
import { KrmObject } from '../../../src/resource-list/krm-object.ts'
import { wireAnnotations } from '../wire.ts'
import { sentDocuments } from './package-wire.ts'
import type { MutationVector } from './vector.ts'

type Input = MutationVector['input']

const read = new WeakMap<Input, readonly KrmObject[]>()

/** The resources of a package, without what cannot be read. The same objects for the same input. */
export function objectsOf(input: Input): readonly KrmObject[] {
  const objects =
    read.get(input) ?? sentDocuments(input.package).map(({ path, index, text }) => KrmObject.fromDocument(text, { path, index, line: 1 }))
  read.set(input, objects)
  return objects
}

/** The resources of the root package: those above which no other Kptfile stands. */
export function rootObjects(input: Input): readonly KrmObject[] {
  const folders = Object.keys(input.package).flatMap((path) => (path.endsWith('/Kptfile') ? [path.replace(/Kptfile$/, '')] : []))
  return objectsOf(input).filter(({ file }) => !folders.some((folder) => file?.path.startsWith(folder)))
}

function kptfileOf(input: Input): KrmObject | undefined {
  return objectsOf(input).find(({ file }) => file?.path === 'Kptfile')
}

/** The values of an object, without the annotations of the wire; aliases, which the product never expands, stand for what they name. */
export function jsonOf(object: KrmObject): JsonRecord {
  if (object.aliases().length === 0) return object.toJson()
  const [value] = [parse(object.toText())].flat()
  for (const key of Object.keys(wireAnnotations('', 0, 0))) delete value.metadata?.annotations?.[key]
  return value
}

/** The values of the root Kptfile; nothing when there is none. */
export function jsonOfKptfile(input: Input): JsonRecord {
  const kptfile = kptfileOf(input)
  return kptfile === undefined ? {} : jsonOf(kptfile)
}

/** The injection points of a package and of its subpackages. */
export function pointsOf(input: Input): readonly KrmObject[] {
  return objectsOf(input).filter(({ annotations }) => annotations.has('kpt.dev/config-injection'))
}
