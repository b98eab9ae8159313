import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect } from 'vitest'
import type { Attack } from './attack.ts'
import type { Report } from './run-attack.ts'

/** Of a process with an attack of up to 20 MB. */
const MEGABYTES = 500

/** The program that runs one attack in a process of its own, so that its memory is its own. */
export async function buildRunner(name: string): Promise<string> {
  const folder = join(import.meta.dirname, '../../node_modules/.cache')
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, `${name}.mjs`)
  const entry = join(import.meta.dirname, 'run-attack.ts')
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
  return outfile
}

/** Runs an attack, prints its row, and expects it to end within its limits. */
export function expectBounded(runner: string, { what, units }: Attack): void {
  const { stdout, stderr, status } = spawnSync(process.execPath, [runner, what], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const report: Report = JSON.parse(stdout)
  const ordinary = 10 * (report.bytes / 1e6) + 0.3 / report.unit
  console.log(
    `${what}: ${(report.bytes / 1e6).toFixed(1)} MB, ${report.units.toFixed(0)} of ${units} units, ${report.seconds.toFixed(2)} s,` +
      ` ${report.megabytes} MB, ${report.ended}${report.units > ordinary ? `, above ${ordinary.toFixed(0)} units` : ''}`,
  )
  expect(report.units).toBeLessThan(units)
  expect(report.megabytes).toBeLessThan(MEGABYTES)
}
