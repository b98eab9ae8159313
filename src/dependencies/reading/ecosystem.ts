import type { FieldPath } from '../../field-path.ts'
import type { JsonRecord, JsonValue } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Finding } from '../finding.ts'
import type { BroughtObject } from '../owners.ts'
import type { KindOfApi, KindProvider, Package, PackageIndex, PackageTable, ServedKinds } from '../package-index.ts'
import type { ControllerInput, Plan, Step } from '../plan/plan.ts'
import type { RangeReader } from '../range.ts'
import type { CatalogPackage } from './catalog.ts'
import { type GroupKind, RESOLVED_ANNOTATION } from './object-metadata.ts'

/** A kind that a package brings. */
export interface ProvidedKind extends KindProvider, KindOfApi {
  /** True if the package is installed. */
  readonly installed: boolean
}

/** The objects of one ecosystem, as read. */
export interface ReadEcosystem {
  /** The package index; absent in an ecosystem without ranges of versions. */
  readonly index?: PackageIndex
  /** Returns the findings on the objects themselves. Called at most once. */
  findings(): readonly Finding[]
  /** Returns only the findings that may make doubtful what is required, or which object is which package. Called instead of `findings`. */
  faults(): readonly Finding[]
  /** Returns a finding for each field that people changed in an object that was made to meet a requirement. */
  edits?(): readonly Finding[]
  readonly provided: readonly ProvidedKind[]
  readonly brought: readonly BroughtObject[]
  /** The resolution, in an ecosystem whose packages are installed by objects. */
  readonly controller?: PackageController
}

/** The resolution of one ecosystem: the steps of its own operator, and the objects that steps become. */
export interface PackageController {
  readonly writer: Writer
  /** Returns the steps that the operator itself would take. */
  installMissing(input: ControllerInput): Plan
  /** Returns the steps of one reconcile of each controller. */
  reconcile?(kinds: ServedKinds): Reconciliation
  /** Returns the reason why the admission would refuse the change from `before` to these objects; undefined if the change is admitted. */
  refusal?(before: PackageIndex): string | undefined
}

/** The options that every reader gets. */
export interface ReadOptions {
  /** True if packages that are not among items and catalogs are not installed and not known. */
  readonly closed: boolean
  readonly kubernetesVersion?: string | undefined
  /** Returns true for a package, by its ecosystem and id, that the cluster has though no object shows it. */
  readonly isProvided?: ((ecosystem: string, id: string) => boolean) | undefined
}

/** Returns the part of a package index that every ecosystem has of its table, of the dialect of its reader and of the options. */
export function indexOn(
  ecosystem: string,
  { reader: { dialect }, table }: { readonly reader: RangeReader; readonly table: PackageTable },
  { closed, isProvided }: ReadOptions,
) {
  return {
    ecosystem,
    dialect: dialect.name,
    compare: dialect.compare,
    installs: table.installs,
    owns: table.owns,
    closed,
    isProvided: ({ id, installs }: Package) => installs.length === 0 && isProvided?.(ecosystem, id) === true,
  }
}

/** A package manager or registry whose packages are read. `Options` are its own options beside the shared ones. */
export interface Ecosystem<Options = object> {
  /** The id, as in catalogs and the tags of results. */
  readonly id: string
  /** The API groups of its own kinds: they are applied before a package, or never. */
  readonly groups: RegExp
  /** Groups of others that it reads beside its own. */
  readonly groupsBeside?: ReadonlySet<string>
  /** Returns true for an object of any other group that may install a package. */
  readonly mayInstall?: (object: KrmObject) => boolean
  /** Kinds whose objects end as CustomResourceDefinitions. */
  readonly definitions?: readonly GroupKind[]
  /** Returns the name of an object that only one package may bring, such as `Composition NAME`; definitions need none. */
  readonly contentName?: (object: KrmObject) => string | undefined
  read(objects: readonly KrmObject[], catalog: readonly CatalogPackage[], options: ReadOptions & Options): ReadEcosystem
}

/** The steps and findings of one reconcile of each controller of one ecosystem. */
export interface Reconciliation {
  readonly steps: readonly ControllerStep[]
  /** The reports of the controllers, and the faults that keep their steps from being predicted. */
  readonly findings: readonly Finding[]
  /**
   * The steps on objects that only a cluster has: what runs packages, permissions, the records of the package manager. A simulation takes
   * them; a function that writes to files does not.
   */
  readonly clusterSteps?: readonly ControllerStep[]
  /** The reports on what `clusterSteps` are about. */
  readonly clusterFindings?: readonly Finding[]
  /** The state of the packages before the steps, for a person to read. */
  readonly packages: readonly PackageSummary[]
}

/** A package and its parts. */
export interface PackageSummary {
  /** `Provider helm` */
  readonly name: string
  /** The requested version and the place of the package. */
  readonly at: string
  /** `helm-1 Active, revision 1, current` */
  readonly parts: readonly string[]
}

/** One step of a controller, with its edits of objects. */
export interface ControllerStep {
  /** `ProviderRevision helm-1 becomes Inactive` */
  readonly what: string
  /** `every revision but the current one is Inactive` */
  readonly why: string
  readonly edits: readonly ObjectEdit[]
}

/** Returns the step that sets fields of one object. */
export function setStep(object: KrmObject, fields: readonly NewFieldValue[], what: string, why: string): ControllerStep {
  return { what, why, edits: [{ type: 'set', object, fields }] }
}

/** Writes the steps of a plan as objects of one ecosystem. Steps are written in order, a parent before the packages that it requires. */
export interface Writer {
  /**
   * Returns the object that installs the package of a step.
   *
   * @param near  the object beside which it is written, if there is one
   */
  create(step: Step, near: KrmObject | undefined): WrittenObject
  /** Returns the fields that a step changes in the existing object. */
  update(step: Step): readonly NewFieldValue[]
}

/** A new object, or the reason why there is none, as a clause. */
export type WrittenObject = { readonly object: JsonRecord } | { readonly fault: string }

/** An edit of the objects of a list. */
export type ObjectEdit =
  | { readonly type: 'add'; readonly object: JsonRecord; readonly near: KrmObject | undefined }
  | { readonly type: 'set'; readonly object: KrmObject; readonly fields: readonly NewFieldValue[] }
  | { readonly type: 'remove'; readonly object: KrmObject }

export interface NewFieldValue {
  readonly path: FieldPath
  /** The new value; undefined removes the field. */
  readonly value: JsonValue | undefined
}

/** Returns the fields that move the object of an install to the version of a step, with the mark of a generated object. */
export function movedFields({ install, version }: Step): readonly NewFieldValue[] {
  if (install === undefined || version === install.text) return []
  const mark = { path: ['metadata', 'annotations', RESOLVED_ANNOTATION], value: version }
  return [...(install.generated ? [mark] : []), { path: install.place.path, value: install.fieldFor(version) }]
}
