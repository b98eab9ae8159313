import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Result } from '../../src/result.ts'
import type { Styles } from '../print/styles.ts'

/** What is asked about: a planned fleet. */
export interface Planned {
  readonly plan: FleetPlan
  readonly items: readonly KrmObject[]
}

/** An answer as a plain value, and as people read it. */
export interface ExplainAnswer {
  readonly view: object
  readonly text: (styles: Styles) => string
  readonly results?: readonly Result[]
}
