import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const CASE = fileURLToPath(new URL('../../testdata/cli/promote/input', import.meta.url))

let folder = ''
beforeEach(() => {
  folder = testFolder()
  cpSync(CASE, folder, { recursive: true })
})

const read = () => readFileSync(join(folder, 'tills.yaml'), 'utf8')
const write = (text: string) => writeFileSync(join(folder, 'tills.yaml'), text)
const promote = (ring: string, to: string, ...options: readonly string[]) =>
  recordRun(folder, ['promote', '--matrix', 'tills', '--package', 'tills', '--ring', ring, '--to', to, ...options, '.'])

/** Returns the lines that differ between two texts of as many lines. */
function changedLines(before: string, after: string): readonly string[] {
  const lines = before.split('\n')
  return after.split('\n').filter((line, index) => line !== lines[index])
}

test('a release goes from ring to ring: each promotion waits for a render, and changes one line', async () => {
  const start = read()
  expect(await promote('europe', '4')).toMatchObject({ exitCode: 0 })
  const inEurope = read()
  expect(changedLines(start, inEurope)).toEqual([
    "  - {name: europe, where: \"target.repo in ['store-ham-01', 'store-kel-01']\", revisions: {tills: 4}}",
  ])
  expect(await promote('europe', '4')).toMatchObject({ exitCode: 0, stdout: 'fleet/tills: catalog/tills has v4 in ring europe\n' })
  const early = await promote('world', '4')
  expect(early).toMatchObject({ exitCode: 1, stdout: '' })
  expect(early.stderr).toContain("must wait for ring 'europe': 2 of 2 packages are not at 'v4' yet")
  expect(read()).toBe(inEurope)
  expect(await recordRun(folder, ['render', '.'])).toMatchObject({ exitCode: 0 })
  expect(await promote('world', '4')).toMatchObject({ exitCode: 0 })
  expect(changedLines(inEurope, read())).toEqual(['  - {repo: catalog, package: tills, revision: 4} # what the world has'])
  expect(await recordRun(folder, ['render', '.'])).toMatchObject({ exitCode: 0 })
  expect(await recordRun(folder, ['rings', '.'])).toMatchObject({ exitCode: 0 })
})

describe('the line of a ring', () => {
  test.each([
    {
      what: 'in Windows line ends',
      edit: (text: string) => text.replaceAll('\n', '\r\n'),
      line: '    revisions: {tills: 5} # the payments team decides\r',
    },
    {
      what: 'as a block',
      edit: (text: string) => text.replace('revisions: {tills: 4} #', 'revisions:\n      # not dns\n      tills: 4 #'),
      line: '      tills: 5 # the payments team decides',
    },
    {
      what: 'in quotes of its key',
      edit: (text: string) => text.replace('{tills: 4}', '{ "tills" : 4 }'),
      line: '    revisions: { "tills" : 5 } # the payments team decides',
    },
    {
      what: 'with an anchor that nothing names',
      edit: (text: string) => text.replace('{tills: 4}', '{tills: &canary 4}'),
      line: '    revisions: {tills: &canary 5} # the payments team decides',
    },
  ])('is changed $what', async ({ edit, line }) => {
    const before = edit(read())
    write(before)
    expect(await promote('canary', '5')).toMatchObject({ exitCode: 0 })
    expect(changedLines(before, read())).toEqual([line])
  })

  test('is added below the ring when the ring is a block', async () => {
    write(
      read().replace(
        "  - {name: europe, where: \"target.repo in ['store-ham-01', 'store-kel-01']\"}",
        '  - name: europe\n    where: "true" # all others',
      ),
    )
    expect(await promote('europe', '4')).toMatchObject({ exitCode: 0 })
    expect(read()).toContain('    where: "true" # all others\n    revisions:\n      tills: 4\n  - name: world')
  })

  test('is that of a merge key and is written beside it', async () => {
    write(
      read()
        .replace('    revisions: {tills: 4}', '    revisions: &own {tills: 4}')
        .replace("'store-kel-01']\"}", "'store-kel-01']\", revisions: {<<: *own, tills: 3}}"),
    )
    const { exitCode, stderr } = await promote('europe', '4')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(read()).toContain('revisions: {<<: *own, tills: 4}')
  })
})
