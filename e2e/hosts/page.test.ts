import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commitChanges, EIGHT_CHANGES, makeFleet } from '../../testdata/diff/fleet-repository.ts'
import { bundlePath, runProgram } from '../run-program.ts'
import { launchChromium } from './chromium.ts'
import { CHROMIUM } from './present-hosts.ts'

const FLEET = 'examples/fleet'
const HOSTILE = 'testdata/cli/graph-hostile-names/input'

// The page in a real browser, without a window and without a network.
describe.skipIf(!CHROMIUM.present)('the page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-page-'))
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  /** A page that the tool makes, and everything in it that went wrong. */
  async function open(args: readonly string[], { input = '', scheme = 'light' } = {}): Promise<{ page: Page; faults: string[] }> {
    const { stdout } = await runProgram(bundlePath('krm-variants'), args, input)
    const file = join(folder, 'page.html')
    writeFileSync(file, stdout)
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('console', (message) => faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('dialog', (dialog) => faults.push(dialog.message()))
    page.on('request', (request) => (request.url().startsWith('file:') ? undefined : faults.push(request.url())))
    await page.setViewport({ width: 1280, height: 860 })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    await page.goto(`file://${file}`)
    return { page, faults }
  }

  const names = (page: Page) => page.$$eval('#list .name', (all) => all.map(({ textContent }) => textContent ?? ''))
  const textOf = (page: Page, selector: string) => page.$eval(selector, ({ textContent }) => textContent ?? '')

  test('of a plan lists the changes first, the most dangerous on top', async () => {
    const { page, faults } = await open(['plan', '--format', 'html', FLEET])
    expect(await textOf(page, '#summary')).toMatch(/^1 to remove, 1 to update, \d+ to create, \d+ unchanged$/)
    expect((await names(page)).slice(0, 2)).toEqual([
      'point-of-sale-store-kel-01-point-of-sale',
      'point-of-sale-store-ham-01-point-of-sale',
    ])
    expect(await page.$eval('#graph', (graph) => graph.getAttribute('hidden'))).toBe('')
    expect(faults).toEqual([])
  })

  test('is used by keyboard: / searches, Enter chooses, the explanation has each value with its origin, Escape shows everything', async () => {
    const { page, faults } = await open(['plan', '--format', 'html', FLEET])
    await page.keyboard.press('/')
    await page.keyboard.type('point-of-sale ham-01')
    expect(await names(page)).toEqual(['point-of-sale-store-ham-01-point-of-sale'])
    await page.keyboard.press('Enter')
    const details = await textOf(page, '#details')
    for (const part of [
      'Changes',
      'spec.upstream.revision 2 → 3',
      "← 'store-' + target.name",
      'target.name is ham-01',
      `${FLEET}/stores/north.yaml:22`,
    ])
      expect(details).toContain(part)
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    expect(await page.$eval('#list', (list) => list.getAttribute('aria-activedescendant'))).toMatch(/^list-row-\d\d$/)
    await page.keyboard.press('g')
    expect(await page.$$eval('#graph canvas', ({ length }) => length)).toBeGreaterThan(0)
    expect(faults).toEqual([])
  })

  test('is narrowed by a label and by a change', async () => {
    const { page } = await open(['graph', '--format', 'html', FLEET])
    const all = Number((await textOf(page, '#count')).split(' ')[0])
    await page.select('#label', 'retail.example.com/tier=hub')
    expect(await names(page)).toEqual(expect.arrayContaining(['observability-hub-north-observability']))
    expect(Number((await textOf(page, '#count')).split(' ')[0])).toBeLessThan(all)
    await page.select('#op', 'remove')
    expect(await names(page)).toEqual([])
  })

  test('is dark where the reader wants it dark', async () => {
    const colorIn = async (scheme: string) => {
      const { page } = await open(['graph', '--format', 'html', FLEET], { scheme })
      return page.evaluate('getComputedStyle(document.body).backgroundColor')
    }
    expect(await colorIn('light')).toBe('rgb(246, 247, 249)')
    expect(await colorIn('dark')).toBe('rgb(15, 19, 24)')
  })

  test('shows hostile names as they are written, and runs nothing of them', async () => {
    const { page, faults } = await open(['graph', '--format', 'html', HOSTILE])
    expect(await textOf(page, '#findings')).toContain('<img src=x onerror=alert(1)>')
    expect(await page.$$eval('img, #findings script', ({ length }) => length)).toBe(0)
    expect(faults).toEqual([])
  })

  test('refuses any other script', async () => {
    const { page, faults } = await open(['graph', '--format', 'html', FLEET])
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('script'), { textContent: "document.title = 'hacked'" }))`,
    )
    expect(await page.title()).toBe(`Fleet ${FLEET}`)
    expect(faults.join()).toContain('Content Security Policy')
  })

  test('of 10,000 variants has no task over 200 ms after it is loaded, and a search is answered within 200 ms', async () => {
    const { page, faults } = await open(['plan', '--format', 'html', '-'], { input: largeFleet() })
    expect(await textOf(page, '#count')).toBe('10000 of 10000')
    await page.evaluate(
      `window.long = []; new PerformanceObserver((list) => long.push(...list.getEntries().map((entry) => entry.duration))).observe({ entryTypes: ['longtask'] })`,
    )
    const times: number[] = []
    for (const text of ['edge-0', 'region=north edge-09', 'nothing-of-that-name', '']) times.push(await timeOfSearch(page, text))
    await page.focus('#list')
    for (const key of ['End', 'PageUp', 'Home', 'PageDown', 'ArrowDown'] as const) await page.keyboard.press(key)
    await page.keyboard.press('g')
    await page.select('#label', 'region=south')
    const long = (await page.evaluate('long')) as number[]
    console.log(`10,000 variants: searches ${times.map(Math.round).join(', ')} ms, long tasks ${long.map(Math.round).join(', ') || 'none'}`)
    expect(Math.max(...times)).toBeLessThan(200)
    expect(Math.max(0, ...long)).toBeLessThan(200)
    expect(faults).toEqual([])
  })
})

// The page of the eight changes of testdata/diff, committed by the test.
describe.skipIf(!CHROMIUM.present)('the page of a diff', () => {
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-diff-page-'))
  let browser: Browser
  let made: Awaited<ReturnType<typeof makeFleet>>
  beforeAll(async () => {
    browser = await launchChromium()
    made = await makeFleet(folder)
    commitChanges(made, 'all', EIGHT_CHANGES)
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  async function open(fragment = '', names: readonly [from: string, to: string] = ['', '']): Promise<{ page: Page; faults: string[] }> {
    const { stdout } = await made.fleet.run('diff', 'start', '--format', 'html')
    const file = join(folder, 'diff.html')
    writeFileSync(file, stdout.replaceAll(...names))
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('console', (message) => faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(String(error)))
    await page.setViewport({ width: 1280, height: 860 })
    await page.goto(`file://${file}${fragment}`)
    return { page, faults }
  }

  const textOf = (page: Page, selector: string) => page.$eval(selector, ({ textContent }) => textContent ?? '')
  const names = (page: Page) => page.$$eval('#list .name', (all) => all.map(({ textContent }) => textContent ?? ''))

  test('opens the most dangerous way, with its cause, its line and its text', async () => {
    const { page, faults } = await open()
    expect(await textOf(page, '#summary')).toBe('10 of 10 packages change on 8 clusters, in 9 ways')
    expect((await names(page))[0]).toBe('! PersistentVolumeClaim tills/journal')
    const details = await textOf(page, '#details')
    for (const part of ['the volume claim is deleted', 'sets/tills.yaml:12', 'stores/stores.yaml:35', 'storage: 10Gi'])
      expect(details).toContain(part)
    expect(faults).toEqual([])
  })

  test('keeps its filters and the chosen way in the address', async () => {
    const { page, faults } = await open()
    await page.select('#kind', 'Deployment')
    await page.keyboard.press('ArrowDown')
    const address = await page.evaluate('location.hash')
    expect(address).toMatch(/^#kind=Deployment&group=[0-9a-f]+$/)
    const again = await open(String(address))
    expect(await textOf(again.page, '#details')).toBe(await textOf(page, '#details'))
    expect(await textOf(again.page, '#count')).toBe(await textOf(page, '#count'))
    expect([...faults, ...again.faults]).toEqual([])
  })

  test('a danger filters, a cluster narrows the packages, and the keyboard reaches all of it', async () => {
    const { page, faults } = await open()
    await page.click('#dangers button')
    expect(await names(page)).toEqual(['! PersistentVolumeClaim tills/journal'])
    await page.keyboard.press('Escape')
    await page.select('#cluster', 'store-ham-01')
    expect(await textOf(page, '#cluster-count')).toBe('1 package')
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('replicas')
    expect((await names(page)).length).toBeGreaterThan(0)
    expect(faults).toEqual([])
  })

  test('Escape gives the focus back to where it was before the search', async () => {
    const { page } = await open()
    const focused = () => page.evaluate("document.activeElement.closest('#list, #dangers, #search')?.id")
    for (const place of ['#list', '#dangers button']) {
      await page.focus(place)
      await page.keyboard.press('/')
      expect(await focused()).toBe('search')
      await page.keyboard.type('replicas')
      await page.keyboard.press('Escape')
      expect(await focused()).toBe(place.slice(1).split(' ')[0])
    }
  })

  test('shows the whole name of a long cluster on focus, and more of all names in a wider column', async () => {
    const cluster = `ham-${'0123456789-'.repeat(22)}<b>end`
    const { page, faults } = await open('', ['store-ham-01', cluster.replace('<', '\\u003c')])
    const widthOf = (selector: string) => page.$eval(selector, ({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth] as const)
    await page.select('#cluster', cluster)
    const row = '#clusters .name'
    expect(await textOf(page, row)).toBe(cluster)
    const [needed, narrow] = await widthOf(row)
    expect(needed).toBeGreaterThan(narrow)
    await page.focus('#list')
    await page.keyboard.press('Tab')
    expect(await textOf(page, '#cluster-count')).toContain(`: ${cluster}/`)
    const [heading, shown] = await widthOf('#cluster-count')
    expect(heading).toBeLessThanOrEqual(shown)
    expect(await page.evaluate("getComputedStyle(document.getElementById('places')).resize")).toBe('horizontal')
    await page.evaluate("document.getElementById('places').style.width = '50vw'")
    // The list draws its rows again when its width changes, some time after the change.
    await page.waitForFunction(`document.querySelector('${row}').clientWidth > ${narrow * 2}`)
    await page.setViewport({ width: 400, height: 800 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400)
    expect(faults).toEqual([])
  })

  test('prints every way, not only the part in sight', async () => {
    const { page } = await open()
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(await page.$$eval('#print article', ({ length }) => length)).toBe(9)
  })
})

/** Returns the time until the results of a search are on the screen, in milliseconds. */
async function timeOfSearch(page: Page, text: string): Promise<number> {
  const time = await page.evaluate(`new Promise((done) => {
    const [input, start] = [document.getElementById('search'), performance.now()]
    input.value = ${JSON.stringify(text)}
    input.dispatchEvent(new Event('input'))
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)))
  })`)
  return Number(time)
}

/** A set with 10,000 repositories, each with labels and five expressions. */
function largeFleet(): string {
  const set = `- apiVersion: config.porch.kpt.dev/v1alpha2
  kind: PackageVariantSet
  metadata: {name: edge, namespace: fleet}
  spec:
    upstream: {repo: catalog, package: upf, revision: 3}
    targets:
    - repositorySelector: {matchLabels: {env: prod}}
      template:
        labels: {team: edge}
        labelExprs:
        - {key: region, valueExpr: repository.labels.region}
        - {key: site, valueExpr: "'site-' + repository.labels.site"}
        annotationExprs: [{key: owner, valueExpr: "target.name + '@example.com'"}]
        packageContext:
          dataExprs: [{key: place, valueExpr: repoDefault + '-' + packageDefault}]
        injectors: [{kind: Network, nameExpr: repository.labels.region + '-net'}]
`
  const regions = ['north', 'south', 'east', 'west']
  const repositories = Array.from({ length: 10_000 }, (_, i) => {
    const name = `edge-${String(i).padStart(5, '0')}`
    return `- {apiVersion: config.porch.kpt.dev/v1alpha1, kind: Repository, metadata: {name: ${name}, namespace: fleet, labels: {env: prod, region: ${regions[i % regions.length]}, site: "${i}"}}}\n`
  })
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${set}${repositories.join('')}`
}
