import { asRecord, isRecord, type JsonRecord, type JsonValue, scalarText } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { asQuestion, nearestName } from '../schema/nearest-name.ts'
import type { SyncOptions } from './options.ts'

/** The objects of a list for which removals are judged. */
export interface RemovalScene {
  /** The objects of the GenerateSync that the fleet does not need. */
  readonly left: readonly KrmObject[]
  /** The names of the objects that the fleet needs. */
  readonly wanted: ReadonlySet<string>
  /** The other objects as they will be, and those that are removed too. */
  readonly values: ReadonlyMap<KrmObject, JsonRecord>
}

/**
 * Returns an error for each object in the option `remove` that an object needs which stays, and a warning for each name of no object that
 * can be removed. Flux applies nothing from a source that is gone, and waits for ever for a Kustomization that is gone.
 */
export function removalFaults({ left, wanted, values }: RemovalScene, options: SyncOptions): readonly Result[] {
  const goes = left.filter(({ name = '' }) => options.remove.has(name))
  const stays = [...values].filter(([object]) => !goes.includes(object)).map(([, value]) => value)
  const needs = stays.map((value) => ({ name: nameOf(value), references: referencesOf(value) }))
  const names = left.map(({ name = '' }) => name)
  return [
    ...goes.flatMap((object) => {
      const key = fluxKey(object.toJson())
      const users = needs.filter(({ references }) => references.includes(key)).map(({ name }) => name)
      return users.length === 0 ? [] : [neededFault(object, users, options)]
    }),
    ...[...options.remove].filter((name) => !names.includes(name)).map((name) => unknownName(name, { names, wanted }, options)),
  ]
}

function neededFault({ name = '', kind = '' }: KrmObject, users: readonly string[], { config }: SyncOptions): Result {
  const message = `must not name ${kind} '${name}' without what needs it: ${users.join(', ')}`
  return faultToResult(config, { severity: 'error', rule: 'sync-needed', path: placeOf(name, config), message })
}

function unknownName(
  name: string,
  { names, wanted }: { readonly names: readonly string[]; readonly wanted: ReadonlySet<string> },
  { config }: SyncOptions,
): Result {
  const why = wanted.has(name) ? ', which the fleet needs' : asQuestion(nearestName(name, names))
  const message = `must be the name of a sync object that the fleet does not need, else nothing is removed; got ${quoteText(name)}${why}`
  return faultToResult(config, { severity: 'warning', rule: 'sync-remove', path: placeOf(name, config), message })
}

function placeOf(name: string, config: KrmObject): readonly (string | number)[] {
  return ['spec', 'remove', listOf(config.get(['spec', 'remove'])).indexOf(name)]
}

/** Returns what an object of Flux needs: the source that it reads, and the objects of its kind that must be ready first. */
function referencesOf(value: JsonRecord): readonly string[] {
  const spec = asRecord(value.spec)
  const namespace = scalarText(asRecord(value.metadata).namespace)
  const chart = asRecord(asRecord(spec.chart).spec)
  const sources = [spec.sourceRef, spec.chartRef, chart.sourceRef].filter(isRecord)
  const others = listOf(spec.dependsOn).map((other): JsonRecord => ({ ...asRecord(other), kind: scalarText(value.kind) }))
  if (!groupOf(scalarText(value.apiVersion)).endsWith(FLUX)) return []
  return [...sources, ...others].map((reference) => keyOf({ namespace, ...reference }))
}

const FLUX = '.toolkit.fluxcd.io'

function fluxKey({ apiVersion, kind, metadata }: JsonRecord): string {
  return groupOf(scalarText(apiVersion)).endsWith(FLUX) ? keyOf({ ...asRecord(metadata), kind: scalarText(kind) }) : ''
}

function keyOf({ kind, namespace, name }: JsonRecord): string {
  return [kind, namespace, name].map((part) => scalarText(part)).join(' ')
}

function nameOf({ kind, metadata }: JsonRecord): string {
  return `${scalarText(kind)} '${scalarText(asRecord(metadata).name)}'`
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
