import { compareText, type FieldPath } from '../../field-path.ts'
import { lookup } from '../../json.ts'
import { CONDITIONS, checkKptfileLists, kptfileEntries, READINESS_GATES } from '../../kinds/kptfile.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { InjectionPoint } from './injection-point.ts'
import type { SourceSelection } from './select-source.ts'

/** An injection point with the source that was selected for the point. */
export interface SettledPoint {
  readonly point: InjectionPoint
  readonly selection: SourceSelection
}

/** The fields of a Kptfile's condition that Porch's controller writes; the controller writes no time (kpt.dev/v1 Condition). */
interface Condition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly message: string
  readonly reason: 'ConfigInjected' | 'NoResourceSelected'
}

/**
 * Writes a condition for each point and a readiness gate for each required point into the Kptfile. Existing entries keep their places;
 * new entries follow, sorted by type (docs/porch.md 4, 5).
 *
 * @throws FunctionError  if gates or conditions are not lists of maps
 */
export function writeInjectionStatus(kptfile: KrmObject, settled: readonly SettledPoint[]): void {
  checkKptfileLists(kptfile, [READINESS_GATES, CONDITIONS])
  const sorted = [...settled].sort((a, b) => compareText(a.point.conditionType, b.point.conditionType))
  writeGates(
    kptfile,
    sorted.flatMap(({ point }) => (point.required ? [point.conditionType] : [])),
  )
  writeConditions(
    kptfile,
    sorted.map(({ point, selection }) => conditionOf(point, selection)),
  )
}

function writeGates(kptfile: KrmObject, types: readonly string[]): void {
  const { path, key } = READINESS_GATES
  const there = kptfileEntries(kptfile, READINESS_GATES)
  const known = new Set(there.map((gate) => lookup(gate, key)))
  const missing = types.filter((type) => !known.has(type))
  for (const [index, type] of missing.entries()) kptfile.set([...path, there.length + index], { [key]: type })
}

function writeConditions(kptfile: KrmObject, conditions: readonly Condition[]): void {
  const { path, key } = CONDITIONS
  const there = kptfileEntries(kptfile, CONDITIONS)
  // Of two conditions with one type, the first is updated.
  const places = new Map(there.map((other, place) => [lookup(other, key), place] as const).reverse())
  for (const condition of conditions) {
    const place = places.get(condition.type)
    if (place !== undefined) updateCondition(kptfile, [...path, place], condition)
  }
  const added = conditions.filter(({ type }) => !places.has(type))
  for (const [index, condition] of added.entries()) kptfile.set([...path, there.length + index], { ...condition })
}

function updateCondition(kptfile: KrmObject, path: FieldPath, { status, message, reason }: Condition): void {
  for (const [field, text] of Object.entries({ status, message, reason })) kptfile.set([...path, field], text)
}

function conditionOf({ conditionType: type }: InjectionPoint, selection: SourceSelection): Condition {
  return selection.met
    ? { type, status: 'True', message: `injected resource "${selection.source.name}" from cluster`, reason: 'ConfigInjected' }
    : { type, status: 'False', message: selection.message, reason: 'NoResourceSelected' }
}
