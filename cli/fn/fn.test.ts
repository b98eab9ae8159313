import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CATALOG } from '../../src/catalog/catalog.ts'
import { answerDoc } from '../../src/doc/function-doc.ts'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { DOCS } from '../generated/docs.ts'
import { FUNCTIONS } from '../generated/registry.ts'

test.each([...FUNCTIONS.keys(), ...CATALOG.map(({ name }) => name)])('fn %s --help is what the function itself says', async (name) => {
  const doc = DOCS.get(name)
  const { stdout, exitCode } = await recordRun('.', ['fn', name, '--help'])
  expect(stdout).toBe(doc && answerDoc(['--help'], doc, ''))
  expect(stdout.length).toBeGreaterThan(200)
  expect(exitCode).toBe(0)
})

test('a folder is written with --write only, and a second run finds nothing to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync('testdata/cli/plan-equal/input', folder, { recursive: true })
  const files = () =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), 'utf8')])
  const before = files()
  expect(await recordRun(folder, ['fn', 'fan-out', '.'])).toMatchObject({ exitCode: 2 })
  expect(files()).toEqual(before)
  expect(await recordRun(folder, ['fn', 'fan-out', '.', '--write'])).toMatchObject({ exitCode: 0 })
  expect(files()).not.toEqual(before)
  expect(await recordRun(folder, ['fn', 'fan-out', '.'])).toMatchObject({ exitCode: 0, stdout: '' })
  writeFileSync(join(folder, `a.yaml.${crypto.randomUUID()}.krm-variants-new`), 'of a killed run')
  const written = await recordRun(folder, ['fn', 'fan-out', '.', '--write'])
  expect(written).toMatchObject({ exitCode: 0, stdout: '' })
  expect(readdirSync(folder).filter((name) => name.endsWith('.krm-variants-new'))).toEqual([])
})
