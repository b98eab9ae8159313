import type { VariantChange } from '../../src/fleet/change.ts'
import { mergeConditions } from '../../src/fleet/conditions.ts'
import { DELETION_LIMIT_TEXT, readDeletionLimit } from '../../src/fleet/deletion-guard.ts'
import { DEFAULT_OPTIONS, type FleetOptions } from '../../src/fleet/options.ts'
import { addMarks, ownerMetadata } from '../../src/fleet/ownership.ts'
import { type FleetPlan, planFanOutInSteps, type SetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { RenderedVariant } from '../../src/fleet/templates/rendered-variant.ts'
import { groupBy } from '../../src/group-by.ts'
import { equalJson, type JsonRecord } from '../../src/json.ts'
import { finish, type Steps } from '../../src/progress.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { newDocumentText, type ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, hasErrors } from '../../src/result.ts'
import { readerFor } from '../../src/schema/config-map-pairs.ts'
import { oneOf, readTextOptions, type TextOptions, TRUE_OR_FALSE } from '../../src/schema/read-text-options.ts'
import { decode } from '../../src/schema/validate.ts'
import { folderPrefix } from '../../src/variant/list-packages.ts'
import { PACKAGE_VARIANT_API } from '../../src/well-known.ts'
import { FAN_OUT_SCHEMA, type FanOutFields } from './schema.ts'

/**
 * Makes the PackageVariants of every PackageVariantSet of the list (seed 000, Fan Out of Variant Generation; seed 001).
 *
 * @param plan  what `planAsConfigured` says of the list, where it was already asked
 * @param take  takes a new variant instead of the list, or returns false: the text of a variant that is taken is made when it is asked for
 * @throws FunctionError when the functionConfig has faults, or the plan errors
 */
export function fanOut(list: ResourceList, plan = planAsConfigured(list), take: TakeVariant = () => false): void {
  const { status } = decodeFanOutConfig(list.functionConfig)
  const { sets, results } = plan
  if (hasErrors(results)) throw new FunctionError(results)
  for (const { changes } of sets) for (const change of changes) remove(change, list)
  for (const set of sets) {
    for (const change of set.changes) update(change, set.owner)
    for (const variant of newVariants(set, take)) list.upsert(variant.value, variant.path, variant.near)
    if (status && set.isItem) writeConditions(set)
  }
  list.results.push(...results)
}

/**
 * Returns the changes that the function would make to a list, under the options in the list's functionConfig.
 *
 * @throws FunctionError when the functionConfig has faults
 */
export function planAsConfigured(list: ResourceList): FleetPlan {
  return finish(planInSteps(list))
}

/** Returns the plan of `planAsConfigured` in steps, one for each variant. */
export function planInSteps(list: ResourceList): Steps<FleetPlan> {
  return planFanOutInSteps(list, decodeFanOutConfig(list.functionConfig))
}

/**
 * Removes a variant from the list. All removals precede the additions: a new variant may have the name of a removed one, even of another
 * set.
 */
function remove({ op, existing }: VariantChange, list: ResourceList): void {
  if (existing !== undefined && (op === 'remove' || op === 'rename')) list.remove(existing.object)
}

function update({ op, existing, after, addsMarks }: VariantChange, owner: SetPlan['owner']): void {
  if (op !== 'update' || existing === undefined || after === undefined) return
  existing.object.set(['spec'], after)
  if (addsMarks) addMarks(existing.object, owner)
}

/** Takes a new variant. Returns false to leave the variant to the list. */
export type TakeVariant = (variant: NewVariant) => boolean

/** A new variant of a set. Its object is made when it is asked for, since a fleet may have a million new variants. */
export class NewVariant {
  readonly name: string
  /** The rendered template, which has the downstream and the upstream of the variant. */
  readonly why: RenderedVariant
  /** The set that asks for the variant. All new variants of a set are in one folder. */
  readonly set: SetPlan
  readonly #place: NewPlace

  constructor({ name }: VariantChange, why: RenderedVariant, set: SetPlan, place: NewPlace) {
    this.name = name
    this.why = why
    this.set = set
    this.#place = place
  }

  /** The file of the variant. */
  get path(): string {
    return `${this.#place.folder}${this.name}.yaml`
  }

  /** The item that the variant follows in the list; undefined for the end of the list. */
  get near(): KrmObject | undefined {
    return this.#place.near
  }

  get value(): JsonRecord {
    const metadata = ownerMetadata(this.name, this.set.object.namespace, this.set.owner)
    return { apiVersion: PACKAGE_VARIANT_API, kind: 'PackageVariant', metadata, spec: this.why.spec }
  }

  /** Returns the object as a list of documents would have it, the first of its file. */
  toObject(): KrmObject {
    return KrmObject.made(newDocumentText(this.value), 'document', { path: this.path, index: 0, line: 1 })
  }
}

/** Yields the new variants of a set that are left to the list. */
function* newVariants(set: SetPlan, take: TakeVariant): Generator<NewVariant> {
  const place = placeForNew(set)
  for (const change of set.changes) {
    const { op, why } = change
    if (why === undefined || (op !== 'create' && op !== 'rename')) continue
    const variant = new NewVariant(change, why, set, place)
    if (!take(variant)) yield variant
  }
}

/** The place for the files of new variants. */
interface NewPlace {
  /** Ends with a slash; '' for the top folder. */
  readonly folder: string
  /** An item of the package that the new variants belong to. */
  readonly near: KrmObject | undefined
}

/**
 * Returns the folder that holds most variants of a set. Without variants it is `variants/SET` below the folder of the set, if that folder
 * is known, else below the package's. The set's folder is unknown when the set is the functionConfig: kpt sends the functionConfig without
 * its path, and not among the items.
 */
function placeForNew({ object, owner, isItem, changes }: SetPlan): NewPlace {
  const existing = changes.flatMap((change) => change.existing?.object ?? [])
  const inFiles = existing.filter(({ file }) => file !== undefined)
  const byFolder = groupBy(inFiles, (variant) => JSON.stringify([variant.packagePath, folderPrefix(variant)]))
  const [first, ...others] = byFolder.values()
  const most = first && others.reduce((largest, group) => (group.length > largest.length ? group : largest), first)[0]
  if (most !== undefined) return { folder: folderPrefix(most), near: most }
  return { folder: `${folderPrefix(object)}variants/${owner.name}/`, near: isItem ? object : undefined }
}

/** Writes the conditions of a set after its plan (seed 001, Reconciliation Flow). */
export function writeConditions({ object, conditions }: Pick<SetPlan, 'object' | 'conditions'>): void {
  const existing = object.get(['status', 'conditions'])
  const merged = mergeConditions(existing, conditions)
  if (!equalJson(existing, merged)) object.set(['status', 'conditions'], merged)
}

const OPTIONS: TextOptions<FanOutFields> = {
  allowEmpty: TRUE_OR_FALSE,
  maxDeletions: DELETION_LIMIT_TEXT,
  lookups: oneOf('optional', 'required'),
  status: TRUE_OR_FALSE,
}

/** The options of the function: those of the plan, and what it writes besides. */
interface FanOutOptions extends FleetOptions {
  /** True to write `status.conditions` of each set. */
  readonly status: boolean
}

const OPTIONS_OF: Readonly<Record<string, (config: KrmObject) => FanOutFields>> = {
  FanOut: (config) => decode(config, { schema: FAN_OUT_SCHEMA }).value.spec ?? {},
  ConfigMap: decodeOptionsMap,
  PackageVariantSet: () => ({}),
  PackageVariantMatrix: () => ({}),
}

/**
 * Returns the options in a functionConfig: a FanOut, a ConfigMap of texts, or none. A PackageVariantSet or PackageVariantMatrix has no
 * options: the functionConfig is then a set to fan out.
 *
 * @throws FunctionError with every fault of the functionConfig
 */
export function decodeFanOutConfig(config: KrmObject | undefined): FanOutOptions {
  if (config === undefined) return { ...DEFAULT_OPTIONS, status: false }
  const { maxDeletions, ...fields } = readerFor(config, OPTIONS_OF)(config)
  return {
    ...DEFAULT_OPTIONS,
    status: false,
    config,
    ...fields,
    ...(maxDeletions !== undefined && { maxDeletions: readDeletionLimit(maxDeletions) }),
  }
}

/**
 * Returns the options in a ConfigMap.
 *
 * @throws FunctionError with every fault of the ConfigMap
 */
function decodeOptionsMap(config: KrmObject): FanOutFields {
  return readTextOptions(config, 'fan-out', OPTIONS)
}
