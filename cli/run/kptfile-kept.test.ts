import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

test('run keeps the Kptfile of a package that no variant made when a function removes it', async () => {
  const folder = testFolder()
  const local = '  annotations:\n    config.kubernetes.io/local-config: "true"\n'
  const pipeline = 'pipeline:\n  mutators:\n    - image: remove-local-config-resources:v0.1.0\n'
  writeFileSync(join(folder, 'Kptfile'), `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n${local}${pipeline}`)
  writeFileSync(join(folder, 'a.yaml'), `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n`)
  writeFileSync(join(folder, 'b.yaml'), `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n${local}`)
  const { stderr, exitCode } = await recordRun(folder, ['run', '.'])
  expect(stderr).toContain("removes 'Kptfile': a folder without a Kptfile is no package, so it is kept [needed-by-render]")
  expect(exitCode).toBe(0)
  expect(readdirSync(folder).sort()).toEqual(['Kptfile', 'a.yaml'])
})
