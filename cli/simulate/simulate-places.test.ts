import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const provider = (name: string, spec: string) => `apiVersion: pkg.crossplane.io/v1
kind: Provider
metadata:
  name: ${name}
spec:
  ${spec}
`

const NULL = 'providers.yaml:6:12: error: `spec.package` must be a string, got null [dependency-form-invalid]'
const MISSING = 'providers.yaml:12:1: error: `spec.package` must be set [dependency-form-invalid]'

test('simulate names the lines of missing packages as check does, and neither offers a text for a null', async () => {
  const root = testFolder()
  const change = join(testFolder(), 'change.yaml')
  const file = [provider('no-text', 'package: null'), provider('unset', 'revisionHistoryLimit: 3')].join('---\n')
  writeFileSync(join(root, 'providers.yaml'), file)
  writeFileSync(change, provider('unset', 'revisionHistoryLimit: 4'))
  const places = (text: string) => text.split('\n').filter((line) => line.includes('error:'))
  expect(places((await recordRun(root, ['check'])).stdout)).toEqual([NULL, MISSING])
  const simulated = await recordRun(root, ['simulate', '--change', change])
  expect([simulated.exitCode, places(simulated.stderr)]).toEqual([1, [NULL, MISSING]])
})
