import { printResourceList, wireAnnotations } from '../wire.ts'
import { documentTexts, isEmptyDocument, splitFile } from '../written-resource.ts'
import type { MutationVector } from './vector.ts'
import { isReadable, withAnnotations } from './with-annotations.ts'

/** A document of a package, with its comments. */
export interface PackageDocument {
  readonly path: string
  readonly index: number
  readonly text: string
}

/** The documents that kpt would read from a package and send. */
export function sentDocuments(files: MutationVector['input']['package']): readonly PackageDocument[] {
  return documentsOf(files).filter(({ text }) => isReadable(text))
}

/** The files that hold what no orchestrator sends: text that is no YAML, YAML that is no resource, empty documents. */
export function unsentFiles(files: MutationVector['input']['package']): readonly string[] {
  const withEmpty = resourceFiles(files).filter(([, file]) =>
    splitFile(file).some((text, _, all) => isEmptyDocument(text) && all.length > 1),
  )
  return [...withEmpty.map(([path]) => path), ...unreadableFiles(files)]
}

/** Those with text that is no YAML, or YAML that is no resource. */
export function unreadableFiles(files: MutationVector['input']['package']): readonly string[] {
  return documentsOf(files).flatMap(({ path, text }) => (isReadable(text) ? [] : [path]))
}

function resourceFiles(files: MutationVector['input']['package']): readonly (readonly [string, string])[] {
  return Object.entries(files).filter(([path]) => /(^|\/)Kptfile$|\.(ya?ml|json)$/.test(path))
}

function documentsOf(files: MutationVector['input']['package']): readonly PackageDocument[] {
  return resourceFiles(files).flatMap(([path, file]) => {
    return documentTexts(file).map((text, index) => ({ path, index, text }))
  })
}

/** The case as kpt would send it: the package's documents as they are written, the cluster's objects below `sources/`. */
export function printVector({ input }: MutationVector): string {
  const cluster = (input.cluster ?? []).map((object, index) => ({ object, path: 'sources/cluster.yaml', index }))
  const items = sentDocuments(input.package).map(printItem).join('')
  return printResourceList(cluster, input.variant).replace(/^items:(?: \[\])?\n/m, () => `items:\n${items}`)
}

function printItem({ path, index, text }: PackageDocument, id: number): string {
  const lines = withAnnotations(text, wireAnnotations(path, index, id))
    .replace(/\n$/, '')
    .split('\n')
  return lines.map((line, number) => `${number === 0 ? '- ' : line === '' ? '' : '  '}${line}\n`).join('')
}
