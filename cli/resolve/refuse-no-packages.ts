import { holdsPackages } from '../../src/dependencies/resolve-objects.ts'
import { describeKinds } from '../../src/fleet/what-was-read.ts'
import { groupOf } from '../../src/resource-list/identity.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { formatResourceRef, type Result } from '../../src/result.ts'
import { nearestName } from '../../src/schema/nearest-name.ts'

/** Nothing to do in nothing would look like a sound folder. */
export function refuseNoPackages(items: readonly KrmObject[]): readonly Result[] {
  if (holdsPackages(items)) return []
  const message = `\`items\` must hold packages of Carvel, Crossplane or Glasskube; read ${describeKinds(items)}`
  return [{ severity: 'error', message, tags: { rule: 'nothing-read' } }, ...items.flatMap(misspeltGroup)]
}

/** What installs packages, or is one that may be installed. */
const GROUPS = [
  'packaging.carvel.dev',
  'data.packaging.carvel.dev',
  'pkg.crossplane.io',
  'meta.pkg.crossplane.io',
  'packages.glasskube.dev',
]

function misspeltGroup(object: KrmObject): readonly Result[] {
  const { ref, file, apiVersion = '' } = object
  const group = nearestName(groupOf(apiVersion), GROUPS)
  if (group === undefined) return []
  const message = `\`apiVersion\` of ${formatResourceRef(ref)} must be of a group that installs packages, got '${apiVersion}'; did you mean '${group}'?`
  const field = { path: ['apiVersion'], currentValue: apiVersion }
  const position = object.positionOf(['apiVersion'])
  return [{ severity: 'error', message, resourceRef: ref, field, ...(file && { file }), position, tags: { rule: 'nothing-read' } }]
}
