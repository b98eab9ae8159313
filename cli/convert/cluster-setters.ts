import { setLineComments } from '../../src/catalog/line-comments.ts'
import { markedFields } from '../../src/catalog/setter-comments.ts'
import { alignedValue } from '../../src/convert/edit-object.ts'
import { CLUSTER_VALUES } from '../../src/convert/fleet-texts.ts'
import { pairObjects } from '../../src/convert/pair-objects.ts'
import type { FieldPath } from '../../src/field-path.ts'
import type { VendorObject } from '../../src/intake/vendor-objects.ts'
import { asRecord } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { fleetObjects } from './fleet-objects.ts'

/** The file with the Repositories of a converted fleet. */
export const CLUSTERS_FILE = 'fleet/clusters.yaml'

/** The file with the values of the clusters of a converted fleet. */
export const VALUES_FILE = 'fleet/values.yaml'

/** Returns the values of a cluster among the objects of the file. */
export function clusterValues(objects: readonly VendorObject[], cluster: string): KrmObject | undefined {
  const isOwn = ({ kind, apiVersion, name }: KrmObject) => kind === 'ClusterValues' && apiVersion === CLUSTER_VALUES && name === cluster
  return objects.find(({ object }) => isOwn(object))?.object
}

/** Returns the setter that alone writes a field. */
export function setterOf(pattern: string): string | undefined {
  return /^\$\{([\w.-]+)\}$/.exec(pattern)?.[1]
}

/** Returns the fields that one setter writes, each with its value in the rendered object and in the object of the overlay. */
export function* setterFields(rendered: readonly KrmObject[], wanted: readonly KrmObject[]) {
  for (const [object, other] of pairObjects(rendered, wanted)) {
    if (!object.toText().includes('kpt-set:')) continue
    const [own, overlay] = [object.toJson(), other.toJson()]
    for (const { path, pattern } of markedFields(object)) {
      const name = setterOf(pattern)
      if (name !== undefined) yield { name, from: object.get(path), to: alignedValue(overlay, own, path) }
    }
  }
}

/** Returns the setters that write values into a package of a cluster. */
export function settersOfCluster(work: string, cluster: string, name: string): ReadonlySet<string> {
  return new Set(Object.keys(asRecord(asRecord(clusterValues(fleetObjects(work, VALUES_FILE), cluster)?.get(['spec']))[name])))
}

/** Takes fields from the setters that would write them back: the comment of the setter becomes one that says so. */
export function detachSetters(object: KrmObject, changed: readonly FieldPath[], setters: ReadonlySet<string>): void {
  if (changed.length === 0 || setters.size === 0 || !object.toText().includes('kpt-set:')) return
  const isChanged = (path: FieldPath) => changed.some((each) => each.every((step, index) => path[index] === step))
  const comments = markedFields(object).flatMap(({ path, pattern }) => {
    const name = setterOf(pattern)
    return name !== undefined && setters.has(name) && isChanged(path)
      ? [[path, `# not from the setter ${name}, which has other fields`] as const]
      : []
  })
  if (comments.length > 0) setLineComments(object, new Map(comments))
}
