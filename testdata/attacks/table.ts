import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect } from 'vitest'
import type { Attack } from './attack.ts'
import type { Report } from './run-attack.ts'

/** Of a process with an attack of up to 20 MB. */
const MEGABYTES = 400

/** The program that runs one attack in a process of its own, so that its memory is its own. */
export async function buildRunner(name: string): Promise<string> {
  const folder = join(import.meta.dirname, '../../node_modules/.cache')
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, `${name}.mjs`)
  const entry = join(import.meta.dirname, 'run-attack.ts')
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
  return outfile
}

/**
 * Four tenths of a second on a machine where nothing else runs: what is not compiled yet takes up to three, whatever the size. Where a unit
 * takes 22 ms, that was 11 units.
 */
const START = 18

/** Ten times what an ordinary input of its size takes, and the start. */
function most({ bytes, ordinary }: Report): number {
  return 10 * ordinary * (bytes / 1e6) + START
}

/** Runs an attack, prints its row, and expects it to end within its limits. */
export function expectBounded(runner: string, { what, units, counted }: Attack): void {
  const { stdout, stderr, status } = spawnSync(process.execPath, [runner, what], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const report: Report = JSON.parse(stdout)
  const limit = counted === undefined ? Math.min(units, most(report)) : units
  console.log(
    `${what}: ${(report.bytes / 1e6).toFixed(1)} MB, ${report.units.toFixed(0)} of ${limit.toFixed(0)} units, ${report.seconds.toFixed(2)} s,` +
      ` ${report.megabytes} MB, ${report.ended}${counted === undefined ? '' : ` (${counted})`}`,
  )
  expect(report.units).toBeLessThan(limit)
  expect(report.megabytes).toBeLessThan(MEGABYTES)
}
