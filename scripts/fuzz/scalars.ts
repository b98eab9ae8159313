import { inspect, isDeepStrictEqual } from 'node:util'
import type { Node } from '../../src/yaml/read/node.ts'
import { readFull, readWhole, written } from './fast-reader.ts'
import { goYaml, JS_YAML, type Judge } from './judge.ts'
import { randomFrom } from './random.ts'
import { scalarText } from './random-scalar.ts'
import { shrinkText } from './shrink.ts'
import { type FuzzOutcome, type FuzzTarget, runCases } from './target.ts'

/** Texts that the judges read at once: a process of Go takes longer to start than to read one. */
const BATCH = 5000

/**
 * Both readers read a scalar of every style, in every indentation, as the same node: what the fast reader accepts, the full parser accepts
 * too. And no value of theirs is one that yaml.v3 and js-yaml, where both read the text, agree to be another.
 */
export const scalars: FuzzTarget = {
  name: 'scalars',
  count: 1_000_000,
  run(count, seed): FuzzOutcome {
    const random = randomFrom(seed)
    const go = count < BATCH ? undefined : goYaml()
    let [accepted, readable] = [0, 0]
    const outcome = runCases(Math.ceil(count / BATCH), (batch) => {
      const texts = Array.from({ length: Math.min(BATCH, count - batch * BATCH) }, () => scalarText(random))
      const reads = texts.map(readBoth)
      accepted += reads.filter(({ fast }) => fast !== undefined).length
      readable += reads.filter(({ full }) => typeof full !== 'string').length
      return [...reads.filter(isDifferent).map(({ text }) => describe(text)), ...misread(reads, go)]
    })
    return {
      ...outcome,
      cases: Math.min(count, outcome.cases * BATCH),
      note: `the fast reader accepted ${accepted}, the full parser ${readable}`,
    }
  },
}

interface Read {
  readonly text: string
  /** undefined: the fast reader leaves the text to the full parser. */
  readonly fast: Node | undefined
  /** A text: why it is no YAML. */
  readonly full: Node | string
}

function readBoth(text: string): Read {
  return { text, fast: readWhole(text), full: readFull(text) }
}

function isDifferent({ fast, full }: Read): boolean {
  return fast !== undefined && !isDeepStrictEqual(fast, full)
}

function describe(text: string): string {
  const least = shrinkText(text, (part) => isDifferent(readBoth(part)))
  const { fast, full } = readBoth(least)
  return `${JSON.stringify(least)}\n    fast ${inspect(fast, { depth: 9 })}\n    full ${inspect(full, { depth: 9 })}`
}

/** The texts that two other readers read as one value, and ours as another. */
function misread(reads: readonly Read[], go: Judge | undefined): readonly string[] {
  const texts = reads.map(({ text }) => text)
  const byGo = go?.read(texts).map(asTexts) ?? []
  return reads.flatMap(({ text, full }, at) => {
    const value = byGo[at]
    if (value === undefined || typeof full === 'string') return []
    const ours = written(full)
    if (isDeepStrictEqual(value, ours) || !isDeepStrictEqual(value, asTexts(JS_YAML.read([text])[0]))) return []
    return [`${JSON.stringify(text)}\n    others ${inspect(value)}\n    ours ${inspect(ours)}`]
  })
}

/** A value without types, as the nodes have it: a value that is not written is an empty text. */
function asTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asTexts)
  if (typeof value !== 'object' || value === null) return value === null ? '' : value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asTexts(member)]))
}
