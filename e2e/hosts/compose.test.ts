import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { copyFolder, differingFiles, readFolder } from '../folder-copy.ts'
import { FUNCTIONS } from './functions.ts'
import { render } from './kpt.ts'
import { KPTS } from './present-hosts.ts'

const EXAMPLE = 'examples/fleet-of-packages'
const STORES = ['store-ber-01', 'store-ham-01']

/** The functions that its Kptfiles run. */
const NAMED = FUNCTIONS.filter((name) => [...readFolder(EXAMPLE).values()].some((text) => text.includes(`exec: dist/${name}.mjs`)))

/** The files that each render changes, in each package. Newer kpt also writes the outcome into the Kptfile at the top. */
const CHANGES: readonly { readonly render: string; readonly files: readonly string[] }[] = [
  { render: 'first', files: ['Kptfile', 'network.yaml', 'package-variant.yaml'] },
  { render: 'second', files: ['package-context.yaml'] },
  { render: 'third', files: [] },
]

/** A variant without a set, from a revision that was never published. */
const HAND_WRITTEN = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: audit
  namespace: checkout
spec:
  upstream:
    repo: catalog
    package: checkout
    workspaceName: v9
  downstream:
    repo: store-ber-01
    package: audit
`

describe.each(KPTS)(`%s on ${EXAMPLE}`, (kpt) => {
  test('renders packages first, with every function that it names, until nothing changes', async () => {
    const folder = copyFolder(EXAMPLE)
    const seen: string[] = []
    for (const { render: which, files } of CHANGES) {
      const before = readFolder(folder)
      const { printed, exitCode } = await render(kpt, folder, '--allow-exec')
      expect({ which, exitCode }, printed).toEqual({ which, exitCode: 0 })
      const changed = differingFiles(before, readFolder(folder)).filter((path) => path !== 'Kptfile')
      expect({ which, changed }).toEqual({ which, changed: STORES.flatMap((store) => files.map((file) => `packages/${store}/${file}`)) })
      expect([...printed.matchAll(/^Package "(?:.*\/)?([^/"]+)":/gm)].map(([, name]) => name)).toEqual([...STORES, 'package'])
      seen.push(printed)
    }
    expect(NAMED).toContain('fan-out')
    expect(NAMED.filter((name) => !seen.some((printed) => printed.includes(`[PASS] "dist/${name}.mjs"`)))).toEqual([])
  })

  test('keeps comments where values changed', async () => {
    const folder = copyFolder(EXAMPLE)
    await render(kpt, folder, '--allow-exec')
    const textOf = (path: string) => readFileSync(join(folder, 'packages/store-ber-01', path), 'utf8')
    expect(textOf('network.yaml')).toContain('vlan: 30 # of the tills\n')
    expect(textOf('package-variant.yaml')).toContain('store: store-ber-01 # Berlin\n')
  })

  test('stops at the validator when a variant derives from nothing, and writes nothing', async () => {
    const folder = copyFolder(EXAMPLE)
    writeFileSync(join(folder, 'audit.yaml'), HAND_WRITTEN)
    const before = readFolder(folder)
    const { printed, exitCode } = await render(kpt, folder, '--allow-exec', '--truncate-output=false')
    expect(exitCode).toBe(1)
    expect(printed).toMatch(/\[FAIL\] "dist\/check-dependencies\.mjs"/)
    expect(printed).toContain(
      'PackageVariant checkout/audit requires catalog/checkout in workspace "v9", and there is no such PackageRevision',
    )
    expect(differingFiles(before, readFolder(folder))).toEqual([])
  })
})
