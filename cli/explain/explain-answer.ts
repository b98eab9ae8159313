import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Result } from '../../src/result.ts'
import type { Styles } from '../print/styles.ts'

/** The planned fleet that a question is about. */
export interface Planned {
  readonly plan: FleetPlan
  readonly items: readonly KrmObject[]
}

/** An answer as a plain value, and as text for people. */
export interface ExplainAnswer {
  readonly view: object
  readonly text: (styles: Styles) => string
  readonly results?: readonly Result[]
}
