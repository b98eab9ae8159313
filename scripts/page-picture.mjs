// Takes docs/page.png, the picture of the page that the README shows: `npm run build`, then `node scripts/page-picture.mjs CHROMIUM`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer from 'puppeteer-core'
import { ROOT } from './ready.mjs'

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-picture-'))
const file = join(folder, 'page.html')
const { stdout } = spawnSync(process.execPath, ['dist/krm-variants.mjs', 'plan', '--format', 'html', 'examples/fleet'], { cwd: ROOT })
writeFileSync(file, stdout)
const browser = await puppeteer.launch({ executablePath: process.argv[2] ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const page = await browser.newPage()
  await page.setViewport({ width: 1200, height: 760 })
  await page.goto(`file://${file}`)
  for (const key of ['g', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
  // The graph is drawn in steps.
  await new Promise((done) => setTimeout(done, 1_000))
  await page.screenshot({ path: join(ROOT, 'docs/page.png') })
} finally {
  await browser.close()
  rmSync(folder, { recursive: true })
}
