import { stringify } from 'yaml'

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
  return stringify(list, { indentSeq: false, lineWidth: 0, version: '1.1', aliasDuplicateObjects: false })
}

function withWireAnnotations({ object, path, index }: Item, id: number): object {
  const { metadata = {}, ...rest } = object as { metadata?: { annotations?: object } }
  const wire = {
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
  return { ...rest, metadata: { ...metadata, annotations: { ...metadata.annotations, ...wire } } }
}
