import { readdirSync, readFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'
import { checkDependencies } from '../../functions/check-dependencies/check-dependencies.ts'
import { checkPolicies } from '../../functions/check-policies/check-policies.ts'
import { fanOut } from '../../functions/fan-out/fan-out.ts'
import { injectConfig } from '../../functions/inject-config/inject-config.ts'
import { prependPipeline } from '../../functions/prepend-pipeline/prepend-pipeline.ts'
import { renderVariants } from '../../functions/render-variants/render-variants.ts'
import { resolveDependencies } from '../../functions/resolve-dependencies/resolve-dependencies.ts'
import { setContext } from '../../functions/set-context/set-context.ts'
import { type FieldPath, formatFieldPath } from '../../src/field-path.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../../src/json.ts'
import { evaluate, type KrmFunction } from '../../src/run.ts'
import { exampleList } from './example-list.ts'
import { randomFrom } from './random.ts'
import { type Replacement, replaced, replacementsIn } from './replaced-fields.ts'
import { type FuzzOutcome, type FuzzTarget, runCases } from './target.ts'

const VARIANT = 'package-variant.yaml'
const DEPENDENCIES = ['carvel', 'crossplane', 'four-ecosystems', 'glasskube', 'porch'].map((name) => `dependencies-${name}`)
const LIFECYCLES = ['lifecycles/crossplane', 'lifecycles/glasskube']

/** Each function, the folder of its golden cases, the examples it is for, and the file there with its config. */
const FUNCTIONS: readonly {
  readonly fn: KrmFunction
  readonly cases: string
  readonly examples: readonly string[]
  readonly config?: string
}[] = [
  { fn: checkDependencies, cases: 'testdata/check-dependencies', examples: DEPENDENCIES, config: 'check.yaml' },
  { fn: checkPolicies, cases: 'testdata/check-policies', examples: ['policies'] },
  { fn: fanOut, cases: 'testdata/fan-out', examples: ['fleet', 'fleet-of-packages'] },
  { fn: injectConfig, cases: 'testdata/inject-config', examples: ['inject-config', 'set-context-with-others'], config: VARIANT },
  { fn: prependPipeline, cases: 'testdata/prepend-pipeline', examples: ['prepend-pipeline', 'set-context-with-others'], config: VARIANT },
  { fn: renderVariants, cases: 'testdata/render-variants', examples: ['fleet', 'fleet-of-packages'], config: 'render.yaml' },
  { fn: resolveDependencies, cases: 'testdata/resolve-dependencies', examples: [...DEPENDENCIES, ...LIFECYCLES] },
  { fn: setContext, cases: 'testdata/set-context', examples: ['set-context', 'set-context-with-others'], config: VARIANT },
]

/**
 * Every field of every golden input and of every example, replaced by a value of each other type: that is a result or is ignored, never an
 * exception and never text made of an object. A full run has all of them, a shorter one picks some.
 */
export const wrongTypes: FuzzTarget = {
  name: 'wrong-types',
  count: 1_000_000,
  run(count, seed): FuzzOutcome {
    const inputs = FUNCTIONS.flatMap((each) => [...exampleInputs(each), ...goldenInputs(each)])
    if (count >= this.count) {
      const all = inputs.flatMap((read) => mutantsOf(read()))
      return { ...runCases(all.length, (index) => failuresOf(all[index])), note: `all ${all.length} fields and types` }
    }
    const random = randomFrom(seed)
    return runCases(count, () => {
      const mutants = mutantsOf(random.pick(inputs)())
      return mutants.length === 0 ? [] : failuresOf(random.pick(mutants))
    })
  },
}

/** The input of a function, and where it is from. */
interface Input {
  readonly fn: KrmFunction
  readonly from: string
  readonly list: JsonRecord
}

/** One field of one input with a value of another type. */
interface Mutant extends Input, Replacement {}

function mutantsOf(input: Input): Mutant[] {
  return replacementsIn(input.list).map((replacement) => ({ ...input, ...replacement }))
}

/** Reads an input when it is needed: a short run needs few of them. */
type ReadInput = () => Input

function goldenInputs({ fn, cases }: (typeof FUNCTIONS)[number]): ReadInput[] {
  const files = readdirSync(cases).map((name) => `${cases}/${name}/input.yaml`)
  return files.map((from) => () => ({ fn, from, list: listIn(readFileSync(from, 'utf8')) }))
}

function exampleInputs({ fn, examples, config }: (typeof FUNCTIONS)[number]): ReadInput[] {
  return examples.map((name) => () => ({ fn, from: `examples/${name}`, list: exampleList(`examples/${name}`, config) }))
}

/** A case may be about a text that is no list: nothing can be replaced in it. */
function listIn(text: string): JsonRecord {
  try {
    return parse(text, { uniqueKeys: false, logLevel: 'error' }) ?? {}
  } catch {
    return {}
  }
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

// What no message of ours says of a user's value; `undefined field 'x'` is the compiler's message about a misspelt field, in cel-go's
// words.
const TEXT_OF_NO_TEXT = /(\[object Object\]|\bundefined\b(?! field ')|\bNaN\b).{0,30}/
// Where a package has no name, two spaces are left; an object without a name is called by its kind alone.
const NAME_OF_NOTHING = /- message: .*\S( {2,}\S| ,).{0,30}/

function oddText(text: string, path: FieldPath): string | undefined {
  const odd = TEXT_OF_NO_TEXT.exec(text) ?? (path.includes('metadata') ? null : NAME_OF_NOTHING.exec(text))
  return odd === null ? undefined : text.slice(Math.max(0, odd.index - 60), odd.index + odd[0].length)
}

function failuresOf(mutant: Mutant | undefined): string[] {
  if (mutant === undefined) return []
  const { fn, from, list, path, value } = mutant
  const where = `${from} ${formatFieldPath(path)} as ${JSON.stringify(value)}`
  try {
    const { stdout, stderr } = evaluate(fn, listText(replaced(list, path, value)))
    const odd = oddText(stdout, path) ?? oddText(stderr, path)
    return odd === undefined ? [] : [`${where}: ${odd}`]
  } catch (error) {
    return [`${where}: ${error instanceof Error ? error.stack : String(error)}`]
  }
}
