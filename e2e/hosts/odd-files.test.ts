import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { differingFiles, readFolder } from '../folder-copy.ts'
import { bundlePath, runProgram } from '../run-program.ts'
import { FUNCTIONS } from './functions.ts'
import { runKpt } from './kpt.ts'
import { KPTS } from './present-hosts.ts'

const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: odd\n'
const VARIANT = 'variants/apps/apps-edge-01-app.yaml'
const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: apps
spec:
  upstream:
    repo: catalog
    package: app # größer
    revision: 1
  targets:
    - repositories:
        - name: edge-01
`

const configMap = (name: string, text: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  text: |\n${text}`
const LARGE = configMap('large', `    ${'x'.repeat(95)}\n`.repeat(59_000))
const SMALL = Array.from({ length: 2_000 }, (_, i): [string, string] => [`small-${i}.yaml`, configMap(`small-${i}`, '    a\n')])

type Files = Readonly<Record<string, string | Buffer>>

const READ: readonly { readonly reason: string; readonly files: Files }[] = [
  { reason: 'CRLF', files: { Kptfile: KPTFILE, 'set.yaml': SET.replaceAll('\n', '\r\n') } },
  { reason: 'a BOM', files: { Kptfile: KPTFILE, 'set.yaml': `\uFEFF${SET}` } },
  { reason: 'a BOM and CRLF', files: { Kptfile: KPTFILE, 'set.yaml': `\uFEFF${SET}`.replaceAll('\n', '\r\n') } },
  { reason: 'one file of 5.9 MB', files: { Kptfile: KPTFILE, 'set.yaml': `${SET}---\n${LARGE}` } },
  { reason: '2,000 small files', files: { Kptfile: KPTFILE, 'set.yaml': SET, ...Object.fromEntries(SMALL) } },
  { reason: 'no Kptfile', files: { 'set.yaml': SET } },
]

// kpt itself refuses these, before any function; the tool must say the same.
const REFUSED: readonly { readonly reason: string; readonly files: Files; readonly tool: RegExp; readonly kpt: RegExp }[] = [
  {
    reason: 'a file in Latin-1',
    files: { Kptfile: KPTFILE, 'set.yaml': Buffer.from(SET, 'latin1') },
    tool: /set\.yaml:\d+:\d+: error: must be UTF-8/,
    kpt: /set\.yaml: MalformedYAMLError: yaml: .*UTF-8/,
  },
  {
    reason: 'bytes that are no text',
    files: { Kptfile: KPTFILE, 'set.yaml': Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe, 0x00, 0x0a]) },
    tool: /set\.yaml:\d+:\d+: error: must be UTF-8/,
    kpt: /set\.yaml: MalformedYAMLError: yaml: /,
  },
]

// One line, so no warnings.
const READ_ONE_SET = expect.stringMatching(/^Plan: .*; read \d+ files?, 1 PackageVariantSet\b.*\n$/)

function packageOf(files: Files): string {
  const folder = testFolder()
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  return folder
}

async function plan(folder: string): Promise<{ firstLine: string; stderr: string; exitCode: number | null }> {
  const { stdout, stderr, exitCode } = await runProgram(bundlePath('krm-variants'), ['plan', folder])
  return { firstLine: stdout.toString().split('\n')[0] ?? '', stderr, exitCode }
}

describe.each(KPTS)('%s', (kpt) => {
  const evaluate = (folder: string, name: string) => runKpt(kpt, ['fn', 'eval', folder, '--exec', bundlePath(name)])

  test.each(READ)('a package with $reason: the variant is planned, made, and made once', async ({ files }) => {
    const folder = packageOf(files)
    expect(await plan(folder)).toEqual({ firstLine: 'Plan: 1 to create', stderr: READ_ONE_SET, exitCode: 2 })
    expect((await evaluate(folder, 'fan-out')).exitCode).toBe(0)
    const made = readFolder(folder)
    expect([...made.keys()].sort()).toEqual([...Object.keys(files), VARIANT].sort())
    expect(made.get(VARIANT)).toContain('name: apps-edge-01-app\n')
    expect(await plan(folder)).toEqual({ firstLine: 'Plan: nothing to do, 1 unchanged', stderr: READ_ONE_SET, exitCode: 0 })
    expect((await evaluate(folder, 'fan-out')).exitCode).toBe(0)
    expect(differingFiles(made, readFolder(folder))).toEqual([])
  })

  test.each(REFUSED)('a package with $reason: refused with its place, and left as it is', async ({ files, tool, kpt: refusal }) => {
    const folder = packageOf(files)
    const before = readFolder(folder)
    const { stderr, exitCode } = await plan(folder)
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(tool) })
    expect(await evaluate(folder, 'fan-out')).toEqual({ exitCode: 1, printed: expect.stringMatching(refusal) })
    expect(differingFiles(before, readFolder(folder))).toEqual([])
  })

  test.each(FUNCTIONS)('%s on a package without Kptfile: done, or refused in words that name it', async (name) => {
    const folder = packageOf({ 'set.yaml': SET })
    const { printed, exitCode } = await evaluate(folder, name)
    if (exitCode !== 0) {
      expect(printed).toMatch(/\[error\].*(Kptfile|GenerateSync)/)
      expect([...readFolder(folder).keys()]).toEqual(['set.yaml'])
    } else expect(printed).toContain('[PASS]')
  })

  test.each(FUNCTIONS)('%s leaves a file of 5.9 MB as kpt itself would', async (name) => {
    const files = { Kptfile: KPTFILE, 'large.yaml': LARGE }
    const [folder, untouched] = [packageOf(files), packageOf(files)]
    const { printed, exitCode } = await evaluate(folder, name)
    await runKpt(kpt, ['fn', 'eval', untouched, '--exec', 'cat'])
    expect(readFolder(folder).get('large.yaml')).toBe(readFolder(untouched).get('large.yaml'))
    expect(printed).toContain(exitCode === 0 ? '[PASS]' : '[error]')
  })
})
