import { GLOBAL_PACKAGE_NAMESPACE } from '../../../src/dependencies/carvel/packages.ts'
import type { KindOfApi } from '../../../src/dependencies/package-index.ts'
import type { Plan, Step } from '../../../src/dependencies/plan/plan.ts'
import type { ReadInput, Readings } from '../../../src/dependencies/read-objects.ts'
import { isCatalog } from '../../../src/dependencies/reading/catalog.ts'
import { fieldAt, itemFields } from '../../../src/dependencies/reading/field.ts'
import { planObjects, type ResolveOptions } from '../../../src/dependencies/resolve-objects.ts'
import { rootObject } from '../../../src/dependencies/write-plan.ts'
import type { JsonRecord } from '../../../src/json.ts'
import { ResourceList } from '../../../src/resource-list/resource-list.ts'
import { printResourceList } from '../wire.ts'

const OPTIONS: ResolveOptions = { strategy: 'native', upgrades: 'all', downgrades: false, prune: false, maxSteps: 10_000 }

/** A plan for some objects, in a closed universe, and the objects that it would make. */
export interface Planned {
  readonly plan: Plan
  readonly readings: Readings
  /** The object of a step that creates. */
  readonly objectOf: (step: Step) => JsonRecord
}

/** Plans as the operators do, with upgrades. */
export function planOn(
  objects: readonly object[],
  options: Partial<ResolveOptions> = {},
  apis: readonly KindOfApi[] = [],
  semantics: 'current' | 'seed' = 'current',
): Planned {
  const input = readInput(objects, apis, semantics)
  const { plan, readings } = planObjects(input, { ...OPTIONS, ...options })
  const objectOf = (step: Step): JsonRecord => {
    const { index, controller } = readings.all.find(({ ecosystem }) => ecosystem === step.ecosystem) ?? {}
    const written = index && controller?.writer.create(step, rootObject(step, index))
    if (written === undefined || 'fault' in written) throw new Error(written === undefined ? 'no writer' : written.fault)
    return written.object
  }
  return { plan, readings, objectOf }
}

/** Returns some objects as the wire brings them, each in a file of its own, as the input of the readers in a closed universe. */
export function readInput(
  objects: readonly object[],
  apis: readonly KindOfApi[] = [],
  crossplaneSemantics: 'current' | 'seed' = 'current',
): ReadInput {
  const { items } = ResourceList.parse(printResourceList(objects.map((object, i) => ({ object, path: `object-${i}.yaml`, index: 0 }))))
  const listed = items.filter(isCatalog).flatMap((item) => itemFields(fieldAt(item, ['spec', 'packages'])))
  return {
    objects: items,
    listed,
    apis,
    options: { closed: true, globalPackageNamespace: GLOBAL_PACKAGE_NAMESPACE, carvelSemver: '2024', crossplaneSemantics },
  }
}
