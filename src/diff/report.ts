import type { JsonRecord, JsonValue } from '../json.ts'
import type { ResourceRef, Result } from '../result.ts'

/*
 * The form of `krm-variants diff --format json`, schemas/output/diff.json. The report is a tree of plain values: printers and the page read
 * nothing else.
 *
 *   groups[]            one for each way in which objects change, most dangerous first, then largest
 *     objects[]         the objects that change in this way in each of the places
 *     fields[]          their changed fields; empty when objects are created or deleted
 *     causes[]          what led to the change, with file and line
 *     dangers[]         what may go wrong when the change is applied
 *     places[]          the packages in which the objects change in this way, each with its cluster
 *
 * A group whose changes differ only in what an expression gives has patterns in `objects` and `fields`, such as `tills-${target.name}`.
 * Each of its places then has `objects` and `fields` of its own, with the values in the same order. All other places have neither.
 */

/** The changes between two states of a fleet. */
export interface DiffReport {
  readonly from: StateName
  readonly to: StateName
  /**
   * `committed`: the packages of FROM are those in the repository, and those of TO are those that `render` would leave. `rendered`: the
   * packages of both states are rendered in memory, since the repository has none.
   */
  readonly packagesAre: 'committed' | 'rendered'
  readonly counts: DiffCounts
  readonly groups: readonly ChangeGroup[]
  /** Each danger of the groups, counted, and the sets of which many clusters change at once. The most dangerous first. */
  readonly dangers: readonly DangerCount[]
  /** The rings of the matrices of which something changes, in their order of trust; unset where no such matrix has rings. */
  readonly rings?: readonly RingCount[]
  /** The images that containers change, those of the most clusters first. */
  readonly images: readonly ImageChange[]
  /**
   * The upstream revisions of which the content changed while packages that are committed keep the earlier one; unset if there are none.
   */
  readonly notFollowed?: readonly NotFollowed[]
  /** The changes that `spec.diff.ignore` of the fleet leaves out, by reason; unset if there are none. */
  readonly ignored?: readonly IgnoredCount[]
  /** The packages that differ, by folder. */
  readonly packages: readonly PackageEntry[]
  readonly results: readonly Result[]
}

/** An image that containers have another one for. */
export interface ImageChange {
  readonly before: string
  readonly after: string
  readonly clusters: number
}

/** An upstream revision that has another content, and the number of packages that have the revision and do not change. */
export interface NotFollowed {
  /** REPOSITORY/PACKAGE REVISION. */
  readonly upstream: string
  readonly packages: number
}

/** Changes that a rule of the fleet ignores. */
export interface IgnoredCount {
  readonly reason: string
  /** The number of fields, or of whole objects, in packages. */
  readonly changes: number
  readonly clusters: number
}

/** The clusters of a ring that change. */
export interface RingCount {
  /** NAMESPACE/NAME of the matrix. */
  readonly set: string
  readonly ring: string
  readonly clusters: number
}

export interface StateName {
  /** The name as the caller wrote it, such as `origin/main`; `working tree` if the state is that of the folder. */
  readonly name: string
  /** The commit; unset for the working tree. */
  readonly commit?: string
}

export interface DiffCounts {
  /** The packages of both states together. */
  readonly packages: number
  /** The packages of which an object of a cluster changes. */
  readonly changed: number
  /** The other packages that differ: in a Kptfile, in objects that no cluster gets, in files without objects. */
  readonly local: number
  /** The packages that cannot be rendered, and are not compared; unset if there are none. */
  readonly failed?: number
  /** The clusters of which an object changes. A cluster is a downstream repository. */
  readonly clusters: number
  readonly groups: number
}

/** A package that differs. */
export interface PackageEntry {
  /** REPOSITORY/PACKAGE. */
  readonly folder: string
  readonly cluster: string
  /** NAMESPACE/NAME of the package's variant, and of the variant's set. */
  readonly variant?: string
  readonly set?: string
  /** The ring of the cluster in the set. */
  readonly ring?: string
  /**
   * `created`, `removed`: only one of the states has the package. `changed`: an object of a cluster changes. `local`: nothing that a
   * cluster gets changes. `left`: the package stays without a variant (deletionPolicy orphan), and no object changes.
   */
  readonly fate: 'created' | 'removed' | 'changed' | 'local' | 'left'
  /** The ids of the groups with a change in this package. */
  readonly groups: readonly string[]
}

export type ObjectOperation = 'create' | 'delete' | 'change' | 'rename'

