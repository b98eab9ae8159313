import type { FieldPath } from '../field-path.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup, recordsOf } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { duplicateKeyFaults } from '../schema/document-faults.ts'
import { type Fault, faultToResult } from '../schema/fault.ts'
import { wrongKptfileField } from './kptfile-upstream.ts'

/** The two lists of a Kptfile's pipeline (kpt.dev/v1 Pipeline). */
export type PipelineStage = 'mutators' | 'validators'

/** A list of maps in a Kptfile that the mutations of a variant edit. */
export interface KptfileList {
  readonly path: FieldPath
  /** The field that identifies an entry: a string, if the entry has the field. */
  readonly key: string
  /** True if null is read as an empty list. The lists of the pipeline must not be null (docs/porch.md 32). */
  readonly nullable: boolean
}

export const PIPELINE_LISTS: Readonly<Record<PipelineStage, KptfileList>> = {
  mutators: { path: ['pipeline', 'mutators'], key: 'name', nullable: false },
  validators: { path: ['pipeline', 'validators'], key: 'name', nullable: false },
}

export const READINESS_GATES: KptfileList = { path: ['info', 'readinessGates'], key: 'conditionType', nullable: true }
export const CONDITIONS: KptfileList = { path: ['status', 'conditions'], key: 'type', nullable: true }

/**
 * Checks that the lists of a Kptfile hold maps. A missing list is valid.
 *
 * @throws FunctionError  with every value of another type, every duplicate key of the Kptfile, and aliases, which are never expanded
 */
export function checkKptfileLists(kptfile: KrmObject, lists: readonly KptfileList[]): void {
  const faults = [...duplicateKeyFaults(kptfile), ...lists.flatMap((list) => listFaults(kptfile, list))]
  const distinct = faults.filter(({ path }, index) => faults.findIndex((other) => equalJson(other.path, path)) === index)
  if (distinct.length > 0) throw new FunctionError(distinct.map((fault) => faultToResult(kptfile, fault)))
}

/** Returns the entries of a list of a Kptfile that are maps, with all their fields; an empty list if the Kptfile has no such list. */
export function kptfileEntries(kptfile: KrmObject, { path }: KptfileList): readonly JsonRecord[] {
  return recordsOf(kptfile.get(path))
}

function listFaults(kptfile: KrmObject, { path, key, nullable }: KptfileList): Fault[] {
  const holder = kptfile.get(path.slice(0, -1))
  if (holder === undefined || holder === null) return []
  if (!isRecord(holder)) return [wrongKptfileField(path.slice(0, -1), 'a map', holder)]
  const list = kptfile.get(path)
  if (list === undefined || (list === null && nullable)) return []
  if (!Array.isArray(list)) return [wrongKptfileField(path, 'a list', list)]
  return list.flatMap((entry, index) => entryFaults(entry, [...path, index], key))
}

function entryFaults(entry: JsonValue, path: FieldPath, key: string): Fault[] {
  if (!isRecord(entry)) return [wrongKptfileField(path, 'a map', entry)]
  const name = lookup(entry, key)
  return name === undefined || typeof name === 'string' ? [] : [wrongKptfileField([...path, key], 'a string', name)]
}
