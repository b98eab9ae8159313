import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../run-program.ts'
import { launchChromium } from './chromium.ts'
import { CHROMIUM } from './present-hosts.ts'

/** The site that `npm run docs` makes. */
const SITE = join(ROOT, 'site/html')

const PAGES_AT_ONCE = 4

/** The page that docs/README.md lists behind the first one. */
const SECOND_PAGE = [...readFileSync(join(ROOT, 'docs/README.md'), 'utf8').matchAll(/^\* \[.*?\]\((.*?)\)/gm)][1]?.[1] ?? ''

function titleOfPage(page: string): string {
  return /^# (.*)$/m.exec(readFileSync(join(ROOT, 'docs', page), 'utf8'))?.[1] ?? ''
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** The site as any server of static files would give it. */
async function serveSite(): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer(({ url = '' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname)
    const file = join(SITE, path.endsWith('/') ? `${path}index.html` : path)
    if (!existsSync(file)) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' })
    return createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server must have a port')
  return { server, origin: `http://127.0.0.1:${address.port}` }
}

describe.skipIf(!CHROMIUM.present)('the documentation site', () => {
  let browser: Browser
  let server: Server
  let origin = ''
  beforeAll(async () => {
    if (!existsSync(SITE)) throw new Error('npm run docs must run before')
    const served = await serveSite()
    server = served.server
    origin = served.origin
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  const isOurs = (url: string) => url.startsWith(origin) || url.startsWith('data:')

  /** A page of the site once it is at rest, and everything in it that went wrong, requests to elsewhere included. */
  async function open(path: string): Promise<{ page: Page; faults: string[] }> {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('console', (message) => faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('response', (response) => (response.ok() ? undefined : faults.push(`${response.status()} ${response.url()}`)))
    page.on('request', (request) => (isOurs(request.url()) ? undefined : faults.push(request.url())))
    await page.setViewport({ width: 1440, height: 900 })
    await page.goto(`${origin}${path}`)
    await page.waitForNetworkIdle({ idleTime: 100 })
    return { page, faults }
  }

  test('leads from its first page to start, and from page to page in order', async () => {
    const { page, faults } = await open('/')
    expect(await page.title()).toContain('krm-variants')
    await page.click('a[href="/start.html"]')
    await page.waitForSelector('h1 ::-p-text(Start)')
    expect(await page.title()).toBe('Start | krm-variants')
    await page.click('.pager-link.next')
    await page.waitForSelector(`h1 ::-p-text(${titleOfPage(SECOND_PAGE)})`)
    expect(await page.$$eval('.VPSidebar h2', (titles) => titles.map(({ textContent }) => textContent))).toEqual([
      'Begin',
      'Functions',
      'Commands',
      'Recipes',
      'Examples',
      'Reference',
      'Decisions',
    ])
    expect(faults).toEqual([])
  })

  test('shows the help of a command as the tool prints it, and the table of speed', async () => {
    const plan = await open('/commands/plan.html')
    expect(await plan.page.$eval('main', ({ textContent }) => textContent)).toContain('Usage: krm-variants plan [options] [dir]')
    const speed = await open('/speed.html')
    expect(await speed.page.$$eval('main table', ({ length }) => length)).toBe(1)
    expect([...plan.faults, ...speed.faults]).toEqual([])
  })

  test('is searched without asking anybody else', async () => {
    const { page, faults } = await open('/concepts.html')
    await page.keyboard.press('/')
    await page.waitForSelector('#localsearch-input')
    await page.type('#localsearch-input', 'maxDeletions')
    await page.waitForSelector('.results .result')
    const found = await page.$$eval('.results .result', (results) => results.map((result) => result.getAttribute('href')))
    expect(found.some((link) => link?.startsWith('/functions/fan-out.html'))).toBe(true)
    await page.keyboard.press('Enter')
    await page.waitForFunction(`location.pathname === ${JSON.stringify(found[0]?.split('#')[0])}`)
    expect(faults).toEqual([])
  })

  test('has every page in its navigation, each with a title of its own', async () => {
    const { page } = await open('/start.html')
    const links = await page.$$eval('.VPSidebar a', (all) => all.map((link) => link.getAttribute('href') ?? ''))
    expect(links.length).toBeGreaterThan(30)
    const titles: string[] = []
    const faults: string[] = []
    const left = [...links]
    // Each page waits until nothing more arrives: several at one time.
    const openLeft = async () => {
      for (let link = left.pop(); link !== undefined; link = left.pop()) {
        const opened = await open(link)
        titles.push(await opened.page.title())
        faults.push(...opened.faults)
        await opened.page.close()
      }
    }
    await Promise.all(Array.from({ length: PAGES_AT_ONCE }, openLeft))
    expect(new Set(titles).size).toBe(links.length)
    expect(faults).toEqual([])
  })
})
