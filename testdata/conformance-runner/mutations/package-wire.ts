import { splitDocuments } from '../../../src/package/split-documents.ts'
import { KrmObject } from '../../../src/resource-list/krm-object.ts'
import { printResourceList } from '../wire.ts'
import type { MutationVector } from './vector.ts'

/** A document of a package, with its comments. */
export interface PackageDocument {
  readonly path: string
  readonly index: number
  readonly text: string
}

/** The documents that kpt would read from a package; throws for a file that it could not read. */
export function readDocuments(files: MutationVector['input']['package']): readonly PackageDocument[] {
  return Object.entries(files)
    .filter(([path]) => /(^|\/)Kptfile$|\.(ya?ml|json)$/.test(path))
    .flatMap(([path, file]) => {
      const texts = splitDocuments(file).chunks.flatMap(({ isEmpty, text }) => (isEmpty ? [] : [text]))
      return texts.map((text, index) => ({ path, index, text }))
    })
}

/** The case as kpt would send it: the package's documents as they are written, the cluster's objects below `sources/`. */
export function printVector({ input }: MutationVector): string {
  const cluster = (input.cluster ?? []).map((object, index) => ({ object, path: 'sources/cluster.yaml', index }))
  const items = readDocuments(input.package).map(printItem).join('')
  return printResourceList(cluster, input.variant).replace(/^items:(?: \[\])?\n/m, `items:\n${items}`)
}

function printItem({ path, index, text }: PackageDocument): string {
  const object = KrmObject.fromDocument(text, { path, index, line: 1 })
  if (!object.isMap()) throw new Error(`${path} holds no resource`)
  for (const [key, value] of Object.entries(wireAnnotations(path, index))) object.set(['metadata', 'annotations', key], value)
  const lines = object.toText().trimEnd().split('\n')
  return lines.map((line, number) => `${number === 0 ? '- ' : line === '' ? '' : '  '}${line}\n`).join('')
}

function wireAnnotations(path: string, index: number): Readonly<Record<string, string>> {
  return {
    'config.kubernetes.io/index': String(index),
    'config.kubernetes.io/path': path,
    'internal.config.kubernetes.io/index': String(index),
    'internal.config.kubernetes.io/path': path,
    'internal.config.kubernetes.io/package-path': '/package',
  }
}
