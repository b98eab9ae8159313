import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Fault } from '../schema/fault.ts'

/** A fault of an object for one system. */
export interface SystemFault extends Fault {
  readonly object: KrmObject
}

/** The differences between a system and `render`, for the files of a fleet. */
export interface SystemDifferences {
  /** Rules of other checks that warn of a value which this system refuses or drops: errors here. */
  readonly refused: ReadonlySet<string>
  /** Rules of other checks that say less than a rule of this system about the same object. */
  readonly replaced: ReadonlySet<string>
  /** Returns the faults that the objects of a fleet have for this system only. */
  readonly faults: (items: readonly KrmObject[]) => readonly SystemFault[]
}
