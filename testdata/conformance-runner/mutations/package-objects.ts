import type { JsonRecord } from '../../../src/json.ts'
import { readResource, type WrittenResource } from '../written-resource.ts'
import { sentDocuments } from './package-wire.ts'
import type { MutationVector } from './vector.ts'

type Input = MutationVector['input']

/** The resources of a package, without what cannot be read. */
export function objectsOf(input: Input): readonly WrittenResource[] {
  return sentDocuments(input.package).flatMap(({ path, index, text }) => readResource(text, { path, index }) ?? [])
}

/** The resources of the root package: those above which no other Kptfile stands. */
export function rootObjects(input: Input): readonly WrittenResource[] {
  const folders = Object.keys(input.package).flatMap((path) => (path.endsWith('/Kptfile') ? [path.replace(/Kptfile$/, '')] : []))
  return objectsOf(input).filter(({ path }) => !folders.some((folder) => path.startsWith(folder)))
}

/** The values of the root Kptfile; nothing when there is none. */
export function jsonOfKptfile(input: Input): JsonRecord {
  return objectsOf(input).find(({ path }) => path === 'Kptfile')?.value ?? {}
}

/** The injection points of a package and of its subpackages. */
export function pointsOf(input: Input): readonly WrittenResource[] {
  return objectsOf(input).filter(({ annotations }) => Object.hasOwn(annotations, 'kpt.dev/config-injection'))
}
