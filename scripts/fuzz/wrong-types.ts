import { readdirSync, readFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'
import { checkDependencies } from '../../functions/check-dependencies/check-dependencies.ts'
import { fanOut } from '../../functions/fan-out/fan-out.ts'
import { injectConfig } from '../../functions/inject-config/inject-config.ts'
import { prependPipeline } from '../../functions/prepend-pipeline/prepend-pipeline.ts'
import { renderVariants } from '../../functions/render-variants/render-variants.ts'
import { resolveDependencies } from '../../functions/resolve-dependencies/resolve-dependencies.ts'
import { setContext } from '../../functions/set-context/set-context.ts'
import { type FieldPath, formatFieldPath } from '../../src/field-path.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../../src/json.ts'
import { evaluate, type KrmFunction } from '../../src/run.ts'
import { randomFrom } from './random.ts'
import { type FuzzOutcome, type FuzzTarget, runCases } from './target.ts'

/** Each function, and the folder of its golden cases. */
const FUNCTIONS: readonly { readonly fn: KrmFunction; readonly cases: string }[] = [
  { fn: checkDependencies, cases: 'testdata/check-dependencies' },
  { fn: fanOut, cases: 'testdata/fan-out' },
  { fn: injectConfig, cases: 'testdata/inject-config' },
  { fn: prependPipeline, cases: 'testdata/prepend-pipeline' },
  { fn: renderVariants, cases: 'testdata/render-variants' },
  { fn: resolveDependencies, cases: 'testdata/resolve-dependencies' },
  { fn: setContext, cases: 'testdata/set-context' },
]

/** A value of each type. */
const VALUES: readonly JsonValue[] = [null, true, 7.5, 'text', ['text'], { key: 'value' }]

/**
 * Every field of every golden input, replaced by a value of each other type: that is a result or is ignored, never an exception and
 * never text made of an object. A full run has all of them, a shorter one picks some.
 */
export const wrongTypes: FuzzTarget = {
  name: 'wrong-types',
  count: 1_000_000,
  run(count, seed): FuzzOutcome {
    const all = FUNCTIONS.flatMap(({ fn, cases }) => readdirSync(cases).flatMap((name) => mutantsOf(`${cases}/${name}/input.yaml`, fn)))
    const random = randomFrom(seed)
    const isAll = count >= all.length
    const outcome = runCases(isAll ? all.length : count, (index) => failuresOf(isAll ? all[index] : random.pick(all)))
    return { ...outcome, note: isAll ? `all ${all.length} fields and types` : `of ${all.length} fields and types` }
  },
}

/** One field of one input with a value of another type. */
interface Mutant {
  readonly fn: KrmFunction
  readonly file: string
  readonly list: JsonRecord
  readonly path: FieldPath
  readonly value: JsonValue
}

function mutantsOf(file: string, fn: KrmFunction): Mutant[] {
  const list = listIn(readFileSync(file, 'utf8'))
  return pathsBelow(list, []).flatMap(({ path, type }) =>
    VALUES.filter((value) => typeOf(value) !== type).map((value) => ({ fn, file, list, path, value })),
  )
}

/** A case may be about a text that is no list: nothing can be replaced in it. */
function listIn(text: string): JsonRecord {
  try {
    return parse(text, { uniqueKeys: false, logLevel: 'error' }) ?? {}
  } catch {
    return {}
  }
}

function pathsBelow(value: JsonValue | undefined, path: FieldPath): { path: FieldPath; type: string }[] {
  const children: readonly (readonly [string | number, JsonValue])[] = Array.isArray(value)
    ? value.map((child: JsonValue, i) => [i, child] as const)
    : isRecord(value)
      ? Object.entries(value)
      : []
  return children.flatMap(([key, child]) => [{ path: [...path, key], type: typeOf(child) }, ...pathsBelow(child, [...path, key])])
}

function typeOf(value: JsonValue): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
}

function replaced(value: JsonValue, [key, ...rest]: FieldPath, by: JsonValue): JsonValue {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((child: JsonValue, i) => (i === key ? replaced(child, rest, by) : child))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, name === key ? replaced(child, rest, by) : child]))
}

/** The text of a list: each item is written once, since a list shares all but one with the next. */
function listText(list: JsonValue): string {
  const parts = isRecord(list) ? Object.entries(list) : []
  return parts.map(([key, value]) => partText(key, value)).join('')
}

function partText(key: string, value: JsonValue): string {
  if (key === 'items' && Array.isArray(value) && value.length > 0) return `items:\n${value.map(itemText).join('')}`
  return writtenOnce(value, () => stringify({ [key]: value }, { lineWidth: 0 }))
}

function itemText(item: JsonValue): string {
  return writtenOnce(item, () => stringify([item], { lineWidth: 0 }))
}

const texts = new WeakMap<object, string>()

function writtenOnce(value: JsonValue, write: () => string): string {
  if (typeof value !== 'object' || value === null) return write()
  const text = texts.get(value) ?? write()
  texts.set(value, text)
  return text
}

// What no message of ours says of a user's value.
const TEXT_OF_NO_TEXT = /.{0,60}(\[object Object\]|\bundefined\b|\bNaN\b).{0,30}/
// Where a package has no name, two spaces are left; an object without a name is called by its kind alone.
const NAME_OF_NOTHING = /- message: .*\S( {2,}\S| ,).{0,30}/

function oddText(text: string, path: FieldPath): string | undefined {
  const [odd] = TEXT_OF_NO_TEXT.exec(text) ?? (path.includes('metadata') ? null : NAME_OF_NOTHING.exec(text)) ?? []
  return odd
}

function failuresOf(mutant: Mutant | undefined): string[] {
  if (mutant === undefined) return []
  const { fn, file, list, path, value } = mutant
  const where = `${file} ${formatFieldPath(path)} as ${JSON.stringify(value)}`
  try {
    const { stdout, stderr } = evaluate(fn, listText(replaced(list, path, value)))
    const odd = oddText(stdout, path) ?? oddText(stderr, path)
    return odd === undefined ? [] : [`${where}: ${odd}`]
  } catch (error) {
    return [`${where}: ${error instanceof Error ? error.stack : String(error)}`]
  }
}
