import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { copyFolder, differingFiles, readFolder } from '../folder-copy.ts'
import { bundlePath, runProgram } from '../run-program.ts'
import { FUNCTIONS } from './functions.ts'
import { kptMust, runKpt } from './kpt.ts'
import { KPTS } from './present-hosts.ts'

// What kpt since beta.62 leaves in a root Kptfile (kpt kptops/render_executor.go): no comments, wide lists, and its account of the run with
// the results of every function. kpt before beta.62 cannot render it, but passes it to functions.
const RENDERED = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: checkout
  annotations:
    config.kubernetes.io/local-config: "true"
info:
  description: The tills of one store
  readinessGates:
    - conditionType: store.opened
pipeline:
  mutators:
    - image: ghcr.io/kptdev/krm-functions-catalog/set-labels
      tag: '>=0.2.0 <0.3.0'
      configMap:
        format: market
    - name: set-context
      exec: dist/set-context.mjs
      configPath: package-variant.yaml
  validators:
    - exec: dist/check-dependencies.mjs
`
const STATUS = `status:
  conditions:
    - type: Rendered
      status: "True"
      reason: RenderSuccess
    - type: store.opened
      status: "False"
  renderStatus:
    mutationSteps:
      - image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.3
        exitCode: 0
        results:
          - message: set 2 labels
            severity: info
            resourceRef:
              apiVersion: apps/v1
              kind: Deployment
              name: checkout
            field:
              path: metadata.labels
              currentValue: '{}'
            file:
              path: deployment.yaml
      - name: set-context
        exec: dist/set-context.mjs
        exitCode: 0
    validationSteps:
      - exec: dist/check-dependencies.mjs
        stderr: |
          nothing to say
        exitCode: 0
    errorSummary: ""
`
const RENDER_STATUS = STATUS.slice(STATUS.indexOf('  renderStatus:'))

/** The example that every function has something to say about, with the Kptfile of the newest kpt. */
function packageRenderedByNewKpt(): string {
  const folder = copyFolder('examples/set-context-with-others')
  writeFileSync(join(folder, 'Kptfile'), RENDERED + STATUS)
  // The upstream of its variant, for render-variants.
  mkdirSync(join(folder, 'catalog/checkout'), { recursive: true })
  writeFileSync(join(folder, 'catalog/checkout/Kptfile'), 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: checkout\n')
  cpSync(join(folder, 'check.yaml'), join(folder, 'catalog/checkout/check.yaml'))
  return folder
}

// generate-sync needs a GenerateSync, and reads no Kptfile.
describe.each(FUNCTIONS.filter((name) => name !== 'generate-sync'))('%s on a Kptfile with renderStatus', (name) => {
  test.each(KPTS)('keeps it on stdin, and a second run changes nothing (source from %s)', async (kpt) => {
    const source = await kptMust(kpt, ['fn', 'source', packageRenderedByNewKpt()])
    const first = await runProgram(bundlePath(name), [], source)
    expect({ exitCode: first.exitCode, stderr: first.stderr }).toEqual({ exitCode: 0, stderr: '' })
    const [status = ''] = source.match(/^ {4}renderStatus:\n(?: {4,}.*\n)*/m) ?? []
    expect(status).toContain('mutationSteps')
    expect(first.stdout.toString()).toContain(status)
    const second = await runProgram(bundlePath(name), [], first.stdout)
    expect(second.stdout.toString()).toBe(first.stdout.toString())
  })

  test.each(KPTS)('keeps it with %s fn eval, and a second run changes nothing', async (kpt) => {
    const folder = packageRenderedByNewKpt()
    const run = () => runKpt(kpt, ['fn', 'eval', folder, '--exec', bundlePath(name)])
    expect(await run()).toMatchObject({ exitCode: 0 })
    const kptfile = readFileSync(join(folder, 'Kptfile'), 'utf8')
    expect(kptfile).toContain(RENDER_STATUS)
    expect(kptfile).toContain(`tag: '>=0.2.0 <0.3.0'`)
    expect(kptfile).toContain('    - type: Rendered\n      status: "True"\n      reason: RenderSuccess\n')
    const rendered = readFolder(folder)
    expect(await run()).toMatchObject({ exitCode: 0 })
    expect(differingFiles(rendered, readFolder(folder))).toEqual([])
  })
})
