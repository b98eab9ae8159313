import { holdsPackages } from '../../src/dependencies/resolve-objects.ts'
import { describeKinds } from '../../src/fleet/what-was-read.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Result } from '../../src/result.ts'

/** Nothing to do in nothing would look like a sound folder. */
export function refuseNoPackages(items: readonly KrmObject[]): readonly Result[] {
  if (holdsPackages(items)) return []
  const message = `\`items\` must hold packages of Carvel, Crossplane or Glasskube; read ${describeKinds(items)}`
  return [{ severity: 'error', message, tags: { rule: 'nothing-read' } }]
}
