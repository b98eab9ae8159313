// Takes the pictures of the documentation: docs/page.png, the page of a plan, and docs/diff.png, the page of a diff.
// `npm run build`, then `node scripts/page-picture.mjs CHROMIUM`.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer from 'puppeteer-core'
import { ROOT } from './ready.mjs'

const TOOL = join(ROOT, 'dist/krm-variants.mjs')

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-picture-'))
const browser = await puppeteer.launch({ executablePath: process.argv[2] ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  await takePicture(pageOf(ROOT, 'plan', 'examples/fleet'), 'docs/page.png', ['g', 'ArrowDown'])
  await takePicture(pageOf(changedFleet(), 'diff', 'HEAD', 'fleet', '--allow-outside'), 'docs/diff.png', ['ArrowDown'])
} finally {
  await browser.close()
  rmSync(folder, { recursive: true })
}

function pageOf(cwd, command, ...args) {
  return spawnSync(process.execPath, [TOOL, command, '--format', 'html', ...args], { cwd, maxBuffer: 1e8 }).stdout
}

/** The example fleet in a repository, with what a pull request changes: an endpoint that is injected, and the revision of an upstream. */
function changedFleet() {
  for (const name of ['fleet', 'catalog']) cpSync(join(ROOT, 'examples', name), join(folder, name), { recursive: true })
  const git = (...args) => spawnSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args])
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'the fleet')
  const endpoints = join(folder, 'fleet/endpoints/regions.yaml')
  writeFileSync(endpoints, readFileSync(endpoints, 'utf8').replaceAll('https://metrics.north.example.com', 'https://m.north.example.com'))
  const sets = join(folder, 'fleet/sets/point-of-sale.yaml')
  writeFileSync(sets, readFileSync(sets, 'utf8').replace('revision: 3', 'revision: 2'))
  return folder
}

async function takePicture(html, path, keys) {
  const file = join(folder, 'page.html')
  writeFileSync(file, html)
  const page = await browser.newPage()
  await page.setViewport({ width: 1200, height: 760 })
  await page.goto(`file://${file}`)
  for (const key of keys) await page.keyboard.press(key)
  // The graph is drawn in steps.
  await new Promise((done) => setTimeout(done, 1_000))
  await page.screenshot({ path: join(ROOT, path) })
}