/** Equal changes of objects, in one or more packages. */
export interface ChangeGroup {
  /** A digest of the change: the same in each run in which the fleet changes in this way. */
  readonly id: string
  readonly op: ObjectOperation
  readonly objects: readonly ChangedObject[]
  readonly fields: readonly ChangedField[]
  readonly causes: readonly ChangeCause[]
  readonly dangers: readonly Danger[]
  /**
   * Says if the deployer of the packages removes objects that are deleted or renamed; unset where no object of the fleet names a deployer.
   */
  readonly removal?: ObjectRemoval
  /** The number of different clusters among the places. */
  readonly clusters: number
  /** The rings that the places are in, in their order of trust; unset where no place is in a ring. */
  readonly rings?: readonly RingCount[]
  readonly places: readonly ChangePlace[]
}

/** The identity of an object in its package. */
export type ObjectName = ResourceRef

/** An object that changes. Of a deleted object, its name is that before the change; else its name is that after the change. */
export interface ChangedObject extends ObjectName {
  /** The earlier identity of a renamed object. */
  readonly was?: ObjectName
  /** The content of a created object. */
  readonly value?: JsonRecord
  /** The texts of the object in the first place of the group; unset where a state lacks the object. */
  readonly before?: string
  readonly after?: string
}

/**
 * A step of a path: the key of a map, the position in a list, or the fields that identify an entry of a list:
 * `['spec', 'containers', { name: 'till' }, 'image']` is `spec.containers[till].image`.
 */
export type FieldStep = string | number | Readonly<Record<string, string>>

/** A field that differs. Without `before` the field is added, without `after` it is removed. */
export interface ChangedField {
  /** The path as people read it. */
  readonly path: string
  readonly steps: readonly FieldStep[]
  readonly before?: JsonValue
  readonly after?: JsonValue
  /** True if entries of a list change places: `before` and `after` are the texts that identify the entries. */
  readonly isOrder?: true
  /** True if the comments of the object differ, with `--comments`. `before` and `after` are the comments. */
  readonly isComment?: true
}

/** A package in which the objects of a group change. */
export interface ChangePlace {
  readonly cluster: string
  /** The folder of the package, REPOSITORY/PACKAGE. */
  readonly package: string
  readonly variant?: string
  readonly set?: string
  /** The ring of the cluster in the set. */
  readonly ring?: string
  /** The names and fields of this place, in the order of the group, where the group has patterns. */
  readonly objects?: readonly Omit<ChangedObject, 'before' | 'after'>[]
  readonly fields?: readonly ChangedField[]
}

export type CauseKind =
  | 'set' /** A field of a set, or of a PackageVariant that no set owns. */
  | 'expression' /** An expression of a set: its text, or an input of it. */
  | 'target' /** A set asks for a variant, or no longer does. */
  | 'context' /** An object that is injected. */
  | 'upstream' /** Another upstream revision, or other content of the same one. */
  | 'function' /** A function of the pipeline. */
  | 'edit' /** An edit in the package itself. */
  | 'not-rendered' /** The package of FROM was not rendered, or not since its inputs changed: rendering it makes the change. */
  | 'options' /** The options of render-variants. */

export interface ChangeCause extends CauseInput {
  readonly kind: CauseKind
  /** The expression that gives the value, and what its inputs are in some of the places. */
  readonly expression?: string
  readonly inputs?: readonly CauseInput[]
  /** Other lines that explain the change: of the upstream package, the changed line. */
  readonly details?: readonly CauseInput[]
}

export interface CauseInput {
  /** A clause without its place: `catalog/tills 3 → 4`, `ServiceEndpoints north-endpoints changed`. */
  readonly text: string
  /** The line that caused the change, in the later state; for something that is gone, in the earlier state. */
  readonly file?: string
  readonly line?: number
}

/** A danger of applying a change: a rule of src/rules/dangers. */
export interface Danger {
  readonly rule: string
  /** `notice`: for a reviewer to judge, and no danger for `--fail-on danger`. */
  readonly severity?: 'notice'
  /** A clause: `the volume claim is deleted, and with it its data`. */
  readonly text: string
  /** The path of the field, if the danger is about one. */
  readonly path?: string
}

/** The end of an object that leaves its package, by its deployer. */
export interface ObjectRemoval {
  readonly by: 'Flux' | 'Argo CD' | 'Config Sync'
  /** True if the deployer deletes the object; else the object stays in the cluster, and no program cares for it. */
  readonly isPruned: boolean
  /** A clause: `Flux leaves it in the cluster: its Kustomization does not have `prune: true``. */
  readonly text: string
}

/** The number of times that a danger was found. */
export interface DangerCount {
  readonly rule: string
  readonly severity?: 'notice'
  /** A phrase: `2 volume claims deleted`, `5 of 11 clusters of set fleet/tills change at once`. */
  readonly text: string
  /** The number of objects in clusters; of `wide-change`, the number of clusters. */
  readonly count: number
  /** The ids of the groups; empty for `wide-change`, which is about a set. */
  readonly groups: readonly string[]
  /** NAMESPACE/NAME of the set of a `wide-change`. */
  readonly set?: string
}
