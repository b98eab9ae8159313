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
  /** Such rules whose findings are errors only for files in packages. */
  readonly refusedInPackages?: ReadonlySet<string>
  /** Rules of other checks that say less than a rule of this system about the same object. */
  readonly replaced: ReadonlySet<string>
  /** Returns the faults that the objects of a fleet have for this system only. */
  readonly faults: (items: readonly KrmObject[]) => readonly SystemFault[]
}

/** The behaviour of a version of kpt, alone or inside of Porch, for the functions of a pipeline. */
export interface KptFacts {
  /** The version, for messages: `kpt 1.0.0-beta.56`. */
  readonly name: string
  /** Fields of the newest API that this version does not know; it refuses a Kptfile with an unknown field (docs/kpt.md 16 to 18). */
  readonly unknownFields: readonly string[]
  /** Fields of the newest API of which it is not known whether this version knows them. */
  readonly unprovenFields?: readonly string[]
  /** True if this version refuses a Kptfile with `status.renderStatus`, which newer versions write. */
  readonly refusesRenderStatus?: boolean
  /** The prefix of an image without a slash. */
  readonly imagePrefix: string
}

/** The behaviour of a version of Porch for the files of a fleet. */
export interface PorchFacts {
  /** The version, for messages: `Porch 1.5`. */
  readonly name: string
  readonly kpt: KptFacts
  /** Fields of functions in sets and variants that the CRDs of this version do not have; the API server refuses or drops them. */
  readonly droppedFields: readonly string[]
  /** Versions of catalog functions that run in Porch's own process, by name; absent where they are not known. */
  readonly inProcess?: Readonly<Record<string, readonly string[]>>
  /** True if the kind FunctionConfig says where images run. */
  readonly hasFunctionConfigs: boolean
}
