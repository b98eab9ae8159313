import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { TestFleet } from '../../testdata/test-fleet.ts'

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: ham}, {name: ber}, {name: kel}]
`

let fleet = new TestFleet()
let locks = ''
beforeEach(() => {
  fleet = new TestFleet()
  const cache = mkdtempSync(join(tmpdir(), 'krm-variants-at-once-'))
  locks = join(cache, 'krm-variants/locks')
  onTestFinished(() => {
    fleet.remove()
    rmSync(cache, { recursive: true })
  })
  fleet.write('catalog/web@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
  fleet.write('set.yaml', SET)
})

const render = (...options: readonly string[]) =>
  recordRun(fleet.root, ['render', '.', '--out', 'clusters', ...options], { environment: { XDG_CACHE_HOME: join(locks, '../..') } })

test('of two runs at once one renders everything, and the other is refused before it writes', async () => {
  const runs = await Promise.all([render(), render()])
  expect(runs.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1])
  const [done, refused] = [...runs].sort((a, b) => a.exitCode - b.exitCode)
  expect(done?.stdout).toBe('3 packages: 3 created\n')
  expect(refused?.stderr).toContain(`another run, process ${process.pid}, is writing 'clusters', so nothing was changed`)
  expect(readdirSync(locks)).toEqual([])
  expect(await render()).toMatchObject({ exitCode: 0, stdout: '3 packages: 3 unchanged\n' })
})

test('different parts run at once, and a whole run excludes them', async () => {
  const shards = await Promise.all(['1/2', '2/2'].map((shard) => render('--shard', shard)))
  expect(shards.map(({ exitCode }) => exitCode)).toEqual([0, 0])
  const same = await Promise.all([render('--only', 'repository=ham'), render('--only', 'repository=ham')])
  expect(same.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1])
  const [whole, part] = await Promise.all([render(), render('--shard', '1/2')])
  expect([whole.exitCode, part.exitCode]).toContain(1)
  expect(readdirSync(locks)).toEqual([])
})

test('a dry run needs no lock', async () => {
  const runs = await Promise.all([render(), render('--dry-run')])
  // The dry run may see packages that are half written.
  expect(runs.map(({ stderr }) => stderr.includes('another run'))).toEqual([false, false])
})
