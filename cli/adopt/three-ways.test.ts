import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

// The three ways of docs/recipes/porch.md. The lists have the form of `kubectl get -A -o yaml`; what the controller makes of a set is what
// fan-out makes of it with the uid of the cluster, as the recorded answers of the controller show (npm run conformance).
const FLEET = fileURLToPath(new URL('../../testdata/cli/plan-against-cluster/input/fleet', import.meta.url))
const UID = '0c9d8f7e-5b1a-4c3d-9e2f-1a2b3c4d5e6f'

let folder = ''
beforeEach(() => {
  folder = testFolder()
  cpSync(FLEET, join(folder, 'fleet'), { recursive: true })
})

const run = (...args: readonly string[]) => recordRun(folder, args)
const fanOut = () => run('fn', 'fan-out', 'fleet', '--write')
const edit = (change: (text: string) => string) =>
  writeFileSync(join(folder, 'fleet/sets.yaml'), change(readFileSync(join(folder, 'fleet/sets.yaml'), 'utf8')))

/** Writes the objects of the fleet as a list of a cluster, in which each set has a uid. */
function apply(file: string, kinds: readonly string[]): void {
  const texts = readdirSync(join(folder, 'fleet'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .map((path) => readFileSync(join(folder, 'fleet', path), 'utf8'))
  const objects = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()))
  const items = objects
    .filter(({ kind }) => kinds.includes(kind))
    .map((object) => ({
      ...object,
      metadata: { ...object.metadata, resourceVersion: '7', ...(object.kind === 'PackageVariantSet' && { uid: UID }) },
    }))
  writeFileSync(join(folder, file), JSON.stringify({ apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } }))
}

const BOTH = ['PackageVariantSet', 'PackageVariant']

describe('from git to a controller', () => {
  test('sets only: the controller makes the variants, and the plan against the cluster has nothing to do', async () => {
    apply('cluster.yaml', ['PackageVariantSet'])
    expect((await run('plan', '--against-cluster', 'cluster.yaml', 'fleet')).stdout).toMatch(
      /^Plan: 3 to create\n\n.*; by Porch's controller\n/,
    )
    edit((text) => text.replace('name: web\n', `name: web\n  uid: ${UID}\n`))
    await fanOut()
    apply('cluster.yaml', BOTH)
    rmSync(join(folder, 'fleet/variants'), { recursive: true })
    edit((text) => text.replace(`  uid: ${UID}\n`, ''))
    const after = await run('plan', '--against-cluster', 'cluster.yaml', 'fleet')
    expect(after.exitCode).toBe(0)
    expect(after.stdout).toMatch(/^Plan: nothing to do, 3 unchanged/)
  })

  test('variants only: the set stays local, and what was applied is what fan-out made', async () => {
    edit((text) => text.replace('namespace: shop\n', 'namespace: shop\n  annotations: {config.kubernetes.io/local-config: "true"}\n'))
    await fanOut()
    expect((await run('check', '--target', 'porch', 'fleet')).exitCode).toBe(0)
    apply('cluster.yaml', ['PackageVariant'])
    expect((await run('plan', '--against-cluster', 'cluster.yaml', 'fleet')).exitCode).toBe(0)
  })

  test('hand over: variants without the uid block the controller, adopt writes it, and then nothing is to do', async () => {
    await fanOut()
    apply('cluster.yaml', BOTH)
    const blocked = await run('plan', '--against-cluster', 'cluster.yaml', 'fleet')
    expect(blocked.exitCode).toBe(1)
    expect(blocked.stderr).toContain('it is missing in 3 PackageVariants of the cluster: web-north-web')
    expect((await run('adopt', '--from-cluster', 'cluster.yaml', 'fleet')).exitCode).toBe(0)
    apply('cluster.yaml', BOTH)
    expect((await run('plan', '--against-cluster', 'cluster.yaml', 'fleet')).exitCode).toBe(0)
    expect((await run('adopt', '--from-cluster', 'cluster.yaml', 'fleet')).stdout).toBe('')
    // In git the set has no uid, and a new variant would have none.
    expect((await run('plan', 'fleet')).stderr).toContain('[set-uid-missing]')
  })
})
