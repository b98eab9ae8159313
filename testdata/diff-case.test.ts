import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

function diffOf(name: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const program = `process.exitCode = (await import('./scripts/diff-case.mjs')).diffCases(${JSON.stringify(name)})`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: ROOT, encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('--diff shows the description of a golden case and the lines that the function changed', () => {
  expect(diffOf('set-labels/no-labels')).toEqual({
    status: 0,
    stdout: `testdata/set-labels/no-labels: a functionConfig without labels is a warning
@@ -15,3 +15,8 @@ functionConfig:
   metadata:
     name: c
   labels: {}
+results:
+- message: no \`labels\` arguments are given in FunctionConfig
+  severity: warning
+  tags:
+    rule: no-labels
`,
    stderr: '',
  })
})

test('--diff takes the name of a function for all its cases, and a path', () => {
  const all = diffOf('set-labels').stdout.match(/^testdata\/set-labels\//gm)
  expect(all?.length).toBeGreaterThan(5)
  expect(diffOf('testdata/set-labels/no-labels/').stdout).toBe(diffOf('no-labels').stdout)
})

test('--diff reports an unknown case with the cases whose names contain it', () => {
  expect(diffOf('removes-o')).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^no golden case is named 'removes-o'.*\n(?: {2}\S+\n)*? {2}prepend-pipeline\/removes-own\n/),
  })
})
