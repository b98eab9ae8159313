import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { copyFolder, readFolder } from '../folder-copy.ts'
import { EXAMPLES } from './functions.ts'
import { kptMust, render, renderUntilClean, replaceBundles } from './kpt.ts'
import { describeHosts, KPTS } from './present-hosts.ts'

const [FIRST = 'kpt', ...OTHERS] = KPTS

beforeAll(async () => {
  for (const line of describeHosts()) console.log(line)
  for (const kpt of KPTS) console.log(`kpt ${(await kptMust(kpt, ['version'])).trim()}`)
})

describe.each(KPTS)('%s', (kpt) => {
  test.each(EXAMPLES)('renders %s, and at the latest the third time changes nothing', async (example) => {
    const states = await renderUntilClean(kpt, copyExample(example), '--allow-exec')
    expect(states.length).toBeGreaterThan(1)
  })
})

// With KPT unset, or the same as the one on PATH, there is no other.
describe.each(OTHERS)('%s', (kpt) => {
  test.each(EXAMPLES)(`makes of %s what ${FIRST} does`, async (example) => {
    const [folder, other] = [copyExample(example), copyExample(example)]
    const [first, second] = [await render(FIRST, folder, '--allow-exec'), await render(kpt, other, '--allow-exec')]
    expect(second.results.map(withoutValues)).toEqual(first.results.map(withoutValues))
    expect(contentsOf(other)).toEqual(contentsOf(folder))
  })
})

/** Copies an example with bundles in the place of images, for which kpt needs a container runtime. */
function copyExample(example: string): string {
  const folder = copyFolder(example)
  replaceBundles(folder, (name) => `exec: dist/${name}.mjs`)
  return folder
}

/** Results without the values of fields, which newer kpt writes as strings. */
function withoutValues(results: unknown): unknown {
  return JSON.parse(JSON.stringify(results, (key, value) => (key === 'currentValue' || key === 'proposedValue' ? undefined : value)))
}

/** Every file; a Kptfile as an object and without what newer kpt says of its own runs, which costs the comments of the root Kptfile. */
function contentsOf(folder: string): ReadonlyMap<string, unknown> {
  return new Map([...readFolder(folder)].map(([path, text]) => [path, /(^|\/)Kptfile$/.test(path) ? withoutRun(parse(text)) : text]))
}

interface Kptfile {
  readonly status?: { readonly conditions?: readonly { readonly type: string }[]; readonly renderStatus?: unknown }
}

function withoutRun({ status, ...kptfile }: Kptfile): object {
  const conditions = status?.conditions?.filter(({ type }) => type !== 'Rendered') ?? []
  return { ...kptfile, conditions }
}
