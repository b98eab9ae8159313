import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { recordsAt } from '../records-at.ts'
import type { WrittenResource } from '../written-resource.ts'
import { jsonOfKptfile, objectsOf } from './package-objects.ts'
import type { MutationVector } from './vector.ts'

type Input = MutationVector['input']

const FUNCTION_FIELDS = ['name', 'image', 'exec', 'tag', 'configPath', 'configMap', 'selectors', 'exclude']

/** Own functions in the Kptfile whose names have more than four parts. */
export function dottedFunctions(input: Input): readonly JsonRecord[] {
  const variant = isRecord(input.variant.metadata) ? String(input.variant.metadata.name) : ''
  const existing = recordsAt(jsonOfKptfile(input), ['mutators', 'validators'])
  return existing.filter(
    ({ name }) => String(name).startsWith(`PackageVariant.${variant}.`) && String(name).split('.').length > PARTS_OF_NAME,
  )
}

const PARTS_OF_NAME = 4

/** Lists of functions that are ours once the own functions with dots, which the controller left there, are taken out. */
export function isPile({ what, expected, actual }: Difference, dotted: readonly JsonRecord[]): boolean {
  if (!/^Kptfile: \[0\]\.pipeline(?:\.mutators|\.validators)?$/.test(what)) return false
  const theirs = listsOf(expected).map((list) => without(list, dotted))
  return equalJson(
    theirs.filter((list) => list.length > 0),
    listsOf(actual),
  )
}

/** The list without the last that is equal to each. */
function without(list: readonly JsonValue[], entries: readonly JsonRecord[]): readonly JsonValue[] {
  const left = [...list]
  for (const entry of entries) {
    const place = left.findLastIndex((each) => equalJson(each, entry))
    if (place !== -1) left.splice(place, 1)
  }
  return left
}

/** A list of functions, or those of a pipeline. */
function listsOf(value: JsonValue | undefined): readonly (readonly JsonValue[])[] {
  if (Array.isArray(value)) return [value]
  return isRecord(value) ? ['mutators', 'validators'].flatMap((key) => listsOf(lookup(value, key))) : []
}

/** The places of functions that kpt would refuse: `spec.pipeline.mutators[0]`. */
export function refusedFunctions(input: Input): readonly string[] {
  const pipeline = isRecord(input.variant.spec) ? lookup(input.variant.spec, 'pipeline') : undefined
  return ['mutators', 'validators'].flatMap((list) => {
    const functions = isRecord(pipeline) ? lookup(pipeline, list) : undefined
    const entries = Array.isArray(functions) ? functions.map((fn: JsonValue) => (isRecord(fn) ? fn : {})) : []
    return entries.flatMap((fn, index) => (isRefused(fn, input) ? [`spec.pipeline.${list}[${index}]`] : []))
  })
}

function isRefused(fn: JsonRecord, input: Input): boolean {
  const { image = '', exec = '', configPath, configMap } = fn
  const hasUnknown = Object.keys(fn).some((key) => !FUNCTION_FIELDS.includes(key))
  const hasNoFile = configPath !== undefined && !hasFile(objectsOf(input), String(configPath))
  return hasUnknown || hasNoFile || (configPath !== undefined && configMap !== undefined) || (image === '' && exec === '')
}

function hasFile(objects: readonly WrittenResource[], path: string): boolean {
  return objects.some((object) => object.path === path)
}
