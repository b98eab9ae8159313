import type { FieldPath } from '../field-path.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { describeValue } from '../schema/describe-value.ts'
import { duplicateKeyFaults } from '../schema/document-faults.ts'
import { type Fault, faultToResult } from '../schema/fault.ts'

/** The two lists of a Kptfile's pipeline (kpt.dev/v1 Pipeline). */
export type PipelineStage = 'mutators' | 'validators'

/** A list of maps in a Kptfile that a variant's mutations edit. */
export interface KptfileList {
  readonly path: FieldPath
  /** The field that tells its entries apart: a string, where it is there. */
  readonly key: string
  /** Whether null is read as no entries; the pipeline's lists are not (docs/porch.md 32). */
  readonly nullable: boolean
}

export const PIPELINE_LISTS: Readonly<Record<PipelineStage, KptfileList>> = {
  mutators: { path: ['pipeline', 'mutators'], key: 'name', nullable: false },
  validators: { path: ['pipeline', 'validators'], key: 'name', nullable: false },
}

export const READINESS_GATES: KptfileList = { path: ['info', 'readinessGates'], key: 'conditionType', nullable: true }
export const CONDITIONS: KptfileList = { path: ['status', 'conditions'], key: 'type', nullable: true }

/**
 * Makes sure that lists of a Kptfile hold maps, where they are there at all.
 *
 * @throws FunctionError  with every value of another type, and every key that stands twice anywhere in the Kptfile; and for aliases, which are never expanded
 */
export function checkKptfileLists(kptfile: KrmObject, lists: readonly KptfileList[]): void {
  const faults = [...duplicateKeyFaults(kptfile), ...lists.flatMap((list) => listFaults(kptfile, list))]
  const distinct = faults.filter(({ path }, index) => faults.findIndex((other) => equalJson(other.path, path)) === index)
  if (distinct.length > 0) throw new FunctionError(distinct.map((fault) => faultToResult(kptfile, fault)))
}

/** The entries of a list of a Kptfile, none where it is not there. Fields that nobody here knows stay in them. */
export function kptfileEntries(kptfile: KrmObject, { path }: KptfileList): readonly JsonRecord[] {
  const value = kptfile.get(path)
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function listFaults(kptfile: KrmObject, { path, key, nullable }: KptfileList): Fault[] {
  const holder = kptfile.get(path.slice(0, -1))
  if (holder === undefined || holder === null) return []
  if (!isRecord(holder)) return [wrongType(path.slice(0, -1), 'a map', holder)]
  const list = kptfile.get(path)
  if (list === undefined || (list === null && nullable)) return []
  if (!Array.isArray(list)) return [wrongType(path, 'a list', list)]
  return list.flatMap((entry, index) => entryFaults(entry, [...path, index], key))
}

function entryFaults(entry: JsonValue, path: FieldPath, key: string): Fault[] {
  if (!isRecord(entry)) return [wrongType(path, 'a map', entry)]
  const name = lookup(entry, key)
  return name === undefined || typeof name === 'string' ? [] : [wrongType([...path, key], 'a string', name)]
}

function wrongType(path: FieldPath, allowed: string, found: JsonValue): Fault {
  return { severity: 'error', rule: 'kptfile', path, message: `must be ${allowed} in a Kptfile, got ${describeValue(found)}` }
}
