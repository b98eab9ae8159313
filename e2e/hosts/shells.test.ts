import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bundlePath, ROOT, runProgram } from '../run-program.ts'
import { FISH, ZSH } from './present-hosts.ts'

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-shells-'))
symlinkSync(bundlePath('krm-variants'), join(folder, 'krm-variants'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Lines, and the word that the end of each becomes; bash has the same ones in e2e/completion.test.ts. */
const LINES = [
  { line: 'krm-variants ex', word: 'explain' },
  { line: 'krm-variants check --format s', word: 'sarif' },
  { line: 'krm-variants check --unsafe', word: '--unsafe-fixes' },
  { line: 'krm-variants completion f', word: 'fish' },
  { line: 'krm-variants plan sch', word: 'schemas/' },
]
const TYPED = LINES.map(({ line }) => line)

async function run(command: string, args: readonly string[]): Promise<string> {
  const environment = { PATH: `${folder}:${process.env.PATH}`, HOME: folder }
  const { stdout, stderr, exitCode } = await runProgram('env', [
    ...Object.entries(environment).map((pair) => pair.join('=')),
    command,
    ...args,
  ])
  expect({ stderr: stderr.toString(), exitCode }).toEqual({ stderr: '', exitCode: 0 })
  return stdout.toString()
}

describe.skipIf(!ZSH.present)('zsh', () => {
  test('completes commands, choices, options and folders', async () => {
    writeFileSync(join(folder, '_krm-variants'), await run('krm-variants', ['completion', 'zsh']))
    const completed = await run('zsh', ['-f', join(ROOT, 'e2e/hosts/complete-lines.zsh'), folder, ...TYPED])
    expect(
      completed
        .trimEnd()
        .split('\n')
        .map((line) => line.trimEnd()),
    ).toEqual(LINES.map(({ line, word }) => line.replace(/\S+$/, () => word)))
  })
})

describe.skipIf(!FISH.present)('fish', () => {
  test('completes commands, choices, options and folders', async () => {
    const script = `krm-variants completion fish | source; for line in $argv; complete -C $line; end`
    const offered = await run('fish', ['--no-config', '-c', script, ...TYPED])
    expect(
      offered
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ).toEqual(LINES.map(({ word }) => word))
  })
})
