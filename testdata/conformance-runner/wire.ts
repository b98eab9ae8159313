import { Document, isScalar, visit } from 'yaml'

/** An item as a case has it, and the file that kpt would have read it from. */
export interface Item {
  readonly object: object
  readonly path: string
  readonly index: number
}

/** A ResourceList as `kpt fn render` sends it: compact sequences, the annotations of the wire on every item. */
export function printResourceList(items: readonly Item[], functionConfig?: object): string {
  const list = {
    apiVersion: 'config.kubernetes.io/v1',
    kind: 'ResourceList',
    items: items.map(withWireAnnotations),
    ...(functionConfig && { functionConfig }),
  }
  const document = new Document(list, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar: (_, scalar) => {
      if (isScalar(scalar) && typeof scalar.value === 'string' && !isTextForAll(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ indentSeq: false, lineWidth: 0 })
}

/** Words that are no strings for some version of YAML: booleans, nulls, and numbers that are words. */
const WORDS = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i

/** Returns true if every reader of YAML takes the plain text for a string; all others are quoted. */
function isTextForAll(text: string): boolean {
  return /^[A-Za-z/][\w ./@+-]*$/.test(text) && !text.endsWith(' ') && !WORDS.test(text)
}

function withWireAnnotations({ object, path, index }: Item, id: number): object {
  const { metadata = {}, ...rest } = object as { metadata?: { annotations?: object } }
  return { ...rest, metadata: { ...metadata, annotations: { ...metadata.annotations, ...wireAnnotations(path, index, id) } } }
}

/** Returns what kpt writes on every item: where it was read, and what it needs to know it again. */
export function wireAnnotations(path: string, index: number, id: number): Readonly<Record<string, string>> {
  return {
    'config.kubernetes.io/index': String(index),
    'config.kubernetes.io/path': path,
    'internal.config.kubernetes.io/index': String(index),
    'internal.config.kubernetes.io/path': path,
    'internal.config.kubernetes.io/package-path': '/package',
    'internal.config.kubernetes.io/seqindent': 'compact',
    'internal.config.kubernetes.io/annotations-migration-resource-id': String(id),
    'internal.config.kubernetes.io/id': String(id + 1),
    'config.k8s.io/id': String(id + 1),
  }
}
