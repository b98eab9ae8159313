import { KrmObject } from '../../../src/resource-list/krm-object.ts'
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

export function kptfileOf(input: Input): KrmObject | undefined {
  return objectsOf(input).find(({ file }) => file?.path === 'Kptfile')
}

/** The injection points of a package and of its subpackages. */
export function pointsOf(input: Input): readonly KrmObject[] {
  return objectsOf(input).filter(({ annotations }) => annotations.has('kpt.dev/config-injection'))
}
