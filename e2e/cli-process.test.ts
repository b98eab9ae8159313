import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { bundlePath } from './run-program.ts'

const KRM_VARIANTS = bundlePath('krm-variants')

test('a reader that closes the pipe early has seen enough: exit code 0, no stack', async () => {
  const child = spawn(KRM_VARIANTS, ['plan', bigFleet()])
  child.stdout.once('data', () => child.stdout.destroy())
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
})

test('Ctrl-C ends it with 130', async () => {
  const child = spawn(KRM_VARIANTS, ['fn', 'fan-out'], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.write('apiVersion: config.kubernetes.io/v1\n')
  // The command has to be at stdin before it is interrupted; without a handler the signal itself would end it, and the code be null.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  child.kill('SIGINT')
  const [exitCode] = await once(child, 'close')
  expect(exitCode).toBe(130)
})

/** A folder whose plan is far larger than a pipe holds. */
function bigFleet(): string {
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'sets'))
  const names = Array.from({ length: 20_000 }, (_, i) => `        - name: edge-${i}\n`).join('')
  const head = 'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata:\n  name: apps\nspec:\n'
  const spec = `  upstream: {repo: catalog, package: app, revision: 1}\n  targets:\n    - repositories:\n${names}`
  writeFileSync(join(folder, 'sets/apps.yaml'), head + spec)
  return folder
}
