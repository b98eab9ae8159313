import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { bundlePath, runProgram } from '../run-program.ts'
import { EXAMPLES, FUNCTIONS, goldenCasesOf } from './functions.ts'
import { buildParser, readAsPorch, removeParser } from './porch-parser.ts'
import { GO, KPTS } from './present-hosts.ts'

// What a gRPC message of Porch may hold, and an input that leaves room for results.
const MAX_MESSAGE = 6_291_456
const LARGE = 5_900_000

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n'

const REFUSED: readonly { readonly reason: string; readonly text: string }[] = [
  { reason: 'nothing at all', text: '' },
  { reason: 'items: null', text: `${HEAD}items: null\n` },
  { reason: 'an item that is null', text: `${HEAD}items: [null]\n` },
  { reason: 'a result that is null', text: `${HEAD}items: []\nresults: [null]\n` },
  { reason: 'an end of document', text: `${HEAD}items: []\n---\n` },
  { reason: 'functionConfig: null', text: `${HEAD}items: []\nfunctionConfig: null\n` },
  { reason: 'file.index as a text', text: `${HEAD}items: []\nresults:\n- message: a\n  file: {path: a, index: "1"}\n` },
  { reason: 'another kind', text: 'apiVersion: v1\nkind: List\nitems: []\n' },
]

describe.skipIf(!GO.present)("Porch's parser, Go SDK 1.1.1", () => {
  beforeAll(buildParser)
  afterAll(removeParser)

  test.each(REFUSED)('refuses $reason', async ({ text }) => {
    const [reading] = await readAsPorch([text])
    expect(reading?.error).not.toBe('')
  })

  test.each(FUNCTIONS)('reads what every golden case of %s writes, the failed ones too', async (name) => {
    const cases = goldenCasesOf(name).map((golden) => ({ ...golden, output: readFileSync(golden.expectedFile, 'utf8') }))
    // A fault of the wire has no ResourceList to answer with; Porch shows stderr then.
    const answers = cases.filter(({ exitCode, output }) => exitCode === 0 || output !== '')
    await expectReadable(answers.map(({ output }) => output))
    console.log(`${name}: ${answers.length} of ${cases.length} golden cases have an output; all read`)
  })

  test.each(EXAMPLES)('reads what every function makes of %s', async (example) => {
    const source = await runProgram(KPTS[0] ?? 'kpt', ['fn', 'source', example])
    const runs = await Promise.all(FUNCTIONS.map((name) => runProgram(bundlePath(name), [], source.stdout)))
    await expectReadable(runs.map(({ stdout }) => stdout.toString()))
  })

  test.each(FUNCTIONS)('reads 5.9 MB of %s, from each of four calls at once', async (name) => {
    const golden = goldenCasesOf(name).find(({ exitCode, input }) => exitCode === 0 && input.includes('\nitems:\n'))
    if (golden === undefined) throw new Error(`testdata/${name} must have a case with exit code 0 and items`)
    const filler = fillerOf(LARGE - golden.input.length)
    const input = golden.input.replace('\nitems:\n', `\nitems:\n${filler}`)
    const runs = await Promise.all([1, 2, 3, 4].map(() => runProgram(bundlePath(name), [], input)))
    const outputs = new Set(runs.map(({ stdout, exitCode }) => (exitCode === 0 ? stdout.toString() : '')))
    expect([...outputs].map((output) => output.replace(filler, ''))).toEqual([readFileSync(golden.expectedFile, 'utf8')])
    const [output = ''] = outputs
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(MAX_MESSAGE)
    await expectReadable([output])
  })
})

/** Every text is a ResourceList to Porch, with as many items and results as to us. */
async function expectReadable(texts: readonly string[]): Promise<void> {
  const readings = await readAsPorch(texts)
  const found = readings.map(({ items, results, error }) => ({ items, results: results?.length ?? 0, error }))
  expect(found).toEqual(texts.map((text) => ({ items: ResourceList.parse(text).items.length, results: resultsIn(text), error: '' })))
}

/** Returns the number of results at the end of a ResourceList. */
function resultsIn(text: string): number {
  const start = text.search(/^results:$/m)
  return start === -1 ? 0 : parse(text.slice(start)).results.length
}

/** ConfigMaps of a kilobyte, `bytes` in all or a little less. */
function fillerOf(bytes: number): string {
  const items = Array.from({ length: Math.floor(bytes / 1000) }, (_, i) => {
    const head = `- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: filler-${i}\n    annotations:\n      config.kubernetes.io/path: 'filler-${i}.yaml'\n`
    const text = `${head}  data:\n    text: `
    return `${text}${'x'.repeat(999 - text.length)}\n`
  })
  return items.join('')
}
