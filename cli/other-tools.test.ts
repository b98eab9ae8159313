import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordRun } from '../testdata/cli/recorded-run.ts'
import { testFolder } from '../testdata/test-folder.ts'

test.each([
  ['template', 'did you mean render?'],
  ['build', 'did you mean render?'],
  ['lint', 'did you mean check?'],
  ['preview', 'did you mean plan?'],
  ['upgrade', 'did you mean outdated?'],
  ['apply', 'nothing is applied'],
  ['up', 'nothing is applied'],
])('the command %s of another tool leads to the command of this tool', async (command, hint) => {
  const { stderr, exitCode } = await recordRun(tmpdir(), [command, '.'])
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(new RegExp(`^error: unknown command '${command}'; `))
  expect(stderr).toContain(hint)
  expect(stderr).not.toContain('simulate')
})

test('a misspelt command is asked for by its right name', async () => {
  expect((await recordRun(tmpdir(), ['simulat', '.'])).stderr).toBe("error: unknown command 'simulat'\n(Did you mean simulate?)\n")
})

test.each([
  [['render', '.', '--set', 'replicas=3'], 'values are not given on the command line'],
  [['render', '.', '-f', 'values.yaml'], 'values are not given on the command line'],
  [['run', '.', '--image=set-labels'], 'krm-variants fn NAME DIR runs one function'],
  [['fn', 'eval', '.'], 'krm-variants fn NAME DIR runs one function'],
  [['fn', 'render', '.'], 'did you mean krm-variants run?'],
])('%j of another tool is refused with the way to go', async (args, hint) => {
  const { stderr, exitCode } = await recordRun(tmpdir(), args)
  expect(exitCode).toBe(1)
  expect(stderr).toContain(hint)
})

test.each([
  [
    ['import', 'web.yaml', '--as', 'catalog/web'],
    'a source must come with its option: krm-variants import --manifest web.yaml --as catalog/web',
  ],
  [
    ['convert', 'helm', 'charts/web'],
    'krm-variants import --helm charts/web --allow-exec --as catalog/NAME makes an upstream package of it',
  ],
  [['init', 'web.yaml'], 'krm-variants import --manifest web.yaml --as catalog/NAME makes an upstream package of it'],
])('%j names the command for the source', async (args, said) => {
  const folder = testFolder()
  writeFileSync(join(folder, 'web.yaml'), 'kind: Pod\n')
  expect(await recordRun(folder, args)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(said) })
})
