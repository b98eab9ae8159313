import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT, runProgram } from '../run-program.ts'
import { readFiles } from './markdown.ts'
import { GO } from './present-hosts.ts'

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-kubernetes-'))
const parser = join(folder, 'kubernetes-parser')

afterAll(() => rmSync(folder, { recursive: true }))

// The manifest runs in e2e/render-shards.test.ts, as eight processes.
describe.skipIf(!GO.present)("kubernetes.md, by Kubernetes' own types (k8s.io/api v0.33)", () => {
  beforeAll(async () => {
    const { stderr, exitCode } = await runProgram('go', ['build', '-C', 'e2e/hosts/kubernetes-parser', '-o', parser, '.'])
    if (exitCode !== 0) throw new Error(stderr)
  })

  const manifest = readFiles(readFileSync(join(ROOT, 'docs/recipes/kubernetes.md'), 'utf8')).get('render.yaml') ?? ''

  test('the Job has no field that batch/v1 does not have', async () => {
    expect(await runProgram(parser, [], manifest)).toMatchObject({ stderr: '', exitCode: 0 })
  })

  test('a misspelt field would be found', async () => {
    const { stderr } = await runProgram(parser, [], manifest.replace('completionMode', 'completionMod'))
    expect(stderr).toContain('unknown field "completionMod"')
  })
})
