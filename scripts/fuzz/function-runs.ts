import { readdirSync, readFileSync } from 'node:fs'
import { checkDependencies } from '../../functions/check-dependencies/check-dependencies.ts'
import { checkPolicies } from '../../functions/check-policies/check-policies.ts'
import { fanOut } from '../../functions/fan-out/fan-out.ts'
import { injectConfig } from '../../functions/inject-config/inject-config.ts'
import { prependPipeline } from '../../functions/prepend-pipeline/prepend-pipeline.ts'
import { renderVariants } from '../../functions/render-variants/render-variants.ts'
import { resolveDependencies } from '../../functions/resolve-dependencies/resolve-dependencies.ts'
import { setContext } from '../../functions/set-context/set-context.ts'
import { evaluate, type KrmFunction, type Outcome } from '../../src/run.ts'
import { allows, changeable, EFFECTS, type Effects } from './function-effects.ts'
import { goYaml, JS_YAML, type Judge } from './judge.ts'
import { differingKeys, identityOf, type JudgedItem, judgedItems, kindOf, text as textOf } from './list-items.ts'
import { mutate } from './mutate.ts'
import { changedBreak, withOpenEnd } from './open-end.ts'
import { type Random, randomFrom } from './random.ts'
import { fragment, realDocuments } from './real-texts.ts'
import { shrinkText } from './shrink.ts'
import { type FuzzOutcome, type FuzzTarget, runCases } from './target.ts'

const FUNCTIONS: Readonly<Record<string, KrmFunction>> = {
  'set-context': setContext,
  'prepend-pipeline': prependPipeline,
  'inject-config': injectConfig,
  'fan-out': fanOut,
  'check-dependencies': checkDependencies,
  'check-policies': checkPolicies,
  'resolve-dependencies': resolveDependencies,
  'render-variants': renderVariants,
}

/**
 * Each function on golden inputs with public files among their items, half of them mutated, judged by readers that are none of ours: items
 * that are not edited keep their bytes and their order, only what a function is there to change does, an error gives the items back as
 * they came, a second run changes nothing, and nothing ever throws.
 */
export const functionRuns: readonly FuzzTarget[] = Object.entries(FUNCTIONS).map(([name, fn]) => ({
  name,
  count: 100_000,
  run: (count, seed) => run(name, fn, count, seed),
}))

/** The number of texts that Go reads at once; shorter runs do without it. */
const BATCH = 500

interface Run {
  readonly input: string
  readonly outcome: Outcome
}

function run(name: string, fn: KrmFunction, count: number, seed: number): FuzzOutcome {
  const random = randomFrom(seed)
  const inputs = goldenInputs(name)
  const documents = realDocuments()
  const effects = EFFECTS[name] ?? { changes: {}, adds: [], removes: [] }
  const go = count < BATCH ? undefined : goYaml()
  const tally = { succeeded: 0, refused: 0, unread: 0 }
  let runs: Run[] = []
  const outcome = runCases(count, (index) => {
    const input = (count < BATCH ? undefined : inputs[index]) ?? randomInput(random, inputs, documents)
    const fault = faultOf(fn, input, effects)
    if (typeof fault === 'string') return [`${name}: ${describe(fn, input, effects)}`]
    runs.push({ input, outcome: fault })
    tally[fault.stdout === '' ? 'unread' : fault.exitCode === 0 ? 'succeeded' : 'refused']++
    if (go === undefined || (runs.length < BATCH && index < count - 1)) return []
    const batch = runs
    runs = []
    return judgedBy(go, batch, effects)
  })
  const note = `${tally.succeeded} succeeded, ${tally.refused} with errors, ${tally.unread} no list; judges: js-yaml${go === undefined ? '' : ', yaml.v3'}`
  return { ...outcome, note }
}

/** Those of which a second run is known to say something else are left out. */
function goldenInputs(name: string): readonly string[] {
  const folder = `testdata/${name}`
  const cases = readdirSync(folder).filter((id) => !readFileSync(`${folder}/${id}/case.yaml`, 'utf8').includes('notIdempotent'))
  return cases.map((id) => readFileSync(`${folder}/${id}/input.yaml`, 'utf8'))
}

function randomInput(random: Random, inputs: readonly string[], documents: readonly string[]): string {
  const input = random.pick(inputs)
  const items = Array.from({ length: random.below(3) }, () => itemOf(fragment(random, random.pick(documents))))
  const parts = input.split(/(?<=\n)(?=- apiVersion:)/)
  const at = 1 + random.below(parts.length)
  const whole = parts.toSpliced(at, 0, ...(at < parts.length ? items : [])).join('')
  const text = random.oneIn(4) ? withOpenEnd(random, whole) : whole
  return random.oneIn(2) ? text : asBytes(mutate(random, text))
}

/** Returns a text as its bytes are read: half a character is none. */
function asBytes(text: string): string {
  return Buffer.from(text).toString()
}

function itemOf(document: string): string {
  const lines = document.endsWith('\n') ? document : `${document}\n`
  return `- ${lines.replace(/(?<![^\n])(?=[^\n])/g, '  ').trimStart()}`
}

