import { packageVariantSetResults } from '../../../testdata/kind-results.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'

export const UPSTREAM = 'spec:\n  upstream: {repo: catalog, package: foo, revision: 1}\n'
export const REPOSITORIES = '    repositories: [{name: edge-01}]\n'

/** Returns a set with a spec; its head is that of a set in order. */
export function set(
  spec: string,
  head = 'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: example}\n',
): KrmObject {
  return KrmObject.fromDocument(head + spec, { path: 'set.yaml', index: 0, line: 1 })
}

/** Returns a set in order with one target, whose fields begin in column 5. */
export function target(fields: string): KrmObject {
  return set(`${UPSTREAM}  targets:\n  -\n${fields}`)
}

/** Returns every fault and warning about a set, as a person reads it. */
export function findings(object: KrmObject) {
  return packageVariantSetResults(object).map(
    ({ severity, message, position }) => `${severity} ${position?.line}:${position?.column} ${message}`,
  )
}
