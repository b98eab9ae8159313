import { splitDocuments } from '../../../src/package/split-documents.ts'
import { KrmObject } from '../../../src/resource-list/krm-object.ts'
import { readDocuments } from './package-wire.ts'
import type { MutationVector } from './vector.ts'

type Input = MutationVector['input']

const read = new WeakMap<Input, readonly KrmObject[]>()

/** The resources of a package, without what cannot be read. The same objects for the same input. */
export function objectsOf(input: Input): readonly KrmObject[] {
  const objects = read.get(input) ?? readDocuments(input.package).flatMap(({ path, index, text }) => readObject(text, path, index))
  read.set(input, objects)
  return objects
}

/** The resources of the root package: those above which no other Kptfile stands. */
export function rootObjects(input: Input): readonly KrmObject[] {
  const folders = Object.keys(input.package).flatMap((path) => (path.endsWith('/Kptfile') ? [path.replace(/Kptfile$/, '')] : []))
  return objectsOf(input).filter(({ file }) => !folders.some((folder) => file?.path.startsWith(folder)))
}

export function kptfileOf(input: Input): KrmObject | undefined {
  return objectsOf(input).find(({ file }) => file?.path === 'Kptfile')
}

/** The injection points of a package and of its subpackages. */
export function pointsOf(input: Input): readonly KrmObject[] {
  return objectsOf(input).filter(({ annotations }) => annotations.has('kpt.dev/config-injection'))
}

/** Whether a package holds what no orchestrator sends: text that is no YAML, YAML that is no resource, empty documents. */
export function cannotBeSaid({ package: files }: Input): boolean {
  const documents = readDocuments(files)
  const hasEmpty = Object.values(files).some((file) => splitDocuments(file).chunks.some(({ isEmpty }, _, all) => isEmpty && all.length > 1))
  return hasEmpty || documents.some(({ path, index, text }) => readObject(text, path, index).length === 0)
}

function readObject(text: string, path: string, index: number): readonly KrmObject[] {
  try {
    const object = KrmObject.fromDocument(text, { path, index, line: 1 })
    object.readAll()
    return object.isMap() ? [object] : []
  } catch {
    return []
  }
}
