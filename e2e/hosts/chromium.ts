import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import puppeteer, { type Browser } from 'puppeteer-core'
import { CHROMIUM } from './present-hosts.ts'

/** Starts Chromium without a window. In a container it has no sandbox of its own. */
export function launchChromium(): Promise<Browser> {
  if (!CHROMIUM.present) throw new Error(CHROMIUM.why)
  const { program } = CHROMIUM
  const place = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))
  return puppeteer.launch({ executablePath: place ?? program, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] })
}
