import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Mermaid } from 'mermaid'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readRecord, readTranscripts } from '../../testdata/cli/transcript.ts'
import { runProgram } from '../run-program.ts'
import { launchChromium } from './chromium.ts'
import { CHROMIUM, GRAPHVIZ } from './present-hosts.ts'

const drawn = readTranscripts()
  .filter(({ args: [command] }) => command === 'graph')
  .map((transcript) => ({ name: transcript.name, text: readRecord(transcript, 'stdout') }))
const dot = drawn.filter(({ text }) => text.startsWith('digraph'))
const mermaid = drawn.filter(({ text }) => text.startsWith('flowchart'))

/** Returns the number of nodes of a recorded graph. */
function nodesIn(text: string): number {
  return text.split('\n').filter((line) => /^ {2}n\d+ ?[[({]/.test(line)).length
}

/** The content of the page. */
interface Drawing {
  readonly mermaid: Mermaid
  readonly document: { readonly body: { innerHTML: string } }
}

describe.skipIf(!GRAPHVIZ.present)('Graphviz', () => {
  test.each(dot)('draws $name with a shape for each node', async ({ text }) => {
    const { stdout, stderr, exitCode } = await runProgram('dot', ['-Tsvg'], text)
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(stdout.toString().match(/class="node"/g)?.length).toBe(nodesIn(text))
  })
})

describe.skipIf(!CHROMIUM.present)('Mermaid', () => {
  const program = join(dirname(createRequire(import.meta.url).resolve('mermaid')), 'mermaid.min.js')
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    browser = await launchChromium()
    page = await browser.newPage()
    await page.addScriptTag({ path: program })
  })
  afterAll(() => browser.close())

  /** The labels of the nodes that Mermaid draws; what is no Mermaid is refused. */
  async function draw(text: string): Promise<readonly string[]> {
    await page.evaluate(async (source) => {
      const { mermaid, document } = globalThis as unknown as Drawing
      await mermaid.parse(source)
      document.body.innerHTML = (await mermaid.render('drawn', source)).svg
    }, text)
    return page.$$eval('g.node', (nodes) => nodes.map(({ textContent }) => textContent?.trim() ?? ''))
  }

  test('refuses what is none', async () => {
    await expect(draw('flowchart LR\n  a[b -->')).rejects.toThrow('Parse error')
  })

  test.each(mermaid)('draws $name with every node', async ({ text }) => {
    expect((await draw(text)).length).toBe(nodesIn(text))
  })

  test('draws hostile names as they are written', async () => {
    const { text } = mermaid.find(({ name }) => name === 'graph-hostile-names') ?? { text: '' }
    expect(await draw(text)).toEqual([
      'a"]; click n0 "javascript:alert(1)"/<img src=x onerror=alert(1)>',
      '`x`/#quot;]',
      'b\\" -> n0; %% end',
    ])
  })
})
