import type { KrmObject } from '../../resource-list/krm-object.ts'

/** Annotations by which an orchestrator tells a function where an object is. In a file they are left over from somewhere. */
const PLACES = [
  'config.kubernetes.io/index',
  'config.kubernetes.io/path',
  'internal.config.kubernetes.io/index',
  'internal.config.kubernetes.io/path',
]

/**
 * Takes away what a file says of where its objects are, as every tool does that writes one (kyaml kio/byteio_writer.go). In a list these
 * annotations are the wire's.
 */
export function dropPlaces(object: KrmObject): void {
  if (!object.isDocument) return
  for (const place of PLACES)
    if (object.get(['metadata', 'annotations', place]) !== undefined) object.delete(['metadata', 'annotations', place])
}