/** Returns what is wrong with a run, or its outcome. */
function faultOf(fn: KrmFunction, input: string, effects: Effects): string | Outcome {
  try {
    const outcome = evaluate(fn, input)
    const values = valuesOf(JS_YAML, [{ input, outcome }])
    // What is no YAML to it may lie in an item that is not read until it is the last one.
    const second = values[0] === undefined ? undefined : secondFault(fn, outcome, effects)
    return changeFault({ input, outcome }, effects, values) ?? second ?? outcome
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
}

function secondFault(fn: KrmFunction, { stdout, exitCode }: Outcome, { tellsOfTheRun = false }: Effects): string | undefined {
  if (exitCode !== 0) return undefined
  const second = evaluate(fn, stdout)
  if (second.exitCode !== 0) return `a second run fails: ${second.stderr}`
  const [was, is] = [stdout, second.stdout].map(tellsOfTheRun ? withoutResults : withoutLines)
  return was === is ? undefined : `a second run gives another text:\n${second.stdout}`
}

/** Where an object moved out of a file, others stand further up in it. */
function withoutLines(text: string): string {
  return text.replaceAll(/(?<![^\n]) {4}line: "\d+"\r?\n/g, '')
}

function withoutResults(text: string): string {
  return text.replace(/(?<![^\n])results:\r?\n(?:[- ][^\n]*\n)*/, '')
}

/** Of each run what a judge reads in its input and in its output. A text is read once, and none of a run that gave nothing. */
function valuesOf(judge: Judge, runs: readonly Run[]): readonly unknown[] {
  const texts = [...new Set(runs.flatMap(({ input, outcome }) => (outcome.stdout === '' ? [] : [input, outcome.stdout])))]
  const values = judge.read(texts)
  const read = new Map(texts.map((text, at) => [text, values[at]]))
  return runs.flatMap(({ input, outcome }) => [read.get(input), read.get(outcome.stdout)])
}

function judgedBy(judge: Judge, runs: readonly Run[], effects: Effects): readonly string[] {
  const values = valuesOf(judge, runs)
  return runs.flatMap((one, index) => {
    const fault = changeFault(one, effects, values.slice(2 * index, 2 * index + 2))
    return fault === undefined ? [] : [`${judge.name}: ${fault}\n${one.input}`]
  })
}

/** @param values  of the input and of the output, as a judge reads them */
function changeFault({ input, outcome }: Run, effects: Effects, [before, after]: readonly unknown[]): string | undefined {
  const { stdout, exitCode, stderr } = outcome
  if (exitCode === 1 && stderr === '') return 'an error without a word'
  if (stdout === '') return exitCode === 1 ? undefined : 'nothing came out'
  if (before === undefined) return undefined
  if (after === undefined) return `what came out is no YAML:\n${stdout}`
  const [was, is] = [judgedItems(input, before), judgedItems(stdout, after)]
  if (was === undefined || is === undefined) return undefined
  if (exitCode === 1) return sameTexts(was, is) ? undefined : `an error gave other items:\n${stdout}`
  return itemsFault(was, is, effects)
}

function sameTexts(was: readonly JudgedItem[], is: readonly JudgedItem[]): boolean {
  return was.length === is.length && was.every(({ text, value }, at) => text === is[at]?.text || textOf(value) === textOf(is[at]?.value))
}

function itemsFault(was: readonly JudgedItem[], is: readonly JudgedItem[], effects: Effects): string | undefined {
  const [known, made] = [new Set(was.map(({ text }) => text)), new Set(is.map(({ text }) => text))]
  const kept = is.filter(({ text }) => known.has(text)).map(({ text }) => text)
  if (!isInOrder(kept, was)) return 'items came in another order'
  const left = was.filter(({ text }) => !made.has(text))
  const added = is.filter(({ text }) => !known.has(text))
  const pairs = left.map((item) => ({ item, now: added.find((other) => identityOf(other.value) === identityOf(item.value)) }))
  const changed = new Set(pairs.map(({ now }) => now))
  const gone = pairs.find(({ item, now }) => now === undefined && !allows(effects.removes, kindOf(item.value)))
  if (gone !== undefined) return `an item is gone: ${gone.item.text}`
  const extra = added.find((item) => !changed.has(item) && !allows(effects.adds, kindOf(item.value)))
  if (extra !== undefined) return `an item came: ${extra.text}`
  return pairs.map(({ item, now }) => now && editFault(item, now, effects)).find((fault) => fault !== undefined)
}

function isInOrder(texts: readonly string[], was: readonly JudgedItem[]): boolean {
  let at = 0
  return texts.every((text) => {
    const found = was.findIndex((item, index) => index >= at && item.text === text)
    at = found + 1
    return found !== -1
  })
}

function editFault(item: JudgedItem, now: JudgedItem, effects: Effects): string | undefined {
  const keys = differingKeys(item.value, now.value)
  if (keys.length === 0 && effects.rewrites !== true && !/[|>][0-9+-]*[ \t]*\r?\n/.test(item.text))
    return `an item has other bytes and the same value: ${now.text}`
  const broken = changedBreak(item.value, now.value)
  if (broken !== undefined && effects.rewrites !== true)
    return `the line breaks at the end of ${JSON.stringify(broken)} are others: ${now.text}`
  const allowed = changeable(effects, kindOf(item.value))
  const wrong = keys.find((key) => !allows(allowed, key))
  return wrong === undefined ? undefined : `\`${wrong}\` is changed: ${now.text}`
}

function describe(fn: KrmFunction, input: string, effects: Effects): string {
  const start = kindOfFault(faultOf(fn, input, effects))
  const least = input.length > 20_000 ? input : shrinkText(input, (part) => kindOfFault(faultOf(fn, part, effects)) === start)
  return `${JSON.stringify(least)}\n    ${faultOf(fn, least, effects)}`
}

function kindOfFault(fault: string | Outcome): string | undefined {
  return typeof fault === 'string' ? fault.slice(0, 30) : undefined
}
